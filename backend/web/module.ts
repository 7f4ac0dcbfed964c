import type { Module } from '../module.ts';
import { assetRoutes } from './routes.ts';
import { type Assets, assetsOf } from './ui/assets.ts';

/** What pages have in common: the assets they load. */
export type WebService = { readonly assets: () => Promise<Assets> };

export function webModule(): Module<WebService> {
  let made: Promise<Assets> | undefined;
  // Made at the first page: run from source this bundles, and most programs that compose the service serve none.
  const assets = () => {
    made ??= import('./ui/bundle.ts').then(async ({ bundleAssets }) => assetsOf(await bundleAssets()));
    return made;
  };
  return { service: { assets }, routes: assetRoutes(assets), jobs: [] };
}
