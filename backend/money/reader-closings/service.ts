import type { readerTotals } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { z } from 'zod';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { ReaderComparisons } from './comparison.ts';
import type { ReaderClosingRow, ReaderSaleRow } from './rows.ts';
import { closingById, insertClosing, insertReaderSale } from './store.ts';

type Totals = z.infer<typeof readerTotals>;

export type ReaderClosingRequest = Pick<
  ReaderClosingRow,
  'id' | 'businessId' | 'terminalId' | 'readerSerial' | 'closedAt' | 'currency'
> & { readonly isConfirmed: boolean; readonly totals: Totals | null };

export type ReaderClosingService = {
  /** Which reader took a payment, known from now on. */
  took(tx: Transaction, sale: ReaderSaleRow): Promise<void>;
  /** Records it once and compares it; `closing_differs` if its id names another one. */
  record(request: ReaderClosingRequest): Promise<Result<ReaderClosingRow, { readonly kind: 'closing_differs' }>>;
};

/** Ends of day that terminals report, in the order in which their readers made them. */
export function readerClosingService(options: {
  database: Database;
  clock: Clock;
  log: Log;
  comparisons: ReaderComparisons;
}): ReaderClosingService {
  const { database, clock, log, comparisons } = options;
  return {
    async took(tx, sale) {
      const { businessId, readerSerial, takenAt: at } = sale;
      if ((await tx.run(insertReaderSale, sale)) === 1)
        await comparisons.compareAgain(tx, { businessId, readerSerial, at });
    },

    record: request =>
      database.write(async tx => {
        const closing = rowOf(request, clock.now());
        if ((await tx.run(insertClosing, closing)) === 0) {
          const known = await tx.first(closingById, { id: closing.id });
          return known && isSame(known, closing) ? ok(known) : err({ kind: 'closing_differs' as const });
        }
        const compared = await comparisons.compare(tx, closing);
        const { id: closingId, businessId, terminalId, readerSerial, comparison } = compared;
        // Of another terminal that had the reader later and reported first.
        await comparisons.compareAgain(tx, { businessId, readerSerial, at: closing.closedAt + 1 });
        afterCommit(tx, () =>
          log.info({ businessId, terminalId, closingId, readerSerial, comparison }, 'a reader closed its day'),
        );
        return ok(compared);
      }),
  };
}

function rowOf({ totals, isConfirmed, ...request }: ReaderClosingRequest, now: Instant): ReaderClosingRow {
  return {
    ...request,
    isConfirmed: isConfirmed ? 1 : 0,
    totalMinor: totals?.totalInCents ?? null,
    totalsJson: totals && JSON.stringify({ receipts: totals.receipts, cardTypes: totals.cardTypes }),
    comparison: 'not_received',
    recordedMinor: null,
    recordedCount: null,
    comparedCount: 0,
    discrepancyId: null,
    createdAt: now,
  };
}

function isSame(known: ReaderClosingRow, sent: ReaderClosingRow): boolean {
  const names = ['businessId', 'terminalId', 'readerSerial', 'closedAt', 'isConfirmed', 'totalMinor'] as const;
  return names.every(name => known[name] === sent[name]);
}
