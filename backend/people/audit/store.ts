import type { Instant } from '@florin/shared/ports.ts';
import { type SqlBool, sql } from 'kysely';
import { allColumnsOf, columnsOf, optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import { hashedColumns } from './chain.ts';
import type { AuditChainRow, AuditEntryRow, AuditKind } from './rows.ts';

export const chainHead = statement<{ businessId: string }, AuditChainRow>(({ db }, arg) =>
  db.selectFrom('auditChains').selectAll().where('businessId', '=', arg('businessId')),
);

export const chainHeadForUpdate = statement<{ businessId: string }, AuditChainRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('auditChains')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .$if(isPostgres, query => query.forUpdate()),
);

export const insertChainHead = statement<AuditChainRow, unknown>(({ db }, arg) =>
  db
    .insertInto('auditChains')
    .values(allColumnsOf(arg, ['businessId', 'sequence', 'hash', 'seal']))
    .onConflict(conflict => conflict.column('businessId').doNothing()),
);

export const moveChainHead = statement<AuditChainRow, unknown>(({ db }, arg) =>
  db
    .updateTable('auditChains')
    .set(columnsOf(arg, ['sequence', 'hash', 'seal']))
    .where('businessId', '=', arg('businessId')),
);

export const lastEntry = statement<{ businessId: string }, { sequence: number; hash: string }>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .select(['sequence', 'hash'])
    .where('businessId', '=', arg('businessId'))
    .orderBy('sequence', 'desc')
    .limit(1),
);

export const insertEntry = statement<AuditEntryRow, unknown>(({ db }, arg) =>
  db.insertInto('auditEntries').values(allColumnsOf(arg, [...hashedColumns, 'hash'])),
);

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
