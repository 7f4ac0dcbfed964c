import { type Cursor, cursorText } from '@florin/shared/contracts/lists.ts';

type PageQuery = { readonly limit: number; readonly cursor: Cursor };

/** Sorts after every id: where a list begins. Letters only, so that it does under any collation. */
const newest = 'zzzzzzzz';

/** Where a page of a list by id begins, and how many rows tell whether there is another one. */
export function pageBefore({ cursor, limit }: PageQuery): { readonly before: string; readonly limit: number } {
  return { before: cursor.after ?? newest, limit: limit + 1 };
}

/** Cuts what was asked for to the page, with the cursor of the next. */
export function pageOf<Row>(rows: readonly Row[], { cursor, limit }: PageQuery, positionOf: (row: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: isMore ? cursorText({ ...cursor, after: positionOf(last) }) : null };
}
