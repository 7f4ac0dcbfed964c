import { operator } from '@florin/shared/actor.ts';
import type { CounterSettings } from '@florin/shared/contracts/api-v1/business.ts';
import { listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import {
  cancelTerminalSale,
  getTerminalSale,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { expect } from 'vitest';
import type { DatabaseKind } from './backend.ts';
import { aShop } from './shop.ts';
import { aRealTerminal } from './terminal/real-terminal.ts';

/** A shop with a terminal and till software. */
export async function aTillProgram(
  database: DatabaseKind,
  mode: 'staff' | 'kiosk' = 'staff',
  env: Readonly<Record<string, string>> = {},
  counter: Partial<CounterSettings> = {},
) {
  const { world, client, business, sandbox } = await aShop(database, undefined, { env });
  await world.backend.services.businesses.settings.change(business.id, { counter }, operator);
  const terminal = await aRealTerminal(world, await business.key('devices:write'), { mode });
  const key = await business.key('devices:read', 'terminal-sales:read', 'terminal-sales:write');
  const devices = await client.call(listDevices, { query: {} }, { key });
  const serial = devices.status === 200 ? (devices.body.items[0]?.serial ?? '') : '';
  const channel = () => world.backend.services.terminalSales.channels.of(terminal.deviceId);
  await expect.poll(async () => (await channel())?.isOnline).toBe(true);
  const start = async (
    amountInCents: number,
    { idempotencyKey, ...wanted }: { idempotencyKey?: string; language?: string; shouldPrint?: boolean } = {},
  ) =>
    client.call(
      startTerminalSale,
      { body: { serial, amountInCents, currency: 'GBP', reference: 'Order 7', ...wanted } },
      { key, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) },
    );
  const started = async (amountInCents: number, wanted: Parameters<typeof start>[1] = {}) => {
    const sale = await start(amountInCents, wanted);
    if (sale.status !== 201) throw new Error(JSON.stringify(sale.body));
    return sale.body;
  };
  const read = async (saleId: string) => {
    const sale = await client.call(getTerminalSale, { params: { saleId } }, { key });
    if (sale.status !== 200) throw new Error(JSON.stringify(sale.body));
    return sale.body;
  };
  const cancel = (saleId: string) => client.call(cancelTerminalSale, { params: { saleId } }, { key });
  const becomes = (saleId: string, wanted: object) =>
    expect.poll(() => read(saleId), { interval: 10, timeout: 30_000 }).toMatchObject(wanted);
  return { world, client, business, sandbox, terminal, key, serial, start, started, read, cancel, becomes };
}
