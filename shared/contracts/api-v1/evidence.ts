import { z } from 'zod';
import { lines, machineWord } from '../text.ts';

/** What was seen and where; kept permanently. */
export const evidence = lines(2000).min(10, { error: 'must say what was seen and where, in at least 10 characters' });

/** Common to all operations that resolve something on evidence. */
export const decidedOnEvidence = {
  method: 'POST',
  authentication: ['apiKey'],
  permissions: ['take-payments:write', 'refunds:write'],
  stepUp: true,
  idempotent: true,
  origin: 'project',
} as const;

/** The manual resolution of an operation whose outcome the gateway did not report. */
export function outcomeOnEvidence(noun: 'payment' | 'refund') {
  return {
    ...decidedOnEvidence,
    summary: `Resolve a ${noun} of unknown outcome on evidence`,
    description: `Only if the gateway does not report an outcome: state what its own records show and where you saw it. The evidence is kept in the audit log. A final ${noun} does not change.`,
    body: z
      .object({
        outcome: z.enum(['approved', 'failed']),
        evidence,
        gatewayReference: machineWord(100).nullable().default(null).meta({ example: '26112109301234567' }),
      })
      .refine(body => body.outcome === 'failed' || body.gatewayReference !== null, {
        path: ['gatewayReference'],
        error: `is required for an approved ${noun}`,
      }),
  } as const;
}
