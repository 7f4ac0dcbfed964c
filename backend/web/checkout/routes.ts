import { claimOnCheckoutPage, getCheckoutPage } from '@florin/shared/contracts/pages.ts';
import { claimDestination } from '../../bitcoin-invoices/claim-destination.ts';
import type { CheckoutView, CustomerCheckouts } from '../../checkouts/customer.ts';
import type { CheckoutService } from '../../checkouts/service.ts';
import type { Database } from '../../database/database.ts';
import { type Route, respondPage, respondRedirect, route } from '../../http/route.ts';
import { unkeyedWrite } from '../../idempotency/call.ts';
import type { Assets } from '../ui/assets.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import { checkoutPage, noCheckoutPage } from './page.ts';

export function checkoutPageRoutes(options: {
  database: Database;
  checkouts: Pick<CheckoutService, 'find' | 'claim'>;
  customers: CustomerCheckouts;
  assets: () => Promise<Assets>;
}): Route[] {
  const { database, checkouts, customers } = options;
  return [
    route(getCheckoutPage, async ({ params, query, languages }) => {
      const [view, assets] = await Promise.all([customers.view(params.id, query.network), options.assets()]);
      if (!view) return respondPage(404, noCheckoutPage(assets), contentSecurityPolicy());
      const isEmbedded = query.iframe === 'true';
      return respondPage(
        200,
        checkoutPage(view, { isEmbedded, languages, problem: query.problem }, assets),
        policyOf(view, isEmbedded),
      );
    }),

    route(claimOnCheckoutPage, async ({ params, body }) => {
      const given = new URLSearchParams(body);
      const destination = await claimDestination(given.get('destination') ?? '');
      const checkout = await checkouts.find(params.id);
      if (checkout && destination !== undefined) await checkouts.claim(checkout, destination, unkeyedWrite(database));
      const query = new URLSearchParams({
        ...(given.get('iframe') === 'true' && { iframe: 'true' }),
        ...(destination === undefined && { problem: 'destination' }),
      }).toString();
      return respondRedirect(303, `/checkout/${params.id}${query === '' ? '' : `?${query}`}`);
    }),
  ];
}

/** Nobody frames it, but for the business's own origins where it was asked to be embedded. */
function policyOf({ frameOrigins }: CheckoutView, isEmbedded: boolean): string {
  return contentSecurityPolicy(isEmbedded ? { ancestors: frameOrigins } : {});
}
