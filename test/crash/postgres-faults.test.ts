import { CommitOutcomeUnknown, statement } from '@florin/backend/foundation/database/database.ts';
import { openPostgres } from '@florin/backend/foundation/database/postgres.ts';
import { problem } from '@florin/shared/contracts/problem.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { administer, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { Cluster } from './cluster.ts';
import { apiRefund, make, type Operation, sale } from './operations.ts';
import { type Place, postgresReader } from './records.ts';
import { pause, until } from './until.ts';

/** A separate, durable server: these tests stop it. */
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres({ durable: true });
});
afterAll(() => postgres.stop());

async function aPlace(name: string): Promise<Place & { readonly url: string }> {
  await administer(postgres.socketDirectory, `CREATE DATABASE ${name}`);
  onTestFinished(() => administer(postgres.socketDirectory, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = `postgres://postgres@localhost/${name}?host=${encodeURIComponent(postgres.socketDirectory)}`;
  return { url, env: { DATABASE_URL: url }, reader: postgresReader(url), remove: async () => undefined };
}

/** Refunds and sales at both processes. */
async function load(cluster: Cluster): Promise<Operation[]> {
  const payments = await cluster.linkPayments(6, 2_000);
  const [terminal] = cluster.shop.terminals;
  return payments.flatMap(payment => [
    ...Array.from({ length: 8 }, () => apiRefund(cluster.shop, payment, 'REFUND_SALE', 200)),
    sale(terminal, 500),
  ]);
}

test('no refund is lost or doubled while sessions are ended again and again, some of them during COMMIT', async () => {
  const place = await aPlace('cut_off');
  const cluster = await Cluster.start({ place, processes: 2, atTheEnd: onTestFinished });
  const operations = await load(cluster);
  const administrator = new pg.Client({ connectionString: place.url, application_name: 'books' });
  await administrator.connect();
  onTestFinished(() => administrator.end());
  // Delays each COMMIT, so that a session can be ended during one.
  await administrator.query(`ALTER DATABASE cut_off SET commit_delay = 20000`);
  await administrator.query(`ALTER DATABASE cut_off SET commit_siblings = 0`);
  await cutOff(administrator, 'true');

  let inCommit = 0;
  let elsewhere = 0;
  let done = false;
  const cutting = (async () => {
    while (!done) {
      inCommit += await cutOff(administrator, "state = 'active' AND query = 'COMMIT'");
      if (inCommit % 5 === 0) elsewhere += await cutOff(administrator, "state <> 'idle'");
      await pause(15);
    }
  })();
  const untilAnswered = async (operation: Operation, index: number) => {
    for (let tries = 0; tries < 6 && operation.answers.length === 0; tries += 1)
      await make(operation, cluster.url(index));
  };
  await Promise.all(operations.map(untilAnswered));
  done = true;
  await cutting;
  console.log(`${inCommit} sessions ended during COMMIT, ${elsewhere} at other times`);
  expect(inCommit).toBeGreaterThan(0);
  await cluster.repeatUntilAnswered(operations);
  expect(await cluster.violations(operations)).toEqual([]);
}, 120_000);

/** Ends the sessions of the service that are in this state; returns their number. */
async function cutOff(administrator: pg.Client, where: string): Promise<number> {
  const { rows } = await administrator.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name <> 'books' AND (${where}) LIMIT 3`,
  );
  return rows.length;
}

test.each(['SIGINT', 'SIGQUIT'] as const)(
  'a restart of PostgreSQL under load (%s) causes refusals in the usual error shape, and everything recovers by itself',
  async signal => {
    const place = await aPlace(`restarted_${signal.toLowerCase()}`);
    const cluster = await Cluster.start({ place, processes: 2, atTheEnd: onTestFinished });
    const operations = await load(cluster);
    const failures: { status: number; body: unknown }[] = [];
    const calls = operations.map(async (operation, index) => {
      while (operation.answers.length === 0) {
        const answer = await operation.call(cluster.url(index)).catch((error: unknown) => {
          throw new Error(`no answer: ${cluster.output()}`, { cause: error });
        });
        if (answer.status < 500) operation.answers.push({ status: answer.status, body: answer.body });
        else failures.push(answer);
        await pause(10);
      }
    });
    const readiness = () =>
      Promise.all([0, 1].map(async index => (await fetch(`${cluster.url(index)}/readyz`)).status));
    const restart = async () => {
      await pause(30);
      await postgres.restart(signal, async () => {
        expect(await readiness()).toEqual([503, 503]);
      });
      await until('both processes are ready again', async () => (await readiness()).every(status => status === 200));
    };
    await Promise.all([...calls, restart()]);
    expect(failures.length).toBeGreaterThan(0);
    for (const { status, body } of failures) {
      expect([500, 503]).toContain(status);
      expect(problem.parse(body).error.code).toBe(status);
      expect(JSON.stringify(body)).not.toMatch(/postgres|socket|ECONN|terminat/i);
    }
    expect(cluster.processes.every(one => one.isRunning())).toBe(true);
    await cluster.repeatUntilAnswered(operations);
    expect(await cluster.violations(operations)).toEqual([]);
  },
  120_000,
);

/** Writes an unimportant row, which uses a transaction id. */
const touch = statement<{ name: string }, unknown>(({ db }, arg) =>
  db.insertInto('counters').values({ businessId: 'biz_1', name: arg('name'), value: 0 }),
);

/** The ids of new transactions, up to this one; at least one. */
async function idsUpTo(connectionString: string, lastId: bigint): Promise<bigint[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const ids: bigint[] = [];
  const next = async () => {
    const { rows } = await client.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
    ids.push(BigInt(rows[0]?.id ?? 0));
  };
  do await next();
  while ((ids.at(-1) ?? lastId) < lastId);
  await client.end();
  return ids;
}

test('a transaction lost in a crash is not confused with a later one that has the same id', async () => {
  const place = await aPlace('reused_id');
  await lostAndReused(place, {});
});

test('a session on another server, as after a failover, proves nothing about a lost transaction', async () => {
  const place = await aPlace('reused_id');
  // Its tables: below they are made on the other server.
  await (await openPostgres({ connectionString: place.url })).close();
  const other = await startPostgres();
  onTestFinished(() => other.stop());
  const directConnectionString = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(other.socketDirectory)}`;
  // It knows of a transaction with that id, too: one of its own.
  const [id = 0n] = await idsUpTo(place.url, 0n);
  await idsUpTo(directConnectionString, id + 1_000n);
  await lostAndReused(place, { directConnectionString });
});

async function lostAndReused(place: { readonly url: string }, direct: { readonly directConnectionString?: string }) {
  const database = await openPostgres({ connectionString: place.url, ...direct });
  onTestFinished(() => database.close());
  let lostId = 0n;
  let reused: readonly bigint[] = [];
  const writing = database.write(async tx => {
    await tx.run(touch, { name: 'lost' });
    const administrator = new pg.Client({ connectionString: place.url });
    await administrator.connect();
    const { rows } = await administrator.query<{ id: string }>(
      `SELECT backend_xid::text AS id FROM pg_stat_activity WHERE datname = 'reused_id' AND backend_xid IS NOT NULL`,
    );
    lostId = BigInt(rows[0]?.id ?? 0);
    await administrator.end();
    await postgres.restart('SIGQUIT', async () => undefined);
    reused = await idsUpTo(place.url, lostId);
  });
  await expect(writing).rejects.toThrow(CommitOutcomeUnknown);
  // PostgreSQL reports the lost transaction's id as committed.
  expect(reused).toContain(lostId);
}
