import {
  getAccentStyle,
  getJpegLogo,
  getPageFont,
  getPngLogo,
  getScript,
  getStyle,
} from '@florin/shared/contracts/pages.ts';
import { fail, type Route, respondAsset, route } from '../foundation/http/route.ts';
import type { Logos } from '../people/businesses/logos.ts';
import { accentStyle } from './ui/accent.ts';
import type { Assets } from './ui/assets.ts';

/**
 * What pages load, by names that change with the content: 404 for a name that is no longer current. The style of a colour
 * follows from the colour alone.
 */
export function assetRoutes({ assets, logos }: { assets: () => Promise<Assets>; logos: Logos }): Route[] {
  const found = async (fileName: string) => shown((await assets()).content(fileName));
  return [
    route(getStyle, ({ params }) => found(`${params.name}.css`)),
    route(getScript, ({ params }) => found(`${params.name}.js`)),
    route(getPageFont, ({ params }) => found(`${params.name}.woff2`)),
    route(getAccentStyle, async ({ params }) => respondAsset(200, accentStyle(`#${params.colour}`))),
    route(getPngLogo, async ({ params }) => shown(await logos.content({ ...params, mediaType: 'image/png' }))),
    route(getJpegLogo, async ({ params }) => shown(await logos.content({ ...params, mediaType: 'image/jpeg' }))),
  ];
}

function shown(content: string | Uint8Array | undefined) {
  return content === undefined ? notFound() : respondAsset(200, content);
}

const notFound = () => fail(404, 'asset_not_found', 'This file no longer exists: reload the page');
