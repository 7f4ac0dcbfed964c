import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { file, json } from '../responses.ts';
import { oneLine } from '../text.ts';
import { listAuditEntries } from './audit.ts';
import { listPayments } from './payments.ts';
import { listRefunds } from './refunds.ts';
import { listSettlements } from './settlements.ts';
import { listRefundLog, listVoidLog } from './staff-logs.ts';
import { listTransactions } from './transactions.ts';

/** The lists that can be exported: an export has the records that the list has, and needs the same permission. */
export const exportedLists = {
  payments: listPayments,
  refunds: listRefunds,
  transactions: listTransactions,
  settlements: listSettlements,
  'refund-log': listRefundLog,
  'void-log': listVoidLog,
  audit: listAuditEntries,
} as const;
export type ExportedList = keyof typeof exportedLists;

const exportList = z.enum(Object.keys(exportedLists) as [ExportedList, ...ExportedList[]]);
const exportFormat = z.enum(['csv', 'json']).meta({
  description:
    '`csv`: RFC 4180 in UTF-8, the columns of the list on the page, amounts in the currency’s unit, times in the business’s time zone with its offset; text that a spreadsheet would take for a formula begins with an apostrophe. `json`: an array of the records as the list answers them',
});

const newExport = z
  .object({
    list: exportList,
    filters: z
      .record(z.string().max(50), oneLine(200))
      .default({})
      .meta({
        description: 'The filters of the list, as in its address; without `limit` and `cursor`',
        example: { from: '2026-11-01T00:00:00Z' },
      }),
    format: exportFormat,
  })
  .superRefine(({ list, filters }, context) => {
    for (const name of ['limit', 'cursor'])
      if (name in filters)
        context.addIssue({
          code: 'custom',
          path: ['filters', name],
          message: 'must not be set: an export has every record',
        });
    const parsed = exportedLists[list].query.safeParse({ ...filters, limit: undefined, cursor: undefined });
    for (const { message, path, ...issue } of parsed.error?.issues ?? []) {
      const unknown =
        'keys' in issue ? (issue.keys as string[]).filter(name => name !== 'limit' && name !== 'cursor') : [];
      const paths = 'keys' in issue ? unknown.map(name => [name]) : [path];
      for (const at of paths)
        context.addIssue({
          code: 'custom',
          path: ['filters', ...at],
          message: 'keys' in issue ? 'is not a filter of this list' : message,
        });
    }
  });

export const exportRecord = z
  .object({
    id: id('exp'),
    list: exportList,
    filters: z.record(z.string(), z.string()).meta({ description: 'As given', example: { status: 'settled' } }),
    format: exportFormat,
    status: z.enum(['running', 'done', 'failed']),
    rowCount: z.int().meta({ description: 'The number of records written so far', example: 1200 }),
    createdAt: timestamp,
    finishedAt: timestamp.nullable().meta({ description: 'When the file was complete; null until then' }),
    expiresAt: timestamp.nullable().meta({ description: 'When the file is deleted; null until it is complete' }),
  })
  .meta({ id: 'Export' });
export type ExportRecord = z.infer<typeof exportRecord>;

/** Of every list; that of the list itself is needed in addition. */
const permissions = [{ anyOf: ['sales:read', 'take-payments:read', 'take-payments:write', 'team:read'] }] as const;

const tag = 'Exports';
const params = z.object({ id: id('exp') });

export const createExport = contract({
  name: 'createExport',
  method: 'POST',
  path: '/api/v1/exports',
  authentication: ['apiKey'],
  permissions,
  stepUp: true,
  permissionsFor: {
    description: 'The permission to read the list.',
    of: ({ list }) => exportedLists[list].permissions,
  },
  summary: 'Export a whole list to a file',
  description:
    'The file is written in the background. It is kept for 24 hours, for the key or person that asked for it.',
  tag,
  body: newExport,
  responses: { 202: json(exportRecord) },
  errors: { 409: ['too_many_exports'] },
  idempotent: true,
  origin: 'project',
});

export const getExport = contract({
  name: 'getExport',
  method: 'GET',
  path: '/api/v1/exports/{id}',
  authentication: ['apiKey'],
  permissions,
  summary: 'Read the progress of an export',
  tag,
  params,
  responses: { 200: json(exportRecord) },
  errors: { 404: ['export_not_found'] },
  origin: 'project',
});

export const getExportFile = contract({
  name: 'getExportFile',
  method: 'GET',
  path: '/api/v1/exports/{id}/file',
  authentication: ['apiKey'],
  permissions,
  summary: 'Download the file of an export',
  tag,
  params,
  responses: { 200: file('application/octet-stream') },
  errors: { 404: ['export_not_found'], 409: ['export_not_finished', 'export_failed'] },
  origin: 'project',
});
