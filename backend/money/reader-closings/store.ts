import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { oneOf, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectBy, selectForUpdateBy, updateBy } from '../../foundation/database/statements.ts';
import type { ReaderClosingRow, ReaderSaleRow } from './rows.ts';

type OfReader = { readonly businessId: string; readonly readerSerial: string };

export const insertReaderSale = insertUnlessTaken('readerSales', 'paymentId');
/** The payments of these that readers made. */
export const readerSalesOf = statement<{ paymentIdsJson: string }, ReaderSaleRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('readerSales')
    .selectAll()
    .where(oneOf(isPostgres, 'paymentId', arg('paymentIdsJson'))),
);

export const insertClosing = insertUnlessTaken('readerClosings', 'id');
export const closingById = selectBy('readerClosings', 'id');
export const closingForUpdate = selectForUpdateBy('readerClosings', 'id');
export const saveComparison = updateBy('readerClosings', {
  set: ['comparison', 'recordedMinor', 'recordedCount', 'comparedCount', 'discrepancyId'],
  by: ['id'],
});

/** Attempts looked at: between two that the reader confirmed there are hardly any. */
const most = 50;

/** Newest first. */
export const closingsBefore = statement<OfReader & { at: Instant }, ReaderClosingRow>(({ db }, arg) =>
  db
    .selectFrom('readerClosings')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('readerSerial', '=', arg('readerSerial'))
    .where('closedAt', '<', arg('at'))
    .orderBy('closedAt', 'desc')
    .limit(sql.lit(most)),
);

/** Oldest first. */
export const closingsFrom = statement<OfReader & { at: Instant }, ReaderClosingRow>(({ db }, arg) =>
  db
    .selectFrom('readerClosings')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('readerSerial', '=', arg('readerSerial'))
    .where('closedAt', '>=', arg('at'))
    .orderBy('closedAt')
    .limit(sql.lit(most)),
);

export type Recorded = { readonly count: number; readonly netMinor: number };

/**
 * What this reader took and returned after `from`, up to and with `to`. A sale counts at its own time; a void or refund at that
 * of its request, which is made just before the reader is asked.
 */
export const recordedBetween = statement<OfReader & { currency: string; from: Instant; to: Instant }, Recorded>(
  ({ db, isPostgres }, arg) => {
    const [from, to] = isPostgres
      ? [sql`cast(${arg('from')} as bigint)`, sql`cast(${arg('to')} as bigint)`]
      : [arg('from'), arg('to')];
    const isOfReader = sql`s."businessId" = ${arg('businessId')} AND s."readerSerial" = ${arg('readerSerial')}`;
    const moved = sql<Recorded>`(
      SELECT cast(count(*) as bigint) AS "count", cast(coalesce(sum(m."amountMinor"), 0) as bigint) AS "netMinor"
      FROM (
        SELECT coalesce(p."approvedMinor", p."amountMinor") AS "amountMinor"
        FROM "readerSales" s CROSS JOIN "payments" p
        WHERE ${isOfReader} AND s."takenAt" > ${from} AND s."takenAt" <= ${to}
          AND p."id" = s."paymentId" AND p."takenAt" IS NOT NULL AND p."currency" = ${arg('currency')}
        UNION ALL
        SELECT -r."amountMinor" FROM "refunds" r CROSS JOIN "readerSales" s
        WHERE r."businessId" = ${arg('businessId')} AND r."status" = 'approved' AND r."currency" = ${arg('currency')}
          AND r."outcomeAt" > ${from} AND r."createdAt" > ${from} AND r."createdAt" <= ${to}
          AND s."paymentId" = r."paymentId" AND ${isOfReader}
      ) m)`;
    return db.selectFrom(moved.as('d')).selectAll();
  },
);
