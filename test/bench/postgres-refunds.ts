import { openPostgres } from '@florin/backend/database/postgres.ts';
import { administer, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type Bench, inRounds, type Scale, throughput } from './bar.ts';
import { measureConcurrently, scattered } from './measure.ts';
import { rawPostgresRefunds } from './raw-postgres.ts';
import { refundOne } from './refund-code.ts';
import { benchEngine, fillShop } from './shop.ts';

const connections = 16;
const payments = 10_000;

/** PostgreSQL with fsync on: the refund code against two interactive transactions over plain rows. */
export const postgresRefunds: Bench = {
  name: 'postgres',
  about: 'PostgreSQL at 16 connections: the refund code against raw interactive transactions',
  async run(scale) {
    scale.say('starting a PostgreSQL');
    const postgres = await startPostgres({ durable: true });
    try {
      return [await measurePostgres(scale, postgres)];
    } finally {
      await postgres.stop();
    }
  },
};

async function measurePostgres(scale: Scale, { socketDirectory }: TestPostgres) {
  const refunds = scale.times(6_000);
  await administer(socketDirectory, 'CREATE DATABASE bench');
  const connection = { host: socketDirectory, user: 'postgres' };
  const database = await openPostgres({ ...connection, database: 'bench', maximumConnections: connections });
  scale.say('filling a shop');
  await fillShop(database, { payments });
  const engine = benchEngine(database);
  const pairs = await inRounds(scale, async round => {
    const name = `raw${round}`;
    await administer(socketDirectory, `CREATE DATABASE ${name}`);
    const ceiling = await rawPostgresRefunds({
      connection: { ...connection, database: name },
      payments,
      refunds,
      connections,
    });
    const product = await measureConcurrently({ times: refunds, concurrency: connections }, index =>
      refundOne(engine, scattered(index, payments)),
    );
    return { product, ceiling };
  });
  await database.close();
  return throughput(
    {
      bar: `PostgreSQL refund code, ${connections} connections`,
      goal: { sign: '≥', value: 0.6 },
      unit: 'refunds/s',
      note: 'the ceiling writes a refund and moves the payment, without timeline and events.',
    },
    pairs,
  );
}
