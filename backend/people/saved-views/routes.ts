import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  type SavedView,
  type ViewedList,
  viewedLists,
} from '@florin/shared/contracts/api-v1/saved-views.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import { callerId, type MerchantCaller } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import type { SavedViewRow } from './rows.ts';
import type { SavedViews } from './service.ts';

/** Views of lists, which a portal user or an API key keeps for itself or shares with the business. */
export function savedViewRoutes(views: SavedViews): Route[] {
  return [
    route(listSavedViews, async ({ caller, query }) => {
      const lists = query.list === undefined ? listNames : [query.list];
      const page = { ...pageBefore(query), lists: lists.filter(list => mayRead(caller, list)) };
      const owner = ownerOf(caller);
      const { items, nextCursor } = pageOf(await views.list(owner, page), query, ({ id }) => id);
      return respond(200, { items: items.map(row => recordFor(owner.ownerId, row)), nextCursor });
    }),
    route(createSavedView, async ({ caller, body, call }) => {
      const owner = ownerOf(caller);
      const created = (row: SavedViewRow) => respond(201, recordFor(owner.ownerId, row));
      const made = await views.add(owner, body, call.storing(created));
      return made.ok ? created(made.value) : errorBy(createProblems, { kind: made.refusal });
    }),
    route(deleteSavedView, async ({ caller, params }) => {
      const owner = ownerOf(caller);
      const removed = await views.remove(owner, params.id, caller.permissions.has('dashboard:write'));
      return removed.ok
        ? respond(200, recordFor(owner.ownerId, removed.value))
        : errorBy(deleteProblems, { kind: removed.refusal });
    }),
  ];
}

const listNames = Object.keys(viewedLists) as ViewedList[];

function mayRead({ permissions }: MerchantCaller, list: ViewedList): boolean {
  const anyOf: readonly Permission[] = viewedLists[list];
  return anyOf.some(permission => permissions.has(permission));
}

const ownerOf = (caller: MerchantCaller) => ({ businessId: caller.businessId, ownerId: callerId(caller) ?? '' });

function recordFor(ownerId: string, row: SavedViewRow): SavedView {
  return {
    id: row.id,
    list: row.list,
    name: row.name,
    filters: JSON.parse(row.filtersJson) as Record<string, string>,
    isShared: row.isShared === 1,
    isOwn: row.ownerId === ownerId,
    createdAt: new Date(row.createdAt).toISOString(),
  };
}

const createProblems = {
  saved_view_exists: { status: 409, message: 'You have a view of this list with this name already' },
  too_many_saved_views: { status: 409, message: 'You have reached the limit of saved views' },
} as const satisfies ProblemTable<'saved_view_exists' | 'too_many_saved_views'>;

const deleteProblems = {
  saved_view_not_found: { status: 404, message: 'There is no such view' },
  not_own_view: { status: 403, message: 'Somebody else shared this view: removing it needs dashboard:write' },
} as const satisfies ProblemTable<'saved_view_not_found' | 'not_own_view'>;
