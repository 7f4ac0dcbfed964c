import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import type { Clock, Ids, Instant, Log } from '@florin/shared/ports.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import { type SqlBool, sql } from 'kysely';
import { afterCommit } from '../database/after-commit.ts';
import {
  allColumnsOf,
  columnsOf,
  type Database,
  optionalFilters,
  rowLimit,
  statement,
  type Transaction,
} from '../database/database.ts';
import { genesisHash, hashedColumns, hashOf } from './chain.ts';
import type { AuditChainRow, AuditEntryRow, AuditKind } from './rows.ts';
import { brokenSeal, type ChainHead, type HeadSeal, type SealState } from './seal.ts';

/** What is recorded; the chain adds id, sequence, time of recording and hashes. */
export type NewAuditEntry = {
  readonly businessId: string;
  readonly kind: AuditKind;
  readonly by: Actor;
  readonly status?: string | null;
  readonly reason?: string | null;
  readonly staffId?: string | null;
  readonly terminalId?: string | null;
  readonly paymentId?: string | null;
  /** Of an authorisation: the refund that it let go ahead. */
  readonly refundId?: string | null;
  readonly amountMinor?: number | null;
  /** Names and facts as they are now, so that the entry stays readable when they change. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** When it happened; now, unless a terminal recorded it while offline. */
  readonly attemptedAt?: Instant;
};

export type AuditFilter = {
  readonly staffId: string | null;
  readonly terminalId: string | null;
  readonly status: string | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
};

export type AuditLog = {
  /** Begins the chain of a new business. */
  begin(tx: Transaction, businessId: string): Promise<void>;
  /** Appends to the business's hash chain. Called last in a transaction: the chain's head is its most contended lock. */
  append(tx: Transaction, entry: NewAuditEntry): Promise<AuditEntryRow>;
  /** Appends an entry and seals the head anew, whatever its seal was. For an operator who has verified the chain. */
  appendAndSeal(tx: Transaction, entry: NewAuditEntry): Promise<AuditEntryRow>;
};

type HeadState = SealState | 'missing';

/** The writing side of the hash-chained log. */
export function auditLog(ports: { clock: Clock; ids: Ids; log: Log; seal: HeadSeal }): AuditLog {
  const { seal, log } = ports;

  /**
   * The head to write on from, and how the next one is sealed. A head that is missing or was changed outside the service is
   * replaced by the last entry there is, since the shop goes on; the seal stays broken from then on.
   */
  async function headToWriteOn(
    tx: Transaction,
    businessId: string,
  ): Promise<ChainHead & { readonly state: HeadState }> {
    const head = await tx.first(headForUpdate, { businessId });
    const state = head ? seal.check(head) : 'missing';
    if (head && state === 'valid') return { ...head, state };
    const last = await tx.first(lastEntry, { businessId });
    const from = { businessId, sequence: last?.sequence ?? 0, hash: last?.hash ?? genesisHash };
    if (!head) await tx.run(insertChain, { ...from, seal: brokenSeal });
    if (state !== 'broken')
      afterCommit(tx, () => log.error({ ...from, head: state }, 'the audit log was changed outside the service'));
    return { ...from, state };
  }

  async function append(
    tx: Transaction,
    entry: NewAuditEntry,
    sealOf: (state: HeadState, next: ChainHead) => string,
  ): Promise<AuditEntryRow> {
    const { businessId, by } = entry;
    const { actorKind, actorId } = actorColumns(by);
    const head = await headToWriteOn(tx, businessId);
    const now = ports.clock.now();
    const unhashed = {
      id: ports.ids.next(idPrefixes.auditEntry),
      businessId,
      sequence: head.sequence + 1,
      kind: entry.kind,
      status: entry.status ?? null,
      reason: entry.reason ?? null,
      actorKind,
      actorId,
      staffId: entry.staffId ?? null,
      terminalId: entry.terminalId ?? null,
      paymentId: entry.paymentId ?? null,
      refundId: entry.refundId ?? null,
      amountMinor: entry.amountMinor ?? null,
      detailJson: JSON.stringify(entry.detail),
      attemptedAt: entry.attemptedAt ?? now,
      recordedAt: now,
      previousHash: head.hash,
    };
    const row: AuditEntryRow = { ...unhashed, hash: hashOf(unhashed) };
    const next = { businessId, sequence: row.sequence, hash: row.hash };
    tx.send(insertEntry, row);
    tx.send(moveHead, { ...next, seal: sealOf(head.state, next) });
    return row;
  }

  return {
    async begin(tx, businessId) {
      const head = { businessId, sequence: 0, hash: genesisHash };
      await tx.run(insertChain, { ...head, seal: seal.seal(head) });
    },
    append: (tx, entry) => append(tx, entry, (state, next) => (state === 'valid' ? seal.seal(next) : brokenSeal)),
    appendAndSeal: (tx, entry) => append(tx, entry, (_, next) => seal.seal(next)),
  };
}

/** The log as readers see it. */
export type AuditStore = {
  /** One page of entries of a kind, newest first; `before` is the sequence of the last one seen. */
  list(options: {
    businessId: string;
    kind: AuditKind;
    filter: AuditFilter;
    before: number | null;
    limit: number;
  }): Promise<AuditEntryRow[]>;
  /** Entries in order of the chain, after `after`. */
  chain(options: { businessId: string; after: number; limit: number }): Promise<AuditEntryRow[]>;
  head(businessId: string): Promise<AuditChainRow | undefined>;
  /** A refund by staff that no authorised entry stands for, or an authorised entry that stands for no such refund. */
  unmatched(businessId: string): Promise<Unmatched | undefined>;
};

export function auditStore(database: Database): AuditStore {
  return {
    list: ({ filter, ...options }) => database.all(entriesOfKind, { ...options, ...filter }),
    chain: options => database.all(entriesInOrder, options),
    head: businessId => database.first(headRow, { businessId }),
    async unmatched(businessId) {
      const refund = await database.first(refundWithoutEntry, { businessId });
      if (refund) return { kind: 'refund', refundId: refund.id };
      const entry = await database.first(entryWithoutRefund, { businessId });
      return entry && { kind: 'entry', ...entry };
    },
  };
}

export type Unmatched =
  | { readonly kind: 'refund'; readonly refundId: string }
  | { readonly kind: 'entry'; readonly id: string; readonly sequence: number };

const headRow = statement<{ businessId: string }, AuditChainRow>(({ db }, arg) =>
  db.selectFrom('auditChains').selectAll().where('businessId', '=', arg('businessId')),
);

const headForUpdate = statement<{ businessId: string }, AuditChainRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('auditChains')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .$if(isPostgres, query => query.forUpdate()),
);

const insertChain = statement<AuditChainRow, unknown>(({ db }, arg) =>
  db
    .insertInto('auditChains')
    .values(allColumnsOf(arg, ['businessId', 'sequence', 'hash', 'seal']))
    .onConflict(conflict => conflict.column('businessId').doNothing()),
);

const moveHead = statement<AuditChainRow, unknown>(({ db }, arg) =>
  db
    .updateTable('auditChains')
    .set(columnsOf(arg, ['sequence', 'hash', 'seal']))
    .where('businessId', '=', arg('businessId')),
);

const lastEntry = statement<{ businessId: string }, { sequence: number; hash: string }>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .select(['sequence', 'hash'])
    .where('businessId', '=', arg('businessId'))
    .orderBy('sequence', 'desc')
    .limit(1),
);

const insertEntry = statement<AuditEntryRow, unknown>(({ db }, arg) =>
  db.insertInto('auditEntries').values(allColumnsOf(arg, [...hashedColumns, 'hash'])),
);

type ListArgs = AuditFilter & { businessId: string; kind: AuditKind; before: number | null; limit: number };

const entriesOfKind = statement<ListArgs, AuditEntryRow>(({ db, isPostgres }, arg) => {
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

const entriesInOrder = statement<{ businessId: string; after: number; limit: number }, AuditEntryRow>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('sequence', '>', arg('after'))
    .orderBy('sequence', 'asc')
    .limit(rowLimit(arg('limit'))),
);

/** What an authorised entry and the refund it let go ahead have in common. A void has no amount of its own. */
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

const refundWithoutEntry = statement<{ businessId: string }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('refunds')
    .leftJoin('auditEntries', join => join.on(sameOperation))
    .select('refunds.id')
    .where('refunds.businessId', '=', arg('businessId'))
    .where('refunds.actorKind', '=', sql.lit('staff'))
    .where('auditEntries.id', 'is', null)
    .orderBy('refunds.id')
    .limit(1),
);

const entryWithoutRefund = statement<{ businessId: string }, { id: string; sequence: number }>(({ db }, arg) =>
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
