import type { Instant } from '@florin/shared/ports.ts';
import { columnsOf, type Database, statement, type Transaction } from '../database/database.ts';
import type { IdempotencyRecordRow } from '../database/schema.ts';

type Slot = { readonly businessId: string; readonly key: string };
type NewRecord = Pick<IdempotencyRecordRow, 'businessId' | 'key' | 'requestHash' | 'leaseUntil' | 'createdAt'>;

const find = statement<Slot, IdempotencyRecordRow>(({ db }, arg) =>
  db
    .selectFrom('idempotencyRecords')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key')),
);

const insert = statement<NewRecord, unknown>(({ db }, arg) =>
  db
    .insertInto('idempotencyRecords')
    .values({
      ...columnsOf(arg, ['businessId', 'key', 'requestHash', 'leaseUntil', 'createdAt']),
      responseStatus: null,
      responseBody: null,
    })
    .onConflict(conflict => conflict.doNothing()),
);

/** A key past its retention is free again. */
const replaceExpired = statement<NewRecord & { expiredBefore: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({
      requestHash: arg('requestHash'),
      leaseUntil: arg('leaseUntil'),
      createdAt: arg('createdAt'),
      responseStatus: null,
      responseBody: null,
    })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('createdAt', '<=', arg('expiredBefore')),
);

/** `createdAt` names the run that died, so that of two who find it dead one takes it over. */
const takeOver = statement<NewRecord & { now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({ leaseUntil: arg('leaseUntil') })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('requestHash', '=', arg('requestHash'))
    .where('createdAt', '=', arg('createdAt'))
    .where('responseStatus', 'is', null)
    .where('leaseUntil', '<=', arg('now')),
);

/** The first answer stays: nothing overwrites it. */
const storeAnswer = statement<Slot & { createdAt: Instant; responseStatus: number; responseBody: string }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('idempotencyRecords')
      .set({ responseStatus: arg('responseStatus'), responseBody: arg('responseBody') })
      .where('businessId', '=', arg('businessId'))
      .where('key', '=', arg('key'))
      .where('createdAt', '=', arg('createdAt'))
      .where('responseStatus', 'is', null),
);

const endLease = statement<Slot & { createdAt: Instant; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({ leaseUntil: arg('now') })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('createdAt', '=', arg('createdAt'))
    .where('responseStatus', 'is', null),
);

const deleteExpired = statement<{ expiredBefore: Instant }, unknown>(({ db }, arg) =>
  db.deleteFrom('idempotencyRecords').where('createdAt', '<=', arg('expiredBefore')),
);

export type Begun = 'first' | 'resumed' | 'repeat';

/** Keys of calls and the answers they got. `begin` and `finish` join the transaction of the flow they belong to. */
export function idempotencyStore(database: Database) {
  return {
    find: (slot: Slot) => database.first(find, slot),

    async begin(
      tx: Transaction,
      record: NewRecord,
      times: { readonly now: Instant; readonly expiredBefore: Instant },
    ): Promise<Begun> {
      if ((await tx.run(insert, record)) === 1) return 'first';
      if ((await tx.run(replaceExpired, { ...record, expiredBefore: times.expiredBefore })) === 1) return 'first';
      return (await tx.run(takeOver, { ...record, now: times.now })) === 1 ? 'resumed' : 'repeat';
    },

    async storeAnswer(
      tx: Transaction,
      slot: Slot & { readonly createdAt: Instant },
      answer: { readonly status: number; readonly body: string },
    ): Promise<boolean> {
      const args = { ...slot, responseStatus: answer.status, responseBody: answer.body };
      return (await tx.run(storeAnswer, args)) === 1;
    },

    /** Lets the next call with this key go on at once where this one failed. */
    endLease: (slot: Slot & { readonly createdAt: Instant }, now: Instant) =>
      database.write(tx => tx.run(endLease, { ...slot, now })),

    deleteExpired: (expiredBefore: Instant) => database.write(tx => tx.run(deleteExpired, { expiredBefore })),
  };
}
export type IdempotencyStore = ReturnType<typeof idempotencyStore>;
