import { afterEach, describe, expect, test } from 'vitest';
import { ready, statusOf } from './suite.ts';
import { aReaderWorld, type ReaderWorld, type SaleScenario } from './world.ts';

let world: ReaderWorld;
afterEach(() => world.close());

async function sell(scenario: SaleScenario, id = 'sale_1') {
  await ready(world.reader);
  const sale = world.sale(id, scenario);
  return { outcome: await sale.outcome, stages: sale.stages };
}

describe('a sale over a real serial line', () => {
  test('an inserted card is approved', async () => {
    world = await aReaderWorld();
    const { outcome, stages } = await sell({ present: { do: 'insert', card: 'visa' } });
    expect(outcome).toMatchObject({
      kind: 'approved',
      authorisationCode: '712345',
      card: {
        scheme: 'Visa',
        lastFour: '0821',
        entryMode: 'chip',
        applicationId: 'A0000000031010',
        cardholderVerification: 'none',
      },
    });
    expect(stages).toEqual(['present_card', 'card_inserted', 'authorising', 'remove_card']);
    expect(world.bank.asked[0]?.card.encryptedBlock).toMatch(/^[A-Za-z0-9+/]{100,}={0,2}$/);
  });

  test('a tap and a swipe report how the card was read', async () => {
    world = await aReaderWorld();
    const tapped = await sell({ present: { do: 'tap', card: 'amex' } });
    expect(tapped.outcome).toMatchObject({
      kind: 'approved',
      card: { entryMode: 'contactless', scheme: 'American Express' },
    });
    await world.reader.confirm('sale_1');
    const swiped = await sell({ present: { do: 'swipe', card: 'mastercard' } }, 'sale_2');
    expect(swiped.outcome).toMatchObject({ card: { entryMode: 'swipe', cardholderVerification: 'signature' } });
    expect(swiped.outcome).not.toHaveProperty('card.applicationId');
    const keys = world.bank.asked.map(({ card }) => card.keySerialNumber);
    expect(new Set(keys).size).toBe(2);
  });

  test('a tap over the limit requests the chip, also after a lost line', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    const sale = world.sale('sale_1', { amountMinor: 120_00, present: { do: 'tap', card: 'visa' } });
    await expect.poll(() => sale.stages).toEqual(['present_card', 'insert_card']);
    await world.act({ do: 'unplug' });
    await world.act({ do: 'replug' });
    await sale.outcome;
    await ready(world.reader);
    const resumed = world.sale('sale_1', { amountMinor: 120_00 });
    await expect.poll(() => resumed.stages).toEqual(['insert_card']);
    await world.act({ do: 'insert', card: 'visa' });
    expect(await resumed.outcome).toMatchObject({ kind: 'approved', card: { entryMode: 'chip' } });
  });

  test('whether a card is in the slot is reported until it is out, also by a reader that was away', async () => {
    world = await aReaderWorld();
    await sell({ present: { do: 'insert', card: 'visa' } });
    await expect.poll(() => world.reader.status().isCardInserted).toBe(true);
    await world.act({ do: 'unplug' });
    await world.act({ do: 'replug' });
    await ready(world.reader);
    expect(world.reader.status().isCardInserted).toBe(true);
    await world.act({ do: 'remove' });
    await expect.poll(() => world.reader.status().isCardInserted).toBe(false);
  });

  test('a wrong PIN is requested again, and only digit counts are sent', async () => {
    world = await aReaderWorld();
    const pin: SaleScenario['pin'] = [
      { do: 'pin', pin: 'wrong' },
      { do: 'pin', pin: 'ok' },
    ];
    const { outcome, stages } = await sell({ present: { do: 'insert', card: 'visa-debit' }, pin });
    expect(outcome).toMatchObject({ kind: 'approved', card: { cardholderVerification: 'pin' } });
    expect(stages).toContain('wrong_pin');
    expect(JSON.stringify(world.simulator.timeline.events)).not.toMatch(/=(1234|4321)\b/);
  });

  test('three wrong PINs decline the card without an authorisation request', async () => {
    world = await aReaderWorld();
    const pin: SaleScenario['pin'] = Array.from({ length: 3 }, () => ({ do: 'pin', pin: 'wrong' }) as const);
    const { outcome } = await sell({ present: { do: 'insert', card: 'visa-debit' }, pin });
    expect(outcome).toEqual({ kind: 'declined', by: 'card', code: 'PIN_TRIES' });
    expect(world.bank.asked).toEqual([]);
  });

  test('a card that declines after the bank approved is reported as such, so that the sale can be reversed', async () => {
    world = await aReaderWorld();
    const { outcome } = await sell({ present: { do: 'insert', card: 'refuser' } });
    expect(outcome).toEqual({ kind: 'declined', by: 'card', code: 'SECOND_CRYPTOGRAM' });
    expect(world.bank.chargesOf('sale_1')).toBe(1);
  });

  test('a blocked card and a picked decline never reach the bank', async () => {
    world = await aReaderWorld();
    const blocked = await sell({ present: { do: 'insert', card: 'blocked' } });
    expect(blocked.outcome).toEqual({ kind: 'declined', by: 'card', code: 'CARD_BLOCKED' });
    await world.reader.confirm('sale_1');
    await world.act({ do: 'remove' });
    await world.act({ do: 'decline', reason: 'card_expired' });
    const expired = await sell({ present: { do: 'tap', card: 'visa' } }, 'sale_2');
    expect(expired.outcome).toEqual({ kind: 'declined', by: 'reader', code: 'CARD_EXPIRED' });
    expect(world.bank.asked).toEqual([]);
  });

  test('a failed authorisation request counts as unknown, and nothing is thrown', async () => {
    world = await aReaderWorld();
    const broken = Promise.reject<never>(new Error('no network'));
    broken.catch(() => undefined);
    world.bank.answersNext(broken);
    const { outcome } = await sell({ present: { do: 'insert', card: 'visa' } });
    expect(outcome).toMatchObject({ kind: 'declined', by: 'reader' });
  });

  test('a card block too long for one line travels in parts', async () => {
    world = await aReaderWorld({ simulator: { blockPieceLength: 60 } });
    const { outcome } = await sell({ present: { do: 'insert', card: 'visa' } });
    expect(outcome).toMatchObject({ kind: 'approved' });
    expect(world.bank.asked[0]?.card.encryptedBlock.length).toBeGreaterThan(120);
    expect(world.bank.chargesOf('sale_1')).toBe(1);
  });

  test('ids and amounts that the line cannot carry are refused before anything is sent', async () => {
    world = await aReaderWorld();
    const { outcome } = await sell({ amountMinor: 1_000_000_000_000 });
    expect(outcome).toEqual({ kind: 'not_available', reason: 'amount_not_supported' });
    expect((await sell({ currency: 'ZZZ' })).outcome).toMatchObject({ reason: 'currency_not_supported' });
    expect((await sell({}, 'ö')).outcome).toMatchObject({ reason: 'transaction_id_not_sendable' });
  });
});

describe('the status of the reader', () => {
  test('reports a low battery and tampering, and tampering raises an alarm', async () => {
    world = await aReaderWorld();
    await ready(world.reader);
    await world.act({ do: 'battery', percent: 4 });
    const low = await statusOf(world.reader, ({ batteryPercent }) => batteryPercent === 4);
    expect(low.attention).toBe('battery_low');
    await world.act({ do: 'tamper', open: true });
    await statusOf(world.reader, ({ tampered }) => tampered === true);
    expect(world.alarms.map(({ kind }) => kind)).toEqual(['tampered']);
    expect((await sell({})).outcome).toEqual({ kind: 'not_available', reason: 'tamper' });
  });
});
