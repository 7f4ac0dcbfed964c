import { openPostgres } from '@florin/backend/foundation/database/postgres.ts';
import { openReplica } from '@florin/backend/foundation/database/postgres-replica.ts';
import { withReplica } from '@florin/backend/foundation/database/replica.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { systemElapsedMs, systemTimers } from '@florin/backend/foundation/platform/system.ts';
import { createExport, getExport, getExportFile } from '@florin/shared/contracts/api-v1/exports.ts';
import { listPaymentLinks } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { expect, onTestFinished, test } from 'vitest';
import { eachDatabase } from '../../support/backend.ts';
import { numberedPayment, writeManyPayments } from '../../support/many-payments.ts';
import { administer, startPostgres } from '../../support/postgres.ts';
import { aShop } from '../../support/shop.ts';
import { addOne, find, insert, slot } from './counters.ts';

type Shop = Awaited<ReturnType<typeof aShop>>;

/** Lists the payment links, read from there. */
async function linksFrom({ client, key }: Shop, source: string) {
  const headers = { 'read-from': source };
  const answer = await client.call(listPaymentLinks, { query: {} }, { key, headers });
  const ids = answer.status === 200 ? answer.body.items.map(({ id }) => id) : undefined;
  return { status: answer.status, ids, from: answer.headers['read-from'] };
}

async function aPair() {
  const postgres = await startPostgres({ standby: true });
  onTestFinished(() => postgres.stop());
  const standby = postgres.standbyDirectory ?? '';
  const urlOf = (directory: string) => `postgres://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`;
  return { postgres, standby, primaryUrl: urlOf(postgres.socketDirectory), replicaUrl: urlOf(standby) };
}

/** From now on the replica repeats nothing. */
async function stopRepeating(standby: string): Promise<void> {
  await administer(standby, 'SELECT pg_wal_replay_pause()');
  const paused = () => administer(standby, `DO $$ BEGIN ASSERT pg_get_wal_replay_pause_state() = 'paused'; END $$`);
  await expect
    .poll(() =>
      paused().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
}

test('a list is read from the replica where its caller asks for it, and nothing else is', async () => {
  const { standby, primaryUrl, replicaUrl } = await aPair();
  const shop = await aShop('postgres', undefined, {
    env: { DATABASE_URL: primaryUrl, DATABASE_DIRECT_URL: '', DATABASE_REPLICA_URL: replicaUrl },
  });
  const first = await shop.aLink(1_000);
  const isThere = async () => (await linksFrom(shop, 'replica')).ids?.includes(first.id);
  await expect.poll(isThere).toBe(true);
  await stopRepeating(standby);
  const second = await shop.aLink(1_000);
  expect(await linksFrom(shop, 'replica')).toEqual({ status: 200, ids: [first.id], from: 'replica' });
  const both = [second.id, first.id];
  expect(await linksFrom(shop, 'primary')).toEqual({ status: 200, ids: both, from: 'primary' });
  const usual = await shop.client.call(listPaymentLinks, { query: {} }, { key: shop.key });
  expect(usual).toMatchObject({ status: 200, body: { items: both.map(id => ({ id })) } });
  expect(usual.headers['read-from']).toBeUndefined();
  expect(await linksFrom(shop, 'elsewhere')).toMatchObject({ status: 400 });
  // What pays a link that the replica does not know reads the primary.
  expect((await shop.pay(second.id)).status).toBe('unsettled');
});

test('an export reads all but its newest records from the replica', async () => {
  const { postgres, standby, primaryUrl, replicaUrl } = await aPair();
  const shop = await aShop('postgres', undefined, {
    env: { DATABASE_URL: primaryUrl, DATABASE_DIRECT_URL: '', DATABASE_REPLICA_URL: replicaUrl },
  });
  const { client, key, world } = shop;
  const many = { businessId: shop.business.id, staffId: 'staff_many1', count: 1_100, startAt: 1_760_000_000_000 };
  await writeManyPayments(world.backend.database, { ...many, terminalIds: ['dev_many001', 'dev_many002'] });
  const { id } = await shop.aLink(1_000);
  await expect.poll(async () => (await linksFrom(shop, 'replica')).ids).toEqual([id]);
  await stopRepeating(standby);
  const rename = (index: number, name: string) =>
    administer(
      postgres.socketDirectory,
      `UPDATE payments SET "invoiceNumber" = '${name}' WHERE id = '${numberedPayment(index)}'`,
    );
  await rename(1_099, 'newest');
  await rename(0, 'oldest');
  const body = { list: 'payments', format: 'json' } as const;
  const made = await client.call(createExport, { body }, { key });
  if (made.status !== 202) throw new Error(JSON.stringify(made.body));
  const params = { id: made.body.id };
  const isDone = async () => {
    await world.backend.services.exports.run();
    return (await client.call(getExport, { params }, { key })).body;
  };
  await expect.poll(isDone).toMatchObject({ status: 'done', rowCount: 1_100 });
  const file = await fetch(`${world.url}${getExportFile.path.replace('{id}', made.body.id)}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const invoices = ((await file.json()) as { invoiceNumber: string }[]).map(({ invoiceNumber }) => invoiceNumber);
  expect(invoices).toContain('newest');
  expect(invoices).not.toContain('oldest');
});

eachDatabase('without a replica', database => {
  test('a list is read from the primary whatever its caller asks for', async () => {
    const shop = await aShop(database);
    const { id } = await shop.aLink(1_000);
    expect(await linksFrom(shop, 'replica')).toEqual({ status: 200, ids: [id], from: 'primary' });
  });
});

test('a replica that lags too much or does not answer is not read', async () => {
  const { postgres, standby, primaryUrl, replicaUrl } = await aPair();
  const primary = await openPostgres({ connectionString: primaryUrl });
  const log = createLog({ level: 'silent' });
  const maxLagMs = 100;
  const [timers, elapsedMs] = [systemTimers, systemElapsedMs];
  const options = { maximumConnections: 2, primary, timers, elapsedMs, log, maxLagMs };
  const replica = openReplica({ ...options, connectionString: replicaUrl });
  const { database, reads } = withReplica(primary, replica, log);
  onTestFinished(() => database.close());
  // A server that takes writes is no replica: what it has beyond the primary's records is nobody's.
  const noReplica = openReplica({ ...options, connectionString: primaryUrl });
  onTestFinished(() => noReplica.close());
  expect(await noReplica.isFresh()).toBe(false);
  await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
  const read = () => reads(async () => (await database.first(find, slot))?.value);
  await expect.poll(read).toEqual({ value: 0, from: 'replica' });
  await administer(standby, 'SELECT pg_wal_replay_pause()');
  // Each commit makes what the replica has older.
  const readAfterCommit = async () => {
    const value = await database.write(addOne);
    const found = await read();
    return found.from === 'primary' && found.value === value;
  };
  await expect.poll(readAfterCommit).toBe(true);
  await administer(standby, 'SELECT pg_wal_replay_resume()');
  await expect.poll(async () => (await read()).from).toBe('replica');
  // A reader that work on the replica began goes on after it: it reads the primary.
  let later: (() => Promise<unknown>) | undefined;
  const both = reads(async () => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>(resolve => (begin = resolve));
    const reading = begun.then(() => database.first(find, slot));
    later = () => {
      begin();
      return reading;
    };
  });
  expect(await both).toMatchObject({ from: 'replica' });
  await postgres.failOver();
  await expect(later?.()).rejects.toThrow('does not respond');
});
