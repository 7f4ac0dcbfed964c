import { z } from 'zod';
import { contract, id } from './contract.ts';
import { asset, page } from './responses.ts';

/** Pages that customers open in a browser, and what these load. Whoever has the address may. */

const fileName = z.object({
  name: z
    .string()
    .regex(/^[a-z]{1,40}-[0-9a-f]{16}$/)
    .meta({ example: 'style-0123456789abcdef' }),
});

export const getStyle = contract({
  name: 'getStyle',
  method: 'GET',
  path: '/assets/{name}.css',
  authentication: ['none'],
  summary: 'The stylesheet of a page',
  tag: 'Pages',
  params: fileName,
  responses: { 200: asset('text/css; charset=utf-8') },
  errors: { 404: ['asset_not_found'] },
  origin: 'project',
});

export const getScript = contract({
  name: 'getScript',
  method: 'GET',
  path: '/assets/{name}.js',
  authentication: ['none'],
  summary: 'The script of a page',
  tag: 'Pages',
  params: fileName,
  responses: { 200: asset('text/javascript; charset=utf-8') },
  errors: { 404: ['asset_not_found'] },
  origin: 'project',
});

/** The id of what a page is about. Whoever opens a wrong address sees a page that says so: it is taken for the id of nothing. */
export function pageId(prefix: string) {
  return id(prefix).catch('');
}

export const getPaymentPage = contract({
  name: 'getPaymentPage',
  method: 'GET',
  path: '/pay/{id}',
  authentication: ['none'],
  summary: 'The page on which a customer pays a payment link',
  tag: 'Pages',
  params: z.object({ id: pageId('pl') }),
  responses: { 200: page(), 404: page() },
  origin: 'project',
});
