import type { ViewedList } from '@florin/shared/contracts/api-v1/saved-views.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { SavedViewRow } from './rows.ts';
import { deleteSavedViewById, insertSavedView, savedViewCount, savedViewForUpdate, savedViewPage } from './store.ts';

/** Whose views: a portal user or an API key, in a business. */
export type ViewOwner = { readonly businessId: string; readonly ownerId: string };

export type NewSavedView = {
  readonly list: ViewedList;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly isShared: boolean;
};

/** The saved views of lists. */
export type SavedViews = {
  list(
    owner: ViewOwner,
    page: { readonly lists: readonly ViewedList[]; readonly before: string; readonly limit: number },
  ): Promise<SavedViewRow[]>;
  add(
    owner: ViewOwner,
    view: NewSavedView,
    write: DurableWrite<SavedViewRow>,
  ): Promise<Result<SavedViewRow, 'saved_view_exists' | 'too_many_saved_views'>>;
  /** `mayRemoveShared`: also views that others have shared. Those that the caller does not see are not found. */
  remove(
    owner: ViewOwner,
    id: string,
    mayRemoveShared: boolean,
  ): Promise<Result<SavedViewRow, 'saved_view_not_found' | 'not_own_view'>>;
};

const viewLimit = 100;

/** Keeps filters under a name, at most 100 of each owner. */
export function savedViews(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}): SavedViews {
  const { database, clock, ids } = options;
  return {
    list: (owner, { lists, ...page }) =>
      database.all(savedViewPage, { ...owner, ...page, listsJson: JSON.stringify(lists) }),

    add: (owner, { list, name, filters, isShared }, write) =>
      database.write(async tx => {
        await write.begin(tx);
        const row = {
          ...owner,
          id: ids.next(idPrefixes.savedView),
          list,
          name,
          filtersJson: JSON.stringify(filters),
          isShared: isShared ? (1 as const) : (0 as const),
          createdAt: clock.now(),
        };
        if (((await tx.first(savedViewCount, owner))?.count ?? 0) >= viewLimit) return err('too_many_saved_views');
        if ((await tx.run(insertSavedView, row)) === 0) return err('saved_view_exists');
        await write.finish(tx, row);
        return ok(row);
      }),

    remove: ({ businessId, ownerId }, id, mayRemoveShared) =>
      database.write(async tx => {
        const row = await tx.first(savedViewForUpdate, { businessId, id });
        const isOwn = row?.ownerId === ownerId;
        if (!row || (!isOwn && row.isShared === 0)) return err('saved_view_not_found');
        if (!isOwn && !mayRemoveShared) return err('not_own_view');
        await tx.run(deleteSavedViewById, { businessId, id });
        return ok(row);
      }),
  };
}
