/** Sorts after every id: where a list begins. Letters only, so that it does under any collation. */
const newest = 'zzzzzzzz';

/** Where a page of a list by id begins, and how many rows tell whether there is another one. */
export function pageBefore(query: { readonly limit: number; readonly cursor?: string | undefined }) {
  return { before: query.cursor ?? newest, limit: query.limit + 1 };
}

/** Cuts what `pageBefore` asked for to the page, with the cursor of the next. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
