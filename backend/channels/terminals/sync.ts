import type { TerminalCommand } from '@florin/shared/contracts/device-v1/commands.ts';
import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import {
  type EntryRefusalReason,
  type OutboxEntry,
  outboxEntry,
  type StaffCheckEntry,
} from '@florin/shared/contracts/device-v1/sync.ts';
import { messageOf } from '@florin/shared/contracts/messages.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { canonicalOutboxEntry } from '@florin/shared/signing/canonical.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { OfflineChecks } from '../../people/staff/offline-checks.ts';
import type { TerminalAlerts } from './alerts.ts';
import {
  enrolmentWithKey,
  entriesReceived,
  entriesTaken,
  entryNumbered,
  entryTaken,
  insertEntry,
  saleOf,
  setOutcome,
} from './outbox-store.ts';
import type { EnrolmentRow } from './rows.ts';
import type { TerminalService } from './service.ts';
import { terminalById } from './store.ts';

export type SyncOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly terminals: TerminalService;
  readonly alerts: TerminalAlerts;
  readonly changes: ChangeLog;
  readonly recordOfflineCheck: OfflineChecks['recordOfflineCheck'];
  /** Commands for a terminal that it has not acknowledged. */
  readonly commandsFor: (terminalId: string) => Promise<TerminalCommand[]>;
  /** The accepted clock difference of a terminal. */
  readonly clockSkewMs: number;
  /** The daily limit of entries from one machine: more than people can make, too few to fill the log. */
  readonly entriesPerDay: number;
};

export type Acknowledgement = {
  readonly entryId: string;
  readonly outcome: 'accepted' | 'known' | 'refused';
  /** Why it was refused. */
  readonly reason?: EntryRefusalReason;
  readonly message?: string;
};

export type SyncResponse = {
  readonly acknowledged: Acknowledgement[];
  readonly configuration: TerminalConfiguration | null;
  readonly commands: TerminalCommand[];
  readonly serverTime: Instant;
};

export type SyncRequest = {
  readonly configurationVersion: string | null;
  readonly entries: readonly unknown[];
  readonly lastSequence: number;
};

type Sender = { readonly businessId: string; readonly terminalId: string; readonly publicKey: string };
type EntryRefusal = { readonly reason: EntryRefusalReason; readonly message: string };

const dayMs = 86_400_000;
/** No terminal records entries faster for long: each takes a person. */
const leastEntryMs = 1_000;

/** The contract's limit of entries per call: a smaller call contained everything. */
const entriesPerCall = 500;

/**
 * Accepts a terminal's records entry by entry: each once, in order. An entry must meet the rules of a live check and be
 * plausible for a terminal; otherwise it is refused, stored as an alert and does not block the others. decisions:
 * Devices, Sync.
 */
export function syncService(options: SyncOptions) {
  const { database, clock, terminals, alerts, changes, clockSkewMs, entriesPerDay } = options;

  async function refuse(tx: Transaction, sender: Sender, given: unknown, refusal: EntryRefusal) {
    const { businessId, terminalId } = sender;
    await alerts.raise(tx, { businessId, terminalId, kind: 'entry_refused', ...refusal, entry: given });
    return { entryId: claimedId(given), outcome: 'refused' as const, ...refusal };
  }

  async function take(sender: Sender, given: unknown): Promise<Acknowledgement> {
    const parsed = outboxEntry.safeParse(given, { error: messageOf });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const message = `The entry is not valid: ${issue?.path.join('.') || 'it'} ${issue?.message ?? 'does not fit'}`;
      return database.write(tx => refuse(tx, sender, given, { reason: 'not_valid', message }));
    }
    return database.write(tx => takeParsed(tx, sender, parsed.data));
  }

  async function takeParsed(tx: Transaction, sender: Sender, entry: OutboxEntry): Promise<Acknowledgement> {
    const { entryId, terminalId, sequence } = entry;
    const { signature, ...signed } = entry;
    if (!verifyText(sender.publicKey, canonicalOutboxEntry(signed), signature)) {
      return refuse(tx, sender, entry, refusalOf('signature_invalid'));
    }
    // An earlier enrolment of the same machine is identified by its key.
    const { businessId, publicKey } = sender;
    const enrolment = await tx.first(enrolmentWithKey, { businessId, terminalId, publicKey });
    if (!enrolment) return refuse(tx, sender, entry, refusalOf('enrolment_unknown'));
    if (await tx.first(entryTaken, { terminalId, entryId })) return { entryId, outcome: 'known' };
    const now = clock.now();
    const taken = (await tx.first(entriesTaken, { publicKey, from: now - dayMs, most: entriesPerDay }))?.taken ?? 0;
    if (taken >= entriesPerDay) return refuse(tx, sender, entry, refusalOf('too_many_entries'));
    const message = await sequenceProblem(tx, enrolment, sequence);
    if (message !== undefined) return refuse(tx, sender, entry, { reason: 'not_valid', message });
    const row = { terminalId, entryId, sequence, outcome: 'accepted', takenAt: now };
    if ((await tx.run(insertEntry, row)) === 0) return { entryId, outcome: 'known' };
    const outcome =
      entry.kind === 'staff_check'
        ? await takeStaffCheck(tx, enrolment, entry)
        : await takeTamperReport(tx, sender, entry);
    if (outcome.ok) return { entryId, outcome: 'accepted' };
    await tx.run(setOutcome, { terminalId, entryId, outcome: 'refused' });
    return refuse(tx, sender, entry, refusalOf(outcome.refusal));
  }

  /** A number that is taken is the sign of a copied outbox; one out of reach would hide later gaps. */
  async function sequenceProblem(tx: Transaction, { terminalId, enrolledAt }: EnrolmentRow, sequence: number) {
    if (sequence > (clock.now() - enrolledAt + dayMs) / leastEntryMs)
      return 'The entry is not valid: its sequence is out of reach for the time since the terminal was enrolled';
    const other = await tx.first(entryNumbered, { terminalId, sequence });
    return other && `The entry is not valid: ${other.entryId} has the same sequence; the terminal may have been copied`;
  }

  async function takeStaffCheck(
    tx: Transaction,
    enrolment: EnrolmentRow,
    entry: StaffCheckEntry,
  ): Promise<Result<undefined, keyof typeof messages>> {
    const { businessId, terminalId } = enrolment;
    const { staffId, operation: kind, amountInCents: amountMinor, status, reason, detail } = entry;
    const attemptedAt = Date.parse(entry.attemptedAt);
    if (attemptedAt > clock.now() + clockSkewMs) return err('in_the_future');
    if (attemptedAt < enrolment.enrolledAt - clockSkewMs) return err('before_enrolment');
    const sale = await tx.first(saleOf, { businessId, paymentId: entry.paymentId });
    if (!sale) return err('payment_unknown');
    if (sale.takenAt === null || attemptedAt < sale.takenAt - clockSkewMs) return err('before_sale');
    if (amountMinor !== null && amountMinor > sale.amountMinor) return err('refund_exceeds_payment');
    const check = { businessId, terminalId, staffId, sale, kind, amountMinor, status, reason, detail, attemptedAt };
    const requestedById = entry.requestedBy ?? null;
    const recorded = await options.recordOfflineCheck(tx, { ...check, requestedById });
    return recorded.ok ? recorded : err(recorded.refusal.kind);
  }

  async function takeTamperReport(
    tx: Transaction,
    sender: Sender,
    entry: Extract<OutboxEntry, { kind: 'tamper_report' }>,
  ): Promise<Result<undefined, never>> {
    const { businessId, terminalId } = sender;
    const { found, description } = entry;
    await alerts.raise(tx, {
      businessId,
      terminalId,
      kind: 'tamper_report',
      reason: found,
      message: description,
      entry,
    });
    await recordInChain(tx, sender, { change: 'tamper_reported', found, description });
    return ok(undefined);
  }

  /** Sequences have no gaps: a missing entry was removed from the terminal. */
  async function lookForMissing(sender: Sender, request: SyncRequest): Promise<void> {
    const { businessId, terminalId } = sender;
    if (request.lastSequence === 0 && request.entries.length === 0) return;
    await database.write(async tx => {
      const { received = 0, highest = 0 } = (await tx.first(entriesReceived, { terminalId })) ?? {};
      const isComplete = request.entries.length < entriesPerCall;
      const last = isComplete ? Math.max(highest, request.lastSequence) : highest;
      const missing = last - received;
      if (missing === 0) return;
      const message = `${missing} of ${last} entries recorded by the terminal never arrived`;
      const entry = { missing, lastSequence: last };
      const alert = { kind: 'entries_missing', reason: 'entries_missing', message, entry } as const;
      if (await alerts.raise(tx, { businessId, terminalId, ...alert }))
        await recordInChain(tx, sender, { change: 'entries_missing', ...entry });
    });
  }

  function recordInChain(tx: Transaction, sender: Sender, detail: Readonly<Record<string, unknown>>) {
    const { businessId, terminalId } = sender;
    const by = { kind: 'terminal', terminalId } as const;
    return changes.append(tx, { businessId, kind: 'terminal_changed', by, terminalId, detail });
  }

  return {
    now: () => clock.now(),

    async sync(
      caller: { readonly businessId: string; readonly terminalId: string },
      request: SyncRequest,
    ): Promise<SyncResponse> {
      const { businessId, terminalId } = caller;
      const publicKey = (await database.first(terminalById, { businessId, id: terminalId }))?.publicKey;
      if (!publicKey) throw new Error(`terminal ${terminalId} has no key`);
      const sender = { businessId, terminalId, publicKey };
      const acknowledged: Acknowledgement[] = [];
      // Sequential: their order is the log's order.
      for (const entry of request.entries) acknowledged.push(await take(sender, entry));
      await lookForMissing(sender, request);
      const configuration = await terminals.configuration(businessId, terminalId);
      const hasIt = configuration.version === request.configurationVersion;
      const commands = await options.commandsFor(terminalId);
      return { acknowledged, configuration: hasIt ? null : configuration, commands, serverTime: clock.now() };
    },
  };
}
export type SyncService = ReturnType<typeof syncService>;

/** Messages for well-formed entries that are refused. */
const messages: Record<Exclude<EntryRefusalReason, 'not_valid'>, string> = {
  signature_invalid: 'The signature of the entry is not by this terminal',
  enrolment_unknown: 'The terminalId of the entry is not an enrolment of this terminal',
  too_many_entries: 'The terminal exceeded the daily limit of entries',
  in_the_future: 'The attempt is dated in the future',
  before_enrolment: 'The attempt is dated before the terminal was enrolled',
  payment_unknown: 'There is no such payment',
  before_sale: 'The attempt is dated before the sale was taken',
  refund_exceeds_payment: 'The amount exceeds the sale',
  staff_unknown: 'There is no such staff member',
  before_staff_member: 'The attempt is dated before the staff member was added',
  too_many_failures: 'More wrong passwords than the terminal’s lockout permits in this time',
};

function refusalOf(reason: keyof typeof messages): EntryRefusal {
  return { reason, message: messages[reason] };
}

/** The id claimed by an unreadable entry, so that the terminal can identify it. */
function claimedId(given: unknown): string {
  const id = (given as { entryId?: unknown } | null)?.entryId;
  return typeof id === 'string' ? id.slice(0, 100) : '';
}
