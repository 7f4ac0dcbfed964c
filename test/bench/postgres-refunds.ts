import { openPostgres } from '@florin/backend/foundation/database/postgres.ts';
import { administer, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type Bench, inRounds, type Reading, type Scale, throughput } from './bar.ts';
import { measureConcurrently, scattered } from './measure.ts';
import { rawPostgresRefunds } from './raw-postgres.ts';
import { refundOne } from './refund-code.ts';
import { assertSameColumns } from './same-rows.ts';
import { postgresColumns, postgresRefundsByHand } from './same-rows-postgres.ts';
import { composeForBench, createShop, fillShop } from './shop.ts';

const connections = 16;
const payments = 10_000;

/** PostgreSQL with fsync on: the refund code against two interactive transactions over plain rows. */
export const postgresRefunds: Bench = {
  name: 'postgres',
  about: 'PostgreSQL at 16 connections: the refund code against raw interactive transactions',
  async run(scale) {
    scale.print('starting a PostgreSQL');
    const postgres = await startPostgres({ durable: true });
    try {
      return await measurePostgres(scale, postgres);
    } finally {
      await postgres.stop();
    }
  },
};

async function measurePostgres(scale: Scale, { socketDirectory }: TestPostgres): Promise<Reading[]> {
  const refunds = scale.times(6_000);
  const place = async (database: string) => {
    await administer(socketDirectory, `CREATE DATABASE ${database}`);
    return { host: socketDirectory, user: 'postgres', database };
  };
  scale.print('filling two shops');
  const [throughServices, byHand] = [await place('product'), await place('by_hand')];
  const database = await openPostgres({ ...throughServices, maximumConnections: connections });
  await createShop(database);
  await fillShop(database, { payments });
  await fillByItself(byHand);
  const { services, stop } = composeForBench(database);
  const rounds = await inRounds(scale, async round => {
    const work = { payments, refunds, connections };
    const raw = await rawPostgresRefunds({ connection: await place(`raw${round}`), ...work });
    const product = await measureConcurrently({ times: refunds, concurrency: connections }, index =>
      refundOne(services, scattered(index, payments)),
    );
    const sameRows = await postgresRefundsByHand({ connection: byHand, ...work });
    return { raw, product, sameRows };
  });
  await stop();
  await database.close();
  assertSameColumns(await postgresColumns(throughServices), await postgresColumns(byHand));
  return [
    throughput(
      {
        bar: `PostgreSQL refund code, ${connections} connections`,
        goal: { sign: '≥', value: 0.6 },
        unit: 'refunds/s',
        note: 'the ceiling writes a refund and moves the payment, without events.',
      },
      rounds.map(({ raw, product }) => ({ product, ceiling: raw })),
    ),
    throughput(
      {
        bar: '  the same, ceiling with the same rows',
        goal: undefined,
        unit: 'refunds/s',
        note: 'the ceiling runs one statement at a time, as hand-written code does.',
      },
      rounds.map(({ sameRows, product }) => ({ product, ceiling: sameRows })),
    ),
  ];
}

async function fillByItself(connection: { host: string; user: string; database: string }): Promise<void> {
  const database = await openPostgres(connection);
  await createShop(database);
  await fillShop(database, { payments });
  await database.close();
}
