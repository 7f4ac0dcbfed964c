import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { outboxEntry, type StaffCheckEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import { canonicalOutboxEntry } from '@florin/shared/signing/canonical.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { TerminalService } from './service.ts';
import { type EntrySale, terminalStore } from './store.ts';

/** A staff check a terminal decided while offline, as the staff rules take it. */
export type OfflineCheck = {
  readonly businessId: string;
  readonly terminalId: string;
  readonly staffId: string;
  readonly sale: EntrySale;
  readonly kind: StaffCheckEntry['operation'];
  readonly amountMinor: number | null;
  readonly status: StaffCheckEntry['status'];
  readonly reason: StaffCheckEntry['reason'];
  readonly attemptedAt: Instant;
};

export type SyncOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly terminals: TerminalService;
  /** Writes the log entry and counts the failure; false when the business has no such staff member. */
  readonly recordOfflineCheck: (tx: Transaction, check: OfflineCheck) => Promise<boolean>;
};

export type Acknowledgement = {
  readonly entryId: string;
  readonly outcome: 'accepted' | 'known' | 'refused';
  readonly message?: string;
};

export type SyncAnswer = {
  readonly acknowledged: Acknowledgement[];
  readonly configuration: TerminalConfiguration | null;
  readonly serverTime: Instant;
};

type Sender = { readonly businessId: string; readonly terminalId: string; readonly publicKey: string };

/** What a terminal did while offline, taken over entry by entry: each once, in order. decisions: Devices, Sync. */
export function syncService(options: SyncOptions) {
  const { database, clock, terminals } = options;
  const store = terminalStore(database);

  async function take(sender: Sender, given: unknown): Promise<Acknowledgement> {
    const parsed = outboxEntry.safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refusal(claimedId(given), `${issue?.path.join('.') || 'entry'}: ${issue?.message ?? 'not valid'}`);
    }
    const entry = parsed.data;
    const { signature, ...signed } = entry;
    const text = canonicalOutboxEntry(signed);
    if (!verifyText(sender.publicKey, text, signature)) {
      return refusal(entry.entryId, 'the signature is not by this terminal');
    }
    if (!(await isSameTerminal(sender, entry.terminalId))) {
      return refusal(entry.entryId, 'terminalId: is not an enrolment of this terminal');
    }
    if (entry.kind !== 'staff_check') return { entryId: entry.entryId, outcome: 'accepted' };
    return database.write(tx => apply(tx, sender.businessId, entry));
  }

  /** An earlier enrolment of the same machine is known by its key, which it keeps. */
  async function isSameTerminal(
    { businessId, terminalId, publicKey }: Sender,
    recordedUnder: string,
  ): Promise<boolean> {
    return recordedUnder === terminalId || (await store.byId(businessId, recordedUnder))?.publicKey === publicKey;
  }

  /** A refused entry leaves no trace in the tables; asked again it is refused again. */
  async function apply(tx: Transaction, businessId: string, entry: StaffCheckEntry): Promise<Acknowledgement> {
    const { entryId, terminalId } = entry;
    const now = clock.now();
    const sale = await store.saleOf(tx, businessId, entry.paymentId);
    if (!sale) return refusal(entryId, 'paymentId: there is no such payment');
    if (!(await store.staffExists(tx, businessId, entry.staffId))) {
      return refusal(entryId, 'staffId: there is no such staff member');
    }
    if (!(await store.insertEntry(tx, { terminalId, entryId, outcome: 'accepted', acceptedAt: now }))) {
      return { entryId, outcome: 'known' };
    }
    await options.recordOfflineCheck(tx, {
      businessId,
      terminalId,
      staffId: entry.staffId,
      sale,
      kind: entry.operation,
      amountMinor: entry.amountInCents,
      status: entry.status,
      reason: entry.reason,
      // A terminal whose clock runs ahead cannot have tried in our future.
      attemptedAt: Math.min(Date.parse(entry.attemptedAt), now),
    });
    return { entryId, outcome: 'accepted' };
  }

  return {
    async sync(
      caller: { readonly businessId: string; readonly terminalId: string },
      request: { readonly configurationVersion: string | null; readonly entries: readonly unknown[] },
    ): Promise<SyncAnswer> {
      const { businessId, terminalId } = caller;
      const publicKey = (await store.byId(businessId, terminalId))?.publicKey;
      if (!publicKey) throw new Error(`terminal ${terminalId} has no key`);
      const acknowledged: Acknowledgement[] = [];
      // One after the other: their order is the order of the log.
      for (const entry of request.entries) acknowledged.push(await take({ businessId, terminalId, publicKey }, entry));
      const configuration = await terminals.configuration(businessId, terminalId);
      const hasIt = configuration.version === request.configurationVersion;
      return { acknowledged, configuration: hasIt ? null : configuration, serverTime: clock.now() };
    },
  };
}
export type SyncService = ReturnType<typeof syncService>;

function refusal(entryId: string, message: string): Acknowledgement {
  return { entryId, outcome: 'refused', message };
}

/** What an entry nobody can read calls itself, so that the terminal can tell which one it was. */
function claimedId(given: unknown): string {
  const id = (given as { entryId?: unknown } | null)?.entryId;
  return typeof id === 'string' ? id.slice(0, 100) : '';
}
