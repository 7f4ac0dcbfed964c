import { z } from 'zod';
import type { Permission } from '../../permissions.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';

/** The lists of the portal that have filters, and what is needed to read each: whoever may not read a list sees no view of it. */
export const viewedLists = {
  payments: ['take-payments:read'],
  links: ['take-payments:read'],
  checkouts: ['take-payments:read'],
  returns: ['take-payments:read', 'sales:read'],
  settlements: ['sales:read'],
  discrepancies: ['sales:read'],
  'refund-log': ['team:read'],
  'void-log': ['team:read'],
  'staff-exceptions': ['team:read'],
  audit: ['team:read'],
  'api-keys': ['api-keys:read'],
  requests: ['api-keys:read'],
  deliveries: ['webhooks:read'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;
export type ViewedList = keyof typeof viewedLists;

const viewedList = z
  .enum(Object.keys(viewedLists) as [ViewedList, ...ViewedList[]])
  .meta({ description: 'The list that it is a view of', example: 'payments' });

const name = oneLine(40).meta({ example: 'Declined on till 2' });
const isShared = z.boolean({ error: 'must be true or false' }).meta({
  description: 'Whether everybody in the business who may read the list has it, or only its creator',
});

export const savedView = z
  .object({
    id: id('view'),
    list: viewedList,
    name,
    filters: z.record(z.string(), z.string()).meta({ description: 'As given', example: { status: 'declined' } }),
    isShared,
    isOwn: z.boolean().meta({ description: 'Whether the caller created it' }),
    createdAt: timestamp,
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof savedView>;

const tag = 'Dashboard';

/** Of every list; that of the list itself is needed in addition. */
const permissions = [
  { anyOf: ['sales:read', 'take-payments:read', 'team:read', 'api-keys:read', 'webhooks:read'] },
] as const;

export const listSavedViews = contract({
  name: 'listSavedViews',
  method: 'GET',
  path: '/api/v1/saved-views',
  authentication: ['apiKey'],
  permissions,
  summary: 'List saved views, newest first',
  description: 'The caller’s own and those shared with the business, of the lists that the caller may read.',
  tag,
  query: pageQuery('saved-views').extend({ list: viewedList.optional() }),
  responses: { 200: json(listOf(savedView)) },
  origin: 'project',
});

export const createSavedView = contract({
  name: 'createSavedView',
  method: 'POST',
  path: '/api/v1/saved-views',
  authentication: ['apiKey'],
  permissions,
  permissionsFor: {
    description: 'what the list needs; with `isShared`, also `dashboard:write`',
    of: ({ list, isShared: shared }) => [
      { anyOf: viewedLists[list] },
      ...(shared ? (['dashboard:write'] as const) : []),
    ],
  },
  summary: 'Save the filters of a list under a name',
  description: 'Its creator has it, and with `isShared` everybody in the business who may read the list.',
  tag,
  body: z.object({
    list: viewedList,
    name,
    filters: z
      .record(machineWord(50), oneLine(200), { error: 'must be an object of filters' })
      .refine(filters => Object.keys(filters).length <= 20, { error: 'must have at most 20 filters' })
      .meta({ description: 'As in the address of the list in the portal', example: { status: 'declined' } }),
    isShared: isShared.default(false),
  }),
  responses: { 201: json(savedView) },
  errors: { 409: ['saved_view_exists', 'too_many_saved_views'] },
  idempotent: true,
  origin: 'project',
});

export const deleteSavedView = contract({
  name: 'deleteSavedView',
  method: 'DELETE',
  path: '/api/v1/saved-views/{id}',
  authentication: ['apiKey'],
  permissions,
  summary: 'Remove a saved view',
  description: 'Its creator may, and of a shared one also whoever has `dashboard:write`.',
  tag,
  params: z.object({ id: id('view') }),
  responses: { 200: json(savedView) },
  errors: { 403: ['not_own_view'], 404: ['saved_view_not_found'] },
  origin: 'project',
});
