import { z } from 'zod';

/** The fields of every error. */
export const problemFacts = {
  code: z.int().meta({ description: 'The HTTP status, repeated' }),
  message: z.string().meta({ description: 'The reason for people', example: 'There is no such sale' }),
};

/** The standard error body on every path. Specification: Errors. */
export const problem = z
  .object({
    error: z
      .object({
        ...problemFacts,
        metadata: z
          .looseObject({
            reason: z.string().optional().meta({ description: 'A stable code for programs' }),
            issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
            missingPermissions: z.array(z.string()).optional(),
            retryAfterSeconds: z.int().optional(),
          })
          .optional(),
      })
      .meta({ description: 'The reason of the error' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;

/** Errors at the endpoints for UCP platforms. */
export const ucpProblem = z
  .object({
    code: z.string().meta({ description: 'UCP’s error code', example: 'merchant_not_found' }),
    message: problemFacts.message.meta({ example: 'There is no such merchant' }),
  })
  .meta({ id: 'UcpProblem', description: 'The error format of UCP’s Invoice API' });
export type UcpProblem = z.infer<typeof ucpProblem>;

/** Errors for wallets (LUD-06); always with status 200. */
export const lnurlProblem = z.object({ status: z.literal('ERROR'), reason: z.string() });
export type LnurlProblem = z.infer<typeof lnurlProblem>;
