import { z } from 'zod';

/** What every error says. */
export const problemFacts = {
  code: z.int().meta({ description: 'The HTTP status, repeated' }),
  message: z
    .string()
    .meta({ description: 'Why it was refused, in words for people', example: 'There is no such sale' }),
};

/** The one shape of every error, on every path. Specification: Errors. */
export const problem = z
  .object({
    error: z
      .object({
        ...problemFacts,
        metadata: z
          .looseObject({
            reason: z.string().optional().meta({ description: 'A stable word a program can act on' }),
            issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
            missingPermissions: z.array(z.string()).optional(),
            retryAfterSeconds: z.int().optional(),
          })
          .optional(),
      })
      .meta({ description: 'Why the call was refused' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;

/** The shape of errors at the endpoints that UCP's platforms call. */
export const ucpProblem = z
  .object({
    code: z
      .string()
      .meta({ description: 'UCP’s word for it, which a program can act on', example: 'merchant_not_found' }),
    message: problemFacts.message.meta({ example: 'There is no such merchant' }),
  })
  .meta({ id: 'UcpProblem', description: 'The shape of errors of UCP’s Invoice API' });
export type UcpProblem = z.infer<typeof ucpProblem>;

/** The shape of errors that wallets read (LUD-06), whatever went wrong; they come with 200. */
export const lnurlProblem = z.object({ status: z.literal('ERROR'), reason: z.string() });
export type LnurlProblem = z.infer<typeof lnurlProblem>;
