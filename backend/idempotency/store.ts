import type { Instant } from '@florin/shared/ports.ts';
import { allColumnsOf, type Database, statement, type Transaction } from '../database/database.ts';
import type { Begun } from './call.ts';
import type { IdempotencyRecordRow } from './rows.ts';

type Slot = { readonly businessId: string; readonly key: string };
type Run = Slot & { readonly runId: string };
type NewRecord = Omit<IdempotencyRecordRow, 'responseStatus' | 'responseBody'>;

const find = statement<Slot, IdempotencyRecordRow>(({ db }, arg) =>
  db
    .selectFrom('idempotencyRecords')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key')),
);

const insert = statement<IdempotencyRecordRow, unknown>(({ db }, arg) =>
  db
    .insertInto('idempotencyRecords')
    .values(
      allColumnsOf(arg, [
        'businessId',
        'key',
        'requestHash',
        'runId',
        'responseStatus',
        'responseBody',
        'leaseUntil',
        'createdAt',
      ]),
    )
    .onConflict(conflict => conflict.doNothing()),
);

/** A key past its retention is free again. */
const replaceExpired = statement<NewRecord & { expiredBefore: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({
      requestHash: arg('requestHash'),
      runId: arg('runId'),
      leaseUntil: arg('leaseUntil'),
      createdAt: arg('createdAt'),
      responseStatus: null,
      responseBody: null,
    })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('createdAt', '<=', arg('expiredBefore')),
);

/** Of two who find the lease of a dead run over, one takes it. */
const takeOver = statement<NewRecord & { now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({ runId: arg('runId'), leaseUntil: arg('leaseUntil') })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('requestHash', '=', arg('requestHash'))
    .where('createdAt', '=', arg('createdAt'))
    .where('responseStatus', 'is', null)
    .where('leaseUntil', '<=', arg('now')),
);

/** The first response stays: nothing overwrites it. */
const storeResponse = statement<Slot & { createdAt: Instant; responseStatus: number; responseBody: string }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('idempotencyRecords')
      .set({ responseStatus: arg('responseStatus'), responseBody: arg('responseBody') })
      .where('businessId', '=', arg('businessId'))
      .where('key', '=', arg('key'))
      .where('createdAt', '=', arg('createdAt'))
      .where('responseStatus', 'is', null),
);

/** A lease only grows: a renewal that was held up must not shorten what a later one gave. */
const renew = statement<Run & { leaseUntil: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({ leaseUntil: arg('leaseUntil') })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('runId', '=', arg('runId'))
    .where('leaseUntil', '<', arg('leaseUntil'))
    .where('responseStatus', 'is', null),
);

const endLease = statement<Run & { now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({ leaseUntil: arg('now') })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('runId', '=', arg('runId'))
    .where('responseStatus', 'is', null),
);

const release = statement<Run, unknown>(({ db }, arg) =>
  db
    .deleteFrom('idempotencyRecords')
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('runId', '=', arg('runId'))
    .where('responseStatus', 'is', null),
);

const deleteExpired = statement<{ expiredBefore: Instant }, unknown>(({ db }, arg) =>
  db.deleteFrom('idempotencyRecords').where('createdAt', '<=', arg('expiredBefore')),
);

/** Keys of calls and the responses they got. `begin` and `storeResponse` join the transaction of the flow they belong to. */
export function idempotencyStore(database: Database) {
  return {
    find: (slot: Slot) => database.first(find, { businessId: slot.businessId, key: slot.key }),

    /** Undefined where another run has the key or has finished. */
    async begin(
      tx: Transaction,
      record: NewRecord,
      times: { readonly now: Instant; readonly expiredBefore: Instant },
    ): Promise<Begun | undefined> {
      if ((await tx.run(insert, { ...record, responseStatus: null, responseBody: null })) === 1) return 'new';
      if ((await tx.run(replaceExpired, { ...record, expiredBefore: times.expiredBefore })) === 1) return 'new';
      return (await tx.run(takeOver, { ...record, now: times.now })) === 1 ? 'resumed' : undefined;
    },

    /** False where a response is stored already, or the key was forgotten. */
    async storeResponse(
      tx: Transaction,
      slot: Slot & { readonly createdAt: Instant },
      response: { readonly status: number; readonly body: string },
    ): Promise<boolean> {
      const values = { ...slot, responseStatus: response.status, responseBody: response.body };
      return (await tx.run(storeResponse, values)) === 1;
    },

    /** Holds the key until then, if this run still has it. */
    renew: (run: Run, leaseUntil: Instant) => database.write(tx => tx.run(renew, { ...run, leaseUntil })),

    /** The next call with the key may go on at once, where this run failed. */
    endLease: (run: Run, now: Instant) => database.write(tx => tx.run(endLease, { ...run, now })),

    /** The key stands for nothing again. */
    release: (run: Run) => database.write(tx => tx.run(release, run)),

    deleteExpired: (expiredBefore: Instant) => database.write(tx => tx.run(deleteExpired, { expiredBefore })),
  };
}
export type IdempotencyStore = ReturnType<typeof idempotencyStore>;
