import { operator } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Backend } from '../../backend.ts';
import { changeOf } from './change.ts';
import { addressesOf, type Found, rowsNaming } from './find.ts';
import type { TableName } from './personal-data.ts';
import { eraseRow, eraseText } from './store.ts';
import { type Subject, subjectOf } from './subject.ts';

/** How many rows of each table. */
export type Counts = Readonly<Partial<Record<TableName, number>>>;

export type Erasure =
  /** What would be erased is still needed; nothing was changed. */
  | { readonly kind: 'needed'; readonly records: readonly { readonly id: string; readonly until: string }[] }
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
  if (needed.length > 0) {
    const untils = new Map(needed.map(({ row, held }) => [String(row.claimId ?? row.id), held.needed?.until ?? '']));
    return { kind: 'needed', records: [...untils].map(([id, until]) => ({ id, until })) };
  }
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

/** Addresses that are erased together: the tables are read once for all of them. */
const addressesAtOnce = 50;

/**
 * Erases the addresses of all customers of a business that were last used before a time. One that is still needed, such as to
 * return bitcoin, stays.
 */
export async function eraseUnusedSince(
  backend: Pick<Backend, 'database' | 'services'>,
  { businessId, before }: { readonly businessId: string; readonly before: Instant },
): Promise<{ readonly addresses: number; readonly erased: Counts; readonly left: Counts }> {
  const unused = await addressesUnusedSince(backend, businessId, before);
  let addresses = 0;
  let [erased, left]: [Counts, Counts] = [{}, {}];
  async function eraseAll(these: readonly string[]): Promise<void> {
    const erasure = await erase(backend, { businessId, subjects: these.map(subjectOf) });
    if (erasure.kind === 'erased') {
      addresses += these.length;
      erased = sumOf(erased, erasure.erased);
      left = sumOf(left, erasure.left);
    } else if (these.length > 1) for (const one of these) await eraseAll([one]);
  }
  for (let from = 0; from < unused.length; from += addressesAtOnce)
    await eraseAll(unused.slice(from, from + addressesAtOnce));
  return { addresses, erased, left };
}

async function addressesUnusedSince(place: Pick<Backend, 'database'>, businessId: string, before: Instant) {
  const lastUsed = new Map<string, number>();
  for (const { held, row, named, isNeeded } of await addressesOf(place, businessId))
    for (const { column } of named) {
      const address = String(row[column]).toLowerCase();
      const usedAt = isNeeded ? Number.POSITIVE_INFINITY : Number(row[held.addresses?.at ?? '']);
      lastUsed.set(address, Math.max(usedAt, lastUsed.get(address) ?? 0));
    }
  return [...lastUsed].flatMap(([address, at]) => (at < before ? [address] : []));
}

function sumOf(first: Counts, second: Counts): Counts {
  const tables = Object.keys({ ...first, ...second }) as TableName[];
  return Object.fromEntries(tables.map(table => [table, (first[table] ?? 0) + (second[table] ?? 0)]));
}

const isErasable = ({ named }: Found) => named.some(({ how }) => how !== 'kept');
const nameOf = ({ table, key }: Found) => JSON.stringify([table, key]);

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
