import { z } from 'zod';
import { contract, timestamp } from '../contract.ts';
import { ed25519Signature, terminalConfiguration } from './enrolment.ts';

/** What a terminal decided by itself while offline, for the service's logs. Signed one by one with the terminal's key. */
export const outboxEntry = z.object({
  entryId: z.string().regex(/^out_[0-9A-Za-z]{6,64}$/),
  /** The enrolment under which it was recorded: a terminal that was enrolled anew delivers what it recorded before. */
  terminalId: z.string().min(1).max(64),
  /** One more with every entry recorded under this enrolment: a gap tells that entries were removed from the terminal. */
  sequence: z.int().min(1),
  kind: z.literal('staff_check'),
  staffId: z.string(),
  paymentId: z.string(),
  operation: z.enum(['CANCEL', 'REFUND_SALE']),
  amountInCents: z.int().min(1).nullable(),
  status: z.enum(['failed', 'limit_exceeded', 'daily_limit_exceeded']),
  reason: z.enum(['invalid_signature', 'permission_denied', 'limit_exceeded', 'daily_limit_exceeded']),
  attemptedAt: timestamp,
  signature: ed25519Signature,
});
export type OutboxEntry = z.infer<typeof outboxEntry>;

export const syncTerminal = contract({
  name: 'syncTerminal',
  method: 'POST',
  path: '/device/v1/sync',
  caller: 'device',
  summary: 'Hand over what happened offline, take what changed',
  description:
    'Entries are accepted once each and in order. An entry the service refuses is acknowledged too, with the reason.',
  tag: 'Sync',
  body: z.object({
    configurationVersion: z.string().nullable(),
    entries: z.array(z.unknown()).max(500),
    /** The sequence of the newest entry recorded under this enrolment; 0 before the first. */
    lastSequence: z.int().min(0).default(0),
  }),
  answers: {
    200: z.object({
      acknowledged: z.array(
        z.object({
          entryId: z.string(),
          outcome: z.enum(['accepted', 'known', 'refused']),
          message: z.string().optional(),
        }),
      ),
      /** Null when the terminal already has it. */
      configuration: terminalConfiguration.nullable(),
      serverTime: timestamp,
    }),
  },
  origin: 'project',
});
