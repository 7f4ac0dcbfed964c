import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { createBitcoinRefundOfPayment } from '@florin/shared/contracts/api-v1/refunds.ts';
import {
  cancelTerminalSale,
  getTerminalSale,
  listTerminalSales,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { createWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { getBitcoinSale, openBitcoinSale, withdrawBitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import {
  followCommands,
  reportSaleProgress,
  type TerminalCommand,
} from '@florin/shared/contracts/device-v1/commands.ts';
import { getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { authoriseSale, completeSale, listSales } from '@florin/shared/contracts/device-v1/sales.ts';
import type { NewTerminalSale, TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import { expect, test } from 'vitest';
import { seededNumbers } from '../../../test/simulation/seeded.ts';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { anEventStream } from '../../../test/support/event-stream.ts';
import { aTill, sealedCard } from '../../../test/support/till.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';

/** A shop with a terminal simulated over HTTP, and a customer with a wallet. Ten pounds are 20,000 satoshis. */
async function aTerminalWithBitcoin(database: DatabaseKind, options: { hasNode?: boolean } = {}) {
  const shop = await aCheckoutShop(database, { sandbox: true, ...options });
  const { client, world, key, wallet, until, clock } = shop;
  const till = await aTill(world, key);
  const token = { key: till.token };
  const { sandbox } = world;
  if (!sandbox) throw new Error('no gateway');
  let keyedIn = 0;
  const newSaleId = () => `sale_${String(++keyedIn).padStart(8, '0')}`;

  const start = (input: Partial<NewTerminalSale> = {}) =>
    client.call(
      startTerminalSale,
      { body: { serial: 'SN-1', amountInCents: 10_00, currency: 'GBP', reference: 'Order 7', ...input } },
      { key },
    );
  const started = async (input: Partial<NewTerminalSale> = {}) => {
    const sale = await start(input);
    if (sale.status !== 201) throw new Error(JSON.stringify(sale.body));
    return sale.body.saleId;
  };
  const open = (saleId: string, amountInCents = 10_00) =>
    client.call(openBitcoinSale, { params: { saleId }, body: { amountInCents, currency: 'GBP' } }, token);
  /** The wallet data of the code on the screen. */
  const opened = async (saleId: string) => {
    const answer = await open(saleId);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return scanned(answer.body.paymentUri);
  };
  const withdraw = (
    saleId: string,
    to: 'card' | 'end' = 'end',
    reason: 'staff_cancelled' | 'node_unreachable' = 'staff_cancelled',
  ) => client.call(withdrawBitcoinSale, { params: { saleId }, body: { to, reason } }, token);
  const shown = async (saleId: string) => {
    const answer = await client.call(getBitcoinSale, { params: { saleId } }, token);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  const authorise = (saleId: string) => {
    const startedAt = new Date(clock.now()).toISOString();
    const body = { amountInCents: 10_00, currency: 'GBP', startedAt, card: sealedCard() };
    return client.call(authoriseSale, { params: { saleId }, body }, token);
  };
  const read = async (saleId: string): Promise<TerminalSaleRecord> => {
    const sale = await client.call(getTerminalSale, { params: { saleId } }, { key });
    if (sale.status !== 200) throw new Error(JSON.stringify(sale.body));
    return sale.body;
  };
  const cancel = async (saleId: string) => {
    const sale = await client.call(cancelTerminalSale, { params: { saleId } }, { key });
    if (sale.status !== 200) throw new Error(JSON.stringify(sale.body));
    return sale.body;
  };
  const payLightning = (bolt11: string, extra: { amountMsat?: number } = {}) => {
    const invoice = wallet.invoices.all().find(each => each.bolt11.toUpperCase() === bolt11);
    return wallet.invoices.pay(invoice?.paymentHash ?? '', extra);
  };
  const becomes = (saleId: string, status: string, seconds?: number) =>
    until(async () => (await read(saleId)).status === status, seconds);
  const tasks = async () => {
    const listed = await client.call(listDiscrepancies, { query: {} }, { key });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items.map(({ kind, recorded, gateway }) => [
      kind,
      recorded.saleId,
      gateway.reason,
      gateway.amountSats,
    ]);
  };
  const recent = async () => {
    const listed = await client.call(listSales, { query: {} }, token);
    return listed.status === 200 ? listed.body.items : [];
  };
  const listen = () => anEventStream(`${world.url}${followCommands.path}`, { authorization: `Bearer ${till.token}` });
  const bankCalls = () => sandbox.control.transactions().length;
  return {
    ...shop,
    till,
    token,
    sandbox,
    newSaleId,
    start,
    started,
    open,
    opened,
    withdraw,
    shown,
    authorise,
    read,
    cancel,
    payLightning,
    becomes,
    tasks,
    recent,
    listen,
    bankCalls,
  };
}

function scanned(paymentUri: string | null) {
  const url = new URL(paymentUri ?? 'none:');
  return {
    address: url.pathname.toLowerCase(),
    btc: url.searchParams.get('amount'),
    bolt11: url.searchParams.get('lightning') ?? '',
  };
}

const refusal = (reason: string) => ({ status: 409, body: { error: { metadata: { reason } } } });

eachDatabase('bitcoin on a terminal', database => {
  test('two concurrent cancellations get the same response, and withdraw it once', async () => {
    const { started, opened, cancel, read, withdraw } = await aTerminalWithBitcoin(database);
    for (let round = 0; round < 4; round += 1) {
      const saleId = await started({ mode: 'any' });
      await opened(saleId);
      const { sequence } = await read(saleId);
      const [first, ...others] = await Promise.all([cancel(saleId), cancel(saleId), cancel(saleId)]);
      expect(first).toMatchObject({ status: 'CANCELLED', statusReason: 'cancelled_by_caller', sequence: sequence + 1 });
      expect(others).toEqual([first, first]);
      expect(await read(saleId)).toEqual(first);
      // Cancelled on the terminal concurrently: the first ends it, and both callers read the same.
      const both = await started({ mode: 'any' });
      await opened(both);
      const [one, two] = await Promise.all([cancel(both), cancel(both), withdraw(both)]);
      expect(two).toEqual(one);
      expect(['CANCELLED', 'CANCELLED_REMOTE']).toContain(one?.status);
      expect(await read(both)).toEqual(one);
    }
  });

  test('is refunded like any bitcoin payment: recorded, capped at the amount received, badged', async () => {
    const { started, opened, payLightning, becomes, client, key } = await aTerminalWithBitcoin(database);
    const saleId = await started({ mode: 'bitcoin' });
    payLightning((await opened(saleId)).bolt11);
    await becomes(saleId, 'COMPLETE');
    const payment = async () => {
      const listed = await client.call(listPayments, {}, { key });
      const [only] = listed.status === 200 ? listed.body.items : [];
      return only;
    };
    const id = (await payment())?.id ?? '';
    const refund = (amount: number, idempotencyKey?: string) =>
      client.call(
        createBitcoinRefundOfPayment,
        { params: { id }, body: { amount, reason: 'Returned goods' } },
        idempotencyKey === undefined ? { key } : { key, idempotencyKey },
      );
    expect(await refund(20_001)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_exceeds_payment', remaining: 20_000 } } },
    });
    const recorded = { kind: 'BITCOIN', status: 'recorded', amount: 5_000, remainingSats: 15_000, paymentId: id };
    expect(await refund(5_000, 'till-refund-1')).toMatchObject({ status: 201, body: recorded });
    expect(await refund(5_000, 'till-refund-1')).toMatchObject({ status: 201, body: recorded });
    const many = await Promise.all(Array.from({ length: 8 }, () => refund(4_000)));
    expect(many.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await refund(3_001)).toMatchObject({ body: { error: { metadata: { remaining: 3_000 } } } });
    expect(await payment()).toMatchObject({
      saleId,
      badges: ['manual refund, funds returned out of band'],
      refundedInCents: 8_50,
    });
  });

  test('a keyed-in sale is paid over Lightning: the terminal is notified at once, and callers and webhooks read the same', async () => {
    const shop = await aTerminalWithBitcoin(database);
    const { newSaleId, opened, open, payLightning, becomes, read, shown, recent, listen, client, key } = shop;
    const endpoint = await aWebhookReceiver();
    await client.call(createWebhook, { body: { url: endpoint.url, eventType: 'terminal.sale.completed' } }, { key });
    const configuration = await client.call(getTerminalConfiguration, {}, shop.token);
    expect(configuration).toMatchObject({ status: 200, body: { business: { takesBitcoin: true } } });
    const stream = await listen();
    const saleId = newSaleId();
    const { address, btc, bolt11 } = await opened(saleId);
    expect([address.slice(0, 4), btc, bolt11.slice(0, 4)]).toEqual(['bcrt', '0.0002', 'LNBC']);
    // Repeated after a lost reply or a restart, the response is the same.
    expect(await opened(saleId)).toEqual({ address, btc, bolt11 });
    expect(await open(saleId, 9_00)).toMatchObject(refusal('sale_differs'));
    expect(await read(saleId)).toMatchObject({
      status: 'PROCESSING',
      statusReason: 'awaiting_payment',
      mode: 'bitcoin',
      rail: null,
      metadata: { bitcoin: { satsAmount: 20_000, rate: expect.stringMatching(/^50000/) as unknown } },
    });
    payLightning(bolt11);
    await becomes(saleId, 'COMPLETE');
    const [paymentHash] = shop.wallet.invoices.all().map(invoice => invoice.paymentHash);
    const bitcoin = { satsAmount: 20_000, receivedSats: 20_000, network: 'lightning', txIds: [paymentHash] };
    expect(await read(saleId)).toMatchObject({ statusReason: 'completed', rail: 'bitcoin', metadata: { bitcoin } });
    await expect
      .poll(() => stream.events.at(-1), { interval: 10 })
      .toMatchObject({ event: 'bitcoin', data: { saleId, state: 'paid', sale: { amountInCents: 10_00 } } });
    expect(await shown(saleId)).toMatchObject({ state: 'paid', paymentUri: null, receivedSats: 20_000 });
    expect(await recent()).toMatchObject([
      {
        saleId,
        status: 'settled',
        method: 'lightning',
        bitcoin: { amountSats: 20_000, txId: paymentHash },
        action: 'none',
      },
    ]);
    await endpoint.has(1);
    expect(JSON.parse(endpoint.received[0]?.body ?? '')).toMatchObject({
      eventType: 'terminal.sale.completed',
      checkoutId: saleId,
      status: 'COMPLETE',
      network: 'lightning',
      txIds: [paymentHash],
    });
  });

  test('an on-chain payment is PROCESSING until it is confirmed, and the terminal is free meanwhile', async () => {
    const { started, opened, wallet, becomes, read, shown, start, cancel, until } =
      await aTerminalWithBitcoin(database);
    const saleId = await started({ mode: 'bitcoin' });
    const { address } = await opened(saleId);
    expect(await start()).toMatchObject(refusal('terminal_busy'));
    wallet.chain.payTo(address, 20_000);
    await until(async () => (await read(saleId)).statusReason === 'payment_seen');
    expect(await read(saleId)).toMatchObject({
      status: 'PROCESSING',
      rail: 'bitcoin',
      metadata: { bitcoin: { processingSats: 20_000, receivedSats: 0, network: 'onchain' } },
    });
    expect(await shown(saleId)).toMatchObject({ state: 'seen', paymentUri: null });
    // A payment was sent: it cannot be cancelled and does not expire.
    expect(await cancel(saleId)).toMatchObject({ status: 'PROCESSING' });
    const next = await start();
    expect(next.status).toBe(201);
    await until(async () => (await shown(saleId)).state === 'seen', 200);
    wallet.chain.mine(1);
    await becomes(saleId, 'COMPLETE', 20);
    expect(await read(saleId)).toMatchObject({ metadata: { bitcoin: { receivedSats: 20_000, processingSats: 0 } } });
  });

  test('the card and bitcoin exclude each other', async () => {
    const { started, opened, open, withdraw, authorise, read, bankCalls, shown, payLightning, tasks, becomes } =
      await aTerminalWithBitcoin(database);
    const first = await started();
    const { bolt11 } = await opened(first);
    expect(await authorise(first)).toMatchObject(refusal('bitcoin_in_progress'));
    expect(bankCalls()).toBe(0);
    expect(await withdraw(first, 'card')).toMatchObject({
      status: 200,
      body: { state: 'withdrawn', paymentUri: null },
    });
    expect(await read(first)).toMatchObject({ status: 'PROCESSING', statusReason: 'awaiting_reader', metadata: {} });
    expect(payLightning(bolt11)).toBe('cancelled');
    expect(await authorise(first)).toMatchObject({ status: 200, body: { status: 'unsettled' } });
    expect(await open(first)).toMatchObject(refusal('payment_in_progress'));
    await becomes(first, 'PROCESSING');
    expect(await shown(first)).toMatchObject({ state: 'withdrawn' });
    expect(await tasks()).toEqual([]);
  });

  test('it expires after five minutes, and a late payment is to be returned and becomes a discrepancy', async () => {
    const { started, opened, wallet, becomes, read, shown, tasks, until, withdraw, client, key } =
      await aTerminalWithBitcoin(database);
    const endpoint = await aWebhookReceiver();
    await client.call(createWebhook, { body: { url: endpoint.url, eventType: 'terminal.sale.failed' } }, { key });
    const saleId = await started({ mode: 'bitcoin' });
    const { address } = await opened(saleId);
    await becomes(saleId, 'TIMED_OUT', 20);
    const ended = await read(saleId);
    await endpoint.has(1);
    expect(await shown(saleId)).toMatchObject({ state: 'expired', paymentUri: null });
    const { txId } = wallet.chain.payTo(address, 20_000);
    wallet.chain.mine(1);
    await until(async () => (await tasks()).length > 0, 30);
    expect(await tasks()).toEqual([['bitcoin_payment_in_excess', saleId, 'late', 20_000]]);
    const late = await read(saleId);
    expect(late).toMatchObject({
      status: 'TIMED_OUT',
      statusReason: 'expired',
      metadata: { bitcoin: { receivedSats: 20_000, processingSats: 0, network: 'onchain', txIds: [txId] } },
    });
    expect(late.sequence).toBeGreaterThan(ended.sequence);
    const listed = await client.call(listPayments, {}, { key });
    expect(listed).toMatchObject({ body: { items: [{ id: late.metadata.bitcoin?.paymentId }] } });
    expect(endpoint.received).toHaveLength(1);
    expect(await withdraw(saleId)).toMatchObject({ body: { state: 'expired' } });
  });

  test('an underpayment is an error and to be returned; an overpayment completes and the excess is to be returned', async () => {
    const { started, opened, wallet, becomes, read, shown, tasks, until } = await aTerminalWithBitcoin(database);
    const short = await started({ mode: 'bitcoin' });
    const asked = await opened(short);
    wallet.chain.payTo(asked.address, 15_000);
    wallet.chain.mine(1);
    await until(async () => (await shown(short)).receivedSats === 15_000);
    // The API shows the partial payment, too, while the rest is awaited.
    expect(await read(short)).toMatchObject({
      status: 'PROCESSING',
      statusReason: 'awaiting_payment',
      metadata: { bitcoin: { receivedSats: 15_000, processingSats: 0 } },
    });
    // The rest can still be paid, on chain.
    expect(scanned((await shown(short)).paymentUri)).toEqual({ address: asked.address, btc: '0.00005', bolt11: '' });
    await becomes(short, 'ERROR', 20);
    expect(await read(short)).toMatchObject({
      statusReason: 'underpaid',
      rail: 'bitcoin',
      metadata: { bitcoin: { satsAmount: 20_000, receivedSats: 15_000 } },
    });
    const long = await started({ mode: 'bitcoin' });
    wallet.chain.payTo((await opened(long)).address, 26_000);
    wallet.chain.mine(1);
    await becomes(long, 'COMPLETE');
    const due = await tasks();
    expect(due).toHaveLength(2);
    expect(due).toContainEqual(['bitcoin_payment_in_excess', long, 'overpaid', 6_000]);
    expect(due).toContainEqual(['bitcoin_payment_in_excess', short, 'underpaid', 15_000]);
  });

  test('a cancellation concurrent with the payment returns that it was paid, or the sale can no longer be paid', async () => {
    const { started, opened, payLightning, cancel, read, shown, becomes } = await aTerminalWithBitcoin(database);
    const paid = await started({ mode: 'bitcoin' });
    payLightning((await opened(paid)).bolt11);
    expect(await cancel(paid)).toMatchObject({ status: 'COMPLETE', rail: 'bitcoin' });
    const left = await started({ mode: 'bitcoin' });
    const { bolt11 } = await opened(left);
    expect(await cancel(left)).toMatchObject({ status: 'CANCELLED', statusReason: 'cancelled_by_caller' });
    expect(payLightning(bolt11)).toBe('cancelled');
    expect(await shown(left)).toMatchObject({ state: 'withdrawn' });
    await becomes(left, 'CANCELLED');
    expect(await read(left)).toMatchObject({ rail: null });
  });

  test('an unresponsive node leaves the card available, and the same request is repeated', async () => {
    const { started, open, opened, wallet, withdraw, authorise, read, newSaleId } =
      await aTerminalWithBitcoin(database);
    const saleId = await started();
    wallet.addFault({ kind: 'dropRequest', times: 1_000 });
    expect(await open(saleId)).toMatchObject(refusal('node_unreachable'));
    expect(await authorise(saleId)).toMatchObject(refusal('bitcoin_in_progress'));
    expect(await withdraw(saleId, 'card')).toMatchObject({ status: 200, body: { state: 'withdrawn' } });
    expect(await authorise(saleId)).toMatchObject({ status: 200 });

    const keyedIn = newSaleId();
    expect(await open(keyedIn)).toMatchObject(refusal('terminal_busy'));
    expect(await read(saleId)).toMatchObject({ rail: 'card' });
    wallet.clearFaults();
    await opened(saleId).catch(() => undefined);
  });

  test('it is offered only if a customer can pay it', async () => {
    const { start, listen, rates } = await aTerminalWithBitcoin(database);
    const stream = await listen();
    const command = (at: number) => (stream.events[at]?.data ?? {}) as TerminalCommand;
    const any = await start();
    await stream.has(1);
    expect(command(0)).toMatchObject({ rails: ['card', 'bitcoin'] });
    expect(any.status).toBe(201);
    await rates.close();
    const none = await aTerminalWithBitcoin(database, { hasNode: false });
    expect(await none.start({ mode: 'bitcoin' })).toMatchObject(refusal('bitcoin_not_available'));
    const { status } = await none.start();
    expect(status).toBe(201);
    expect(await none.client.call(listTerminalSales, { query: {} }, { key: none.key })).toMatchObject({
      body: { items: [{ mode: 'any' }] },
    });
  });

  test('earlier reports of the reader change nothing once bitcoin is requested', async () => {
    const { started, opened, client, token, read } = await aTerminalWithBitcoin(database);
    const saleId = await started();
    await opened(saleId);
    const report = { kind: 'ended', reason: 'staff_cancelled' } as const;
    const late = await client.call(reportSaleProgress, { params: { saleId }, body: { sequence: 9, report } }, token);
    expect(late).toMatchObject({ body: { isOver: false } });
    expect(await read(saleId)).toMatchObject({ status: 'PROCESSING', statusReason: 'awaiting_payment' });
  });

  test('in any order of card, customer, caller and terminal, the sale is paid once, and all bitcoin counts or is to be returned', async () => {
    const shop = await aTerminalWithBitcoin(database);
    const { started, open, withdraw, authorise, cancel, read, shown, payLightning, wallet, tasks, until, sandbox } =
      shop;
    for (let seed = 1; seed <= 8; seed += 1) {
      const numbers = seededNumbers(seed);
      const saleId = await started();
      const first = await open(saleId);
      const { bolt11 } = scanned(first.status === 200 ? first.body.paymentUri : null);
      const moves = {
        pay: async () => payLightning(bolt11),
        back: () => withdraw(saleId, 'card'),
        card: () => authorise(saleId),
        again: () => open(saleId),
        cancel: () => cancel(saleId),
      };
      const before = { charged: sandbox.control.transactions().length, received: receivedSats(wallet) };
      const names = Object.keys(moves) as (keyof typeof moves)[];
      await Promise.all(Array.from({ length: 6 }, () => moves[numbers.pick(names)]()));
      // Once nothing is pending, nothing changes any more.
      await withdraw(saleId);
      await cancel(saleId);
      await until(async () => ['paid', 'withdrawn', 'expired'].includes((await shown(saleId)).state), 20);
      const { rail, status } = await read(saleId);
      const charged = sandbox.control.transactions().length - before.charged;
      const sats = receivedSats(wallet) - before.received;
      const isPaidInBitcoin = (await shown(saleId)).state === 'paid';
      const due = (await tasks())
        .filter(([, of]) => of === saleId)
        .reduce((sum, [, , , dueSats]) => sum + Number(dueSats), 0);
      expect([seed, charged + (isPaidInBitcoin ? 1 : 0) <= 1, sats - due]).toEqual([
        seed,
        true,
        isPaidInBitcoin ? 20_000 : 0,
      ]);
      if (isPaidInBitcoin) expect([rail, status]).toEqual(['bitcoin', 'COMPLETE']);
      // The terminal is free for the next one.
      if (charged === 1) await shop.client.call(completeSale, { params: { saleId } }, shop.token);
      await until(async () => !['PENDING', 'PROCESSING'].includes((await read(saleId)).status), 20);
    }
  });

  test('a machine that is enrolled again continues its bitcoin sale, and no other machine does', async () => {
    const { world, client, key, started, opened, payLightning, becomes, newSaleId, read } =
      await aTerminalWithBitcoin(database);
    const [asked, keyedIn] = [await started({ mode: 'any' }), newSaleId()];
    const { bolt11 } = await opened(asked);
    const [other, again] = [await aTill(world, key, { keySeed: 9, serial: 'SN-9' }), await aTill(world, key)];
    const as = (till: { token: string }) => ({ key: till.token });
    const openedBy = (till: { token: string }, saleId: string) =>
      client.call(openBitcoinSale, { params: { saleId }, body: { amountInCents: 10_00, currency: 'GBP' } }, as(till));
    const shownTo = (till: { token: string }, saleId: string) =>
      client.call(getBitcoinSale, { params: { saleId } }, as(till));
    expect(await openedBy(other, asked)).toMatchObject(refusal('sale_of_another_terminal'));
    expect((await shownTo(other, asked)).status).toBe(404);
    // The same code is shown again, because the customer may have scanned it.
    const shownAgain = await openedBy(again, asked);
    expect(shownAgain).toMatchObject({ status: 200, body: { saleId: asked, state: 'waiting' } });
    if (shownAgain.status === 200) expect(scanned(shownAgain.body.paymentUri).bolt11).toBe(bolt11);

    const stream = await anEventStream(`${world.url}${followCommands.path}`, {
      authorization: `Bearer ${again.token}`,
    });
    payLightning(bolt11);
    await becomes(asked, 'COMPLETE');
    const paid = expect.objectContaining({ saleId: asked, state: 'paid' });
    await expect.poll(() => stream.events.map(({ data }) => data)).toContainEqual(paid);
    expect(await shownTo(again, asked)).toMatchObject({ body: { state: 'paid', sale: { saleId: asked } } });

    // A withdrawal under the next enrolment ends the request.
    expect(await openedBy(again, keyedIn)).toMatchObject({ status: 200 });
    const withdrawal = { params: { saleId: keyedIn }, body: { to: 'end', reason: 'staff_cancelled' } } as const;
    expect(await client.call(withdrawBitcoinSale, withdrawal, as(await aTill(world, key)))).toMatchObject({
      status: 200,
      body: { state: 'withdrawn' },
    });
    expect(await read(keyedIn)).toMatchObject({ status: 'CANCELLED_REMOTE', statusReason: 'staff_cancelled' });
  });
});

function receivedSats(wallet: Awaited<ReturnType<typeof aTerminalWithBitcoin>>['wallet']): number {
  return wallet.invoices.all().reduce((sum, one) => sum + Math.floor(one.paidMsat / 1_000), 0);
}
