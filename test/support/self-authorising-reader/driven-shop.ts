import { listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import {
  cancelTerminalSale,
  getTerminalSale,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { expect } from 'vitest';
import type { DatabaseKind } from '../backend.ts';
import type { ProcessorAnswer } from './firmware.ts';
import { aShopWithSuchAReader } from './shop.ts';

/** Software starts sales on a terminal whose reader authorises with its own processor. */
export async function aDrivenShop(database: DatabaseKind = 'sqlite') {
  const shop = await aShopWithSuchAReader(database);
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
