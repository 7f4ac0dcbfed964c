import { onTestFinished } from 'vitest';
import { openPostgres } from '../../backend/foundation/database/postgres.ts';
import { aDatabase, eachDatabase } from '../support/backend.ts';
import { aWorld, type World, type WorldOptions } from './world.ts';

/** Runs a suite on SQLite and on PostgreSQL. */
export function eachWorld(name: string, suite: (newWorld: (options: WorldOptions) => Promise<World>) => void): void {
  eachDatabase(name, kind => {
    suite(async options => {
      if (kind === 'sqlite') return aWorld(options);
      const { DATABASE_URL: connectionString } = await aDatabase('postgres');
      if (connectionString === undefined) throw new Error('no PostgreSQL to test on');
      const database = await openPostgres({ connectionString });
      const world = await aWorld({ ...options, database });
      onTestFinished(async () => {
        world.instance.crash();
        await database.close();
      });
      return world;
    });
  });
}
