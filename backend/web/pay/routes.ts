import { getPaymentPage } from '@florin/shared/contracts/pages.ts';
import { type Route, respondPage, route } from '../../http/route.ts';
import type { CustomerLinks } from '../../payment-links/customer.ts';
import type { Assets } from '../ui/assets.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import { linkPage, noLinkPage } from './page.ts';

export function paymentPageRoutes(options: {
  links: Pick<CustomerLinks, 'view'>;
  assets: () => Promise<Assets>;
}): Route[] {
  const { links } = options;
  return [
    route(getPaymentPage, async ({ params }) => {
      const [view, assets] = await Promise.all([links.view(params.id), options.assets()]);
      if (!view) return respondPage(404, noLinkPage(assets), contentSecurityPolicy());
      return respondPage(200, linkPage(view, assets), contentSecurityPolicy());
    }),
  ];
}
