import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import type { Flag } from '../../foundation/database/flag.ts';
import { type Movement, movementsOf } from '../transactions/movements-store.ts';
import { awaitingDay, type SettlementSums } from './settlement.ts';

export type SettlementList = {
  readonly businessId: string;
  readonly accountId: string | null;
  readonly currency: string | null;
  /** Settled at or after `from` and before `to`. */
  readonly from: Instant;
  readonly to: Instant;
  /** Whether to include movements that are not settled. */
  readonly withAwaiting: Flag;
  /** The zone periods from `from` to `to`, as JSON. */
  readonly periodsJson: string;
  readonly beforeDay: number;
  readonly beforeAccount: string;
  readonly beforeCurrency: string;
  readonly limit: number;
};

/** Sums of the movements by day, account and currency, newest first. */
export const settlementsOfBusiness = statement<SettlementList, SettlementSums>(({ db, isPostgres }, arg) => {
  const optional = optionalFilters(isPostgres);
  const number = (value: RawBuilder<number>) => (isPostgres ? sql`cast(${value} as bigint)` : value);
  const movements = (settles: (at: RawBuilder<unknown>) => RawBuilder<SqlBool>) =>
    movementsOf({
      isPostgres,
      type: null,
      only: ['effect', 'settlesAt', 'amountMinor', 'gatewayAccountId', 'currency'],
      where: ({ settlesAt }) => [
        sql<SqlBool>`p."businessId" = ${arg('businessId')}`,
        sql<SqlBool>`p."gatewayAccountId" IS NOT NULL`,
        optional.text('p.gatewayAccountId', '=', arg('accountId')),
        optional.text('p.currency', '=', arg('currency')),
        settles(settlesAt),
      ],
    });
  // Separate, so that each can use an index on the time.
  const settled = movements(at => sql`${at} >= ${number(arg('from'))} AND ${at} < ${number(arg('to'))}`);
  const awaiting = movements(at => sql`${at} IS NULL AND ${number(arg('withAwaiting'))} = 1`);
  const periods = isPostgres
    ? sql`jsonb_to_recordset(cast(${arg('periodsJson')} as jsonb)) AS z("from" bigint, "to" bigint, "offsetMs" bigint)`
    : sql`(SELECT json_extract(value, '$.from') AS "from", json_extract(value, '$.to') AS "to", json_extract(value, '$.offsetMs') AS "offsetMs" FROM json_each(${arg('periodsJson')})) z`;
  const sumOf = (effect: Movement['effect'], sign: 1 | -1) =>
    sql`cast(coalesce(sum(CASE WHEN m."effect" = ${sql.lit(effect)} THEN ${sql.lit(sign)} * m."amountMinor" END), 0) as bigint)`;
  const countOf = (effect: Movement['effect']) =>
    sql`cast(sum(CASE WHEN m."effect" = ${sql.lit(effect)} THEN 1 ELSE 0 END) as bigint)`;
  const day = sql`coalesce((m."settlesAt" + z."offsetMs") / 86400000, ${sql.lit(awaitingDay)})`;
  const sums = sql<SettlementSums>`(
    SELECT ${day} AS "day", m."gatewayAccountId" AS "accountId", a."name" AS "accountName", m."currency",
      ${sumOf('taken', 1)} AS "grossMinor", ${sumOf('voided', -1)} AS "voidedMinor",
      ${sumOf('rejected', -1)} AS "rejectedMinor", ${sumOf('returned', -1)} AS "refundedMinor",
      ${countOf('taken')} AS "paymentCount", ${countOf('voided')} AS "voidCount",
      ${countOf('rejected')} AS "rejectedCount", ${countOf('returned')} AS "refundCount"
    FROM (SELECT * FROM ${settled} s UNION ALL SELECT * FROM ${awaiting} w) m
    JOIN "gatewayAccounts" a ON a."id" = m."gatewayAccountId"
    LEFT JOIN ${periods} ON m."settlesAt" >= z."from" AND m."settlesAt" < z."to"
    GROUP BY 1, 2, 3, 4)`;
  return db
    .selectFrom(sums.as('s'))
    .selectAll()
    .where(
      sql<SqlBool>`(s."day", s."accountId", s."currency") < (${number(arg('beforeDay'))}, ${arg('beforeAccount')}, ${arg('beforeCurrency')})`,
    )
    .orderBy('s.day', 'desc')
    .orderBy('s.accountId', 'desc')
    .orderBy('s.currency', 'desc')
    .limit(rowLimit(arg('limit')));
});
