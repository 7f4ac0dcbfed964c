import { afterEach, describe, expect, test } from 'vitest';
import { aReaderWorld, type ReaderWorld, ready } from './world.ts';

let world: ReaderWorld;
afterEach(() => world.close());

describe('a sale over a real serial line', () => {
  test('an inserted card is approved', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    const sale = world.sale('sale_1', { present: { do: 'insert', card: 'visa' } });
    expect(await sale.outcome).toMatchObject({
      kind: 'approved',
      authorisationCode: '712345',
      card: { scheme: 'visa', lastFour: '0821', entryMode: 'chip', cardholderVerification: 'none' },
    });
    expect(sale.stages).toEqual(['present_card', 'card_inserted', 'authorising', 'remove_card']);
  });
});
