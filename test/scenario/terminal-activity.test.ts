import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { createStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { openBitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import { createStaffChallenge } from '@florin/shared/contracts/device-v1/refunds.ts';
import { terminalActivity } from '@florin/shared/contracts/terminal-sales.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../support/backend.ts';
import { aCheckoutShop } from '../support/checkout-shop.ts';
import { aRealTerminal } from '../support/terminal/real-terminal.ts';

/** Forwards every request; those to one path can be held back. */
async function aForwarder(url: string) {
  let held = { path: /^$/, until: Promise.resolve() };
  const server = createServer((incoming, outgoing) => {
    const forward = () => {
      const { method, headers } = incoming;
      const sent = request(new URL(incoming.url ?? '', url), { method, headers }, answer => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      });
      sent.on('error', () => outgoing.destroy());
      outgoing.on('close', () => sent.destroy());
      incoming.pipe(sent);
    };
    if (held.path.test(incoming.url ?? '')) void held.until.then(forward);
    else forward();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Holds requests to this path until the returned function is called. */
    hold({ path }: { path: string }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = { path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), until: promise };
      return resolve;
    },
  };
}

async function aTerminalInUse(database: DatabaseKind) {
  const shop = await aCheckoutShop(database, { sandbox: true });
  const { world, client, key, clock } = shop;
  const forwarder = await aForwarder(world.url);
  const terminal = await aRealTerminal(world, key, { url: forwarder.url });
  terminal.reader.presentsByItself = false;
  const device = async () => {
    const read = await client.call(getDevice, { params: { id: terminal.deviceId } }, { key });
    if (read.status !== 200) throw new Error(JSON.stringify(read.body));
    return read.body;
  };
  const seen = new Set<string>();
  const readiness = async (wanted: object) => {
    await expect.poll(device, { interval: 10, timeout: 30_000 }).toMatchObject(wanted);
    const { busy, serial } = await device();
    if (busy) seen.add(busy.doing);
    return { busy, serial: serial ?? '' };
  };
  const busyByStaff = (doing: string) =>
    readiness({
      readyForSale: false,
      whyNot: 'terminal_busy',
      busy: { doing, startedBy: 'staff', saleId: null, statusReason: null },
    });
  const free = () => readiness({ online: true, readyForSale: true, whyNot: null, busy: null });
  const startBySoftware = async () => {
    const { serial } = await free();
    const body = { serial, amountInCents: 700, currency: 'GBP', reference: 'Order 7' };
    return client.call(startTerminalSale, { body }, { key });
  };
  /** Advances the service's clock until the terminal shows a result. */
  const showsResult = () => {
    const name = () => {
      clock.advance({ seconds: 1 });
      return terminal.screen().name;
    };
    return expect.poll(name, { interval: 10, timeout: 30_000 }).toBe('sale_result');
  };
  const gateway = world.sandbox?.control;
  if (!gateway) throw new Error('no gateway');
  return { ...shop, terminal, forwarder, gateway, seen, readiness, busyByStaff, free, startBySoftware, showsResult };
}

eachDatabase('a terminal in use', database => {
  test('reports what staff are doing on it, and that it is free again afterwards', async () => {
    const use = await aTerminalInUse(database);
    const { client, key, terminal, forwarder, gateway, seen, busyByStaff, free, startBySoftware, showsResult } = use;
    await free();

    await terminal.send({ name: 'start_sale', amountMinor: 1_250 });
    await terminal.shows('sale');
    await busyByStaff('sale');
    await terminal.send({ name: 'cancel_sale' });
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'cancelled' });
    await free();

    gateway.addFault({ kind: 'hang', action: 'CARD_PRESENT', applied: true });
    await terminal.send({ name: 'start_sale', amountMinor: 1_250 });
    await terminal.shows('sale');
    terminal.reader.present();
    await expect.poll(() => terminal.screen()).toMatchObject({ name: 'sale', stage: 'authorising' });
    await busyByStaff('awaiting_bank');
    await showsResult();
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved' });
    await free();

    await terminal.send({ name: 'show_recent_sales' });
    // The one that was paid, and the one that was cancelled.
    await expect.poll(() => terminal.screen()).toMatchObject({ name: 'recent_sales', busy: false, sales: [{}, {}] });
    await free();
    const recent = await terminal.shows('recent_sales');
    const saleId = recent.sales.find(({ kind }) => kind === 'recorded')?.saleId ?? '';
    await terminal.send({ name: 'show_sale', saleId });
    await terminal.shows('sale_detail');
    await free();
    await terminal.send({ name: 'return_money', saleId });
    await terminal.shows('staff_id');
    await busyByStaff('refund');
    await terminal.send({ name: 'back' });
    await terminal.shows('sale_detail');
    await free();
    await terminal.send({ name: 'show_keypad' });

    const releaseBitcoinSale = forwarder.hold(openBitcoinSale);
    await terminal.send({ name: 'start_bitcoin_sale', amountMinor: 10_00 });
    await terminal.shows('bitcoin_sale');
    await busyByStaff('awaiting_bitcoin');
    releaseBitcoinSale();
    await expect.poll(() => terminal.screen()).toMatchObject({ name: 'bitcoin_sale', stage: 'waiting' });
    await terminal.send({ name: 'cancel_sale' });
    await showsResult();
    await free();
    await terminal.send({ name: 'show_keypad' });

    const staff = { staffNumber: '104', name: 'Nadia', mayRefundAndVoid: true };
    expect((await client.call(createStaff, { body: staff }, { key })).status).toBe(201);
    await terminal.send({ name: 'change_mode' });
    await terminal.shows('staff_id');
    // Nothing was entered, so a sale that software starts replaces this screen.
    await free();
    const releaseChallenge = forwarder.hold(createStaffChallenge);
    await terminal.send({ name: 'enter_staff_number', staffNumber: '104' });
    await busyByStaff('staff_work');
    releaseChallenge();
    await terminal.shows('staff_password');
    await busyByStaff('staff_work');
    await terminal.send({ name: 'back' });
    await terminal.shows('staff_id');
    await free();

    expect([...seen].sort()).toEqual([...terminalActivity.options].sort());
    expect((await startBySoftware()).status).toBe(201);
    await terminal.shows('sale');
  });

  test('is reported as used by software while it shows a sale of software, and as free after it', async () => {
    const { terminal, readiness, free, startBySoftware } = await aTerminalInUse(database);
    const sale = await startBySoftware();
    if (sale.status !== 201) throw new Error(JSON.stringify(sale.body));
    await terminal.shows('sale');
    await readiness({ busy: { doing: 'sale', startedBy: 'software', saleId: sale.body.saleId } });
    terminal.reader.present();
    await terminal.shows('sale_result');
    await free();
  });
});
