import { expect, onTestFinished, test } from 'vitest';
import { aDatabase, anEmptyDatabase, type DatabaseKind } from '../support/backend.ts';
import { PhaseTable } from './phases.ts';
import { type Place, postgresReader, sqliteReader } from './records.ts';
import { crashRun } from './run.ts';

/** Covers each step of a refund twice; `npm run crash` does more. */
const kills = 20;
/** In each of the two files that run this at once. */
const sideBySide = 2;
/** Each with every plan once. */
const maxFurtherRuns = 4;
const furtherKills = 10;
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

type AtTheEnd = (end: () => Promise<void> | void) => void;

/** A separate database: settings for processes, and direct access for the test. */
export async function aPlace(database: DatabaseKind | 'emptyPostgres', atTheEnd: AtTheEnd): Promise<Place> {
  const env =
    database === 'emptyPostgres' ? await anEmptyDatabase('postgres', atTheEnd) : await aDatabase(database, atTheEnd);
  const reader = env.DATABASE_URL === undefined ? sqliteReader(env.DATA ?? '') : postgresReader(env.DATABASE_URL);
  return { env, reader, remove: async () => undefined };
}

/** A file for each database runs this, so that both run at once. */
export function killSuite(database: DatabaseKind): void {
  test(`killed ${kills} times in the middle of refunds and sales on ${database}, both sides agree`, {
    timeout: 600_000,
  }, async () => {
    console.log(`${kills} kills on ${database}: CRASH_SEED=${seed}`);
    const place = () => aPlace(database, onTestFinished);
    const table = new PhaseTable();
    await crashRun({ seed, cycles: kills, instances: sideBySide, place, table });
    // Which step a kill hits depends on the machine: what none has hit yet gets further ones.
    for (let run = 1; run <= maxFurtherRuns && table.missed().length > 0; run += 1)
      await crashRun({ seed: seed + run * sideBySide, cycles: furtherKills, instances: 1, place, table });
    console.log(table.inLines());
    expect(table.missed(), `steps of a refund that no kill hit\n${table.inLines()}`).toEqual([]);
  });
}
