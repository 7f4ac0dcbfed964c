import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from './database.ts';
import { columnsOf, rowLimit, rowsJson, rowsOf, type Statement, statement } from './database.ts';

/** The tables whose rows background work polls. */
type Polled = {
  [Table in keyof Tables]: Tables[Table] extends { nextPollAt: Instant | null; pollCount: number } ? Table : never;
}[keyof Tables];
type Claim = { now: Instant; nextPollAt: Instant; limit: number };

/**
 * Claims due rows that meet a condition, with a lease until `nextPollAt`. Parallel processes claim different rows:
 * PostgreSQL skips locked rows, SQLite runs one transaction at a time. The condition has no arguments, so that a partial
 * index can serve it.
 */
export function claimDue<Table extends Polled>(
  table: Table,
  condition: RawBuilder<SqlBool>,
): Statement<Claim, Tables[Table]> {
  // Any of the tables serves for the types, since all have these columns.
  const name = table as 'refunds';
  const claim = statement<Claim, Tables['refunds']>(({ db, isPostgres }, arg) =>
    db
      .updateTable(name)
      .set({ nextPollAt: arg('nextPollAt'), pollCount: sql<number>`"pollCount" + 1` })
      .where('id', 'in', query =>
        query
          .selectFrom(name)
          .select('id')
          .where(condition)
          .where('nextPollAt', '<=', arg('now'))
          .orderBy('nextPollAt')
          .limit(rowLimit(arg('limit')))
          .$if(isPostgres, due => due.forUpdate().skipLocked()),
      )
      .returningAll(),
  );
  return claim as unknown as Statement<Claim, Tables[Table]>;
}

/** The tables whose rows, after long enough without an answer, may end by a person's evidence. */
type Evidenced = {
  [Table in Polled]: Tables[Table] extends { polledForMs: number; evidenceFrom: Instant | null } ? Table : never;
}[Polled];
type Poll = { id: string; nextPollAt: Instant; polledAt: Instant; polledForMs: number };

/** Sets when to poll next and for how long it was polled; no effect once the outcome is known. */
export function postpone(table: Evidenced): Statement<Poll, unknown> {
  return statement(({ db }, arg) =>
    db
      .updateTable(table)
      .set(columnsOf(arg, ['nextPollAt', 'polledAt', 'polledForMs']))
      .where('id', '=', arg('id'))
      .where('status', '=', 'pending'),
  );
}

/** When evidence from a person is accepted. Set once and never moved. */
export function setEvidenceFrom(table: Evidenced): Statement<{ id: string; evidenceFrom: Instant }, unknown> {
  return statement(({ db }, arg) =>
    db
      .updateTable(table)
      .set({ evidenceFrom: arg('evidenceFrom') })
      .where('id', '=', arg('id'))
      .where('evidenceFrom', 'is', null),
  );
}

type Lease = { id: string; leaseUntil: Instant };
const leaseColumns = { id: 'text', leaseUntil: 'bigint' } as const;

export type LeaseRenewal = Statement<{ leasesJson: string; until: Instant }, { id: string }>;

/** An argument of `renewLeases`. */
export const leasesJson = (leases: readonly Lease[]) => rowsJson(leaseColumns, leases);

/**
 * Renews leases stored in a column, and returns which. A row whose column has changed has been claimed by another
 * process, or no longer has a lease, and stays as it is.
 */
export function renewLeases<Table extends keyof Tables>(
  table: Table,
  column: keyof Tables[Table] & string,
): LeaseRenewal {
  return statement(({ db, isPostgres }, arg) => ({
    compile: () =>
      sql<{ id: string }>`
        UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${arg('until')}
        FROM ${rowsOf<Lease>(isPostgres, arg('leasesJson'), leaseColumns)} AS held
        WHERE ${sql.ref(`${table}.id`)} = held.id AND ${sql.ref(`${table}.${column}`)} = held."leaseUntil"
        RETURNING ${sql.ref(`${table}.id`)} AS id`.compile(db),
  }));
}

/** The rows of one status. */
export function hasStatus<Status extends string>(status: Status): RawBuilder<SqlBool> {
  return sql<SqlBool>`status = ${sql.lit(status)}`;
}
