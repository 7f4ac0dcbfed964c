import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aDrivenShop } from '../support/self-authorising-reader/driven-shop.ts';
import { encode } from '../support/self-authorising-reader/wire.ts';

const cancelRequested = { status: 'PROCESSING', statusReason: 'cancel_requested' };
const cancelled = { status: 'CANCELLED', statusReason: 'cancelled_by_caller' };
const inTime = { timeout: 30_000, interval: 20 };

/** Its stream loses the command to end a sale: only asking the service tells the terminal of a cancellation. */
eachDatabase('a sale of software that a reader authorises by itself', database => {
  async function aShop() {
    const shop = await aDrivenShop(database);
    const { client, key, firmware, screen } = shop;
    const taken = async () => {
      const listed = await client.call(listPayments, { query: {} }, { key });
      return listed.status === 200 ? listed.body.items.map(({ amountInCents, status }) => [amountInCents, status]) : [];
    };
    const held = () => [...firmware.held.values()];
    const presents = async () =>
      expect.poll(() => screen(), inTime).toMatchObject({ name: 'sale', stage: 'present_card' });
    return { ...shop, taken, held, presents };
  }

  test('is not started if it was cancelled before the reader was asked for a card', async () => {
    const { started, cancel, becomes, beforeCall, lostCommands, firmware, shown, taken } = await aShop();
    lostCommands.add('end_sale');
    let saleId = '';
    beforeCall.set('announceReaderStart', () => cancel(saleId));
    saleId = await started();
    expect(await shown('sale_result')).toMatchObject({ outcome: 'cancelled' });
    await becomes(saleId, cancelled);
    expect(firmware.transactions()).toEqual([]);
    expect(await taken()).toEqual([]);
  });

  test('is not started if it was cancelled while the reader ended an older transaction', async () => {
    const { started, cancel, becomes, beforeCall, lostCommands, firmware, shown, taken } = await aShop();
    lostCommands.add('end_sale');
    const older = { ask: 'sale', id: 'older', amountMinor: 700, currency: 'GBP', timeoutMs: 60_000 };
    beforeCall.set('announceReaderStart', async () => firmware.receive(encode(1_000_000, older)));
    const receive = firmware.receive.bind(firmware);
    let saleId = '';
    firmware.receive = line => {
      if (line.includes('confirm') && line.includes('older')) {
        beforeCall.delete('announceReaderStart');
        void cancel(saleId).then(() => receive(line));
      } else receive(line);
    };
    saleId = await started();
    expect(await shown('sale_result')).toMatchObject({ outcome: 'cancelled' });
    await becomes(saleId, cancelled);
    expect(firmware.transactions()).toEqual(['older']);
    expect(await taken()).toEqual([]);
  });

  test('is cancelled at the reader if it was cancelled between the check and the card, also without the cable', async () => {
    const { started, cancel, becomes, presents, firmware, line, held, taken, shown, send } = await aShop();
    const waiting = await started();
    await presents();
    expect(await cancel(waiting)).toMatchObject({ body: cancelRequested });
    await becomes(waiting, cancelled);
    await shown('sale_result');
    await send({ name: 'show_keypad' });

    const unplugged = await started();
    await presents();
    line.unplug();
    await becomes(unplugged, { status: 'PROCESSING', statusReason: 'unknown_outcome' });
    expect(await cancel(unplugged)).toMatchObject({ body: { status: 'PROCESSING' } });
    await expect.poll(() => shown('sale'), inTime).toMatchObject({ stage: 'checking', cancelling: true });
    await line.plug();
    await becomes(unplugged, cancelled);
    firmware.present('chip');
    expect(held()).toEqual([]);
    expect(await taken()).toEqual([]);
  });

  test('is paid if the card came first: it is recorded once, both sides are told, and staff can void it', async () => {
    const { atTheProcessor, cancel, becomes, shown, send, held, taken, firmware, discrepancies, openNewestSale } =
      await aShop();
    const { saleId, answer } = await atTheProcessor();
    expect(await cancel(saleId)).toMatchObject({ body: cancelRequested });
    await expect.poll(() => shown('sale'), inTime).toMatchObject({ cancelling: true });
    answer('approved');
    await becomes(saleId, { status: 'COMPLETE', statusReason: 'completed' });
    expect(await shown('sale_result')).toMatchObject({
      outcome: 'approved',
      notice: { detail: expect.stringContaining('charged before the sale could be cancelled') },
    });
    expect(await taken()).toEqual([[900, 'unsettled']]);
    expect(await discrepancies()).toEqual([]);
    firmware.removeCard();
    const sale = await openNewestSale();
    await send({ name: 'return_money', saleId: sale.saleId });
    await send({ name: 'confirm_return' });
    expect(await shown('return_result')).toMatchObject({ outcome: 'approved' });
    expect(held()).toEqual([0]);
  });

  test('is not started while the service cannot be reached, whether or not the question arrived', async () => {
    const { started, becomes, cutOff, lostReplies, firmware, shown, send, taken } = await aShop();
    for (const fails of [cutOff, lostReplies]) {
      fails.add('announceReaderStart');
      const saleId = await started();
      expect(await shown('sale_result')).toMatchObject({ notice: { message: 'Could not reach the server!' } });
      await becomes(saleId, { status: 'ERROR', statusReason: 'failed' });
      await send({ name: 'show_keypad' });
      fails.clear();
    }
    expect(firmware.transactions()).toEqual([]);
    expect(await taken()).toEqual([]);
  });
});
