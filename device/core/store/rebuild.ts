import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import SqliteConnection from 'better-sqlite3';

type Connection = SqliteConnection.Database;

/** What could be saved of a damaged database. */
export type Rescue = {
  /** Where the damaged file is kept, for support. */
  readonly keptAs: string;
  /** The tables of which not every row could be read. */
  readonly incomplete: readonly string[];
};

const rebuildingOf = (file: string) => `${file}.rebuilding`;

/**
 * Replaces a damaged database by a new one with every row that can be read, and keeps the damaged one under another
 * name. It may be interrupted at any point: `finishRebuild` completes it, or it starts again.
 */
export function rebuild(file: string, create: (file: string) => Connection): Rescue {
  const copies = numbersOfCopies(file);
  const keptAs = copyOf(file, (copies.at(-1) ?? 0) + 1);
  copyDatabase(file, keptAs);
  const rebuilding = rebuildingOf(file);
  removeDatabase(rebuilding);
  const target = create(rebuilding);
  let incomplete: string[];
  try {
    incomplete = rescueRows(keptAs, target);
  } finally {
    target.close();
  }
  rmSync(file);
  finishRebuild(file);
  // A failing disk damages it again and again. The first copy has what was written before, the last ones what is new.
  for (const number of copies.slice(1, -1)) removeDatabase(copyOf(file, number));
  return { keptAs, incomplete };
}

/** The rebuilt database takes the place of the damaged one, whose journal must never be applied to it. */
export function finishRebuild(file: string): void {
  if (existsSync(file) || !existsSync(rebuildingOf(file))) return;
  removeDatabase(file);
  renameSync(rebuildingOf(file), file);
}

const copyOf = (file: string, number: number) => `${file}.damaged-${number}`;

/** Of the damaged databases that are kept, oldest first. */
function numbersOfCopies(file: string): number[] {
  const name = `${basename(file)}.damaged-`;
  const numbers = readdirSync(dirname(file)).filter(entry => entry.startsWith(name));
  return [...new Set(numbers.map(entry => Number.parseInt(entry.slice(name.length), 10)))].toSorted((a, b) => a - b);
}

function copyDatabase(from: string, to: string): void {
  for (const part of ['', '-wal']) if (existsSync(from + part)) copyFileSync(from + part, to + part);
}

function removeDatabase(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
}

/** Returns the tables that are incomplete. The damaged database is read from a copy, because opening it may change it. */
function rescueRows(damaged: string, target: Connection): string[] {
  const copy = `${damaged}.reading`;
  copyDatabase(damaged, copy);
  const tables = target.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = tables.map(({ name }) => name).filter(name => !name.startsWith('sqlite_'));
  const source = new SqliteConnection(copy);
  try {
    return target.transaction(() => names.filter(name => !copyTable(name, source, target)))();
  } finally {
    source.close();
    removeDatabase(copy);
  }
}

/** From both ends, so that only the rows at the damage are lost. False unless every row was read. */
function copyTable(table: string, source: Connection, target: Connection): boolean {
  const columns = target.pragma(`table_info(${table})`) as { name: string; pk: number }[];
  const names = columns.map(({ name }) => name);
  const fromEnd = columns.filter(({ pk }) => pk > 0).map(({ name }) => `${name} DESC`);
  const insert = target.prepare(
    `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const copyRows = (order: string): boolean => {
    try {
      const rows = source.prepare<[], unknown[]>(`SELECT ${names.join(', ')} FROM ${table} ${order}`).raw();
      for (const row of rows.iterate()) insert.run(...row);
      return true;
    } catch (error) {
      if (isDamage(error)) return false;
      throw error;
    }
  };
  if (copyRows('')) return true;
  copyRows(`ORDER BY ${fromEnd.join(', ')}`);
  return false;
}

/** Also a table that the damaged schema no longer names, and a row that breaks the table's rules. */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_ERROR', 'SQLITE_CONSTRAINT', 'SQLITE_IOERR'].some(kind =>
    code.startsWith(kind),
  );
}
