import { claimOnCheckoutPage, getCheckoutPage } from '@florin/shared/contracts/pages.ts';
import type { CheckoutView, CustomerCheckouts } from '../../channels/checkouts/customer.ts';
import type { CheckoutService } from '../../channels/checkouts/service.ts';
import type { Database } from '../../foundation/database/database.ts';
import { type Route, respondPage, respondRedirect, route } from '../../foundation/http/route.ts';
import { unkeyedWrite } from '../../foundation/idempotency/call.ts';
import type { ReceiptsOffered } from '../ui/confirmation.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import { inLanguage, type Present } from '../ui/presentation.ts';
import { checkoutPage, noCheckoutPage } from './page.ts';

/** The page of a checkout and its form that claims a return. Neither requires authentication. */
export function checkoutPageRoutes(options: {
  database: Database;
  checkouts: Pick<CheckoutService, 'find' | 'claim' | 'destinationOf'> & { readonly customers: CustomerCheckouts };
  present: Present;
  receipts: ReceiptsOffered;
}): Route[] {
  const { database, checkouts, present, receipts } = options;
  return [
    route(getCheckoutPage, async ({ params, query, languages }) => {
      const view = await checkouts.customers.view(params.id, query.network);
      const presentation = await present({ lang: query.lang, accepted: languages() }, view?.business);
      if (!view) return respondPage(404, noCheckoutPage(presentation), contentSecurityPolicy());
      const isEmbedded = query.iframe === 'true';
      return respondPage(
        200,
        checkoutPage(view, { isEmbedded, query, receipts }, presentation),
        policyOf(view, isEmbedded),
      );
    }),

    route(claimOnCheckoutPage, async ({ params, query: { lang }, body }) => {
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
      const address = `/checkout/${params.id}${query === '' ? '' : `?${query}`}`;
      return respondRedirect(303, inLanguage(address, { chosen: lang }));
    }),
  ];
}

/** Only the business's own origins may frame the page, and only if it is requested as embedded. */
function policyOf({ frameOrigins }: CheckoutView, isEmbedded: boolean): string {
  return contentSecurityPolicy(isEmbedded ? { ancestors: frameOrigins } : {});
}
