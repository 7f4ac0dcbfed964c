import { operator } from '@florin/shared/actor.ts';
import type { Backend } from '../../backend.ts';
import { type Found, rowsNaming } from './find.ts';
import { changeOf, eraseRow, eraseText, type TableName } from './store.ts';
import type { Subject } from './subject.ts';

/** How many rows of each table. */
export type Counts = Readonly<Partial<Record<TableName, number>>>;

export type Erasure =
  /** Money is still to be sent to what would be erased; nothing was changed. */
  | { readonly kind: 'needed'; readonly records: readonly string[] }
  | {
      readonly kind: 'erased';
      readonly erased: Counts;
      readonly kept: readonly { readonly table: TableName; readonly rows: number; readonly because: string }[];
      /** Rows that were written meanwhile: to be repeated. */
      readonly left: Counts;
    };

/** Others may write a row between its reading and its erasure. */
const passes = 3;
/** Few enough that other writes do not wait for them. */
const atOnce = 20;

/**
 * Erases what names these persons in a business. Amounts, times and states stay. Each row is changed in a transaction of
 * its own, after an entry of the audit log that says how many there are, without what they hold: an erasure that is
 * interrupted is on record, and repeated.
 */
export async function erase(
  backend: Pick<Backend, 'database' | 'services'>,
  { businessId, subjects }: { readonly businessId: string; readonly subjects: readonly Subject[] },
): Promise<Erasure> {
  const first = await rowsNaming(backend, businessId, subjects);
  const needed = first.filter(({ isNeeded }) => isNeeded);
  if (needed.length > 0) return { kind: 'needed', records: [...new Set(needed.map(recordOf))] };
  const toErase = first.filter(isErasable);
  if (toErase.length > 0) await record(backend, businessId, toErase);
  let left = toErase;
  for (let pass = 0; pass < passes && left.length > 0; pass += 1) {
    for (let from = 0; from < left.length; from += atOnce)
      await Promise.all(left.slice(from, from + atOnce).map(found => eraseFound(backend, businessId, subjects, found)));
    left = (await rowsNaming(backend, businessId, subjects)).filter(isErasable);
  }
  const still = new Set(left.map(nameOf));
  const kept = first.filter(({ named }) => named.some(({ how }) => how === 'kept'));
  return {
    kind: 'erased',
    erased: countsOf(toErase.filter(found => !still.has(nameOf(found)))),
    kept: Object.entries(countsOf(kept)).map(([table, rows]) => ({
      table: table as TableName,
      rows,
      because: kept.find(found => found.table === table)?.held.because ?? '',
    })),
    left: countsOf(left),
  };
}

const isErasable = ({ named }: Found) => named.some(({ how }) => how !== 'kept');
const nameOf = ({ table, key }: Found) => JSON.stringify([table, key]);
const recordOf = ({ table, row }: Found) => `${table} ${String(row.claimId ?? row.id)}`;

function countsOf(found: readonly Found[]): Counts {
  const counts: Partial<Record<TableName, number>> = {};
  for (const { table } of found) counts[table] = (counts[table] ?? 0) + 1;
  return counts;
}

function record({ database, services }: Pick<Backend, 'database' | 'services'>, businessId: string, found: Found[]) {
  const detail = { change: 'personal_data_erased', records: found.length, tables: countsOf(found) };
  return database.write(tx => services.audit.append(tx, { businessId, kind: 'setting_changed', by: operator, detail }));
}

async function eraseFound(
  { database, services }: Pick<Backend, 'database' | 'services'>,
  businessId: string,
  subjects: readonly Subject[],
  { table, held, key, row, named }: Found,
): Promise<unknown> {
  const columnsTo = (wanted: string) => named.flatMap(({ column, how }) => (how === wanted ? [column] : []));
  const [whole, texts] = [columnsTo('row'), columnsTo('text')];
  const valuesOf = (columns: readonly string[]) => Object.fromEntries(columns.map(column => [column, row[column]]));
  const names = Object.keys(key);
  if (columnsTo('claim').length > 0) {
    const isForgotten = (destination: string) => subjects.some(({ isIn }) => isIn(destination));
    return services.bitcoinClaims.forgetDestinations(businessId, String(row.claimId ?? row.id), isForgotten);
  }
  if (whole.length > 0)
    return database.write(tx => tx.run(eraseRow(table, names, whole), changeOf(key, valuesOf(whole))));
  const erasedFrom = (value: unknown) => subjects.reduce((text, subject) => subject.eraseFrom(text), String(value));
  const after = Object.fromEntries(texts.map(column => [column, erasedFrom(row[column])]));
  const change = eraseText(table, held, names, texts);
  return database.write(tx => tx.run(change, changeOf(key, valuesOf(texts), after)));
}
