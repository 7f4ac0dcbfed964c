import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import type { ExportedList } from '@florin/shared/contracts/api-v1/exports.ts';
import { type Clock, type ContextLog, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database } from '../../foundation/database/database.ts';
import { type ReplicaReads, readsPrimary } from '../../foundation/database/replica.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import { workOnEach } from '../../foundation/jobs/each.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import { businessById } from '../../people/businesses/store.ts';
import { exportColumns } from './columns.ts';
import { csvHeader, csvLines } from './csv.ts';
import type { ExportRow } from './rows.ts';
import {
  advanceExport,
  chunkOf,
  claimExports,
  exportById,
  insertChunk,
  insertExport,
  runningExports,
} from './store.ts';

export type NewExport = {
  readonly businessId: string;
  readonly list: ExportedList;
  readonly filters: Readonly<Record<string, string>>;
  readonly format: ExportRow['format'];
  readonly by: Actor;
  readonly write: DurableWrite<ExportRow>;
};

export type Exports = {
  request(wanted: NewExport): Promise<Result<ExportRow, { readonly kind: 'too_many_exports' }>>;
  /** An export of this actor; of another's nothing is known. */
  byId(of: { readonly businessId: string; readonly id: string; readonly by: Actor }): Promise<ExportRow | undefined>;
  /** The file of an export that is done. */
  contentOf(row: ExportRow): AsyncIterable<Uint8Array>;
  /** Writes the next parts of exports that are due; returns how many exports those were. */
  run(): Promise<number>;
};

/** How long a file is kept. */
export const keptForMs = 24 * 3_600_000;
export const exportBatch = 2;
const pagesPerChunk = 10;
/** After so many, others have their turn. */
const chunksPerRun = 5;
const attempts = 5;
const runningAtMost = 5;

export type Page = { readonly items: readonly Readonly<Record<string, unknown>>[]; readonly nextCursor: string | null };

export type ReadPage = (row: ExportRow, cursor: string | null) => Promise<Page>;

/**
 * Exports of whole lists. Each part of a file is read through the operation of the list and saved together with the cursor
 * after it: an export that is interrupted goes on after its last part.
 */
export function exportService(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: ContextLog;
  readonly changes: ChangeLog;
  readonly leases: LeasesOn<Pick<ExportRow, 'id'>>;
  readonly replicaReads: ReplicaReads;
  /** A page of the list after a cursor. */
  readonly readPage: ReadPage;
}): Exports {
  const { database, clock, ids, log, changes, leases, replicaReads, readPage } = options;

  async function nextChunk(row: ExportRow): Promise<{ text: string; rows: number; cursor: string | null }> {
    const columns = exportColumns[row.list];
    const business = await database.first(businessById, { id: row.businessId });
    if (!business) throw new Error(`business ${row.businessId} of an export is missing`);
    const csvLine = csvLines(columns, business.timeZone);
    let text = row.chunkCount > 0 ? '' : row.format === 'csv' ? csvHeader(columns) : '[';
    let { cursor, rowCount } = row;
    for (let pages = 0; pages < pagesPerChunk; pages += 1) {
      const { items, nextCursor } = await readPage(row, cursor);
      for (const item of items) {
        text += row.format === 'csv' ? csvLine(item) : `${rowCount === 0 ? '' : ','}\n${JSON.stringify(item)}`;
        rowCount += 1;
      }
      cursor = nextCursor;
      if (cursor === null) break;
    }
    if (cursor === null && row.format === 'json') text += '\n]\n';
    return { text, rows: rowCount, cursor };
  }

  /** False once the export has ended, or another process has it. */
  async function writeChunk(row: ExportRow): Promise<ExportRow | undefined> {
    // The first part has the newest records, which a replica may not have yet.
    const reads = row.chunkCount === 0 ? readsPrimary : replicaReads;
    const { text, rows, cursor } = (await reads(() => nextChunk(row))).value;
    const now = clock.now();
    const isDone = cursor === null;
    const progress = {
      id: row.id,
      cursor,
      chunkCount: row.chunkCount + 1,
      rowCount: rows,
      status: isDone ? ('done' as const) : ('running' as const),
      nextPollAt: isDone ? null : leases.fromNow(),
      finishedAt: isDone ? now : null,
    };
    const isOurs = await database.write(async tx => {
      if ((await tx.run(advanceExport, { ...progress, chunksBefore: row.chunkCount })) === 0) return false;
      tx.send(insertChunk, { exportId: row.id, number: row.chunkCount, text });
      return true;
    });
    return isOurs && !isDone ? { ...row, ...progress } : undefined;
  }

  /** Ends an export, or leaves it to the next run. */
  function leave(row: ExportRow, end: Pick<ExportRow, 'status' | 'nextPollAt' | 'finishedAt'>): Promise<number> {
    return database.write(tx => tx.run(advanceExport, { ...row, ...end, chunksBefore: row.chunkCount }));
  }

  async function work(claimed: ExportRow): Promise<void> {
    if (claimed.pollCount > attempts) {
      log.error({ exportId: claimed.id, businessId: claimed.businessId }, 'an export failed');
      await leave(claimed, { status: 'failed', nextPollAt: null, finishedAt: clock.now() });
      return;
    }
    let row: ExportRow | undefined = claimed;
    for (let chunks = 0; row && chunks < chunksPerRun; chunks += 1) {
      const before: ExportRow = row;
      row = await leases.during(before, before.nextPollAt, () => writeChunk(before));
    }
    if (row) await leave(row, { status: 'running', nextPollAt: clock.now(), finishedAt: null });
  }

  return {
    request: ({ businessId, list, filters, format, by, write }) =>
      database.write(async tx => {
        await write.begin(tx);
        const running = await tx.all(runningExports, { businessId });
        if (running.length >= runningAtMost) return err({ kind: 'too_many_exports' });
        const now = clock.now();
        const { actorKind, actorId } = actorColumns(by);
        const row: ExportRow = {
          id: ids.next(idPrefixes.export),
          businessId,
          list,
          filtersJson: JSON.stringify(filters),
          format,
          status: 'running',
          cursor: null,
          chunkCount: 0,
          rowCount: 0,
          actorKind,
          actorId,
          nextPollAt: now,
          pollCount: 0,
          createdAt: now,
          finishedAt: null,
        };
        await tx.run(insertExport, row);
        const detail = { exportId: row.id, list, filters, format };
        await changes.append(tx, { businessId, kind: 'export_requested', by, detail });
        await write.finish(tx, row);
        return ok(row);
      }),

    async byId({ businessId, id, by }) {
      const { actorKind, actorId } = actorColumns(by);
      const row = await database.first(exportById, { businessId, id });
      const isOwn = row?.actorKind === actorKind && row.actorId === actorId;
      const isKept = row?.finishedAt === null || clock.now() < (row?.finishedAt ?? 0) + keptForMs;
      return isOwn && isKept ? row : undefined;
    },

    async *contentOf({ id, chunkCount }) {
      const encoder = new TextEncoder();
      for (let number = 0; number < chunkCount; number += 1) {
        const chunk = await database.first(chunkOf, { exportId: id, number });
        if (!chunk) throw new Error(`part ${number} of export ${id} is missing`);
        yield encoder.encode(chunk.text);
      }
    },

    async run() {
      const claim = { now: clock.now(), nextPollAt: leases.fromNow(), limit: exportBatch };
      const due = await database.write(tx => tx.all(claimExports, claim));
      return workOnEach(due, { log, idsOf: ({ id, businessId }) => ({ exportId: id, businessId }) }, work);
    },
  };
}
