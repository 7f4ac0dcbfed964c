import type { Clock } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Module } from '../../foundation/module.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { totalsConsumer } from './consumer.ts';
import { dayTotalsService } from './day-totals.ts';
import { overviewRoutes } from './routes.ts';
import { overviewService } from './service.ts';

/** What was taken and returned on each day, from totals that a consumer of events keeps. */
export function overviewModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly businesses: Pick<BusinessService, 'find'>;
}): Module<ReturnType<typeof overviewService>> {
  const overview = overviewService(ports);
  return {
    service: overview,
    routes: overviewRoutes(overview, dayTotalsService(ports)),
    jobs: [],
    consumers: [totalsConsumer],
  };
}
