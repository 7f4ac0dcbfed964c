import { z } from 'zod';
import { lines, machineWord } from '../text.ts';

/** What a person saw, and where: kept for ever. */
export const evidence = lines(2000).min(10, { error: 'must say what was seen and where, in at least 10 characters' });

/** What all operations have in common by which a person decides something on evidence. */
export const decidedOnEvidence = {
  method: 'POST',
  authentication: ['apiKey'],
  permissions: ['take-payments:write', 'refunds:write'],
  idempotent: true,
  origin: 'project',
} as const;

/** Of an operation whose outcome the gateway could not tell: a manager decides it by what they saw there. */
export function outcomeOnEvidence(noun: 'payment' | 'refund') {
  return {
    ...decidedOnEvidence,
    summary: `Decide a ${noun} of unknown outcome on evidence`,
    description: `Only where the gateway stays silent: say what its own records show and where you saw it. The evidence is kept in the audit log. A ${noun} that is final does not change.`,
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
