import { execFile } from 'node:child_process';
import { fdatasyncSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CommitOutcomeUnknown, type Database, DatabaseUnavailable } from '@florin/backend/database/database.ts';
import { openSqlite } from '@florin/backend/database/sqlite.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../../support/backend.ts';
import { find, insert, open, raw, slot, valueIn } from './counters.ts';

describe('SQLite', () => {
  test('keeps a log of its own that survives a reopening', async () => {
    const place = await aDatabase('sqlite');
    const first = await open(place);
    await first.close();
    const again = await open(place);
    expect(await again.write(tx => tx.first(journal, {}))).toEqual({ journal_mode: 'wal' });
  });

  test('answers a body alone only after its commit was flushed', async () => {
    const disk = aDisk();
    const database = await openOn(disk);
    const write = database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    await write.then(() => disk.happened.push('answered'));
    expect(disk.happened).toEqual(['flushed', 'answered']);
  });

  test('answers bodies of one commit, and readers of it, only once that commit was flushed', async () => {
    const disk = aDisk();
    const database = await openOn(disk);
    const release = disk.hold();
    const told: string[] = [];
    const writes = ['a', 'b'].map(name =>
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name, value: 1 })).then(() => told.push(name)),
    );
    await disk.asked();
    const read = database.first(find, { businessId: 'biz_1', name: 'a' }).then(row => told.push(`read ${row?.value}`));
    const later = database.write(tx => tx.run(insert, { ...slot, value: 2 })).then(() => told.push('later'));
    await nextTurn();
    expect(told).toEqual([]);
    release();
    await Promise.all([...writes, read, later]);
    expect(told.toSorted()).toEqual(['a', 'b', 'later', 'read 1']);
  });

  test.each([1, 2])(
    'says that the outcome is unknown when the flush of %i bodies fails, and takes and tells no more',
    async count => {
      const disk = aDisk();
      const database = await openOn(disk);
      disk.fail();
      const outcomes = await Promise.allSettled(
        Array.from({ length: count }, (_, index) =>
          database.write(tx => tx.run(insert, { businessId: 'biz_1', name: `n${index}`, value: 1 })),
        ),
      );
      for (const outcome of outcomes)
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(CommitOutcomeUnknown);
      await expect(database.write(async () => 'anything')).rejects.toThrow(DatabaseUnavailable);
      await expect(database.first(find, { businessId: 'biz_1', name: 'n0' })).rejects.toThrow(DatabaseUnavailable);
    },
  );

  test('that runs out of space tells every caller, keeps nothing of the batch, and takes no more', async () => {
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
    await expect(database.write(async () => 'anything')).rejects.toThrow(DatabaseUnavailable);
  });

  test('is migrated once by programs that start at once', async () => {
    const file = join((await aDatabase('sqlite')).DATA ?? '', 'backend.db');
    const module = new URL('../../../backend/database/sqlite.ts', import.meta.url).href;
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

async function openOn(disk: ReturnType<typeof aDisk>): Promise<Database> {
  const database = await openSqlite({
    file: join((await aDatabase('sqlite')).DATA ?? '', 'disk.db'),
    flush: disk.flush,
  });
  onTestFinished(() => database.close());
  return database;
}

/** A disk that flushes for real, and on request only later, or never again. */
function aDisk() {
  const happened: string[] = [];
  let held: Promise<void> | undefined;
  let broken = false;
  const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
  function now(fd: number): void {
    if (broken) throw new Error('EIO');
    fdatasyncSync(fd);
    happened.push('flushed');
  }
  async function soon(fd: number): Promise<void> {
    wasAsked();
    await held;
    now(fd);
  }
  return {
    happened,
    flush: { now, soon },
    asked: () => asked,
    fail: () => (broken = true),
    /** Until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
}

const nextTurn = () => new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)));
const journal = raw<{ journal_mode: string }>('PRAGMA journal_mode');
/** A disk with little room left. */
const pageLimit = raw('PRAGMA max_page_count = 100');
