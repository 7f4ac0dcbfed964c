import { type Cursor, cursorText } from '@florin/shared/contracts/lists.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { afterEveryId } from '../database/database.ts';

type PageQuery = { readonly limit: number; readonly cursor: Cursor };

/** Where a page of a list by id begins, and how many rows tell whether there is another one. */
export function pageBefore({ cursor, limit }: PageQuery): { readonly before: string; readonly limit: number } {
  return { before: cursor.after ?? afterEveryId, limit: limit + 1 };
}

/** The same for a list that begins with its oldest item. */
export function pageAfter({ cursor, limit }: PageQuery): { readonly after: string; readonly limit: number } {
  return { after: cursor.after ?? '', limit: limit + 1 };
}

/** The moment a filter names; null where the query has none. */
export function instantOf(time: string | undefined): Instant | null {
  return time === undefined ? null : Date.parse(time);
}

/** Cuts the rows to one page and adds the cursor of the next. */
export function pageOf<Row>(rows: readonly Row[], { cursor, limit }: PageQuery, positionOf: (row: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: isMore ? cursorText({ ...cursor, after: positionOf(last) }) : null };
}
