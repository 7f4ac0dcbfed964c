import { type Done, FlorinError, type NotDone } from './answer.ts';
import type { CallOptions } from './call.ts';

type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };
type Listing<Input, Item> = (
  input: Input,
  options?: CallOptions,
) => Promise<Done<{ readonly status: number; readonly body: Page<Item> }> | NotDone>;

/**
 * Every item of a list, newest first; the next page is requested when the previous one has been read.
 *
 *     for await (const line of itemsOf(florin.listTransactions, { query: { currency: 'GBP' } })) …
 *
 * @throws FlorinError where a page was not answered
 */
export async function* itemsOf<Input extends { readonly query?: object | undefined }, Item>(
  list: Listing<Input, Item>,
  input: Input,
  options?: CallOptions,
): AsyncGenerator<Item, void, void> {
  let cursor: string | null | undefined;
  do {
    const query = { ...input.query, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await list({ ...input, query }, options);
    if (!answer.ok) throw new FlorinError(answer);
    yield* answer.body.items;
    cursor = answer.body.nextCursor;
  } while (cursor !== null);
}
