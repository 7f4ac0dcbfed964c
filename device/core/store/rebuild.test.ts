import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutboxEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import SqliteConnection from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seededNumbers } from '../../../test/simulation/seeded.ts';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';
import { openStore, type Store } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-rebuild-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'terminal.db');
const open = (at = file()) => openStore({ file: at, secrets: { seal: plain => plain, open: sealed => sealed } });
const pageBytes = 4_096;

function entry(sequence: number): OutboxEntry {
  return {
    entryId: `out_${String(sequence).padStart(6, '0')}`,
    terminalId: 'dev_1',
    sequence,
    signature: 'a signature',
    kind: 'tamper_report',
    found: 'clock_moved',
    description: 'x'.repeat(300),
    detectedAt: '2026-11-21T12:00:00.000Z',
  };
}

/** A terminal after a long time offline: 300 entries, of which the tables and their pages are known. */
async function fill(): Promise<void> {
  const world = await TerminalWorld.begin();
  await world.enrol();
  await world.approvedSale(1_000);
  world.kill();
  copyFileSync(world.databaseFile, file());
  if (existsSync(`${world.databaseFile}-wal`)) copyFileSync(`${world.databaseFile}-wal`, `${file()}-wal`);
  await world.end();
  const store = open();
  for (let sequence = 1; sequence <= 300; sequence += 1) store.recordEntry({ entry: entry(sequence), lockout: null });
  store.close();
}

/** Overwrites whole pages: with zeros as after a failed write, or with noise as of a dying card. */
function damagePages(pages: readonly number[], fillWith: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file());
  for (const page of pages) fillWith(bytes.subarray(page * pageBytes, (page + 1) * pageBytes));
  writeFileSync(file(), bytes);
}

function storedText(table: string, column: string, at: string): Set<unknown> {
  const db = new SqliteConnection(at);
  const values = db.prepare(`SELECT ${column} FROM ${table}`).pluck().all();
  db.close();
  return new Set(values);
}

test('whichever pages of the database are damaged, the terminal starts, and what can be read of its records is kept', async () => {
  await fill();
  const sound = readFileSync(file());
  const entries = storedText('outbox', 'entry', file());
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  const { between, chance } = seededNumbers(seed);
  let kept = 0;
  const rounds = 60;
  for (let round = 0; round < rounds; round += 1) {
    writeFileSync(file(), sound);
    const pages = Array.from({ length: between(1, 3) }, () => between(1, sound.length / pageBytes - 1));
    const isNoise = chance(0.5);
    damagePages(pages, bytes => bytes.set(bytes.map(() => (isNoise ? between(0, 255) : 0))));
    const told = `SEED=${seed}, round ${round}, pages ${pages.join(' ')}`;
    const store = open();
    const rescue = store.rescue;
    store.close();
    const after = storedText('outbox', 'entry', file());
    expect(
      [...after].every(text => entries.has(text)),
      told,
    ).toBe(true);
    kept += after.size;
    if (rescue) expect(statSync(rescue.keptAs).size, told).toBe(sound.length);
    else expect(after.size, told).toBe(entries.size);
    // Started again, it is sound.
    const again = open();
    expect(again.rescue, told).toBeUndefined();
    again.close();
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }
  // A page has a dozen of the 300 entries; a page above them leads to all.
  expect(kept / rounds, `SEED=${seed}`).toBeGreaterThan(150);
});

test.each([
  ['the end is missing', () => writeFileSync(file(), readFileSync(file()).subarray(0, 10 * pageBytes))],
  ['the first page is lost', () => damagePages([0], bytes => bytes.fill(0))],
  ['it is something else', () => writeFileSync(file(), 'x'.repeat(5_000))],
])('a database is kept under another name and made anew where %s', async (_, damage) => {
  await fill();
  damage();
  const damaged = readFileSync(file());
  const store = open();
  expect(readFileSync(`${file()}.damaged-1`)).toEqual(damaged);
  expect(store.rescue?.keptAs).toBe(`${file()}.damaged-1`);
  store.saveSerial('FL-2');
  store.close();
  expect(readdirSync(folder).toSorted()).toEqual(['terminal.db', 'terminal.db.damaged-1', 'terminal.db.reserve']);
});

test('of a database that is damaged again and again, the first copy and the two latest are kept', async () => {
  await fill();
  const damaged: Buffer[] = [];
  for (let time = 1; time <= 12; time += 1) {
    writeFileSync(file(), 'x'.repeat(5_000 + time));
    damaged.push(readFileSync(file()));
    open().close();
  }
  const copies = ['terminal.db.damaged-1', 'terminal.db.damaged-11', 'terminal.db.damaged-12'];
  expect(readdirSync(folder).filter(name => name.includes('damaged'))).toEqual(copies);
  for (const number of [1, 11, 12]) expect(readFileSync(`${file()}.damaged-${number}`)).toEqual(damaged[number - 1]);
});

test('a power cut while the database is rebuilt loses nothing more, and no journal is applied to another database', async () => {
  await fill();
  const rebuilt = readFileSync(file());
  const store = open();
  store.saveSerial('FL-1');
  // A journal that was not applied yet, as a power cut leaves it.
  copyFileSync(`${file()}-wal`, join(folder, 'journal'));
  store.close();
  // The damaged database was removed, and the new one has not taken its place.
  writeFileSync(`${file()}.rebuilding`, rebuilt);
  rmSync(file());
  copyFileSync(join(folder, 'journal'), `${file()}-wal`);
  const after = open();
  expect(after.outboxSize()).toBe(300);
  expect(after.serial()).not.toBe('FL-1');
  expect(after.rescue).toBeUndefined();
  after.close();
});

test('a terminal with a damaged database goes on, tells staff to look for a sale under way, and tells the service', async () => {
  const world = await TerminalWorld.begin();
  await world.enrol();
  await world.approvedSale(1_000);
  world.kill();
  const bytes = readFileSync(world.databaseFile);
  const db = new SqliteConnection(world.databaseFile);
  const [{ root }] = db
    .prepare<[], { root: number }>("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'salesSeen'")
    .all() as [{ root: number }];
  db.close();
  bytes.fill(0, (root - 1) * pageBytes, root * pageBytes);
  writeFileSync(world.databaseFile, bytes);
  world.start();
  const header = () => world.terminal.view().header;
  expect(header().alerts.map(({ message }) => message)).toContain('The storage was damaged and repaired');
  await world.until('the connection', () => header().service === 'online');
  await world.until('the record at the service', () =>
    JSON.stringify(world.service.entries).includes('"found":"rows_unreadable"'),
  );
  await world.send({ name: 'show_recent_sales' });
  await world.until('the sales again', () => {
    const { screen } = world.terminal.view();
    return screen.name === 'recent_sales' && screen.sales.length === 1;
  });
  await world.end();
});

test('a full disk takes no new sale and says why; a sale that has begun is completed', async () => {
  const world = await TerminalWorld.begin();
  await world.enrol();
  await world.send({ name: 'start_sale', amountMinor: 1_000 });
  await world.screen('sale');
  world.freeBytes = 0;
  await world.screen('sale_result');
  expect(world.service.sales).toHaveLength(1);
  await world.send({ name: 'show_keypad' });
  await world.send({ name: 'start_sale', amountMinor: 2_000 });
  const keypad = await world.screen('keypad');
  expect(keypad.notice?.message).toBe('The disk of this terminal is full');
  expect(world.terminal.view().header.alerts).toHaveLength(1);
  expect(world.service.sales).toHaveLength(1);
  expect(existsSync(`${world.databaseFile}.reserve`)).toBe(true);
  world.restart();
  expect(existsSync(`${world.databaseFile}.reserve`), 'given up, so that the terminal can still write').toBe(false);
  world.freeBytes = 10 ** 9;
  await world.until('the connection', () => world.terminal.view().header.service === 'online');
  await world.approvedSale(3_000);
  await world.end();
});

test('before its tables are changed, a copy of the database is kept for a return to the earlier version', async () => {
  await fill();
  const db = new SqliteConnection(file());
  db.exec('DROP TABLE dayTotals; DROP TABLE unchargedSales; PRAGMA user_version = 2');
  db.close();
  const before = storedText('outbox', 'entry', file());
  const store = open();
  expect(store.salesSeen(10)).toHaveLength(1);
  expect(store.unchargedSales()).toEqual([]);
  store.close();
  const copy = `${file()}.schema-2`;
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(storedText('outbox', 'entry', copy)).toEqual(before);
  expect(storedText('outbox', 'entry', file())).toEqual(before);
});

test('what the terminal knows of a reader’s transactions does not grow with the years', async () => {
  await fill();
  const db = new SqliteConnection(file());
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
    INSERT INTO readerTransactions SELECT 'cmd_' || i, 'sale_' || i, 100, 'GBP', i, iif(i = 5, NULL, 'paid') FROM n`);
  db.close();
  const store: Store = open();
  expect(store.readerTransaction('cmd_25000')).toBeDefined();
  expect(store.readerTransaction('cmd_100')).toBeUndefined();
  expect(store.readerTransaction('cmd_5'), 'its outcome is not known yet').toBeDefined();
  store.close();
});
