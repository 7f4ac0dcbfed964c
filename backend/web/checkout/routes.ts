import { claimOnCheckoutPage, getCheckoutPage } from '@florin/shared/contracts/pages.ts';
import type { CheckoutView, CustomerCheckouts } from '../../channels/checkouts/customer.ts';
import type { CheckoutService } from '../../channels/checkouts/service.ts';
import type { Database } from '../../foundation/database/database.ts';
import { type Route, respondPage, respondRedirect, route } from '../../foundation/http/route.ts';
import { unkeyedWrite } from '../../foundation/idempotency/call.ts';
import type { Assets } from '../ui/assets.ts';
import type { ReceiptUrl } from '../ui/confirmation.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import { checkoutPage, noCheckoutPage } from './page.ts';

/** The page of a checkout and its form that claims a return. Neither requires authentication. */
export function checkoutPageRoutes(options: {
  database: Database;
  checkouts: Pick<CheckoutService, 'find' | 'claim' | 'destinationOf'> & { readonly customers: CustomerCheckouts };
  assets: () => Promise<Assets>;
  receiptOf: ReceiptUrl;
}): Route[] {
  const { database, checkouts, receiptOf } = options;
  return [
    route(getCheckoutPage, async ({ params, query, languages }) => {
      const [view, assets] = await Promise.all([checkouts.customers.view(params.id, query.network), options.assets()]);
      if (!view) return respondPage(404, noCheckoutPage(assets), contentSecurityPolicy());
      const isEmbedded = query.iframe === 'true';
      return respondPage(
        200,
        checkoutPage(view, { isEmbedded, languages: languages(), problem: query.problem, receiptOf }, assets),
        policyOf(view, isEmbedded),
      );
    }),

    route(claimOnCheckoutPage, async ({ params, body }) => {
      const given = new URLSearchParams(body);
      const checkout = await checkouts.find(params.id);
      const destination = checkout && (await checkouts.destinationOf(checkout, given.get('destination') ?? ''));
      const done =
        checkout && destination?.ok
          ? await checkouts.claim(checkout, destination.value, unkeyedWrite(database))
          : destination;
      const problem = done?.ok === false ? done.refusal.kind : undefined;
      const query = new URLSearchParams({
        ...(given.get('iframe') === 'true' && { iframe: 'true' }),
        ...(problem !== undefined && problem !== 'nothing_to_claim' && { problem }),
      }).toString();
      return respondRedirect(303, `/checkout/${params.id}${query === '' ? '' : `?${query}`}`);
    }),
  ];
}

/** Only the business's own origins may frame the page, and only if it is requested as embedded. */
function policyOf({ frameOrigins }: CheckoutView, isEmbedded: boolean): string {
  return contentSecurityPolicy(isEmbedded ? { ancestors: frameOrigins } : {});
}
