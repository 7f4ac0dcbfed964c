import { z } from 'zod';
import { contract } from '../contract.ts';
import { asset, page } from '../responses.ts';

/** The documents and assets of the merchant portal. What it shows it reads from the API, with the session's cookie. */

const portalDocument = {
  method: 'GET',
  authentication: ['none'],
  tag: 'Portal',
  responses: { 200: page() },
  origin: 'project',
} as const;

const segment = z.string().max(200);
/** Addresses of the portal's operations that none has are not pages. */
const belowPortal = { ...portalDocument, errors: { 404: ['page_not_found'] } } as const;

/** One document for every address below `/portal`: its script shows the page of the address. */
export const getPortal = contract({
  ...portalDocument,
  name: 'getPortal',
  path: '/portal',
  summary: 'Show the portal',
});

export const getPortalPage = contract({
  ...belowPortal,
  name: 'getPortalPage',
  path: '/portal/{business}',
  summary: 'Show the start page of a business, or a page of the signed-in user',
  params: z.object({ business: segment }),
});

export const getPortalList = contract({
  ...belowPortal,
  name: 'getPortalList',
  path: '/portal/{business}/{page}',
  summary: 'Show a page of a business',
  params: z.object({ business: segment, page: segment }),
});

export const getPortalRecord = contract({
  ...belowPortal,
  name: 'getPortalRecord',
  path: '/portal/{business}/{page}/{record}',
  summary: 'Show the page of a record',
  params: z.object({ business: segment, page: segment, record: segment }),
});

export const getPortalDetail = contract({
  ...belowPortal,
  name: 'getPortalDetail',
  path: '/portal/{business}/{page}/{record}/{detail}',
  summary: 'Show a detail of a record',
  params: z.object({ business: segment, page: segment, record: segment, detail: segment }),
});

const portalAsset = {
  method: 'GET',
  authentication: ['none'],
  tag: 'Portal',
  params: z.object({
    name: z
      .string()
      .regex(/^[a-z][a-z-]{0,60}-[0-9a-f]{16}$/)
      .meta({ example: 'portal-0123456789abcdef' }),
  }),
  errors: { 404: ['asset_not_found'] },
  origin: 'project',
} as const;

export const getPortalScript = contract({
  ...portalAsset,
  name: 'getPortalScript',
  path: '/portal/assets/{name}.js',
  summary: 'A script of the portal',
  responses: { 200: asset('text/javascript; charset=utf-8') },
});

export const getPortalStyle = contract({
  ...portalAsset,
  name: 'getPortalStyle',
  path: '/portal/assets/{name}.css',
  summary: 'A stylesheet of the portal',
  responses: { 200: asset('text/css; charset=utf-8') },
});

export const getPortalFont = contract({
  ...portalAsset,
  name: 'getPortalFont',
  path: '/portal/assets/{name}.woff2',
  summary: 'The font of the portal',
  responses: { 200: asset('font/woff2') },
});

export const getPortalPicture = contract({
  ...portalAsset,
  name: 'getPortalPicture',
  path: '/portal/assets/{name}.svg',
  summary: 'The icon of the portal',
  responses: { 200: asset('image/svg+xml') },
});
