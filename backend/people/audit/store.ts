import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type ArgumentOf,
  equalsUnindexed,
  optionalFilters,
  rowLimit,
  type Statement,
  statement,
} from '../../foundation/database/database.ts';
import {
  insertInto,
  insertUnlessTaken,
  selectBy,
  selectForUpdateBy,
  updateBy,
} from '../../foundation/database/statements.ts';
import type { AuditEntryRow, AuditKind } from './rows.ts';

export const chainHead = selectBy('auditChains', 'businessId');

export const chainHeadForUpdate = selectForUpdateBy('auditChains', 'businessId');

export const insertChainHead = insertUnlessTaken('auditChains', 'businessId');

export const moveChainHead = updateBy('auditChains', { set: ['sequence', 'hash', 'seal'], by: ['businessId'] });

export const lastEntry = statement<{ businessId: string }, { sequence: number; hash: string }>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .select(['sequence', 'hash'])
    .where('businessId', '=', arg('businessId'))
    .orderBy('sequence', 'desc')
    .limit(1),
);

export const insertEntry = insertInto('auditEntries');

export const insertSubject = insertInto('auditSubjects');

export type AuditFilter = {
  readonly staffId: string | null;
  readonly terminalId: string | null;
  readonly status: string | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
};

type ListArgs = AuditFilter & { businessId: string; kind: AuditKind; before: number | null; limit: number };

/** Newest first; `before` is the sequence of the last one seen. */
export const entriesOfKind = statement<ListArgs, AuditEntryRow>(({ db, isPostgres }, arg) => {
  const optional = optionalFilters(isPostgres);
  return db
    .selectFrom('auditEntries')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('kind', '=', arg('kind'))
    .where(optional.integer('sequence', '<', arg('before')))
    .where(optional.text('staffId', '=', arg('staffId')))
    .where(optional.text('terminalId', '=', arg('terminalId')))
    .where(optional.text('status', '=', arg('status')))
    .where(optional.integer('attemptedAt', '>=', arg('from')))
    .where(optional.integer('attemptedAt', '<', arg('to')))
    .orderBy('sequence', 'desc')
    .limit(rowLimit(arg('limit')));
});

/** What somebody's checks of a period came to, each of them counted in one of the columns that say how it ended. */
export type ChecksOfStaff = {
  readonly staffId: string;
  readonly name: string;
  readonly staffNumber: string;
  readonly refundCount: number;
  readonly refundedMinor: number;
  readonly voidCount: number;
  readonly wrongPasswordCount: number;
  readonly withoutPermissionCount: number;
  readonly overLimitCount: number;
  readonly lockedOutCount: number;
  readonly offlineCount: number;
};

const has = (text: string) => sql<SqlBool>`"detailJson" LIKE ${sql.lit(`%${text}%`)}`;
const isLockedOut = sql<SqlBool>`(${has('"detail":"locked_out"')} OR ${has('"detail":"terminal_locked_out"')})`;

/** The checks of staff passwords at terminals since a time, one row for each member. */
export const checksByStaff = statement<{ businessId: string; since: Instant }, ChecksOfStaff>(({ db }, arg) => {
  const counted = (condition: RawBuilder<unknown>) =>
    sql<number>`cast(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END) as bigint)`;
  const isRefund = sql`"auditEntries"."kind" = 'refund_check' AND "status" = 'authorized'`;
  const isDenied = sql`"reason" = 'permission_denied'`;
  return (
    db
      .selectFrom('auditEntries')
      .innerJoin('staff', 'staff.id', 'auditEntries.staffId')
      .select(['staff.id as staffId', 'staff.name', 'staff.staffNumber'])
      .select([
        counted(isRefund).as('refundCount'),
        sql<number>`cast(sum(CASE WHEN ${isRefund} THEN "amountMinor" ELSE 0 END) as bigint)`.as('refundedMinor'),
        counted(sql`"auditEntries"."kind" = 'void_check' AND "status" = 'authorized'`).as('voidCount'),
        counted(sql`"reason" = 'invalid_signature'`).as('wrongPasswordCount'),
        counted(sql`${isDenied} AND NOT ${isLockedOut}`).as('withoutPermissionCount'),
        counted(sql`"status" IN ('limit_exceeded', 'daily_limit_exceeded')`).as('overLimitCount'),
        counted(sql`${isDenied} AND ${isLockedOut}`).as('lockedOutCount'),
        counted(has('"offline":true')).as('offlineCount'),
      ])
      .where('auditEntries.businessId', '=', arg('businessId'))
      .where('auditEntries.kind', 'in', ['refund_check', 'void_check'])
      // No check is recorded before it was made.
      .where('recordedAt', '>=', arg('since'))
      .where('attemptedAt', '>=', arg('since'))
      .groupBy(['staff.id', 'staff.name', 'staff.staffNumber'])
  );
});

/** An entry with the current name of its actor; null if the actor has none or is no longer recorded. */
export type AuditView = AuditEntryRow & { readonly actorName: string | null };

export type AuditSearch = {
  readonly businessId: string;
  readonly actorId: string | null;
  readonly subjectId: string | null;
  readonly kind: AuditKind | null;
  /** From this place in the log on. */
  readonly least: number;
  readonly before: number;
  readonly limit: number;
};

type SearchParts = {
  readonly arg: ArgumentOf<AuditSearch>;
  /** Within the bounds of the search. */
  readonly isWithin: (sequence: RawBuilder<unknown>) => RawBuilder<SqlBool>;
  readonly ofKind: RawBuilder<SqlBool>;
  readonly ofActor: RawBuilder<SqlBool>;
  readonly limit: RawBuilder<number>;
};

/** Newest first, with the name of the actor. */
const searchOf = (matching: (parts: SearchParts) => RawBuilder<unknown>): Statement<AuditSearch, AuditView> =>
  statement(({ db, isPostgres }, arg) => {
    const optional = optionalFilters(isPostgres);
    const entries = matching({
      arg,
      isWithin: sequence => sql<SqlBool>`${sequence} >= ${arg('least')} AND ${sequence} < ${arg('before')}`,
      ofKind: optional.text('e.kind', '=', arg('kind')),
      ofActor: optional.text('e.actorId', '=', arg('actorId')),
      limit: rowLimit(arg('limit')),
    });
    return db
      .selectFrom(sql<AuditEntryRow>`(${entries})`.as('e'))
      .leftJoin('staff', 'staff.id', 'e.actorId')
      .leftJoin('apiKeys', 'apiKeys.id', 'e.actorId')
      .leftJoin('kioskKeys', 'kioskKeys.id', 'e.actorId')
      .leftJoin('terminals', 'terminals.id', 'e.actorId')
      .leftJoin('portalUsers', 'portalUsers.id', 'e.actorId')
      .selectAll('e')
      .select(({ fn }) =>
        fn
          .coalesce('staff.name', 'portalUsers.name', 'apiKeys.name', 'kioskKeys.name', 'terminals.name')
          .as('actorName'),
      )
      .orderBy('e.sequence', 'desc');
  });

/**
 * A statement for each filter, led by its index in the order of the log; the other filters pass over what it finds.
 * SQLite prefers the key of the whole log to any other index that does not have all that is asked for.
 */
export const searches = {
  subject: searchOf(
    ({ arg, isWithin, ofActor, ofKind, limit }) => sql`
      SELECT e.* FROM "auditSubjects" s JOIN "auditEntries" e ON e."businessId" = s."businessId" AND e."sequence" = s."sequence"
      WHERE s."businessId" = ${arg('businessId')} AND s."subjectId" = ${arg('subjectId')}
      AND ${isWithin(sql`s."sequence"`)} AND ${ofActor} AND ${ofKind} ORDER BY s."sequence" DESC LIMIT ${limit}`,
  ),
  actor: searchOf(
    ({ arg, isWithin, ofKind, limit }) => sql`
      SELECT e.* FROM "auditEntries" e WHERE ${equalsUnindexed('e.businessId', arg('businessId'))}
      AND e."actorId" = ${arg('actorId')} AND ${isWithin(sql`e."sequence"`)} AND ${ofKind}
      ORDER BY e."sequence" DESC LIMIT ${limit}`,
  ),
  kind: searchOf(
    ({ arg, isWithin, limit }) => sql`
      SELECT e.* FROM (SELECT k."businessId", k."sequence" FROM "auditEntries" k
        WHERE k."businessId" = ${arg('businessId')} AND k."kind" = ${arg('kind')} AND ${isWithin(sql`k."sequence"`)}
        ORDER BY k."sequence" DESC LIMIT ${limit}) k
      JOIN "auditEntries" e ON e."businessId" = k."businessId" AND e."sequence" = k."sequence"`,
  ),
  none: searchOf(
    ({ arg, isWithin, limit }) => sql`
      SELECT e.* FROM "auditEntries" e WHERE e."businessId" = ${arg('businessId')} AND ${isWithin(sql`e."sequence"`)}
      ORDER BY e."sequence" DESC LIMIT ${limit}`,
  ),
};

/** The first entry that was recorded at this time or later. */
export const firstRecordedSince = statement<{ businessId: string; since: Instant }, { sequence: number }>(
  ({ db }, arg) =>
    db
      .selectFrom('auditEntries')
      .select('sequence')
      .where('businessId', '=', arg('businessId'))
      .where('recordedAt', '>=', arg('since'))
      .orderBy('recordedAt')
      .orderBy('sequence')
      .limit(sql.lit(1)),
);

/** In chain order, after `after`. */
export const entriesInOrder = statement<{ businessId: string; after: number; limit: number }, AuditEntryRow>(
  ({ db }, arg) =>
    db
      .selectFrom('auditEntries')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('sequence', '>', arg('after'))
      .orderBy('sequence', 'asc')
      .limit(rowLimit(arg('limit'))),
);

/** The fields that an authorising entry shares with its refund. A void has no amount. */
const sameOperation = sql<SqlBool>`
  ${sql.ref('auditEntries.refundId')} = ${sql.ref('refunds.id')}
  and ${sql.ref('auditEntries.businessId')} = ${sql.ref('refunds.businessId')}
  and ${sql.ref('auditEntries.staffId')} = ${sql.ref('refunds.actorId')}
  and ${sql.ref('auditEntries.terminalId')} = ${sql.ref('refunds.terminalId')}
  and ${sql.ref('auditEntries.paymentId')} = ${sql.ref('refunds.paymentId')}
  and ((${sql.ref('refunds.kind')} = 'CANCEL' and ${sql.ref('auditEntries.kind')} = 'void_check')
    or (${sql.ref('refunds.kind')} = 'REFUND_SALE' and ${sql.ref('auditEntries.kind')} = 'refund_check'
      and ${sql.ref('auditEntries.amountMinor')} = ${sql.ref('refunds.amountMinor')}))
  and ${sql.ref('auditEntries.status')} = 'authorized'
  and ${sql.ref('refunds.actorKind')} = 'staff'`;

/** Compares two lists, each read once: joined by SQLite, all entries would be read for each refund. */
export const refundWithoutEntry = statement<{ businessId: string }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('refunds')
    .select(['id', 'actorId', 'terminalId', 'paymentId'])
    .select(sql`case "kind" when 'CANCEL' then 'void_check' when 'REFUND_SALE' then 'refund_check' end`.as('checkKind'))
    .select(sql`case "kind" when 'REFUND_SALE' then "amountMinor" end`.as('checkedMinor'))
    .where('businessId', '=', arg('businessId'))
    .where('actorKind', '=', sql.lit('staff'))
    .except(eb =>
      eb
        .selectFrom('auditEntries')
        .select(({ ref }) => [
          ref('refundId').$notNull().as('id'),
          'staffId as actorId',
          'terminalId',
          ref('paymentId').$notNull().as('paymentId'),
          'kind as checkKind',
        ])
        .select(sql`case "kind" when 'refund_check' then "amountMinor" end`.as('checkedMinor'))
        .where('businessId', '=', arg('businessId'))
        .where('kind', 'in', ['refund_check', 'void_check'])
        .where('status', '=', sql.lit('authorized')),
    )
    .orderBy('id')
    .limit(1),
);

export const entryWithoutRefund = statement<{ businessId: string }, { id: string; sequence: number }>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .leftJoin('refunds', join => join.on(sameOperation))
    .select(['auditEntries.id', 'auditEntries.sequence'])
    .where('auditEntries.businessId', '=', arg('businessId'))
    .where('auditEntries.kind', 'in', ['refund_check', 'void_check'])
    .where('auditEntries.status', '=', sql.lit('authorized'))
    .where('refunds.id', 'is', null)
    .orderBy('auditEntries.sequence')
    .limit(1),
);
