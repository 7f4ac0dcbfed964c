import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseUnavailable } from '@florin/backend/foundation/database/database.ts';
import { openSqlite } from '@florin/backend/foundation/database/sqlite.ts';
import SqliteConnection from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aDatabase, anEmptyDatabase } from '../../support/backend.ts';
import { find, insert, open, raw, slot, valueIn } from './counters.ts';

describe('SQLite', () => {
  test('uses write-ahead logging, also after a reopening', async () => {
    const place = await aDatabase('sqlite');
    const first = await open(place);
    await first.close();
    const again = await open(place);
    expect(await again.write(tx => tx.first(journal, {}))).toEqual({ journal_mode: 'wal' });
  });

  test('writes every commit to the disk before it is answered, also after a reopening', async () => {
    const place = await aDatabase('sqlite');
    await (await open(place)).close();
    const again = await open(place);
    expect(await again.write(tx => tx.first(raw<{ synchronous: number }>('PRAGMA synchronous'), {}))).toEqual({
      synchronous: 2,
    });
  });

  test('waits for another process’s lock without blocking the event loop, and commits once it is released', async () => {
    const place = await aDatabase('sqlite');
    const database = await open(place);
    const other = lockedBy(place);
    let turns = 0;
    const write = database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    for (; turns < 50; turns += 1) await nextTurn();
    expect(await database.first(find, slot)).toBeUndefined();
    other.close();
    await write;
    expect(await valueIn(database)).toBe(1);
  });

  test('reports that it is unavailable when a lock lasts too long, and takes writes again afterwards', async () => {
    const place = await aDatabase('sqlite');
    const database = await openSqlite({ file: fileOf(place), lockWaitMs: 30 });
    onTestFinished(() => database.close());
    const other = lockedBy(place);
    await expect(database.write(tx => tx.run(insert, { ...slot, value: 1 }))).rejects.toThrow(DatabaseUnavailable);
    other.close();
    await database.write(tx => tx.run(insert, { ...slot, value: 2 }));
    expect(await valueIn(database)).toBe(2);
  });

  test('fails for every caller of a batch if the disk is full, stores nothing of it, and recovers once there is space', async () => {
    const database = await open(await aDatabase('sqlite'));
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    await database.write(tx => tx.all(pageLimit, {}));
    const outcomes = await Promise.allSettled([
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'small', value: 1 })),
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'x'.repeat(500_000), value: 1 })),
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'small too', value: 1 })),
    ]);
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(DatabaseUnavailable);
    }
    expect(await database.first(find, { businessId: 'biz_1', name: 'small' })).toBeUndefined();
    expect(await valueIn(database)).toBe(1);
    await database.write(tx => tx.all(raw('PRAGMA max_page_count = 1000000'), {}));
    await database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'later', value: 1 }));
    expect((await database.first(find, { businessId: 'biz_1', name: 'later' }))?.value).toBe(1);
  });

  test('is migrated once by programs that start at once', async () => {
    const file = fileOf(await anEmptyDatabase('sqlite'));
    const module = new URL('../../../backend/foundation/database/sqlite.ts', import.meta.url).href;
    const program = `const { openSqlite } = await import(${JSON.stringify(module)}); await (await openSqlite({ file: ${JSON.stringify(file)} })).close();`;
    const run = promisify(execFile);
    await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '--eval', program])),
    );
    const database = await open({ DATA: join(file, '..') });
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    expect(await valueIn(database)).toBe(1);
  });
});

const fileOf = (place: Readonly<Record<string, string>>) => join(place.DATA ?? '', 'backend.db');

/** Another program's connection that holds the write lock until it is closed. */
function lockedBy(place: Readonly<Record<string, string>>): SqliteConnection.Database {
  const other = new SqliteConnection(fileOf(place));
  other.exec('BEGIN IMMEDIATE');
  return other;
}

const nextTurn = () => new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)));
const journal = raw<{ journal_mode: string }>('PRAGMA journal_mode');
/** A disk with little space left. */
const pageLimit = raw('PRAGMA max_page_count = 100');
