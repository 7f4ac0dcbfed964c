import type { Module } from '../../foundation/module.ts';
import { tipLinkRoutes } from './routes.ts';
import { type TipLinkService, tipLinkService } from './service.ts';

/** Tip links with their API and their LNURL operations. The page is in web/tip. */
export function tipLinksModule(ports: Parameters<typeof tipLinkService>[0]): Module<TipLinkService> {
  const service = tipLinkService(ports);
  return { service, routes: tipLinkRoutes(service), jobs: [] };
}
