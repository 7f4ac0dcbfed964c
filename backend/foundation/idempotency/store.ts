import type { Instant } from '@florin/shared/ports.ts';
import { rowsOf, statement } from '../database/database.ts';
import { insertUnlessTaken } from '../database/statements.ts';
import type { IdempotencyRecordRow } from './rows.ts';

type Slot = { readonly businessId: string; readonly key: string };
/** A run that has a key. */
export type Run = Slot & { readonly runId: string };
export const runColumns = { businessId: 'text', key: 'text', runId: 'text' } as const;
export type NewRecord = Omit<IdempotencyRecordRow, 'responseStatus' | 'responseBody'>;

export const recordOfKey = statement<Slot, IdempotencyRecordRow>(({ db }, arg) =>
  db
    .selectFrom('idempotencyRecords')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key')),
);

export const insertRecord = insertUnlessTaken('idempotencyRecords');

/** A key past its retention is free again. */
export const replaceExpiredRecord = statement<NewRecord & { expiredBefore: Instant }, unknown>(({ db }, arg) =>
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

/** If two callers find the expired lease of an ended run, one of them takes it. */
export const takeOverRecord = statement<NewRecord & { now: Instant }, unknown>(({ db }, arg) =>
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
export const storeResponse = statement<
  Slot & { createdAt: Instant; responseStatus: number; responseBody: string },
  unknown
>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({ responseStatus: arg('responseStatus'), responseBody: arg('responseBody') })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('createdAt', '=', arg('createdAt'))
    .where('responseStatus', 'is', null),
);

/** Renews the leases of runs that still have their keys; returns which. The argument is made with `runColumns`. */
export const renewRuns = statement<{ runsJson: string; leaseUntil: Instant }, Pick<Run, 'runId'>>(
  ({ db, isPostgres }, arg) =>
    db
      .updateTable('idempotencyRecords')
      .from(rowsOf<Run>(isPostgres, arg('runsJson'), runColumns).as('held'))
      .set({ leaseUntil: arg('leaseUntil') })
      .whereRef('idempotencyRecords.businessId', '=', 'held.businessId')
      .whereRef('idempotencyRecords.key', '=', 'held.key')
      .whereRef('idempotencyRecords.runId', '=', 'held.runId')
      .where('responseStatus', 'is', null)
      .returning('idempotencyRecords.runId as runId'),
);

export const endLease = statement<Run & { now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('idempotencyRecords')
    .set({ leaseUntil: arg('now') })
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('runId', '=', arg('runId'))
    .where('responseStatus', 'is', null),
);

export const deleteRecord = statement<Run, unknown>(({ db }, arg) =>
  db
    .deleteFrom('idempotencyRecords')
    .where('businessId', '=', arg('businessId'))
    .where('key', '=', arg('key'))
    .where('runId', '=', arg('runId'))
    .where('responseStatus', 'is', null),
);

export const deleteExpiredRecords = statement<{ expiredBefore: Instant }, unknown>(({ db }, arg) =>
  db.deleteFrom('idempotencyRecords').where('createdAt', '<=', arg('expiredBefore')),
);
