import { expect, test } from 'vitest';
import { aDrivenShop } from '../../support/self-authorising-reader/driven-shop.ts';

const cancelRequested = { status: 200, body: { status: 'PROCESSING', statusReason: 'cancel_requested' } };

test('a sale cancelled during the processor’s authorisation ends with the reader’s outcome, also after a power loss', async () => {
  const shop = await aDrivenShop();
  const first = await shop.atTheProcessor();
  expect(await shop.cancel(first.saleId)).toMatchObject(cancelRequested);
  first.answer('approved');
  await shop.becomes(first.saleId, { status: 'COMPLETE', statusReason: 'completed' });
  expect([...shop.firmware.held.values()]).toEqual([900]);
  shop.firmware.removeCard();

  const second = await shop.atTheProcessor();
  await shop.restart(async () => {
    second.answer('approved');
    expect(await shop.cancel(second.saleId)).toMatchObject(cancelRequested);
  });
  await shop.becomes(second.saleId, { status: 'COMPLETE', statusReason: 'completed' });
  expect([...shop.firmware.held.values()]).toEqual([900, 900]);
  expect(await shop.discrepancies()).toEqual([]);
});

test('a sale cancelled while the reader waits for a card is cancelled at the reader, also if the terminal was off', async () => {
  const shop = await aDrivenShop();
  const waiting = await shop.started();
  await shop.becomes(waiting, { statusReason: 'awaiting_card' });
  expect(await shop.cancel(waiting)).toMatchObject(cancelRequested);
  await shop.becomes(waiting, { status: 'CANCELLED', statusReason: 'cancelled_by_caller' });

  const alone = await shop.started();
  await expect.poll(() => shop.screen(), { timeout: 30_000 }).toMatchObject({ name: 'sale', stage: 'present_card' });
  await shop.restart(async () => expect(await shop.cancel(alone)).toMatchObject(cancelRequested));
  await shop.becomes(alone, { status: 'CANCELLED', statusReason: 'cancelled_by_caller' });
  expect([...shop.firmware.held.values()]).toEqual([]);
});

test('the reader is not started if the service cannot be reached', async () => {
  const shop = await aDrivenShop();
  shop.cutOff.add('announceReaderStart');
  const saleId = await shop.started();
  await shop.becomes(saleId, { status: 'ERROR', statusReason: 'failed' });
  expect(await shop.shown('sale_result')).toMatchObject({ notice: { message: 'Could not reach the server!' } });
  expect(shop.firmware.transactions()).toEqual([]);
});

test('a sale lost by its reader is resolved manually, and the terminal takes the next one', async () => {
  const shop = await aDrivenShop();
  const { saleId, answer } = await shop.atTheProcessor();
  shop.line.unplug();
  answer('approved');
  await expect.poll(() => [...shop.firmware.held.values()]).toEqual([900]);
  shop.firmware.forget();
  await shop.line.plug();
  await shop.becomes(saleId, { status: 'PROCESSING', statusReason: 'unknown_outcome' });
  await expect.poll(shop.discrepancies, { timeout: 30_000 }).toEqual(['sale_outcome_unknown']);
  const next = await shop.started();
  await shop.becomes(next, { statusReason: 'awaiting_card' });
});
