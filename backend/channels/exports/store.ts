import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { claimDue, hasStatus, renewLeases } from '../../foundation/database/claim.ts';
import { columnsOf, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertInto } from '../../foundation/database/statements.ts';
import type { ExportRow } from './rows.ts';

export const insertExport = insertInto('exports');

export const exportById = statement<{ businessId: string; id: string }, ExportRow>(({ db }, arg) =>
  db.selectFrom('exports').selectAll().where('id', '=', arg('id')).where('businessId', '=', arg('businessId')),
);

export const runningExports = statement<{ businessId: string }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('exports')
    .select('id')
    .where('businessId', '=', arg('businessId'))
    .where('status', '=', 'running')
    .limit(sql.lit(100)),
);

export const renewExportLeases = renewLeases('exports', 'nextPollAt');

export const claimExports = claimDue('exports', hasStatus<ExportRow['status']>('running'));

type Progress = Pick<ExportRow, 'id' | 'cursor' | 'chunkCount' | 'rowCount' | 'status' | 'nextPollAt' | 'finishedAt'>;

/** Changes nothing if another process has written this chunk since. */
export const advanceExport = statement<Progress & { chunksBefore: number }, unknown>(({ db }, arg) =>
  db
    .updateTable('exports')
    .set({
      ...columnsOf(arg, ['cursor', 'chunkCount', 'rowCount', 'status', 'nextPollAt', 'finishedAt']),
      pollCount: 0,
    })
    .where('id', '=', arg('id'))
    .where('status', '=', 'running')
    .where('chunkCount', '=', arg('chunksBefore')),
);

export const insertChunk = insertInto('exportChunks');

export const chunkOf = statement<{ exportId: string; number: number }, { text: string }>(({ db }, arg) =>
  db
    .selectFrom('exportChunks')
    .select('text')
    .where('exportId', '=', arg('exportId'))
    .where('number', '=', arg('number')),
);

type Pruned = { before: Instant; limit: number };

/** The oldest file that has expired. */
const expired = (before: RawBuilder<Instant>) =>
  sql<string>`(SELECT "id" FROM "exports" WHERE "finishedAt" <= ${before} AND "chunkCount" > 0 ORDER BY "finishedAt" LIMIT 1)`;

/** Some parts of a file that has expired, so that each transaction is small. */
export const deleteExpiredChunks = statement<Pruned, unknown>(({ db }, arg) =>
  db
    .deleteFrom('exportChunks')
    .where('exportId', '=', expired(arg('before')))
    .where(
      sql<SqlBool>`"number" IN (SELECT "number" FROM "exportChunks" WHERE "exportId" = ${expired(arg('before'))} LIMIT ${rowLimit(arg('limit'))})`,
    ),
);

export const deleteExpiredExports = statement<Pruned, unknown>(({ db }, arg) =>
  db.deleteFrom('exports').where('id', 'in', query =>
    query
      .selectFrom('exports')
      .select('id')
      .where('finishedAt', '<=', arg('before'))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('exportChunks').select('number').whereRef('exportChunks.exportId', '=', 'exports.id'))),
      )
      .orderBy('finishedAt')
      .limit(rowLimit(arg('limit'))),
  ),
);
