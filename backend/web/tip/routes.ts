import { getTipPage } from '@florin/shared/contracts/pages.ts';
import type { TipLinkService } from '../../channels/tip-links/service.ts';
import { type Route, respondPage, route } from '../../foundation/http/route.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import type { Present } from '../ui/presentation.ts';
import { noTipPage, tipPage } from './page.ts';

/** The public page of a tip link; 404 once the link was deleted. */
export function tipPageRoutes(options: { tipLinks: Pick<TipLinkService, 'forCustomers'>; present: Present }): Route[] {
  return [
    route(getTipPage, async ({ params, query, languages }) => {
      const found = await options.tipLinks.forCustomers(params.id);
      const presentation = await options.present({ lang: query.lang, accepted: languages() }, found?.business);
      return found
        ? respondPage(200, tipPage(found, presentation), contentSecurityPolicy())
        : respondPage(404, noTipPage(presentation), contentSecurityPolicy());
    }),
  ];
}
