import { expect, test, vi } from 'vitest';
import { aShopWithSuchAReader } from '../../support/self-authorising-reader/shop.ts';

test('a sale that the reader authorised is recorded by the service, and voided by the reader', async () => {
  const shop = await aShopWithSuchAReader();
  await shop.sell(1_250);
  const sale = await shop.openNewestSale();
  expect(sale).toMatchObject({ authorisedBy: 'reader', status: 'unsettled', action: 'void', amountInCents: 1_250 });
  await shop.send({ name: 'return_money', saleId: sale.saleId });
  await shop.send({ name: 'confirm_return' });
  expect(await shop.shown('return_result')).toMatchObject({ outcome: 'approved', sale: { status: 'cancelled' } });
  expect([...shop.firmware.held.values()]).toEqual([0]);
  expect(await shop.refunds()).toEqual(['CANCEL approved']);
  expect(shop.sandbox.control.requests()).toEqual([]);
});

test('a settled sale is refunded by the reader once, although the cable is pulled and the terminal restarts', async () => {
  const shop = await aShopWithSuchAReader();
  await shop.sell(1_250);
  shop.firmware.hasSettled = true;
  const { saleId } = await shop.openNewestSale();
  await shop.send({ name: 'return_money', saleId });
  await shop.send({ name: 'confirm_return' });
  expect(await shop.shown('return_result')).toMatchObject({ outcome: 'declined', sale: { action: 'refund' } });
  await shop.send({ name: 'back' });
  await shop.shown('keypad');
  await shop.openNewestSale();
  await shop.send({ name: 'return_money', saleId });
  await shop.send({ name: 'enter_refund_amount', amountMinor: 500 });
  // The reader carries it out, and its answer is lost.
  const refunded = () => [...shop.firmware.held.values()].includes(750);
  const pulled = vi.waitFor(() => expect(refunded()).toBe(true), { timeout: 30_000, interval: 1 });
  await shop.send({ name: 'confirm_return' });
  await pulled;
  shop.line.unplug();
  await shop.restart();
  await shop.line.plug();
  expect(await shop.shown('return_result')).toMatchObject({
    outcome: 'approved',
    sale: { status: 'partly_refunded', remainingInCents: 750 },
  });
  expect([...shop.firmware.held.values()]).toEqual([750]);
  expect(await shop.refunds()).toEqual(['REFUND_SALE approved', 'CANCEL declined']);
  expect(shop.sandbox.control.requests()).toEqual([]);
});
