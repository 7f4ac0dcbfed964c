import type { Clock, Ids } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Module } from '../../foundation/module.ts';
import { savedViewRoutes } from './routes.ts';
import { savedViews } from './service.ts';

/** Filters of the portal's lists under a name, of one user or shared with the business. */
export function savedViewsModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}): Module<undefined> {
  return { service: undefined, routes: savedViewRoutes(savedViews(ports)), jobs: [] };
}
