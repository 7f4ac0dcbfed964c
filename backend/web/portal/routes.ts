import {
  getPortal,
  getPortalDetail,
  getPortalFont,
  getPortalList,
  getPortalPage,
  getPortalPicture,
  getPortalRecord,
  getPortalScript,
  getPortalStyle,
} from '@florin/shared/contracts/portal/pages.ts';
import { fail, type Route, type RouteRequest, respondAsset, route } from '../../foundation/http/route.ts';
import { appearanceOf, portalDocument } from './document.ts';
import type { PortalFiles } from './files.ts';

/** The same document at every address, and the assets by names that change with their content. */
export function portalPageRoutes(files: () => Promise<PortalFiles>): Route[] {
  const shown = async ({ cookie, languages }: Pick<RouteRequest<typeof getPortal>, 'cookie' | 'languages'>) => {
    const { start } = await files();
    const html = portalDocument(start, appearanceOf(cookie, languages()));
    return { status: 200, html, isIsolated: true } as const;
  };
  const below = async (request: RouteRequest<typeof getPortalPage>) =>
    request.params.business === 'api'
      ? fail(404, 'page_not_found', 'There is nothing at this address')
      : shown(request);
  const found = async (fileName: string) => {
    const asset = (await files()).asset(fileName);
    return asset === undefined
      ? fail(404, 'asset_not_found', 'This file no longer exists: reload the page')
      : respondAsset(200, asset.content, asset.compressed);
  };
  return [
    route(getPortal, shown),
    route(getPortalPage, below),
    route(getPortalList, below),
    route(getPortalRecord, below),
    route(getPortalDetail, below),
    route(getPortalScript, ({ params }) => found(`${params.name}.js`)),
    route(getPortalStyle, ({ params }) => found(`${params.name}.css`)),
    route(getPortalFont, ({ params }) => found(`${params.name}.woff2`)),
    route(getPortalPicture, ({ params }) => found(`${params.name}.svg`)),
  ];
}
