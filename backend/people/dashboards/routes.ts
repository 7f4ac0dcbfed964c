import { dashboardCard, getDashboard, putDashboard } from '@florin/shared/contracts/api-v1/dashboard.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Database } from '../../foundation/database/database.ts';
import { actorOf, type KnownCaller } from '../../foundation/http/callers.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import type { DashboardRow } from './rows.ts';
import { dashboardOf, saveDashboard } from './store.ts';

export type DashboardOptions = { readonly database: Database; readonly clock: Clock };

/**
 * Layouts of the dashboard: one for each portal user, and the business's own, which its keys use and which users see
 * until they arrange theirs.
 */
export function dashboardRoutes({ database, clock }: DashboardOptions): Route[] {
  return [
    route(getDashboard, async ({ caller }) => {
      const { businessId } = caller;
      const own = await database.first(dashboardOf, { businessId, ownerId: ownerIdOf(caller) });
      const shown = own ?? (await database.first(dashboardOf, { businessId, ownerId: businessId }));
      return respond(200, shown ? recordOf(shown) : { cards: [], changedAt: null });
    }),
    route(putDashboard, async ({ caller, body }) => {
      const row = {
        businessId: caller.businessId,
        ownerId: ownerIdOf(caller),
        cardsJson: JSON.stringify(body.cards),
        changedAt: clock.now(),
      };
      await database.write(tx => tx.run(saveDashboard, row));
      return respond(200, recordOf(row));
    }),
  ];
}

function ownerIdOf(caller: KnownCaller): string {
  const actor = actorOf(caller);
  return actor.kind === 'portal_user' ? actor.portalUserId : caller.businessId;
}

const cards = z.array(dashboardCard);

function recordOf({ cardsJson, changedAt }: DashboardRow) {
  return { cards: cards.parse(JSON.parse(cardsJson)), changedAt: new Date(changedAt).toISOString() };
}
