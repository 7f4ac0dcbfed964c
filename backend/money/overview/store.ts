import { sql } from 'kysely';
import { oneOf, statement } from '../../foundation/database/database.ts';
import { rowFor } from '../../foundation/database/statements.ts';
import { type Movement, type MovementRecord, movementsOf } from '../transactions/movements-store.ts';
import type { MoneyTotalRow } from './rows.ts';
import { tipsReadFrom, type WithTips, withTips } from './tips-store.ts';

/** A movement of money, as far as totals need it. */
export type CountedMovement = Pick<Movement, 'effect' | 'at' | 'amountMinor' | 'currency'> & WithTips;

const movementsBy = (record: MovementRecord, idColumn: string) =>
  statement<{ idsJson: string }, CountedMovement>(({ db, isPostgres }, arg) => {
    const movements = movementsOf({
      isPostgres,
      type: null,
      record,
      only: [...tipsReadFrom, 'currency'],
      where: () => [oneOf(isPostgres, idColumn, arg('idsJson'))],
    });
    const counted = sql<CountedMovement>`${withTips(isPostgres, movements)}`;
    return db
      .selectFrom(counted.as('d'))
      .select(['businessId', 'effect', 'at', 'amountMinor', 'currency', 'method', 'tipMinor', 'tipCount']);
  });

/** The movements of records, one for each that moved money. */
export const movementsByRecord: Readonly<Record<MovementRecord, ReturnType<typeof movementsBy>>> = {
  payment: movementsBy('payment', 'p.id'),
  loss: movementsBy('loss', 'p.id'),
  refund: movementsBy('refund', 'r.id'),
  correction: movementsBy('correction', 'd.id'),
};

const key = ['businessId', 'quarterHour', 'rail', 'currency'] as const;
const sums = [
  'takenMinor',
  'takenCount',
  'voidedMinor',
  'voidedCount',
  'rejectedMinor',
  'rejectedCount',
  'returnedMinor',
  'returnedCount',
  'tipMinor',
  'tipCount',
] as const satisfies readonly Exclude<keyof MoneyTotalRow, (typeof key)[number]>[];

/** Adds the row's sums to those of its quarter of an hour. */
export const addToTotals = statement<MoneyTotalRow, unknown>(({ db }, arg) =>
  db
    .insertInto('moneyTotals')
    .values(rowFor(arg, 'moneyTotals'))
    .onConflict(conflict =>
      conflict
        .columns(key)
        .doUpdateSet(
          Object.fromEntries(
            sums.map(name => [name, sql<number>`"moneyTotals".${sql.ref(name)} + "excluded".${sql.ref(name)}`]),
          ),
        ),
    ),
);

/** The sums of one day, counted in days since 1970-01-01 in the business's time zone, on one rail in one currency. */
export type DayTotals = Omit<MoneyTotalRow, 'businessId' | 'quarterHour'> & { readonly day: number };

export const quarterHourMs = 900_000;
const quarterHoursOfDay = sql.lit(96);

/** Quarters of an hour in which local time has one offset, in quarters of an hour, from UTC. */
export type TotalledPeriod = { readonly from: number; readonly to: number; readonly offset: number };

/** The periods are the outer loop: each reads its part of the key. */
export const dayTotals = statement<{ businessId: string; periodsJson: string }, DayTotals>(
  ({ db, isPostgres }, arg) => {
    const periods = isPostgres
      ? sql`jsonb_to_recordset(cast(${arg('periodsJson')} as jsonb)) AS z("from" bigint, "to" bigint, "offset" bigint)`
      : sql`(SELECT json_extract(value, '$.from') AS "from", json_extract(value, '$.to') AS "to", json_extract(value, '$.offset') AS "offset" FROM json_each(${arg('periodsJson')})) z`;
    const added = sums.map(name => sql`cast(sum(t.${sql.ref(name)}) as bigint) AS ${sql.ref(name)}`);
    const byDay = sql<DayTotals>`(
    SELECT (t."quarterHour" + z."offset") / ${quarterHoursOfDay} AS "day", t."rail", t."currency", ${sql.join(added)}
    FROM ${periods} CROSS JOIN "moneyTotals" t
    WHERE t."businessId" = ${arg('businessId')} AND t."quarterHour" >= z."from" AND t."quarterHour" < z."to"
    GROUP BY 1, 2, 3)`;
    return db.selectFrom(byDay.as('d')).selectAll().orderBy('d.day').orderBy('d.rail').orderBy('d.currency');
  },
);

/** So many events are looked at; more than these take a while to be counted. */
export const lookedAhead = 1_000;

/**
 * How many events the consumer has not handled yet, and how many of those are of the business and move money. On PostgreSQL
 * those just committed have no position yet.
 */
export const eventsAhead = statement<
  { consumer: string; businessId: string; typesJson: string },
  { ahead: number; own: number }
>(({ db, isPostgres }, arg) => {
  const handled = sql`coalesce((SELECT c."position" FROM "eventConsumers" c WHERE c."name" = ${arg('consumer')}), 0)`;
  const limit = sql.lit(lookedAhead);
  const placed = sql`SELECT * FROM (SELECT "businessId", "type" FROM "events" WHERE "position" > ${handled} ORDER BY "position" LIMIT ${limit}) p`;
  const unplaced = sql`SELECT * FROM (SELECT "businessId", "type" FROM "events" WHERE "position" IS NULL LIMIT ${limit}) u`;
  const next = isPostgres ? sql`${placed} UNION ALL ${unplaced}` : placed;
  const isOwn = sql`n."businessId" = ${arg('businessId')} AND ${oneOf(isPostgres, 'n.type', arg('typesJson'))}`;
  return db
    .selectFrom(sql<{ businessId: string }>`(${next})`.as('n'))
    .select([
      sql<number>`cast(count(*) as bigint)`.as('ahead'),
      sql<number>`cast(coalesce(sum(CASE WHEN ${isOwn} THEN 1 ELSE 0 END), 0) as bigint)`.as('own'),
    ]);
});
