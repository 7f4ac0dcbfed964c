import { readerDriver } from '@florin/device/readers/drivers.ts';
import { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, test, vi } from 'vitest';
import { aShopWithReader } from '../../support/self-authorising-reader/shop.ts';

/** A terminal with the real service and a simulated ZVT reader; the processor's ledger is the reader's own. */
async function aZvtShop() {
  const simulator = await ReaderSimulator.start({ protocol: 'zvt', pace: 'unpaced' });
  const { zvt } = simulator;
  if (!zvt) throw new Error('the simulated reader is not a ZVT reader');
  const shop = await aShopWithReader('sqlite', {
    open: options =>
      readerDriver('zvt').open({ ...options, paths: [simulator.path], hostName: 'till', onAlarm: () => undefined }),
    insertCard() {
      if (simulator.stage === 'present') void simulator.act({ do: 'insert', card: 'visa' });
      return simulator.state().insertedCard !== null;
    },
    removeCard: () => void simulator.act({ do: 'remove' }),
    close: () => simulator.close(),
  });
  const started = async (amountMinor: number) => {
    await shop.send({ name: 'start_sale', amountMinor });
    await vi.waitFor(() => expect(simulator.stage).toBe('present'), { timeout: 30_000, interval: 5 });
  };
  /** What the processor holds: payments less what was returned. */
  const held = () =>
    zvt.processor.movements.reduce((sum, { kind, amountMinor, reference }) => {
      if (kind === 'payment') return sum + amountMinor;
      const undone = zvt.processor.movements[reference - 1];
      return sum + (kind === 'reversal' && undone?.kind === 'refund' ? amountMinor : -amountMinor);
    }, 0);
  return { ...shop, simulator, zvt, started, held };
}

test('a sale is approved by the reader, recorded by the service, and voided by the reader', async () => {
  const shop = await aZvtShop();
  await shop.sell(1_250);
  const sale = await shop.openNewestSale();
  expect(sale).toMatchObject({ authorisedBy: 'reader', status: 'unsettled', action: 'void', amountInCents: 1_250 });
  expect(shop.held()).toBe(1_250);
  await shop.send({ name: 'return_money', saleId: sale.saleId });
  await shop.send({ name: 'confirm_return' });
  expect(await shop.shown('return_result')).toMatchObject({ outcome: 'approved', sale: { status: 'cancelled' } });
  expect(await shop.refunds()).toEqual(['CANCEL approved']);
  expect(shop.held()).toBe(0);
  expect(shop.sandbox.control.requests()).toEqual([]);
});

test('the totals of the reader’s day are those of the records, from the second time on', async () => {
  const shop = await aZvtShop();
  const closesDay = async () => {
    await shop.send({ name: 'show_keypad' });
    await shop.send({ name: 'show_day_report', scope: 'terminal' });
    await shop.send({ name: 'show_reader_day' });
    await shop.send({ name: 'close_reader_day' });
  };
  await shop.sell(1_250);
  await closesDay();
  await vi.waitFor(() => expect(shop.screen()).toMatchObject({ name: 'reader_day', busy: false, notice: {} }), {
    timeout: 30_000,
  });
  await shop.send({ name: 'show_keypad' });
  await shop.sell(2_000);
  await shop.sell(300);
  await closesDay();
  await vi.waitFor(
    () =>
      expect(shop.screen()).toMatchObject({
        agrees: true,
        lines: [{ value: '£23.00' }, { value: '£23.00' }],
      }),
    { timeout: 30_000 },
  );
});

test('a sale can be declined by the bank, cancelled by the customer, or cancelled by staff', async () => {
  const shop = await aZvtShop();
  await shop.started(120_00);
  await shop.simulator.act({ do: 'insert', card: 'visa' });
  expect(await shop.shown('sale_result')).toMatchObject({ outcome: 'declined' });
  await shop.simulator.act({ do: 'remove' });
  await shop.send({ name: 'back' });
  await shop.started(10_00);
  await shop.simulator.act({ do: 'key', key: 'cancel' });
  expect(await shop.shown('sale_result')).toMatchObject({ outcome: 'cancelled' });
  await shop.send({ name: 'back' });
  await shop.started(10_00);
  await shop.send({ name: 'cancel_sale' });
  expect(await shop.shown('sale_result')).toMatchObject({ outcome: 'cancelled' });
  expect(shop.held()).toBe(0);
});

test('a sale whose approval was lost with the cable is approved by the reader’s record, also after a restart', async () => {
  const shop = await aZvtShop();
  await shop.simulator.act({ do: 'approve_then_unplug' });
  await shop.started(1_250);
  await shop.simulator.act({ do: 'tap', card: 'visa' });
  await vi.waitFor(() => expect(shop.simulator.plugged).toBe(false), { timeout: 30_000, interval: 5 });
  expect(shop.held()).toBe(1_250);
  await shop.restart();
  await shop.simulator.act({ do: 'replug' });
  expect(await shop.shown('sale_result')).toMatchObject({ outcome: 'approved' });
  const payments = async () => (await shop.client.call(listPayments, { query: {} }, { key: shop.key })).body;
  await expect.poll(payments).toMatchObject({ items: [{ status: 'unsettled', amountInCents: 1_250 }] });
  expect(shop.held()).toBe(1_250);
});

test('after the end of day a sale is refunded to a card, once', async () => {
  const shop = await aZvtShop();
  await shop.sell(1_250);
  shop.zvt.endOfDay();
  const { saleId } = await shop.openNewestSale();
  await shop.send({ name: 'return_money', saleId });
  await shop.send({ name: 'confirm_return' });
  expect(await shop.shown('return_result')).toMatchObject({ outcome: 'declined', sale: { action: 'refund' } });
  await shop.send({ name: 'back' });
  await shop.shown('keypad');
  await shop.openNewestSale();
  await shop.send({ name: 'return_money', saleId });
  await shop.send({ name: 'enter_refund_amount', amountMinor: 500 });
  await shop.send({ name: 'confirm_return' });
  await vi.waitFor(() => expect(shop.simulator.stage).toBe('present'), { timeout: 30_000, interval: 5 });
  await shop.simulator.act({ do: 'tap', card: 'visa' });
  expect(await shop.shown('return_result')).toMatchObject({
    outcome: 'approved',
    sale: { status: 'partly_refunded', remainingInCents: 750 },
  });
  expect(await shop.refunds()).toEqual(['REFUND_SALE approved', 'CANCEL declined']);
  expect(shop.held()).toBe(750);
});
