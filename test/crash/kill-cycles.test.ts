import { expect, test } from 'vitest';
import { aDatabase, eachDatabase } from '../support/backend.ts';
import { postgresBooks, sqliteBooks } from './books.ts';
import type { Place } from './lane.ts';
import { crashRun } from './run.ts';

/** Enough to aim at each step of a refund four times; `npm run crash` does more. */
const kills = 40;
const sideBySide = 4;
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

eachDatabase('a service killed in the middle of refunds and sales', database => {
  test(`${kills} times ends in one truth on both sides`, { timeout: 600_000 }, async () => {
    console.log(`${kills} kills on ${database}: CRASH_SEED=${seed}`);
    // Ends with the run, not with the test: a lane that failed is put away while the others go on.
    const places: (() => Promise<void> | void)[] = [];
    const place = async (): Promise<Place> => {
      const env = await aDatabase(database, end => void places.push(end));
      return {
        env,
        books: env.DATABASE_URL === undefined ? sqliteBooks(env.DATA ?? '') : postgresBooks(env.DATABASE_URL),
        remove: async () => undefined,
      };
    };
    try {
      const { table } = await crashRun({ seed, cycles: kills, lanes: sideBySide, place });
      console.log(String(table));
      expect(table.missed(), `steps of a refund that no kill hit\n${table}`).toEqual([]);
    } finally {
      for (const end of places) await end();
    }
  });
});
