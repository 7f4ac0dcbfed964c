import { z } from 'zod';

/** Where a page begins: after this item of the list, or at its newest item. Opaque to callers. */
export type Cursor = { readonly list: string; readonly after: string | null };

const pageLength = z.coerce
  .string<string | number>()
  .regex(/^(?:[1-9]\d?|100)$/, { error: 'must be a whole number from 1 to 100' })
  .transform(Number)
  .default(25)
  .meta({ override: { type: 'integer', minimum: 1, maximum: 100, default: 25 } });

/**
 * `?limit=&cursor=` of a list, newest first. A cursor that this very list did not give out is refused, and so is a parameter
 * that the list does not know: a filter with a typing error in its name must not give everything.
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
        const message = 'must be the nextCursor of an earlier page of this list; leave it out for the first page';
        context.addIssue({ code: 'custom', message, input: text });
        return z.NEVER;
      })
      .meta({ description: '`nextCursor` of the page before' }),
  });
}

const nextCursor = z.string().nullable();

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor });
}

/** A cursor as callers see it. */
export function cursorText({ list, after }: Cursor): string {
  return `${after}.${checksum(`${list}\n${after}`)}`;
}

/** FNV-1a: distinguishes a cursor that was issued from one that was made up or belongs to another list. No secret. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}
