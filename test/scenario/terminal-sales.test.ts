import { listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import {
  cancelTerminalSale,
  getTerminalSale,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../support/backend.ts';
import { aShop } from '../support/shop.ts';
import { aRealTerminal } from '../support/terminal/real-terminal.ts';

/** A terminal in a shop, and the till software of that shop. */
async function aTillProgram(database: DatabaseKind) {
  const { world, client, business, sandbox } = await aShop(database);
  const terminal = await aRealTerminal(world, await business.key('devices:write'));
  const key = await business.key('devices:read', 'terminal-sales:read', 'terminal-sales:write');
  const devices = await client.call(listDevices, { query: {} }, { key });
  const serial = devices.status === 200 ? (devices.body.items[0]?.serial ?? '') : '';
  const channel = () => world.backend.services.terminalSales.channels.of(terminal.deviceId);
  await expect.poll(async () => (await channel())?.isOnline).toBe(true);
  const start = async (amountInCents: number, options: { idempotencyKey?: string } = {}) =>
    client.call(
      startTerminalSale,
      { body: { serial, amountInCents, currency: 'GBP', reference: 'Order 7' } },
      { key, ...options },
    );
  const started = async (amountInCents: number) => {
    const sale = await start(amountInCents);
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
    expect.poll(() => read(saleId), { interval: 10, timeout: 10_000 }).toMatchObject(wanted);
  return { world, client, sandbox, terminal, key, serial, start, started, read, cancel, becomes };
}

eachDatabase('a sale that software starts', database => {
  test('appears on the terminal, is paid with a card, and every answer agrees', async () => {
    const { terminal, sandbox, started, becomes, read } = await aTillProgram(database);
    terminal.reader.presentsByItself = false;
    const sale = await started(1_250);
    expect(sale).toMatchObject({ status: 'PENDING', statusReason: 'awaiting_terminal', sequence: 1, rail: null });
    const shown = await terminal.shows('sale');
    expect(shown).toMatchObject({
      amount: { amountMinor: 1_250, currency: 'GBP' },
      requestedBy: { name: 'test', reference: 'Order 7' },
    });
    await becomes(sale.saleId, { status: 'PROCESSING', statusReason: 'awaiting_card' });
    terminal.reader.present();
    await becomes(sale.saleId, { status: 'COMPLETE', statusReason: 'completed', rail: 'card' });
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved' });
    const { metadata, sequence } = await read(sale.saleId);
    expect(metadata.card).toMatchObject({ lastFour: '0821', invoiceNumber: 'INV-000001' });
    expect(sequence).toBeGreaterThan(3);
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_250 }]);
  });
});
