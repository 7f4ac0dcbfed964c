import { openPostgres } from '@florin/backend/foundation/database/postgres.ts';
import { portalFolder } from '@florin/backend/web/portal/bundle.ts';
import type { TestProject } from 'vitest/node';
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
  return () => postgres.stop();
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgresSocketDirectory: string;
  }
}
