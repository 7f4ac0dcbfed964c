import { z } from 'zod';
import { amountMinor } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';
import { terminalCommand } from './commands.ts';
import { ed25519Signature, terminalConfiguration } from './enrolment.ts';

/** Far beyond what a terminal reaches. */
const maxSequence = 1_000_000_000_000;

const signedEntry = {
  entryId: z.string().regex(/^out_[0-9A-Za-z]{6,64}$/, { error: 'must be an id that starts with out_' }),
  /** The enrolment that recorded it: a terminal enrolled again delivers its earlier records. */
  terminalId: id('dev'),
  /** Incremented with every entry of this enrolment: a gap reveals that entries were removed from the terminal. */
  sequence: z.int().min(1).max(maxSequence),
  /** By the terminal's key over `canonicalOutboxEntry` (shared/signing). */
  signature: ed25519Signature,
};

const refundLimits = ['limit_exceeded', 'daily_limit_exceeded'] as const;

/** A staff password check that the terminal decided while offline; never an authorisation. */
export const staffCheckEntry = z
  .object({
    ...signedEntry,
    kind: z.literal('staff_check'),
    staffId: id('staff'),
    paymentId: id('pay'),
    operation: z.enum(['CANCEL', 'REFUND_SALE']),
    /** Null for a void, which has no amount. */
    amountInCents: amountMinor.nullable(),
    status: z.enum(['failed', ...refundLimits]),
    reason: z.enum(['invalid_signature', 'permission_denied', ...refundLimits]),
    /** Why a correct password was not enough, if the reason does not say: see `staffLogDetail`. */
    detail: z.enum(['password_change_required', 'service_unreachable']).nullable(),
    attemptedAt: timestamp,
    /** Whose request a second staff member was to approve; left out if nobody asked for approval. */
    requestedBy: id('staff').optional(),
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

/** Evidence that the terminal's memory or clock was tampered with. */
export const tamperReportEntry = z.object({
  ...signedEntry,
  kind: z.literal('tamper_report'),
  found: z.enum(['outbox_changed', 'lockouts_changed', 'clock_moved', 'rows_missing', 'rows_unreadable']),
  description: oneLine(500),
  detectedAt: timestamp,
});

/** A terminal's offline records for the service's logs, each signed with the terminal's key. */
export const outboxEntry = z.discriminatedUnion('kind', [staffCheckEntry, tamperReportEntry]);
export type StaffCheckEntry = z.infer<typeof staffCheckEntry>;
export type TamperReportEntry = z.infer<typeof tamperReportEntry>;
export type OutboxEntry = StaffCheckEntry | TamperReportEntry;

function describeEntry({ jsonSchema }: { readonly jsonSchema: object }): void {
  const { $schema: _, ...entrySchema } = z.toJSONSchema(outboxEntry, { io: 'input' });
  Object.assign(jsonSchema, entrySchema, {
    description:
      'Signed with the terminal’s key over the text that shared/signing/README.md describes: “florin-outbox-entry-v1”, then a line for each of terminalId, sequence, entryId, kind and the other fields in the order given here, as name=JSON value; a field that is left out has no line.',
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
  summary: 'Deliver offline records and receive changes',
  description:
    'Entries are accepted once each and in order; of two different ones with the same sequence only the first. A refused entry is acknowledged too, with the reason, and stored among the terminal’s alerts.',
  tag: 'Sync',
  body: z.object({
    configurationVersion: machineWord(100).nullable(),
    // Validated one by one, so that an invalid entry is refused and the others are accepted; described by its intended
    // schema.
    entries: z.array(z.unknown().meta({ override: describeEntry })).max(500),
    /** The sequence of the newest entry of this enrolment; 0 before the first. */
    lastSequence: z.int().min(0).max(maxSequence).default(0),
  }),
  responses: {
    200: json(
      z.object({
        acknowledged: z.array(
          z.object({
            entryId: z.string(),
            outcome: z.enum(['accepted', 'known', 'refused']),
            reason: z.enum(entryRefusalReasons).optional().meta({ description: 'Of a refused entry, for programs' }),
            message: z.string().optional().meta({ description: 'The same for people' }),
          }),
        ),
        /** Null if the terminal already has it. */
        configuration: terminalConfiguration.nullable(),
        /** Commands for this terminal, in case its stream is interrupted. */
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
  summary: 'Check that the service is reachable, and read its time',
  description:
    'Terminals call it once a second while nothing else is answered, so that staff see at once that they are offline.',
  tag: 'Sync',
  responses: { 200: json(z.object({ serverTime: timestamp })) },
  isCountedInProcess: true,
  origin: 'project',
});
