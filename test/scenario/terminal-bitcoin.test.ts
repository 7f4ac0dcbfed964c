import { listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import {
  cancelTerminalSale,
  getTerminalSale,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { expect, test } from 'vitest';
import { aBackend, type DatabaseKind, eachDatabase } from '../support/backend.ts';
import { aCheckoutShop } from '../support/checkout-shop.ts';
import { aRealTerminal } from '../support/terminal/real-terminal.ts';

/** A shop that takes bitcoin, with a terminal, till software and a customer's wallet. */
async function aShopWithBitcoin(database: DatabaseKind, mode: 'staff' | 'kiosk' = 'staff') {
  const shop = await aCheckoutShop(database, { sandbox: true });
  const { world, client, key, wallet, clock } = shop;
  const terminal = await aRealTerminal(world, key, { mode });
  terminal.reader.presentsByItself = false;
  const devices = await client.call(listDevices, { query: {} }, { key });
  const serial = devices.status === 200 ? (devices.body.items[0]?.serial ?? '') : '';
  const channel = () => world.backend.services.terminalSales.channels.of(terminal.deviceId);
  await expect.poll(async () => (await channel())?.isOnline).toBe(true);

  const started = async (mode: 'any' | 'bitcoin') => {
    const body = { serial, amountInCents: 10_00, currency: 'GBP', reference: 'Order 7', mode };
    const sale = await client.call(startTerminalSale, { body }, { key });
    if (sale.status !== 201) throw new Error(JSON.stringify(sale.body));
    return sale.body.saleId;
  };
  const read = async (saleId: string) => {
    const sale = await client.call(getTerminalSale, { params: { saleId } }, { key });
    if (sale.status !== 200) throw new Error(JSON.stringify(sale.body));
    return sale.body;
  };
  const cancel = (saleId: string) => client.call(cancelTerminalSale, { params: { saleId } }, { key });
  /** Waits for the payment code on the screen. */
  const code = async () => {
    await expect
      .poll(() => {
        const screen = terminal.screen();
        return screen.name === 'bitcoin_sale' && screen.paymentUri !== null;
      })
      .toBe(true);
    const screen = await terminal.shows('bitcoin_sale');
    const url = new URL(screen.paymentUri ?? 'none:');
    return { screen, address: url.pathname.toLowerCase(), bolt11: url.searchParams.get('lightning') ?? '' };
  };
  const pay = (bolt11: string) => {
    const invoice = wallet.invoices.all().find(each => each.bolt11.toUpperCase() === bolt11);
    return wallet.invoices.pay(invoice?.paymentHash ?? '', {});
  };
  /** Advances the service's clock until the terminal shows this screen, while replies arrive over real HTTP. */
  const shows = (name: string) => {
    const look = () => {
      clock.advance({ seconds: 0.1 });
      return terminal.screen().name;
    };
    return expect.poll(look, { interval: 10, timeout: 30_000 }).toBe(name);
  };
  return { ...shop, terminal, started, read, cancel, code, pay, shows };
}

eachDatabase('a sale in bitcoin on a terminal', database => {
  test('is keyed in, paid over Lightning, shown with its receipt and listed among the recent sales', async () => {
    const { terminal, code, pay, shows } = await aShopWithBitcoin(database);
    await terminal.send({ name: 'start_bitcoin_sale', amountMinor: 10_00 });
    const { screen, bolt11 } = await code();
    expect(screen).toMatchObject({ stage: 'waiting', amountSats: 20_000, mayCancel: true, mayUseCard: true });
    pay(bolt11);
    await shows('sale_result');
    expect(await terminal.shows('sale_result')).toMatchObject({
      outcome: 'approved',
      customerOutcome: 'approved',
      sale: { method: 'lightning', amountInCents: 10_00 },
      receipt: expect.arrayContaining([{ label: 'Paid with', value: 'Bitcoin, Lightning' }]) as unknown,
    });
    await terminal.send({ name: 'show_recent_sales' });
    await expect
      .poll(() => terminal.screen())
      .toMatchObject({ name: 'recent_sales', sales: [{ method: 'lightning', bitcoin: { amountSats: 20_000 } }] });
  });

  test('that software started can change from card to bitcoin and back, and is paid by one of them', async () => {
    const { terminal, started, read, code, pay, shows, until, world } = await aShopWithBitcoin(database);
    const first = await started('any');
    expect(await terminal.shows('sale')).toMatchObject({ mayUseBitcoin: true });
    await until(async () => (await read(first)).statusReason === 'awaiting_card', 0.1);
    await terminal.send({ name: 'pay_in_bitcoin' });
    const { bolt11 } = await code();
    expect(await read(first)).toMatchObject({ statusReason: 'awaiting_payment', rail: null });
    await terminal.send({ name: 'pay_by_card' });
    await shows('sale');
    expect(pay(bolt11)).toBe('cancelled');
    await until(async () => (await read(first)).statusReason === 'awaiting_card', 0.1);
    terminal.reader.present();
    await until(async () => (await read(first)).status === 'COMPLETE', 0.1);
    expect(await read(first)).toMatchObject({ rail: 'card', metadata: { card: { lastFour: '0821' } } });
    expect(world.sandbox?.control.ledger()).toMatchObject([{ takenMinor: 10_00 }]);

    await terminal.send({ name: 'show_keypad' });
    const second = await started('any');
    await terminal.shows('sale');
    await terminal.send({ name: 'pay_in_bitcoin' });
    pay((await code()).bolt11);
    await shows('sale_result');
    expect(await read(second)).toMatchObject({ status: 'COMPLETE', rail: 'bitcoin', reference: 'Order 7' });
    expect(world.sandbox?.control.ledger()).toHaveLength(1);
    // Each was cancelled at the reader on the way, and was not over.
    await terminal.send({ name: 'show_keypad' });
    await terminal.send({ name: 'show_recent_sales' });
    await expect
      .poll(() => terminal.screen())
      .toMatchObject({
        busy: false,
        sales: [
          { kind: 'recorded', saleId: second },
          { kind: 'recorded', saleId: first },
        ],
      });
  });

  test('survives a power loss: the same code is shown again, and a payment made meanwhile is found', async () => {
    const { terminal, started, code, pay, read, until, shows } = await aShopWithBitcoin(database, 'kiosk');
    const saleId = await started('bitcoin');
    const before = await code();
    expect(before.screen).toMatchObject({ mayUseCard: false, requestedBy: { reference: 'Order 7' } });
    await terminal.kill();
    terminal.start();
    expect((await code()).bolt11).toBe(before.bolt11);
    await terminal.kill();
    pay(before.bolt11);
    await until(async () => (await read(saleId)).status === 'COMPLETE');
    terminal.start();
    await shows('sale_result');
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved', customerOutcome: 'approved' });
  });

  test('may be left once its payment was seen on chain, and the next sale replaces it on the screen', async () => {
    const { terminal, wallet, started, code, until, read } = await aShopWithBitcoin(database, 'kiosk');
    const saleId = await started('bitcoin');
    wallet.chain.payTo((await code()).address, 20_000);
    await until(async () => (await read(saleId)).statusReason === 'payment_seen');
    await expect.poll(() => terminal.screen()).toMatchObject({ stage: 'seen', mayLeave: true, mayCancel: false });
    await terminal.send({ name: 'show_keypad' });
    await terminal.shows('kiosk_idle');
    await started('any');
    await terminal.shows('sale');
    wallet.chain.mine(1);
    await until(async () => (await read(saleId)).status === 'COMPLETE');
  });

  for (const mode of ['staff', 'kiosk'] as const) {
    test(`of which only a part was sent asks the customer to stay, and then for the rest (${mode})`, async () => {
      const { terminal, wallet, started, code, until, read } = await aShopWithBitcoin(database, mode);
      const saleId = await started('bitcoin');
      const { address } = await code();
      wallet.chain.payTo(address, 5_000);
      await until(async () => (await read(saleId)).statusReason === 'payment_seen');
      const part = { amountSats: 20_000, processingSats: 5_000, receivedSats: 0, paymentUri: null };
      await expect.poll(() => terminal.screen()).toMatchObject({ ...part, stage: 'seen_part', mayCancel: false });
      wallet.chain.mine(1);
      await until(async () => (await read(saleId)).metadata.bitcoin?.receivedSats === 5_000);
      expect((await code()).screen).toMatchObject({ stage: 'waiting', receivedSats: 5_000, processingSats: 0 });
      wallet.chain.payTo(address, 15_000);
      await until(async () => (await read(saleId)).statusReason === 'payment_seen');
      await expect.poll(() => terminal.screen()).toMatchObject({ stage: 'seen', mayLeave: true });
    });
  }

  test('is cancelled by its caller, by expiry and at the terminal, which offers the card if the node is down', async () => {
    const { terminal, wallet, started, cancel, code, read, shows, until } = await aShopWithBitcoin(database);
    const cancelled = await started('bitcoin');
    await code();
    expect(await cancel(cancelled)).toMatchObject({ body: { status: 'CANCELLED' } });
    await expect
      .poll(() => terminal.screen())
      .toMatchObject({ notice: { message: 'Cancelled', detail: 'test cancelled the sale. Nothing was charged.' } });
    await terminal.send({ name: 'show_keypad' });

    const late = await started('bitcoin');
    await code();
    await until(async () => (await read(late)).status === 'TIMED_OUT', 20);
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'timed_out', customerOutcome: 'not_paid' });
    await terminal.send({ name: 'show_keypad' });

    wallet.addFault({ kind: 'dropRequest', times: 1_000 });
    await terminal.send({ name: 'start_bitcoin_sale', amountMinor: 5_00 });
    await expect.poll(() => terminal.screen()).toMatchObject({ stage: 'requesting', problem: 'node_unreachable' });
    await terminal.send({ name: 'pay_by_card' });
    await shows('sale');
    terminal.reader.present();
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved', amount: { amountMinor: 5_00 } });
  });

  test('that software started is left at once if its request never left the terminal, and the software learns of it later', async () => {
    const { terminal, started, read, until, world } = await aShopWithBitcoin(database);
    const saleId = await started('any');
    await terminal.shows('sale');
    await until(async () => (await read(saleId)).statusReason === 'awaiting_card', 0.1);
    await world.stop();
    // The terminal does not know yet that the service is gone.
    await terminal.send({ name: 'pay_in_bitcoin' });
    await expect.poll(() => terminal.screen()).toMatchObject({ name: 'bitcoin_sale', problem: 'not_reached' });
    await terminal.send({ name: 'cancel_sale' });
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'cancelled' });
    await aBackend({ sharing: world, env: { PORT: new URL(world.url).port } });
    terminal.skip({ ms: 60_000 });
    await until(async () => (await read(saleId)).status === 'CANCELLED_REMOTE', 0.1);
  });
});
