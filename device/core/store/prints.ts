import type { Instant } from '@florin/shared/ports.ts';
import type SqliteConnection from 'better-sqlite3';
import type { WhyNotPrinted } from '../printing/words.ts';

/** What became of the first print of a receipt whose sale, void or refund was made on this terminal. */
export type PrintRecord = {
  readonly receiptUrl: string;
  /** `sending`: stored before the printer is told. `unknown`: nothing, a part or all of it came out. */
  readonly state: 'sending' | 'printed' | 'unknown' | 'not_printed';
  /** Why it was not printed, or may not have been; null if it was, or is being printed. */
  readonly why: WhyNotPrinted | 'no_printer' | 'not_asked' | null;
  /** The sale of software that asked for it and is told of it; null if staff or a customer printed it. */
  readonly saleId: string | null;
  readonly at: Instant;
};

/** Whether the receipt that software asked for was printed, to be reported to the service. */
type PrintReport = {
  readonly saleId: string;
  readonly kind: 'printed' | 'not_printed';
  readonly reason: null;
  readonly until: null;
};

const printsKept = 1_000;

/** The receipts that were printed here, so that none is printed twice without being marked as a copy. */
export function printsOf(db: SqliteConnection.Database, addReport: { run(report: PrintReport): void }) {
  const read = db.prepare<[string], PrintRecord>('SELECT * FROM prints WHERE receiptUrl = ?');
  const write = db.prepare<[PrintRecord]>(
    `INSERT OR REPLACE INTO prints (receiptUrl, state, why, saleId, at)
     VALUES (@receiptUrl, @state, @why, @saleId, @at)`,
  );
  const prune = db.prepare<[number]>(
    'DELETE FROM prints WHERE at < (SELECT at FROM prints ORDER BY at DESC LIMIT 1 OFFSET ?)',
  );
  const interrupt = db.prepare("UPDATE prints SET state = 'unknown', why = 'restarted' WHERE state = 'sending'");
  return {
    printOf: (receiptUrl: string): PrintRecord | undefined => read.get(receiptUrl),
    savePrint: db.transaction((print: PrintRecord) => {
      write.run(print);
      prune.run(printsKept);
      const { state, saleId } = print;
      if (saleId === null || (state !== 'printed' && state !== 'not_printed')) return;
      addReport.run({ saleId, kind: state, reason: null, until: null });
    }),
    interruptPrints: () => void interrupt.run(),
  };
}
