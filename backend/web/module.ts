import type { Module } from '../foundation/module.ts';
import type { Logos } from '../people/businesses/logos.ts';
import { errorPage } from './error-page.ts';
import { assetRoutes } from './routes.ts';
import { type Assets, assetsOf } from './ui/assets.ts';
import { type Present, presenter } from './ui/presentation.ts';
import { pageWords } from './words/words.ts';

/** Shared by all pages: how they are presented, their assets and the error page. */
export type WebService = {
  readonly present: Present;
  readonly assets: () => Promise<Assets>;
  readonly showProblem: ReturnType<typeof errorPage>;
};

/** Serves what all customers' pages load, bundled for the first page requested, and presents the pages. */
export function webModule({ logos }: { readonly logos: Logos }): Module<WebService> {
  let made: Promise<Assets> | undefined;
  // Built for the first page, because bundling from source takes time and most programs serve no pages.
  const assets = () => {
    made ??= import('./ui/bundle.ts').then(async ({ bundleAssets }) => assetsOf(await bundleAssets()));
    return made;
  };
  const present = presenter({ tables: pageWords, assets, logoOf: logos.of });
  return {
    service: { present, assets, showProblem: errorPage(present) },
    routes: assetRoutes({ assets, logos }),
    jobs: [],
  };
}
