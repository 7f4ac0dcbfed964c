import type { Module } from '../foundation/module.ts';
import { errorPage } from './error-page.ts';
import { assetRoutes } from './routes.ts';
import { type Assets, assetsOf } from './ui/assets.ts';

/** Shared by all pages: their assets and the error page. */
export type WebService = { readonly assets: () => Promise<Assets>; readonly showProblem: ReturnType<typeof errorPage> };

/** Serves the styles and scripts of all pages, bundled for the first page requested, and provides the error page. */
export function webModule(): Module<WebService> {
  let made: Promise<Assets> | undefined;
  // Built for the first page, because bundling from source takes time and most programs serve no pages.
  const assets = () => {
    made ??= import('./ui/bundle.ts').then(async ({ bundleAssets }) => assetsOf(await bundleAssets()));
    return made;
  };
  return { service: { assets, showProblem: errorPage(assets) }, routes: assetRoutes(assets), jobs: [] };
}
