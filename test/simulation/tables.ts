import type { Instant } from '@florin/shared/ports.ts';
import { statement } from '../../backend/foundation/database/database.ts';

const tableStatements = new Map<string, ReturnType<typeof readAll>>();
export type TableName =
  | 'payments'
  | 'refunds'
  | 'auditEntries'
  | 'events'
  | 'eventConsumers'
  | 'staff'
  | 'discrepancies'
  | 'staffNonces';
const readAll = (table: TableName) =>
  statement<Record<string, never>, unknown>(({ db }) => db.selectFrom(table).selectAll());
/** Selects every row of a table. */
export function allOf(table: TableName) {
  const known = tableStatements.get(table) ?? readAll(table);
  tableStatements.set(table, known);
  return known;
}

/** Records a settlement as the settlement job does when the gateway reports it. */
export const markSettled = statement<{ id: string; settledAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ status: 'settled', settledAt: arg('settledAt'), nextPollAt: null })
    .where('id', '=', arg('id')),
);
