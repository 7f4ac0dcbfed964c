import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import type { Clock, Ids, Instant } from '@florin/shared/ports.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import {
  columnsOf,
  type Database,
  optionalFilters,
  rowLimit,
  statement,
  type Transaction,
} from '../database/database.ts';
import type { AuditChainRow, AuditEntryRow, AuditKind } from '../database/schema.ts';
import { genesisHash, hashedColumns, hashOf } from './chain.ts';

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
  /** Appends to the business's hash chain. Called last in a transaction: the chain's head is its most wanted lock. */
  append(tx: Transaction, entry: NewAuditEntry): Promise<AuditEntryRow>;
};

/** The writing side of the hash-chained log. */
export function auditLog(ports: { clock: Clock; ids: Ids }): AuditLog {
  return {
    async append(tx, entry) {
      const { businessId, by } = entry;
      const { actorKind, actorId } = actorColumns(by);
      const head = (await tx.first(headForUpdate, { businessId })) ?? (await beginChain(tx, businessId));
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
        amountMinor: entry.amountMinor ?? null,
        detailJson: JSON.stringify(entry.detail),
        attemptedAt: entry.attemptedAt ?? now,
        recordedAt: now,
        previousHash: head.hash,
      };
      const row: AuditEntryRow = { ...unhashed, hash: hashOf(unhashed) };
      tx.send(insertEntry, row);
      tx.send(moveHead, { businessId, sequence: row.sequence, hash: row.hash });
      return row;
    },
  };
}

async function beginChain(tx: Transaction, businessId: string): Promise<AuditChainRow> {
  await tx.run(insertChain, { businessId, sequence: 0, hash: genesisHash });
  const head = await tx.first(headForUpdate, { businessId });
  if (!head) throw new Error(`the audit chain of ${businessId} could not be begun`);
  return head;
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
};

export function auditStore(database: Database): AuditStore {
  return {
    list: ({ filter, ...options }) => database.all(entriesOfKind, { ...options, ...filter }),
    chain: options => database.all(entriesInOrder, options),
    head: businessId => database.first(headRow, { businessId }),
  };
}

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
    .values(columnsOf(arg, ['businessId', 'sequence', 'hash']))
    .onConflict(conflict => conflict.column('businessId').doNothing()),
);

const moveHead = statement<AuditChainRow, unknown>(({ db }, arg) =>
  db
    .updateTable('auditChains')
    .set({ sequence: arg('sequence'), hash: arg('hash') })
    .where('businessId', '=', arg('businessId')),
);

const insertEntry = statement<AuditEntryRow, unknown>(({ db }, arg) =>
  db.insertInto('auditEntries').values(columnsOf(arg, [...hashedColumns, 'hash'])),
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
