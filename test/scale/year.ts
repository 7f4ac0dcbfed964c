import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { statement } from '@florin/backend/foundation/database/database.ts';
import { Command, readOptions, wholeNumber } from '@florin/backend/foundation/platform/command-line.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { startServer } from '@florin/backend/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { createCardRefundOfPayment } from '@florin/shared/contracts/api-v1/refunds.ts';
import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { acknowledgeCommand } from '@florin/shared/contracts/device-v1/commands.ts';
import { syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import pg from 'pg';
import { Pool } from 'undici';
import { z } from 'zod';
import { instantRegistry } from '../bench/instant-gateway.ts';
import { settingsFor } from '../bench/place.ts';
import { type EnrolledTerminal, enrolTerminal, sellAt } from '../bench/sales.ts';
import { benchBusinessId, createShop } from '../bench/shop.ts';
import { addEndpoint } from '../bench/webhook-endpoint.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { administer, startPostgres } from '../support/postgres.ts';

const { sales, shops, salesPerDay } = readOptions(
  new Command('npm run year --')
    .description(
      `Sells over HTTP on PostgreSQL, lets everything happen that follows, and then its retentions pass: what a sale leaves in each table
and its indexes, and what that makes in a year of many shops.`,
    )
    .option('--sales <n>', 'how many are measured', '4000')
    .option('--shops <n>', 'of the year', '2000')
    .option('--sales-per-day <n>', 'of each shop', '500'),
  z.object({
    sales: wholeNumber({ least: 100, most: 1_000_000 }),
    shops: wholeNumber({ least: 1, most: 10_000_000 }),
    salesPerDay: wholeNumber({ least: 1, most: 1_000_000 }),
  }),
);

const terminals = 8;
/** Of a hundred sales: how many software starts on the terminal, and how many are refunded. */
const mix = { bySoftware: 40, refunded: 2 };

type Size = { readonly rows: number; readonly tableBytes: number; readonly indexBytes: number };
type Sizes = ReadonlyMap<string, Size>;

/** Each table with its indexes, exactly counted. */
async function sizesOf(connection: pg.ClientConfig, options: { readonly full?: boolean } = {}): Promise<Sizes> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(options.full ? 'VACUUM FULL ANALYZE' : 'VACUUM ANALYZE');
    const { rows } = await client.query<{ name: string; tableBytes: string; indexBytes: string }>(
      `SELECT relname AS name, pg_table_size(oid) AS "tableBytes", pg_indexes_size(oid) AS "indexBytes"
         FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE '%migration%'`,
    );
    const sizes = new Map<string, Size>();
    for (const { name, tableBytes, indexBytes } of rows) {
      const counted = await client.query<{ rows: string }>(`SELECT count(*) AS rows FROM "${name}"`);
      const count = Number(counted.rows[0]?.rows);
      sizes.set(name, { rows: count, tableBytes: Number(tableBytes), indexBytes: Number(indexBytes) });
    }
    return sizes;
  } finally {
    await client.end();
  }
}

type Shop = {
  readonly url: string;
  readonly client: Client;
  readonly apiKey: string;
  readonly terminals: readonly EnrolledTerminal[];
  /** Its record has followed the payment, so that the terminal can take the next one. */
  readonly hasEnded: (saleId: string) => Promise<void>;
};

/** Sells the `index`-th sale of the mix. */
async function sell(shop: Shop, pool: Pool, terminal: EnrolledTerminal, index: number): Promise<void> {
  const { client, apiKey } = shop;
  const keyedIn = `sale_year${String(index).padStart(8, '0')}`;
  const saleId = index % 100 < mix.bySoftware ? await startBySoftware(shop, terminal) : keyedIn;
  await sellAt(pool, terminal, saleId);
  if (saleId !== keyedIn) await shop.hasEnded(saleId);
  if (index % 100 < 100 - mix.refunded) return;
  const found = await pool.request({
    method: 'GET',
    path: `/device/v1/sales/${saleId}`,
    headers: { authorization: `Bearer ${terminal.token}` },
  });
  const { paymentId } = z.object({ paymentId: z.string() }).parse(await found.body.json());
  const body = { kind: 'REFUND_SALE', amountInCents: 200, reason: 'Returned' } as const;
  const options = { key: apiKey, idempotencyKey: `refund-${index}` };
  const refund = await client.call(createCardRefundOfPayment, { params: { id: paymentId }, body }, options);
  if (refund.status !== 201) throw new Error(`a refund was answered ${refund.status}: ${JSON.stringify(refund.body)}`);
}

async function startBySoftware({ client, apiKey }: Shop, { serial, token }: EnrolledTerminal): Promise<string> {
  const body = { serial, amountInCents: 500, currency: 'GBP', reference: 'Order 12345' };
  const started = await client.call(startTerminalSale, { body }, { key: apiKey });
  if (started.status !== 201) throw new Error(`a sale was not started: ${JSON.stringify(started.body)}`);
  const key = { key: token };
  const synced = await client.call(syncTerminal, { body: { configurationVersion: null, entries: [] } }, key);
  const command = synced.status === 200 ? synced.body.commands[0] : undefined;
  if (!command) throw new Error('the terminal has no command');
  const taken = { params: { commandId: command.commandId }, body: { outcome: 'taken' as const } };
  const answer = await client.call(acknowledgeCommand, taken, key);
  if (answer.status !== 200) throw new Error('the command was not accepted');
  return started.body.saleId;
}

async function sellAll(shop: Shop): Promise<void> {
  const pool = new Pool(shop.url, { connections: terminals });
  let next = 0;
  await Promise.all(
    shop.terminals.map(async terminal => {
      for (let index = next++; index < sales; index = next++) {
        await sell(shop, pool, terminal, index);
        if (index % 1_000 === 999) console.error(`${index + 1} sales`);
      }
    }),
  );
  await pool.close();
}

const turn = () => new Promise<void>(resolve => setTimeout(resolve, 20));

/** Lets time pass in steps, with real time for what is due in each. */
async function pass(clock: TestClock, steps: number, step: { hours?: number; minutes?: number }): Promise<void> {
  for (let taken = 0; taken < steps; taken += 1) {
    clock.advance(step);
    await turn();
  }
}

async function countRows(connection: pg.ClientConfig): Promise<number> {
  const sizes = await sizesOf(connection);
  return [...sizes.values()].reduce((sum, { rows }) => sum + rows, 0);
}

/** Until the pruning jobs find nothing more: they take some rows every ten minutes. */
async function prune(clock: TestClock, connection: pg.ClientConfig): Promise<void> {
  await pass(clock, 92, { hours: 24 });
  for (let before = Number.POSITIVE_INFINITY, now = await countRows(connection); now < before; ) {
    console.error(`${now} rows`);
    await pass(clock, 50, { minutes: 11 });
    before = now;
    now = await countRows(connection);
  }
}

const saleHasEnded = statement<{ saleId: string }, { id: string }>(({ db }, arg) =>
  db.selectFrom('terminalSales').select('id').where('id', '=', arg('saleId')).where('endedAt', 'is not', null),
);

async function openShop(place: Readonly<Record<string, string>>, clock: TestClock, webhookUrl: string) {
  const settings = settingsFor({
    ...place,
    PORT: '0',
    OUTBOUND_ALLOW_LOOPBACK: 'true',
    RATE_LIMIT_PER_KEY: '1000000000',
    RATE_LIMIT_PER_ADDRESS: '1000000000',
  });
  const server = await startServer({
    settings,
    log: createLog({ level: 'error' }),
    platform: { clock, timers: clock, elapsedMs: () => clock.elapsedMs() },
    gatewayRegistry: instantRegistry(),
  });
  const { backend } = server;
  await createShop(backend.database);
  await addEndpoint(backend, webhookUrl);
  const enrolled: EnrolledTerminal[] = [];
  for (let index = 0; index < terminals; index += 1) enrolled.push(await enrolTerminal(backend, `year-${index}`));
  const permissions = ['terminal-sales:write', 'terminal-sales:read', 'take-payments:write'] as const;
  const wanted = { name: 'till', preset: 'CUSTOM', permissions: [...permissions], expiresAt: null } as const;
  const key = await backend.services.apiKeys.create(benchBusinessId, wanted, operator);
  if (!key.ok) throw new Error('no API key');
  const shop: Shop = {
    url: server.url,
    client: clientOf(server.url),
    apiKey: key.value.secret,
    terminals: enrolled,
    async hasEnded(saleId) {
      while (!(await backend.database.first(saleHasEnded, { saleId }))) await turn();
    },
  };
  return { shop, stop: () => server.kill() };
}

function perSale(after: Sizes, before: Sizes): Sizes {
  const left = [...after].map(([name, size]): [string, Size] => {
    const was = before.get(name) ?? { rows: 0, tableBytes: 0, indexBytes: 0 };
    const each = (of: keyof Size) => (size[of] - was[of]) / sales;
    return [name, { rows: each('rows'), tableBytes: each('tableBytes'), indexBytes: each('indexBytes') }];
  });
  return new Map(left.filter(([, { rows }]) => rows > 0.001));
}

const total = (sizes: Sizes, of: keyof Size) => [...sizes.values()].reduce((sum, size) => sum + size[of], 0);

function told(all: Sizes, kept: Sizes): string {
  const cells = (sizes: Sizes, name: string) => {
    const { rows, tableBytes, indexBytes } = sizes.get(name) ?? { rows: 0, tableBytes: 0, indexBytes: 0 };
    return `${rows.toFixed(2)} | ${tableBytes.toFixed(0)} | ${indexBytes.toFixed(0)}`;
  };
  const lines = [...all.keys()].sort().map(name => `| \`${name}\` | ${cells(all, name)} | ${cells(kept, name)} |`);
  const sums = [all, kept].map(
    of =>
      `${total(of, 'rows').toFixed(2)} | ${total(of, 'tableBytes').toFixed(0)} | ${total(of, 'indexBytes').toFixed(0)}`,
  );
  const bytes = (of: Sizes) => total(of, 'tableBytes') + total(of, 'indexBytes');
  const perDay = shops * salesPerDay;
  const gb = (value: number) => (value / 1e9).toFixed(0);
  return [
    '| of each sale | rows | table bytes | index bytes | kept: rows | table bytes | index bytes |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    `| **all** | ${sums.join(' | ')} |`,
    '',
    `${shops} shops × ${salesPerDay} sales a day: ${gb(bytes(kept) * perDay * 365)} GB a year are kept, and at most ${gb((bytes(all) - bytes(kept)) * perDay * 90)} GB for 90 days.`,
  ].join('\n');
}

async function run(): Promise<void> {
  const postgres = await startPostgres();
  const merchant = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end());
  });
  await new Promise<void>(resolve => void merchant.listen(0, '127.0.0.1', resolve));
  try {
    const { socketDirectory } = postgres;
    await administer(socketDirectory, 'CREATE DATABASE year');
    const connection = { host: socketDirectory, user: 'postgres', database: 'year' };
    const url = `postgres://postgres@localhost/year?host=${encodeURIComponent(socketDirectory)}`;
    const clock = testClock();
    const webhookUrl = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}/`;
    const { shop, stop } = await openShop({ DATABASE_URL: url }, clock, webhookUrl);
    const before = await sizesOf(connection);
    try {
      await sellAll(shop);
      await pass(clock, 288, { minutes: 11 });
      const all = perSale(await sizesOf(connection), before);
      await prune(clock, connection);
      const kept = perSale(await sizesOf(connection, { full: true }), before);
      console.log(told(all, kept));
    } finally {
      await stop();
    }
  } finally {
    merchant.close();
    await postgres.stop();
  }
}

await run();
process.exit();
