import { z } from 'zod';
import { amountMinor } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';
import { terminalCommand } from './commands.ts';
import { ed25519Signature, terminalConfiguration } from './enrolment.ts';

const signedEntry = {
  entryId: z.string().regex(/^out_[0-9A-Za-z]{6,64}$/, { error: 'must be an id that starts with out_' }),
  /** The enrolment under which it was recorded: a terminal that was enrolled anew delivers what it recorded before. */
  terminalId: id('dev'),
  /** One more with every entry recorded under this enrolment: a gap shows that entries were removed from the terminal. */
  sequence: z.int().min(1),
  /** By the terminal's key over `canonicalOutboxEntry` (shared/signing). */
  signature: ed25519Signature,
};

const refundLimits = ['limit_exceeded', 'daily_limit_exceeded'] as const;

/** A check of a staff password that the terminal decided by itself while offline; never an authorisation. */
export const staffCheckEntry = z
  .object({
    ...signedEntry,
    kind: z.literal('staff_check'),
    staffId: id('staff'),
    paymentId: id('pay'),
    operation: z.enum(['CANCEL', 'REFUND_SALE']),
    /** Null for a void, which has no amount of its own. */
    amountInCents: amountMinor.nullable(),
    status: z.enum(['failed', ...refundLimits]),
    reason: z.enum(['invalid_signature', 'permission_denied', ...refundLimits]),
    /** Why a right password was not enough, where the reason does not say: see `staffLogDetail`. */
    detail: z.enum(['password_change_required', 'service_unreachable']).nullable(),
    attemptedAt: timestamp,
  })
  .superRefine(({ operation, amountInCents, status, reason, detail }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if ((operation === 'CANCEL') !== (amountInCents === null))
      refuse('amountInCents', 'must be an amount for REFUND_SALE and null for CANCEL');
    if (operation === 'CANCEL' && status !== 'failed')
      refuse('status', 'must be failed for a void, to which limits do not apply');
    if (status === 'failed' ? reason !== 'invalid_signature' && reason !== 'permission_denied' : reason !== status)
      refuse('reason', `does not belong to the status ${status}`);
    if (detail !== null && reason !== 'permission_denied')
      refuse('detail', 'must be null unless the reason is permission_denied');
  });

/** What a terminal found wrong with its own memory or clock: somebody may have tampered with it. */
export const tamperReportEntry = z.object({
  ...signedEntry,
  kind: z.literal('tamper_report'),
  found: z.enum(['outbox_changed', 'lockouts_changed', 'clock_moved', 'rows_missing', 'rows_unreadable']),
  description: oneLine(500),
  detectedAt: timestamp,
});

/** What a terminal recorded by itself, for the service's logs; signed one by one with the terminal's key. */
export const outboxEntry = z.discriminatedUnion('kind', [staffCheckEntry, tamperReportEntry]);
export type StaffCheckEntry = z.infer<typeof staffCheckEntry>;
export type TamperReportEntry = z.infer<typeof tamperReportEntry>;
export type OutboxEntry = StaffCheckEntry | TamperReportEntry;

function describeEntry({ jsonSchema }: { readonly jsonSchema: object }): void {
  const { $schema: _, ...entrySchema } = z.toJSONSchema(outboxEntry, { io: 'input' });
  Object.assign(jsonSchema, entrySchema, {
    description:
      'Signed with the terminal’s key over the text that shared/signing/README.md describes: “florin-outbox-entry-v1”, then a line for each of terminalId, sequence, entryId, kind and the other fields in the order given here, as name=JSON value.',
  });
}

/** Why the service refuses an entry. */
export const entryRefusalReasons = [
  'not_valid',
  'signature_invalid',
  'enrolment_unknown',
  'too_many_entries',
  'in_the_future',
  'before_enrolment',
  'payment_unknown',
  'before_sale',
  'refund_exceeds_payment',
  'staff_unknown',
  'before_staff_member',
  'too_many_failures',
] as const;
export type EntryRefusalReason = (typeof entryRefusalReasons)[number];

export const syncTerminal = contract({
  name: 'syncTerminal',
  method: 'POST',
  path: '/device/v1/sync',
  authentication: ['deviceToken'],
  summary: 'Hand over what happened offline, take what changed',
  description:
    'Entries are accepted once each and in order. An entry the service refuses is acknowledged too, with the reason; the service keeps it and shows it among the alerts of the terminal.',
  tag: 'Sync',
  body: z.object({
    configurationVersion: machineWord(100).nullable(),
    // Read one by one, for an entry that is not valid is refused and the others are taken; described as what it should be.
    entries: z.array(z.unknown().meta({ override: describeEntry })).max(500),
    /** The sequence of the newest entry recorded under this enrolment; 0 before the first. */
    lastSequence: z.int().min(0).default(0),
  }),
  responses: {
    200: json(
      z.object({
        acknowledged: z.array(
          z.object({
            entryId: z.string(),
            outcome: z.enum(['accepted', 'known', 'refused']),
            reason: z.enum(entryRefusalReasons).optional().meta({ description: 'Of a refused entry, for programs' }),
            message: z.string().optional().meta({ description: 'The same in words' }),
          }),
        ),
        /** Null when the terminal already has it. */
        configuration: terminalConfiguration.nullable(),
        /** What software wants of this terminal, should its stream of commands not get through. */
        commands: z.array(terminalCommand).default([]),
        serverTime: timestamp,
      }),
    ),
  },
  origin: 'project',
});

export const pingTerminal = contract({
  name: 'pingTerminal',
  method: 'GET',
  path: '/device/v1/ping',
  authentication: ['deviceToken'],
  summary: 'Whether the service can be reached, and what time it is there',
  description:
    'Terminals ask every two seconds while nothing else is said, so that staff see at once that they are offline.',
  tag: 'Sync',
  responses: { 200: json(z.object({ serverTime: timestamp })) },
  origin: 'project',
});
