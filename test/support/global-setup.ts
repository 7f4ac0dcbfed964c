import { openPostgres } from '@florin/backend/foundation/database/postgres.ts';
import { portalFolder } from '@florin/backend/web/portal/bundle.ts';
import type { TestProject } from 'vitest/node';
import { startPgBouncer } from './pgbouncer.ts';
import { administer, startPostgres, templateDatabase } from './postgres.ts';

/**
 * Starts one PostgreSQL for the whole run; each test clones its own database from a template there. Builds the portal, which
 * several tests would otherwise do at once.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await portalFolder();
  const postgres = await startPostgres();
  await administer(postgres.socketDirectory, `CREATE DATABASE ${templateDatabase}`);
  const template = { host: postgres.socketDirectory, user: 'postgres', database: templateDatabase };
  await (await openPostgres(template)).close();
  project.provide('postgresSocketDirectory', postgres.socketDirectory);
  // Every suite on PostgreSQL runs behind PgBouncer, if asked for.
  const pooler = process.env.BEHIND_PGBOUNCER
    ? await startPgBouncer(postgres.socketDirectory, { sessions: 10 })
    : undefined;
  project.provide('poolerDirectory', pooler?.directory ?? '');
  return async () => {
    await pooler?.stop();
    await postgres.stop();
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgresSocketDirectory: string;
    /** The directory of PgBouncer's socket; empty without it. */
    poolerDirectory: string;
  }
}
