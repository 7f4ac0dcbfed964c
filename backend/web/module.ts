import type { Module } from '../module.ts';
import { errorPage } from './error-page.ts';
import { assetRoutes } from './routes.ts';
import { type Assets, assetsOf } from './ui/assets.ts';

/** What pages have in common: the assets they load, and what people see where there is no page. */
export type WebService = { readonly assets: () => Promise<Assets>; readonly showProblem: ReturnType<typeof errorPage> };

export function webModule(): Module<WebService> {
  let made: Promise<Assets> | undefined;
  // Made at the first page: run from source this bundles, and most programs that compose the service serve none.
  const assets = () => {
    made ??= import('./ui/bundle.ts').then(async ({ bundleAssets }) => assetsOf(await bundleAssets()));
    return made;
  };
  return { service: { assets, showProblem: errorPage(assets) }, routes: assetRoutes(assets), jobs: [] };
}
