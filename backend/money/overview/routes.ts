import { getOverview } from '@florin/shared/contracts/api-v1/overview.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import type { overviewService } from './service.ts';

/** The operation on what was taken and returned each day. */
export function overviewRoutes(overview: ReturnType<typeof overviewService>): Route[] {
  return [route(getOverview, async ({ caller, query }) => respond(200, await overview(caller.businessId, query.days)))];
}
