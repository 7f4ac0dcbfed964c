import type { Backend } from '../../backend.ts';
import { secretHash } from '../../foundation/secret.ts';
import { receiptByToken } from '../../money/receipts/store.ts';
import type { Row } from './change.ts';
import { type Holding, holdings, keyOf, type TableName, type Treatment } from './personal-data.ts';
import { rowsLike, rowsWithAddress } from './store.ts';
import type { Subject } from './subject.ts';

type Place = Pick<Backend, 'database'>;

/** A row that names a person. */
export type Found = {
  readonly table: TableName;
  readonly held: Holding;
  readonly key: Row;
  readonly row: Row;
  /** The columns that name them. */
  readonly named: readonly { readonly column: string; readonly how: Treatment }[];
  /** It cannot be erased yet. */
  readonly isNeeded: boolean;
};

/** Every row of a business that names one of these, in the order of the tables. */
export async function rowsNaming(place: Place, businessId: string, subjects: readonly Subject[]): Promise<Found[]> {
  const patternsJson = JSON.stringify(subjects.map(({ pattern }) => pattern));
  const isNamed = (value: unknown) => typeof value === 'string' && subjects.some(subject => subject.isIn(value));
  const found: Found[] = [];
  for (const [table, held] of holdings) {
    const rows = await place.database.all(rowsLike(table, held), { business: businessId, patternsJson });
    const treatments = Object.entries<Treatment | undefined>(held.columns);
    for (const row of rows) {
      const named = treatments.flatMap(([column, how]) =>
        how !== undefined && isNamed(row[column]) ? [{ column, how }] : [],
      );
      if (named.length > 0 && (await isOfBusiness(place, businessId, table, row)))
        found.push(foundIn(place, table, held, row, named));
    }
  }
  return found;
}

/** Every row of a business with the address of a customer. */
export async function addressesOf(place: Place, businessId: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const [table, held] of holdings) {
    const { columns: names = [] } = held.addresses ?? {};
    if (names.length === 0) continue;
    const rows = await place.database.all(rowsWithAddress(table, held), { business: businessId });
    const named = names.map(column => ({ column, how: held.columns[column] ?? 'kept' }));
    found.push(...rows.map(row => foundIn(place, table, held, row, named)));
  }
  return found;
}

function foundIn({ database }: Place, table: TableName, held: Holding, row: Row, named: Found['named']): Found {
  const key = Object.fromEntries(
    keyOf(table, held, database.dialect === 'postgres').map(name => [name, row[name]] as const),
  );
  return { table, held, key, row, named, isNeeded: Number(row.isNeeded) === 1 };
}

/** A letter that names no business is of the one whose receipt it links to, if any. */
async function isOfBusiness({ database }: Place, businessId: string, table: TableName, row: Row): Promise<boolean> {
  if (table !== 'emails' || row.businessId !== '') return true;
  for (const [, token = ''] of String(row.text).matchAll(/\/r\/([0-9A-Za-z]{22})\b/g)) {
    const receipt = await database.first(receiptByToken, { tokenHash: secretHash(token) });
    if (receipt) return receipt.businessId === businessId;
  }
  return false;
}
