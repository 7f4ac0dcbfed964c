import { listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import {
  cancelTerminalSale,
  getTerminalSale,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { expect, test } from 'vitest';
import type { ProcessorAnswer } from '../../support/self-authorising-reader/firmware.ts';
import { aShopWithSuchAReader } from '../../support/self-authorising-reader/shop.ts';

/** Software starts sales on a terminal whose reader authorises with its own processor. */
async function aDrivenShop() {
  const shop = await aShopWithSuchAReader();
  const { client, key, firmware } = shop;
  const devices = await client.call(listDevices, { query: {} }, { key });
  const serial = (devices.status === 200 && devices.body.items[0]?.serial) || '';
  const started = async () => {
    const made = await client.call(
      startTerminalSale,
      { body: { serial, amountInCents: 900, currency: 'GBP' } },
      { key },
    );
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body.saleId;
  };
  const cancel = (saleId: string) => client.call(cancelTerminalSale, { params: { saleId } }, { key });
  const becomes = (saleId: string, wanted: object) =>
    expect
      .poll(async () => (await client.call(getTerminalSale, { params: { saleId } }, { key })).body, {
        interval: 20,
        timeout: 30_000,
      })
      .toMatchObject(wanted);
  /** Runs until the reader's own request to its processor, whose response is released on demand. */
  const atTheProcessor = async () => {
    let answer: (says: ProcessorAnswer) => void = () => undefined;
    firmware.answersNext(
      new Promise(resolve => {
        answer = resolve;
      }),
    );
    const saleId = await started();
    await expect
      .poll(
        () => {
          firmware.present('chip');
          return firmware.isCardInside;
        },
        { interval: 20, timeout: 30_000 },
      )
      .toBe(true);
    return { saleId, answer };
  };
  const discrepancies = async () => {
    const { body } = await client.call(listDiscrepancies, { query: { status: 'open' } }, { key });
    return 'items' in body ? body.items.map(({ kind }) => kind) : [];
  };
  return { ...shop, started, cancel, becomes, atTheProcessor, discrepancies };
}

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
