import { type ReaderComparison, readerTotals } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { discrepancyById } from '../discrepancies/store.ts';
import type { ReaderClosingRow } from './rows.ts';
import {
  closingForUpdate,
  closingsBefore,
  closingsFrom,
  type Recorded,
  recordedBetween,
  saveComparison,
} from './store.ts';

export type Compared = Pick<ReaderClosingRow, 'comparison' | 'recordedMinor' | 'recordedCount'>;

/** Compares the totals of readers with the records, and again when the records change. */
export type ReaderComparisons = {
  compare(tx: Transaction, closing: ReaderClosingRow): Promise<ReaderClosingRow>;
  /** A sale, void, refund or end of day of this time became known. */
  compareAgain(tx: Transaction, of: { businessId: string; readerSerial: string; at: Instant }): Promise<void>;
};

const storedTotals = readerTotals.pick({ receipts: true });
const nothing = { recordedMinor: null, recordedCount: null } as const;

/** Totals that differ are a discrepancy as long as they do: a sale that is recorded later may explain them. */
export function readerComparisons(options: {
  discrepancies: Pick<Discrepancies, 'raise' | 'close'>;
  nextId: () => string;
}): ReaderComparisons {
  const { discrepancies } = options;

  /**
   * Closes the discrepancy about what was compared before, and raises one about what differs now. A person may have
   * acknowledged the one before.
   */
  async function tell(tx: Transaction, closing: ReaderClosingRow): Promise<string | null> {
    const { id, businessId, terminalId, readerSerial, currency, recordedMinor } = closing;
    const open = closing.discrepancyId && (await tx.first(discrepancyById, { businessId, id: closing.discrepancyId }));
    if (open) {
      const evidence = 'The records changed and were compared again';
      await discrepancies.close(tx, open, { outcome: 'gateway_right', evidence, by: { kind: 'system' } });
    }
    if (closing.comparison !== 'differs') return null;
    const discrepancyId = options.nextId();
    await discrepancies.raise(tx, {
      id: discrepancyId,
      businessId,
      paymentId: null,
      kind: 'reader_totals_differ',
      evidence: `${id}:${closing.comparedCount}`,
      recorded: { amountMinor: recordedMinor, currency, terminalId },
      gateway: { amountMinor: closing.totalMinor, currency, readerSerial, ...receiptsOf(closing) },
    });
    return discrepancyId;
  }

  async function compare(tx: Transaction, closing: ReaderClosingRow): Promise<ReaderClosingRow> {
    const compared = await comparedWith(tx, closing);
    const { comparison, recordedMinor } = compared;
    if (comparison === closing.comparison && recordedMinor === closing.recordedMinor) return closing;
    const next = { ...closing, ...compared, comparedCount: closing.comparedCount + 1 };
    const told = { ...next, discrepancyId: await tell(tx, next) };
    await tx.run(saveComparison, told);
    return told;
  }

  return {
    compare,
    async compareAgain(tx, of) {
      for (const { id, isConfirmed } of await tx.all(closingsFrom, of)) {
        const closing = await tx.first(closingForUpdate, { id });
        if (closing) await compare(tx, closing);
        // Later ones begin after this one.
        if (isConfirmed) return;
      }
    },
  };
}

/**
 * The day began at the last end that the reader confirmed, or at a later attempt of which it is not known whether the reader
 * closed its day: whichever the totals agree with. If they agree with none, they differ.
 */
async function comparedWith(tx: Transaction, closing: ReaderClosingRow): Promise<Compared> {
  const { businessId, readerSerial, currency, closedAt: to, totalMinor } = closing;
  if (totalMinor === null) return { comparison: 'not_received', ...nothing };
  const since = (from: Instant) => tx.first(recordedBetween, { businessId, readerSerial, currency, from, to });
  const agrees = (recorded: Recorded) => Math.abs(recorded.netMinor) === totalMinor;
  let closedBefore: Recorded | undefined;
  for (const earlier of await tx.all(closingsBefore, { businessId, readerSerial, at: to })) {
    const recorded = await since(earlier.closedAt);
    if (!recorded) continue;
    if (agrees(recorded) && (earlier.isConfirmed || earlier.totalMinor !== null)) return told('agrees', recorded);
    if (agrees(recorded)) closedBefore ??= recorded;
    if (!earlier.isConfirmed) continue;
    return closedBefore ? told('closed_before', closedBefore) : told('differs', recorded);
  }
  return closedBefore ? told('closed_before', closedBefore) : { comparison: 'first', ...nothing };
}

function receiptsOf({ totalsJson }: ReaderClosingRow): { readonly receipts?: string } {
  const { receipts } = storedTotals.parse(JSON.parse(totalsJson ?? ''));
  return receipts === null ? {} : { receipts: `${receipts.first}–${receipts.last}` };
}

function told(comparison: ReaderComparison, { netMinor, count }: Recorded): Compared {
  return { comparison, recordedMinor: netMinor, recordedCount: count };
}
