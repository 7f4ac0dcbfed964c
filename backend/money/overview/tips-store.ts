import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PaymentMethod } from '../payments/rows.ts';
import { type Movement, type MovementRecord, movementsOf } from '../transactions/movements-store.ts';

/** The columns of a movement that its tips are told from. */
export const tipsReadFrom = ['id', 'effect', 'at', 'amountMinor', 'paymentId'] as const satisfies (keyof Movement)[];

/** With the payment's business and method: what a movement changes of the tips that the merchant keeps; negative if it gives one back. */
export type WithTips = {
  readonly businessId: string;
  readonly method: PaymentMethod;
  readonly tipMinor: number;
  readonly tipCount: number;
};

/**
 * A table expression of movements with their payment's business and method, and their tips. A refund gives back goods first: what is left
 * of a payment is its tip before anything else, at most the whole tip. What was returned before a movement is told by its
 * time, so that the tip of a payment that several refunds return in full is given back once.
 */
export function withTips<Some>(isPostgres: boolean, movements: RawBuilder<Some>): RawBuilder<Some & WithTips> {
  const [least, greatest] = isPostgres ? [sql`least`, sql`greatest`] : [sql`min`, sql`max`];
  const taken = sql`coalesce(o."approvedMinor", o."amountMinor")`;
  const tip = sql`CASE WHEN i."purpose" = 'tip' THEN ${taken} ELSE o."tipMinor" END`;
  const returned = (record: MovementRecord, ...where: readonly RawBuilder<SqlBool>[]) => {
    const movements = movementsOf({
      isPostgres,
      type: null,
      record,
      only: ['id', 'at', 'amountMinor'],
      where: () => where,
    });
    return sql`(SELECT coalesce(sum(-b."amountMinor"), 0) FROM ${movements} b
      WHERE b."at" < m."at" OR (b."at" = m."at" AND b."id" < m."id"))`;
  };
  const loss = returned('loss', sql`p."id" = o."id"`);
  // By their ids: otherwise SQLite reads every refund of the business.
  const refunds = returned('refund', sql`r."id" IN (SELECT x."id" FROM "refunds" x WHERE x."paymentId" = o."id")`);
  const corrections = returned('correction', sql`d."paymentId" = o."id"`, sql`p."businessId" = o."businessId"`);
  const kept = (before: RawBuilder<unknown>) => sql`${greatest}(0, ${least}(t."tip", t."taken" - ${before}))`;
  const keptBefore = sql`CASE WHEN t."effect" = 'taken' THEN 0 ELSE ${kept(sql`t."returnedBefore"`)} END`;
  const keptAfter = sql`CASE WHEN t."effect" = 'taken' THEN ${kept(sql`0`)}
    ELSE ${kept(sql`(t."returnedBefore" + abs(t."amountMinor"))`)} END`;
  const one = (minor: RawBuilder<unknown>) => sql`CASE WHEN ${minor} > 0 THEN 1 ELSE 0 END`;
  // Materialized: otherwise SQLite reads what was returned before again for every place that names it.
  return sql<Some & WithTips>`(
    WITH t AS MATERIALIZED (
      SELECT m.*, o."businessId", o."method", ${taken} AS "taken", ${tip} AS "tip",
        CASE WHEN m."effect" = 'taken' OR ${tip} = 0 THEN 0 ELSE ${loss} + ${refunds} + ${corrections} END AS "returnedBefore"
      FROM ${movements} m
      CROSS JOIN "payments" o
      LEFT JOIN "bitcoinReceipts" c ON c."id" = o."clientRequestId" AND c."paymentId" = o."id"
      LEFT JOIN "bitcoinInvoices" i ON i."id" = c."invoiceId"
      WHERE o."id" = m."paymentId")
    SELECT t.*, cast(${keptAfter} - ${keptBefore} as bigint) AS "tipMinor",
      cast(${one(keptAfter)} - ${one(keptBefore)} as bigint) AS "tipCount"
    FROM t)`;
}
