import { getScript, getStyle } from '@florin/shared/contracts/pages.ts';
import { fail, type Route, respondAsset, route } from '../foundation/http/route.ts';
import type { Assets } from './ui/assets.ts';

/** Styles and scripts of pages, by names that change with the content: 404 for a name that is no longer current. */
export function assetRoutes(assets: () => Promise<Assets>): Route[] {
  const found = async (fileName: string) => {
    const content = (await assets()).content(fileName);
    return content === undefined ? notFound() : respondAsset(200, content);
  };
  return [
    route(getStyle, ({ params }) => found(`${params.name}.css`)),
    route(getScript, ({ params }) => found(`${params.name}.js`)),
  ];
}

const notFound = () => fail(404, 'asset_not_found', 'This file no longer exists: reload the page');
