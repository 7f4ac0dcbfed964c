import { getBusiness, updateBusiness } from '@florin/shared/contracts/api-v1/business.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { invalidInput } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { BusinessSettings } from './settings.ts';

/** The settings of the caller's business. */
export function businessRoutes(settings: BusinessSettings): Route[] {
  return [
    route(getBusiness, async ({ caller }) => respond(200, await settings.read(caller.businessId))),
    route(updateBusiness, async ({ caller, body }) => {
      const changed = await settings.change(caller.businessId, body, actorOf(caller));
      if (changed.ok) return respond(200, changed.value);
      if (changed.refusal.kind === 'logo_refused')
        return invalidInput({ path: 'logo', message: changed.refusal.message });
      return fail(409, 'currency_fixed', 'The currency cannot change after the first payment');
    }),
  ];
}
