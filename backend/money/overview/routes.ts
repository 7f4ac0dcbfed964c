import { getOverview } from '@florin/shared/contracts/api-v1/overview.ts';
import { getDayTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import type { DayTotalsOf } from './day-totals.ts';
import type { overviewService } from './service.ts';

/** The operations on what was taken and returned each day. */
export function overviewRoutes(overview: ReturnType<typeof overviewService>, dayTotals: DayTotalsOf): Route[] {
  return [
    route(getOverview, async ({ caller, query }) => respond(200, await overview(caller.businessId, query.days))),
    route(getDayTotals, async ({ caller, query }) => {
      const { businessId, terminalId } = caller;
      return respond(200, await dayTotals({ businessId, terminalId, date: query.date }));
    }),
  ];
}
