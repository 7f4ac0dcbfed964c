import { statement } from '@florin/backend/foundation/database/database.ts';
import { getTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { followCommands } from '@florin/shared/contracts/device-v1/commands.ts';

import { sql } from 'kysely';
import { test as anyTest, expect, inject, onTestFinished } from 'vitest';
import { aBackend, aDatabase, anEmptyDatabase } from '../../support/backend.ts';
import { aDrivenTerminal } from '../../support/driven-terminal.ts';
import { anEventStream } from '../../support/event-stream.ts';
import { hasPgBouncer, pooledUrl, startPgBouncer } from '../../support/pgbouncer.ts';
import { addOne, find, insert, open, slot, valueIn } from './counters.ts';

const test = anyTest.skipIf(!hasPgBouncer);

/** A database behind PgBouncer in transaction mode, whose two sessions all connections share. */
async function aPooledDatabase(made = aDatabase) {
  const { DATABASE_URL = '', DATABASE_DIRECT_URL = DATABASE_URL, ...place } = await made('postgres');
  const pooler = await startPgBouncer(inject('postgresSocketDirectory'));
  onTestFinished(() => pooler.stop());
  const name = new URL(DATABASE_DIRECT_URL).pathname.slice(1);
  return { ...place, DATABASE_URL: pooledUrl(pooler.directory, name), DATABASE_DIRECT_URL };
}

test('behind PgBouncer in transaction mode, processes that share sessions run their own statements', async () => {
  const place = await aPooledDatabase();
  const [one, other] = [await open(place), await open(place)];
  await one.write(tx => tx.run(insert, { ...slot, value: 0 }));
  const counters = statement<object, { many: number }>(({ db }) =>
    db.selectFrom('counters').select(({ fn }) => fn.countAll<number>().as('many')),
  );
  // In another order, so that they would be numbered differently.
  expect(await other.first(counters, {})).toEqual({ many: 1 });
  // Each connection is used again and again, and finds another session.
  const rounds = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? one : other));
  await Promise.all(
    rounds.map(async database => {
      await database.write(addOne);
      expect(await database.first(counters, {})).toEqual({ many: 1 });
      expect((await database.first(find, slot))?.value).toBeGreaterThan(0);
    }),
  );
  expect(await valueIn(other)).toBe(300);
});

test('behind PgBouncer, what one process commits reaches the streams of another at once, and limits are shared', async () => {
  const env = { ...(await aPooledDatabase()), RATE_LIMIT_PER_KEY: '6', RATE_LIMIT_WINDOW_SECONDS: '60' };
  const { world, till, key, started } = await aDrivenTerminal('postgres', env);
  const other = await aBackend({ sharing: world, env });
  const stream = await anEventStream(`${other.url}${followCommands.path}`, { authorization: `Bearer ${till.token}` });
  const { saleId } = await started();
  // Time stands still: nothing polls.
  await stream.has(1);
  expect(stream.events).toMatchObject([{ data: { saleId } }]);
  const calls = Array.from({ length: 40 }, (_, index) =>
    (index % 2 === 0 ? other : world).client.call(getTerminalSale, { params: { saleId } }, { key }),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  // The start of the sale was the first.
  expect(statuses.filter(status => status === 200)).toHaveLength(5);
  expect(statuses.filter(status => status === 429)).toHaveLength(35);
});

test('behind PgBouncer, processes that start together on an empty database migrate it, and leave no lock behind', async () => {
  const place = await aPooledDatabase(anEmptyDatabase);
  const [one] = await Promise.all([open(place), open(place), open(place)]);
  expect(await one.first(find, slot)).toBeUndefined();
  const locks = statement<object, { many: number }>(({ db }) =>
    db
      .selectFrom(sql<{ locktype: string; database: number }>`pg_locks`.as('locks'))
      .select(({ fn }) => fn.countAll<number>().as('many'))
      .where('locktype', '=', 'advisory')
      // Other tests use other databases of the same server.
      .where('database', '=', sql<number>`(SELECT oid FROM pg_database WHERE datname = current_database())`),
  );
  expect(await one.first(locks, {})).toEqual({ many: 0 });
});

test('a process refuses a pooler that it was not told of', async () => {
  const { DATABASE_DIRECT_URL: _, ...place } = await aPooledDatabase();
  await expect(open(place)).rejects.toThrow('set DATABASE_DIRECT_URL');
  await expect(open({ ...place, DATABASE_DIRECT_URL: place.DATABASE_URL })).rejects.toThrow('set DATABASE_DIRECT_URL');
});
