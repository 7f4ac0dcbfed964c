import type SqliteConnection from 'better-sqlite3';
import { type UnchargedSale, unchargedSale } from '../../ipc/view.ts';
import { ofThisBusiness } from './outbox.ts';

/** How a sale ended that asked for no money; null if it goes on, or asked for some. */
export type UnchargedChange = { readonly saleId: string; readonly sale: UnchargedSale | null };

const unchargedKept = 200;

/** The sales that ended here before any money was asked for, the newest ones of all businesses. Those watched for are not listed. */
export function unchargedOf(db: SqliteConnection.Database) {
  // A record of the service is better, and may have arrived first.
  const add = db.prepare<[UnchargedSale]>(
    `INSERT OR IGNORE INTO unchargedSales
       (saleId, businessId, outcome, why, amountMinor, tipMinor, currency, reference, startedAt)
     SELECT @saleId, json_extract(value, '$.business.id'), @outcome, @why, @amountMinor, @tipMinor, @currency, @reference, @startedAt
     FROM settings WHERE name = 'configuration'
       AND NOT EXISTS (SELECT 1 FROM salesSeen WHERE saleId = @saleId)`,
  );
  const prune = db.prepare<[number]>(
    'DELETE FROM unchargedSales WHERE saleId NOT IN (SELECT saleId FROM unchargedSales ORDER BY startedAt DESC LIMIT ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM unchargedSales WHERE saleId = ?');
  // A report waits while a request may still arrive.
  const list = db.prepare(
    `SELECT * FROM unchargedSales AS sale WHERE ${ofThisBusiness}
       AND NOT EXISTS (SELECT 1 FROM pendingReports WHERE saleId = sale.saleId)
     ORDER BY startedAt DESC, saleId DESC`,
  );
  return {
    /** Within the transaction that stores the state of the sale. */
    change({ saleId, sale }: UnchargedChange): void {
      if (sale === null) remove.run(saleId);
      else if (add.run(sale).changes > 0) prune.run(unchargedKept);
    },
    remove: (saleId: string) => void remove.run(saleId),
    list: (): UnchargedSale[] =>
      list.all().flatMap(row => unchargedSale.safeParse({ ...(row as object), kind: 'uncharged' }).data ?? []),
  };
}
