import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, readOptions, wholeNumber } from '@florin/backend/foundation/platform/command-line.ts';
import { z } from 'zod';
import { administer, startPostgres, type TestPostgres } from '../support/postgres.ts';
import buildBackend from './program.ts';
import { type Place, postgresReader, sqliteReader } from './records.ts';
import { crashRun } from './run.ts';

const { cycles, database, seed, instances } = readOptions(
  new Command('npm run crash --')
    .description(
      `Kills a real backend process again and again in the middle of refunds and sales, and compares its records with the
gateway's books.`,
    )
    .option('--cycles <n>', 'kills', '200')
    .option('--database <name>', 'sqlite or postgres', 'sqlite')
    .option('--seed <n>', 'repeats a run (default: drawn and printed)')
    .option('--instances <n>', 'services side by side, each with a database and a gateway of its own', '3'),
  z.object({
    cycles: wholeNumber({ least: 1, most: 1e6 }),
    database: z.enum(['sqlite', 'postgres']),
    seed: wholeNumber({ least: 0, most: 1e9 }).default(Math.floor(Math.random() * 1e9)),
    instances: wholeNumber({ least: 1, most: 64 }),
  }),
);
await run();

async function run(): Promise<void> {
  const remove = await buildBackend();
  // With durable commits, which this test is about.
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : undefined;
  const startedAt = performance.now();
  let done = 0;
  console.log(`seed ${seed}: ${cycles} kills on ${database}, ${instances} side by side`);
  try {
    const { table } = await crashRun({
      seed,
      cycles,
      instances,
      place: instance => (postgres ? postgresPlace(postgres, instance) : sqlitePlace()),
      onCycle() {
        done += 1;
        if (done % 10 === 0)
          console.log(`  ${done} of ${cycles}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
      },
    });
    console.log(
      `\n${table.inLines()}\n\n${cycles} kills, no violation, ${Math.round((performance.now() - startedAt) / 1000)} s`,
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    remove();
    await postgres?.stop();
  }
}

async function sqlitePlace(): Promise<Place> {
  const data = mkdtempSync(join(tmpdir(), 'florin-crash-'));
  return {
    env: { DATA: data },
    reader: sqliteReader(data),
    remove: async () => rmSync(data, { recursive: true, force: true }),
  };
}

async function postgresPlace({ socketDirectory }: TestPostgres, instance: number): Promise<Place> {
  const name = `crash_${instance}`;
  await administer(socketDirectory, `CREATE DATABASE ${name}`);
  const url = `postgres://postgres@localhost/${name}?host=${encodeURIComponent(socketDirectory)}`;
  return {
    env: { DATABASE_URL: url },
    reader: postgresReader(url),
    remove: () => administer(socketDirectory, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
