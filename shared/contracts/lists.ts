import { z } from 'zod';

/** The start of a page: after this item of the list, or at the newest item. Opaque to callers. */
export type Cursor = { readonly list: string; readonly after: string | null };

const pageLength = z.coerce
  .string<string | number>()
  .regex(/^(?:[1-9]\d?|100)$/, { error: 'must be a whole number from 1 to 100' })
  .transform(Number)
  .default(25)
  .meta({ override: { type: 'integer', minimum: 1, maximum: 100, default: 25 } });

/**
 * `?limit=&cursor=` of a list, newest first. A cursor of another list is refused, as are unknown parameters: a
 * misspelled filter must not return everything.
 */
export function pageQuery(list: string) {
  return z.strictObject({
    limit: pageLength,
    cursor: z
      .string({ error: 'must be given once' })
      .optional()
      .transform((text, context): Cursor => {
        if (text === undefined) return { list, after: null };
        const after = text.slice(0, text.lastIndexOf('.'));
        if (text === cursorText({ list, after })) return { list, after };
        const message = 'must be the nextCursor of an earlier page of this list; omit it for the first page';
        context.addIssue({ code: 'custom', message, input: text });
        return z.NEVER;
      })
      .meta({ description: '`nextCursor` of the previous page' }),
  });
}

const nextCursor = z.string().nullable();

/** The body of every list: one page of items, and `nextCursor`, null on the last page. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor });
}

/** A cursor as callers see it. */
export function cursorText({ list, after }: Cursor): string {
  return `${after}.${checksum(`${list}\n${after}`)}`;
}

/** FNV-1a: detects cursors that are invented or of another list. Not a secret. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}
