import { getTipPage } from '@florin/shared/contracts/pages.ts';
import type { TipLinkService } from '../../channels/tip-links/service.ts';
import { type Route, respondPage, route } from '../../foundation/http/route.ts';
import type { Assets } from '../ui/assets.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import { noTipPage, tipPage } from './page.ts';

/** The public page of a tip link; 404 once the link was deleted. */
export function tipPageRoutes(options: {
  tipLinks: Pick<TipLinkService, 'forCustomers'>;
  assets: () => Promise<Assets>;
}): Route[] {
  return [
    route(getTipPage, async ({ params, languages }) => {
      const [found, assets] = await Promise.all([options.tipLinks.forCustomers(params.id), options.assets()]);
      return found
        ? respondPage(200, tipPage(found, languages(), assets), contentSecurityPolicy())
        : respondPage(404, noTipPage(assets), contentSecurityPolicy());
    }),
  ];
}
