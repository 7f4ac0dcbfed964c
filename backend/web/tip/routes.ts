import { bitcoin } from '@florin/shared/bitcoin.ts';
import { getTipPage } from '@florin/shared/contracts/pages.ts';
import { type Route, respondPage, route } from '../../http/route.ts';
import type { Rates } from '../../rates/service.ts';
import type { TipLinkService } from '../../tip-links/service.ts';
import type { Assets } from '../ui/assets.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import { noTipPage, tipPage } from './page.ts';

export function tipPageRoutes(options: {
  tipLinks: Pick<TipLinkService, 'forCustomers'>;
  rates: Pick<Rates, 'current'>;
  assets: () => Promise<Assets>;
}): Route[] {
  return [
    route(getTipPage, async ({ params, languages }) => {
      const [found, assets] = await Promise.all([options.tipLinks.forCustomers(params.id), options.assets()]);
      if (!found) return respondPage(404, noTipPage(assets), contentSecurityPolicy());
      const { currency } = found.business;
      const price = currency === bitcoin ? undefined : (await options.rates.current(currency))?.price;
      return respondPage(200, tipPage({ ...found, price }, languages(), assets), contentSecurityPolicy());
    }),
  ];
}
