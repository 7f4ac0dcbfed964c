import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine, refuse } from '@florin/backend/platform/command-line.ts';
import { administer, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { postgresBooks, sqliteBooks } from './books.ts';
import type { Place } from './lane.ts';
import { crashRun } from './run.ts';

const usage = `Usage: npm run crash -- [options]

Kills a real backend process again and again in the middle of refunds and sales, and compares its records with the
gateway's books.

  --cycles N                   kills (default 200)
  --database sqlite|postgres   (default sqlite)
  --seed N                     (default: drawn and printed)
  --lanes N                    services side by side, each with a database and a gateway of its own (default 3)
  --help`;

const values = commandLine(usage, {
  cycles: { type: 'string', default: '200' },
  database: { type: 'string', default: 'sqlite' },
  seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  lanes: { type: 'string', default: '3' },
});
const [cycles, seed, lanes] = [Number(values.cycles), Number(values.seed), Number(values.lanes)];
const areWhole = [cycles, seed, lanes].every(value => Number.isSafeInteger(value) && value >= 0);
if (!areWhole || cycles < 1 || lanes < 1) refuse(usage, '--cycles, --seed and --lanes take whole numbers');
if (!['sqlite', 'postgres'].includes(values.database)) refuse(usage, '--database is sqlite or postgres');
await run();

async function run(): Promise<void> {
  // Durability is on: what is proven here is that a commit survives.
  const postgres = values.database === 'postgres' ? await startPostgres({ durable: true }) : undefined;
  const startedAt = performance.now();
  let done = 0;
  console.log(`seed ${seed}: ${cycles} kills on ${values.database}, ${lanes} side by side`);
  try {
    const { table } = await crashRun({
      seed,
      cycles,
      lanes,
      place: lane => (postgres ? postgresPlace(postgres, lane) : sqlitePlace()),
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
    await postgres?.stop();
  }
}

async function sqlitePlace(): Promise<Place> {
  const data = mkdtempSync(join(tmpdir(), 'florin-crash-'));
  return {
    env: { DATA: data },
    books: sqliteBooks(data),
    remove: async () => rmSync(data, { recursive: true, force: true }),
  };
}

async function postgresPlace({ socketDirectory }: TestPostgres, lane: number): Promise<Place> {
  const name = `crash_${lane}`;
  await administer(socketDirectory, `CREATE DATABASE ${name}`);
  const url = `postgres://postgres@localhost/${name}?host=${encodeURIComponent(socketDirectory)}`;
  return {
    env: { DATABASE_URL: url },
    books: postgresBooks(url),
    remove: () => administer(socketDirectory, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
