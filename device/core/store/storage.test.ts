import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';
import { openStore } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-storage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'terminal.db');
const open = () => openStore({ file: file(), secrets: { seal: plain => plain, open: sealed => sealed } });
const changeStorage = (sql: string, at = file()) => {
  const db = new SqliteConnection(at);
  db.exec(sql);
  db.close();
};

test('the database and its journal are accessible only to their owner', () => {
  const store = open();
  store.saveSerial('FL-1');
  for (const name of ['terminal.db', 'terminal.db-wal'])
    expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  store.close();
});

test('a change of the configuration by the terminal keeps the totals of today, and one from the service replaces them', async () => {
  const world = await TerminalWorld.begin();
  await world.enrol();
  const configuration = world.store.configuration();
  if (!configuration) throw new Error('not enrolled');
  const today = '2026-11-21';
  world.store.addToRefundTotal({ staffId: 'staff_1', day: today, amountMinor: 500, base: 250 });
  world.store.changeConfiguration({ ...configuration, version: 'changed-here' });
  expect(world.store.configuration()?.version).toBe('changed-here');
  expect(world.store.refundTotal('staff_1', today)).toBe(750);
  world.store.saveConfiguration(configuration, { countedStaff: [] });
  expect(world.store.refundTotal('staff_1', today)).toBeUndefined();
});

test('the configuration is parsed once as long as it is the same, because every heartbeat asks for it', async () => {
  const world = await TerminalWorld.begin();
  await world.enrol();
  const configuration = world.store.configuration();
  if (!configuration) throw new Error('not enrolled');
  expect(world.store.configuration()).toBe(configuration);
  world.store.changeConfiguration({ ...configuration, version: 'changed-here' });
  expect(world.store.configuration()).toEqual({ ...configuration, version: 'changed-here' });
});

test('a database that was readable to others becomes accessible only to its owner', () => {
  writeFileSync(file(), '', { mode: 0o644 });
  open().close();
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('a second program on the same database is refused in one clear line', () => {
  const store = open();
  expect(open).toThrow(/^[^\n]*in use by another terminal[^\n]*$/);
  store.close();
  open().close();
});

test('a file of a newer version is refused in one clear line', () => {
  changeStorage('PRAGMA user_version = 99');
  expect(open).toThrow(/^[^\n]*terminal\.db[^\n]*$/);
});

test.each([
  ['configuration', `UPDATE settings SET value = '{"version":' WHERE name = 'configuration'`],
  ['configuration', `UPDATE settings SET value = '{}' WHERE name = 'configuration'`],
  ['sale', `UPDATE flows SET snapshot = 'nonsense' WHERE kind = 'sale'`],
  ['sale', `UPDATE flows SET snapshot = '{"value":"elsewhere","context":{}}' WHERE kind = 'sale'`],
])('a damaged %s stops the terminal with one clear line, and nothing is deleted (%s)', async (what, sql) => {
  const world = await TerminalWorld.begin();
  await world.enrol();
  await world.send({ name: 'start_sale', amountMinor: 1_000 });
  await world.screen('sale_result');
  world.kill();
  changeStorage(sql, world.databaseFile);
  expect(() => world.start()).toThrow(new RegExp(`^[^\\n]*${what}[^\\n]*damaged[^\\n]*$`));
  world.kill();
  const db = new SqliteConnection(world.databaseFile);
  expect(db.prepare('SELECT 1 FROM flows').all()).toHaveLength(1);
  db.close();
  await world.end();
});

test('a stored sale that cannot be read is omitted from the list', async () => {
  const world = await TerminalWorld.begin();
  await world.enrol();
  await world.approvedSale(1_000);
  await world.approvedSale(2_000);
  world.kill();
  changeStorage(
    `UPDATE salesSeen SET record = '{"saleId":' WHERE record LIKE '%"amountInCents":1000%'`,
    world.databaseFile,
  );
  world.start();
  await world.until('the connection', () => world.terminal.view().header.service === 'online');
  expect(world.store.salesSeen(10).map(sale => sale.amountInCents)).toEqual([2_000]);
  await world.end();
});
