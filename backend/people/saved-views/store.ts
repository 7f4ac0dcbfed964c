import { oneOf, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectForUpdateBy } from '../../foundation/database/statements.ts';
import type { SavedViewRow } from './rows.ts';

/** A caller's own views and the shared ones, of these lists, newest first. */
export const savedViewPage = statement<
  { businessId: string; ownerId: string; listsJson: string; before: string; limit: number },
  SavedViewRow
>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('savedViews')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '<', arg('before'))
    .where(eb => eb.or([eb('ownerId', '=', arg('ownerId')), eb('isShared', '=', 1)]))
    .where(oneOf(isPostgres, 'list', arg('listsJson')))
    .orderBy('id', 'desc')
    .limit(rowLimit(arg('limit'))),
);

export const savedViewForUpdate = selectForUpdateBy('savedViews', 'businessId', 'id');

export const savedViewCount = statement<{ businessId: string; ownerId: string }, { count: number }>(({ db }, arg) =>
  db
    .selectFrom('savedViews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('businessId', '=', arg('businessId'))
    .where('ownerId', '=', arg('ownerId')),
);

/** Inserts nothing if its owner has a view of the list with this name. */
export const insertSavedView = insertUnlessTaken('savedViews', 'businessId', 'ownerId', 'list', 'name');

export const deleteSavedViewById = statement<{ businessId: string; id: string }, unknown>(({ db }, arg) =>
  db.deleteFrom('savedViews').where('businessId', '=', arg('businessId')).where('id', '=', arg('id')),
);
