import type { Instant } from '@florin/shared/ports.ts';
import { type SqlBool, sql } from 'kysely';
import { equalsUnindexed, statement } from '../../foundation/database/database.ts';
import type { Flag } from '../../foundation/database/flag.ts';
import type { PaymentMethod } from '../payments/rows.ts';
import { type Movement, movementsOf } from '../transactions/movements-store.ts';
import { tipsReadFrom, withTips } from './tips-store.ts';

type DayArgs = {
  readonly businessId: string;
  readonly terminalId: string;
  readonly from: Instant;
  readonly to: Instant;
};

/** Movements of one kind, on this terminal or elsewhere, together. */
export type MovedOfDay = Pick<Movement, 'effect' | 'currency'> & {
  readonly isHere: Flag;
  readonly method: PaymentMethod;
  readonly count: number;
  /** Negative if money was returned. */
  readonly amountMinor: number;
  readonly amountSats: number;
  /** The tips that the merchant keeps because of it; negative if it gives some back. */
  readonly tipMinor: number;
  readonly tipCount: number;
};

/** What moved from `from` to `to`, read in the order of the indexes on its time: as much as moved, however long the history. */
export const movedBetween = statement<DayArgs, MovedOfDay>(({ db, isPostgres }, arg) => {
  const [from, to] = isPostgres
    ? [sql`cast(${arg('from')} as bigint)`, sql`cast(${arg('to')} as bigint)`]
    : [arg('from'), arg('to')];
  const movements = movementsOf({
    isPostgres,
    type: null,
    only: [...tipsReadFrom, 'currency', 'amountSats', 'terminalId'],
    where: ({ at }) => [
      sql<SqlBool>`p."businessId" = ${arg('businessId')}`,
      sql<SqlBool>`${at} >= ${from} AND ${at} < ${to}`,
    ],
  });
  const isHere = sql<Flag>`CASE WHEN m."terminalId" = ${arg('terminalId')} THEN 1 ELSE 0 END`;
  const moved = sql<MovedOfDay>`(
    SELECT ${isHere} AS "isHere", m."effect", m."currency", m."method",
      cast(count(*) as bigint) AS "count", cast(sum(m."amountMinor") as bigint) AS "amountMinor",
      cast(coalesce(sum(m."amountSats"), 0) as bigint) AS "amountSats",
      cast(sum(m."tipMinor") as bigint) AS "tipMinor", cast(sum(m."tipCount") as bigint) AS "tipCount"
    FROM ${withTips(isPostgres, movements)} m
    GROUP BY 1, 2, 3, 4)`;
  return db.selectFrom(moved.as('d')).selectAll();
});

export type OpenOfDay = {
  readonly kind: 'unknown_sale' | 'unknown_refund' | 'discrepancy';
  readonly isHere: Flag;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: number;
};

/**
 * What is undecided now and was created before `to`. That is little, in all businesses together, and has partial indexes
 * for the work that polls it, which serve here, too.
 */
export const openBefore = statement<Omit<DayArgs, 'from'>, OpenOfDay>(({ db, isPostgres }, arg) => {
  const to = isPostgres ? sql`cast(${arg('to')} as bigint)` : arg('to');
  const isHere = sql`CASE WHEN o."terminalId" = ${arg('terminalId')} THEN 1 ELSE 0 END`;
  const ofBusiness = (column: string) => equalsUnindexed(column, arg('businessId'));
  const open = sql<OpenOfDay>`(
    SELECT o."kind", ${isHere} AS "isHere", o."currency", cast(count(*) as bigint) AS "count",
      cast(sum(o."amountMinor") as bigint) AS "amountMinor"
    FROM (
      SELECT 'unknown_sale' AS "kind", p."terminalId", p."currency", p."amountMinor" FROM "payments" p
      WHERE p."status" = 'pending' AND p."nextPollAt" > 0 AND ${ofBusiness('p.businessId')} AND p."polledAt" IS NOT NULL
        AND p."threeDSecureJson" IS NULL AND p."createdAt" < ${to}
      UNION ALL
      SELECT 'unknown_refund', r."terminalId", r."currency", r."amountMinor" FROM "refunds" r
      WHERE r."status" = 'pending' AND r."nextPollAt" > 0 AND ${ofBusiness('r.businessId')} AND r."polledAt" IS NOT NULL
        AND r."createdAt" < ${to}
      UNION ALL
      SELECT 'discrepancy', p."terminalId", p."currency", coalesce(p."approvedMinor", p."amountMinor")
      FROM "discrepancies" d CROSS JOIN "payments" p
      WHERE d."resolvedAt" IS NULL AND d."paymentId" > '' AND ${ofBusiness('d.businessId')} AND d."createdAt" < ${to}
        AND p."id" = d."paymentId"
    ) o GROUP BY 1, 2, 3)`;
  return db.selectFrom(open.as('d')).selectAll().orderBy('d.kind').orderBy('d.currency');
});
