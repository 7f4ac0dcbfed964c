import { listBitcoinClaims } from '@florin/shared/contracts/api-v1/bitcoin-claims.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import {
  createLinkPayment,
  createPaymentLink,
  deletePaymentLink,
  getPaymentLink,
  listLinkPayments,
  listPaymentLinks,
} from '@florin/shared/contracts/api-v1/payment-links.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { createBitcoinRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { listTransactions } from '@florin/shared/contracts/api-v1/transactions.ts';
import { createWebhook, listWebhookDeliveries } from '@florin/shared/contracts/api-v1/webhooks.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { everythingIn } from '../../../test/support/dump.ts';

/** A shop that takes cards and bitcoin, with a link and its customer. */
async function aLinkShop(database: DatabaseKind, amountInCents = 10_00) {
  const shop = await aCheckoutShop(database, { sandbox: true });
  const { client, key, world, until } = shop;
  const { sandbox } = world;
  if (!sandbox) throw new Error('no gateway');
  const body = { description: 'Invoice 7', amountInCents, currency: 'GBP', externalReference: 'order-7' };
  const made = await client.call(createPaymentLink, { body }, { key });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const link = made.body;

  const post = async (path: string) => {
    const posted = await fetch(`${link.url}${path}`, { method: 'POST', redirect: 'manual' });
    return posted.headers.get('location') ?? '';
  };
  const page = async () => (await fetch(link.url)).text();
  const textOf = (html: string, id: string) => new RegExp(`id="${id}" value="([^"]+)"`).exec(html)?.[1] ?? '';
  /** The wallet data of the page. */
  async function request() {
    const html = await page();
    return { bolt11: textOf(html, 'bolt11'), address: textOf(html, 'address'), btc: textOf(html, 'btc') };
  }
  async function startBitcoin() {
    const location = await post('/bitcoin');
    return { location, ...(await request()) };
  }
  const payLightning = (bolt11: string, extra: { amountMsat?: number } = {}) => {
    const invoice = shop.wallet.invoices.all().find(each => each.bolt11 === bolt11);
    return shop.wallet.invoices.pay(invoice?.paymentHash ?? '', extra);
  };
  async function token(): Promise<string> {
    const card = { cardNumber: '4929421234600821', cardExpiryMonth: '01', cardExpiryYear: '30', cardCVV: '356' };
    const sealed = await fetch(sandbox?.tokenUrl ?? '', { method: 'POST', body: JSON.stringify(card) });
    return ((await sealed.json()) as { paymentToken: string }).paymentToken;
  }
  const payByCard = async () =>
    client.call(createLinkPayment, { params: { id: link.id }, body: { paymentToken: await token() } }, { key });
  const read = async () => {
    const found = await client.call(getPaymentLink, { params: { id: link.id } }, { key });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  };
  const remove = () => client.call(deletePaymentLink, { params: { id: link.id } }, { key });
  const isPaid = () => until(async () => (await read()).status === 'PAID');
  const tasks = async () => {
    const listed = await client.call(listDiscrepancies, { query: {} }, { key });
    return listed.status === 200 ? listed.body.items.map(({ kind, gateway }) => [kind, gateway.amountSats]) : [];
  };
  /** Creates webhooks and reads the first delivery of each. */
  const deliveries = async (eventTypes: readonly ('payment.created' | 'payment.completed')[]) => {
    const webhooks: string[] = [];
    for (const eventType of eventTypes) {
      const hook = await client.call(createWebhook, { body: { url: 'http://127.0.0.1:9/hooks', eventType } }, { key });
      if (hook.status !== 201) throw new Error(JSON.stringify(hook.body));
      webhooks.push(hook.body.id);
    }
    const bodyOf = async (index: number) => {
      const params = { id: webhooks[index] ?? '' };
      const found = await client.call(listWebhookDeliveries, { params, query: {} }, { key });
      return found.status === 200 ? found.body.items[0]?.body : undefined;
    };
    return async (index: number): Promise<unknown> => {
      await until(async () => (await bodyOf(index)) !== undefined);
      return JSON.parse((await bodyOf(index)) ?? '{}');
    };
  };
  const acts = { deliveries, post, page, request, startBitcoin, payLightning, payByCard, remove, read, isPaid, tasks };
  return { ...shop, sandbox, link, ...acts };
}

const inProgress = { status: 409, body: { error: { metadata: { reason: 'payment_in_progress' } } } };

eachDatabase('a payment link in bitcoin', database => {
  test('is paid over Lightning, reserves its amount meanwhile, and sends webhooks with network and payment', async () => {
    const shop = await aLinkShop(database);
    const { startBitcoin, payLightning, isPaid, read, link, page } = shop;
    const delivered = await shop.deliveries(['payment.created', 'payment.completed']);
    const { location, bolt11, address, btc } = await startBitcoin();
    expect([location, btc]).toEqual([`/pay/${link.id}`, '0.0002']);
    expect([bolt11.slice(0, 4), address === '']).toEqual(['lnbc', false]);
    expect(await startBitcoin()).toMatchObject({ bolt11, address });
    const { paymentHash } = payLightning(bolt11) as unknown as { paymentHash: string };
    await isPaid();
    expect(await read()).toMatchObject({
      amountPaidInCents: 10_00,
      balanceInCents: 0,
      payments: [{ method: 'lightning', amountInCents: 10_00, amountSats: 20_000, status: 'settled' }],
    });
    expect(await page()).toContain('Nothing is left to pay');
    for (const [index, status] of ['PENDING', 'COMPLETE'].entries())
      expect(await delivered(index)).toMatchObject({
        checkoutId: link.id,
        externalId: 'order-7',
        status,
        amount: 10_00,
        currency: 'GBP',
        network: 'lightning',
        txIds: [paymentHash],
      });
  });

  test('sends webhooks of the payments that paid it, not of an excess payment', async () => {
    const { startBitcoin, wallet, until, read, isPaid, deliveries, page } = await aLinkShop(database);
    const delivered = await deliveries(['payment.created', 'payment.completed']);
    const { address } = await startBitcoin();
    const part = wallet.chain.payTo(address, 8_000);
    wallet.chain.mine(1);
    await until(async () => (await read()).payments.length === 1);
    expect(await page()).not.toContain('Payment confirmation');
    const whole = wallet.chain.payTo(address, 20_000);
    wallet.chain.mine(1);
    await isPaid();
    const confirmed = await page();
    for (const fact of ['Payment confirmation', 'order-7', '20,000 sats (£10.00)', 'Bitcoin network', 'INV-000002'])
      expect(confirmed).toContain(fact);
    expect(confirmed).not.toContain('INV-000001');
    expect(await delivered(0)).toMatchObject({ eventType: 'payment.created', txIds: [part.txId] });
    expect(await delivered(1)).toMatchObject({
      eventType: 'payment.completed',
      network: 'onchain',
      txIds: [whole.txId],
    });
  });

  test('paid on chain is held when seen, and counts with the first confirmation', async () => {
    const { startBitcoin, wallet, page, until, post, payByCard, isPaid, link } = await aLinkShop(database);
    const { address } = await startBitcoin();
    wallet.chain.payTo(address, 20_000);
    await until(async () => (await page()).includes('Payment seen'));
    expect(await post('/bitcoin/leave')).toBe(`/pay/${link.id}?problem=payment_in_progress`);
    expect(await payByCard()).toMatchObject(inProgress);
    wallet.chain.mine(1);
    await isPaid();
  });

  test('abandoned for a card is cancelled at the node, and a later payment is a task to return it', async () => {
    const shop = await aLinkShop(database);
    const { startBitcoin, payLightning, post, payByCard, wallet, until, page, read, tasks, client, key, link } = shop;
    const { bolt11, address } = await startBitcoin();
    expect(await post('/bitcoin/leave')).toBe(`/pay/${link.id}`);
    expect(payLightning(bolt11)).not.toHaveProperty('preimage');
    expect(await payByCard()).toMatchObject({ status: 201 });
    wallet.chain.payTo(address, 20_000);
    wallet.chain.mine(1);
    await until(async () => (await tasks()).length > 0, 30);
    expect(await tasks()).toEqual([['bitcoin_payment_in_excess', 20_000]]);
    const paid = await read();
    expect(paid).toMatchObject({ status: 'PAID', amountPaidInCents: 10_00, balanceInCents: 0 });
    expect(await page()).toContain('20,000 sats (about £10.00) are to be returned');
    const excess = paid.payments.find(({ method }) => method === 'onchain');
    const refund = { amount: 20_000, paymentId: excess?.id ?? '' };
    expect(await client.call(createBitcoinRefund, { params: { id: link.id }, body: refund }, { key })).toMatchObject({
      status: 201,
      body: { status: 'recorded', amount: 20_000 },
    });
  });

  test('that was paid late can be claimed by its customer, and is disputed if another destination is given', async () => {
    const { startBitcoin, wallet, clock, until, link, page, world, client, key } = await aLinkShop(database);
    const { address } = await startBitcoin();
    clock.advance({ minutes: 16 });
    await until(async () => (await page()).includes('Pay in bitcoin'));
    wallet.chain.payTo(address, 20_000);
    wallet.chain.mine(1);
    await until(async () => (await page()).includes('20,000 sats (about £10.00) are to be returned'), 30);
    const ask = async (destination: string, id = link.id) => {
      const body = new URLSearchParams({ destination });
      const asked = await fetch(`${world.url}/pay/${id}/claim`, { method: 'POST', body, redirect: 'manual' });
      return [asked.status, asked.headers.get('location')];
    };
    const refused = [303, `/pay/${link.id}?problem=destination_invalid`];
    for (const nowhere of [
      '',
      'x',
      'javascript:alert(1)',
      'bc1qnotanaddress',
      'lnbc1nothing',
      'a@b',
      `${'9'.repeat(3_000)}`,
    ])
      expect([nowhere, ...(await ask(nowhere))]).toEqual([nowhere, ...refused]);
    const asked = await (await fetch(`${link.url}?problem=destination_invalid`)).text();
    expect(asked).toContain('Nothing can be sent there');
    expect(await ask(' lightning:me@wallet.cash ')).toEqual([303, `/pay/${link.id}`]);
    expect(await page()).toContain('knows where you want it back');
    expect(await page()).toContain('<details><summary>Is it wrong, or did someone else enter it?</summary>');
    expect(await ask('ME@wallet.cash')).toEqual([303, `/pay/${link.id}`]);
    expect(await page()).toContain('knows where you want it back');
    for (const someone of ['a', 'b', 'c', 'd'])
      expect(await ask(`${someone}@wallet.cash`)).toEqual([303, `/pay/${link.id}`]);
    expect(await page()).toContain('has to find out which is right before it returns anything');
    expect(await ask('e@wallet.cash')).toEqual([303, `/pay/${link.id}?problem=too_many_destinations`]);
    const full = await (await fetch(`${link.url}?problem=too_many_destinations`)).text();
    expect(full).toContain('<details open>');
    expect(full).toContain('Too many different places were given already');
    const kept = await everythingIn(world.backend.database);
    expect(kept).toContain('"destination":"me@wallet.cash"');
    expect(kept).not.toContain('"e@wallet.cash"');
    expect((await ask('me@wallet.cash', 'pl_00000000000000000000000000000000'))[0]).toBe(303);
    // A second late payment has its own claim, even if the first is disputed.
    const again = await startBitcoin();
    clock.advance({ minutes: 16 });
    await until(async () => (await page()).includes('Pay in bitcoin'));
    wallet.chain.payTo(again.address, 20_000);
    wallet.chain.mine(1);
    await until(async () => (await page()).includes('has to return it to you'), 30);
    expect(await ask('f@wallet.cash')).toEqual([303, `/pay/${link.id}`]);
    const { body } = await client.call(listBitcoinClaims, { query: {} }, { key });
    expect('items' in body && body.items.map(({ status, destination }) => [status, destination])).toEqual([
      ['requested', 'f@wallet.cash'],
      ['disputed', null],
    ]);
  });

  test('that is overpaid is paid, and the excess is a task to return it', async () => {
    const { startBitcoin, wallet, isPaid, tasks, until } = await aLinkShop(database);
    const { address } = await startBitcoin();
    wallet.chain.payTo(address, 20_500);
    wallet.chain.mine(1);
    await isPaid();
    await until(async () => (await tasks()).length > 0);
    expect(await tasks()).toEqual([['bitcoin_payment_in_excess', 500]]);
  });

  test('without a payment is ended when the business takes a card or deletes the link', async () => {
    const byCard = await aLinkShop(database);
    const { bolt11 } = await byCard.startBitcoin();
    expect(await byCard.payByCard()).toMatchObject({ status: 201 });
    expect(byCard.payLightning(bolt11)).not.toHaveProperty('preimage');
    expect(await byCard.read()).toMatchObject({ status: 'PAID', bitcoinRequest: null });

    const { startBitcoin, payLightning, remove, wallet, until, read, tasks } = await aLinkShop(database);
    const asked = await startBitcoin();
    expect(await remove()).toMatchObject({ status: 200, body: { bitcoinRequest: null } });
    expect(payLightning(asked.bolt11)).not.toHaveProperty('preimage');
    wallet.chain.payTo(asked.address, 20_000);
    wallet.chain.mine(1);
    await until(async () => (await tasks()).length > 0, 30);
    expect(await read()).toMatchObject({ status: 'ACTIVE', amountPaidInCents: 0, dueSats: 20_000 });
  });

  test('stays open while its node is unreachable, and the error states until when', async () => {
    const { startBitcoin, payLightning, payByCard, remove, wallet, read, isPaid } = await aLinkShop(database);
    const { bolt11 } = await startBitcoin();
    const expiresAt = (await read()).bitcoinRequest?.expiresAt ?? 'none';
    const bitcoin = { amountSats: 20_000, receivedSats: 0, expiresAt };
    const message = expect.stringContaining(expiresAt) as string;
    const refused = { status: 409, body: { error: { message, metadata: { reason: 'payment_in_progress', bitcoin } } } };
    await wallet.refuseConnections();
    expect(await remove()).toMatchObject(refused);
    expect(await payByCard()).toMatchObject(refused);
    await wallet.acceptConnections();
    payLightning(bolt11);
    expect(await remove()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_link_paid' } } },
    });
    await isPaid();
  });

  test('that is underpaid is open again, and the payment is a task to return it', async () => {
    const shop = await aLinkShop(database);
    const { startBitcoin, wallet, tasks, until, page, post, read, payByCard, remove, link } = shop;
    const { address } = await startBitcoin();
    wallet.chain.payTo(address, 15_000);
    wallet.chain.mine(1);
    await until(async () => (await page()).includes('Only part of the amount has arrived'));
    const asked = await read();
    expect(asked).toMatchObject({
      status: 'ACTIVE',
      amountPaidInCents: 0,
      balanceInCents: 10_00,
      bitcoinRequest: { amountSats: 20_000, confirmedSats: 15_000, seenSats: 0 },
      dueSats: 0,
      payments: [{ method: 'onchain', amountInCents: 7_50, amountSats: 15_000, countedInCents: 0, status: 'settled' }],
    });
    const bitcoin = { amountSats: 20_000, receivedSats: 15_000, expiresAt: asked.bitcoinRequest?.expiresAt };
    const refused = { status: 409, body: { error: { metadata: { reason: 'payment_in_progress', bitcoin } } } };
    expect(await payByCard()).toMatchObject(refused);
    expect(await remove()).toMatchObject(refused);
    expect(await post('/bitcoin/leave')).toBe(`/pay/${link.id}?problem=payment_in_progress`);
    await until(async () => (await tasks()).length > 0, 30);
    expect(await tasks()).toEqual([['bitcoin_payment_in_excess', 15_000]]);
    const due = { bitcoinRequest: null, dueSats: 15_000 };
    expect(await read()).toMatchObject({ status: 'ACTIVE', amountPaidInCents: 0, ...due });
    expect(await shop.client.call(listPaymentLinks, { query: {} }, { key: shop.key })).toMatchObject({
      body: { items: [{ id: link.id, ...due }] },
    });
    expect(await payByCard()).toMatchObject({ status: 201 });
    const counted = [
      { method: 'card', countedInCents: 10_00 },
      { method: 'onchain', countedInCents: 0 },
    ];
    expect(await read()).toMatchObject({ status: 'PAID', amountPaidInCents: 10_00, ...due, payments: counted });
    const params = { id: link.id };
    expect(await shop.client.call(listLinkPayments, { params }, { key: shop.key })).toMatchObject({
      body: { items: counted },
    });
  });

  test('states how much of each payment counts, to the smallest unit', async () => {
    const { startBitcoin, wallet, until, read, isPaid } = await aLinkShop(database, 10_01);
    const { address } = await startBitcoin();
    for (const [count, amountSats] of [6_667, 6_667, 6_667, 7_000].entries()) {
      wallet.chain.payTo(address, amountSats);
      wallet.chain.mine(1);
      await until(async () => (await read()).payments.length === count + 1);
    }
    await isPaid();
    const { amountPaidInCents, payments } = await read();
    const counted = payments.map(({ countedInCents }) => countedInCents);
    expect([counted.reduce((sum, minor) => sum + minor, 0), amountPaidInCents]).toEqual([10_01, 10_01]);
    expect(payments.map(({ amountInCents }) => amountInCents)).toEqual([3_50, 3_34, 3_33, 3_33]);
    // The third is in excess, and part of the last.
    expect(counted).toEqual([3_35, 0, 3_33, 3_33]);
  });

  test('with a partial on-chain payment can no longer be paid over Lightning once the node has cancelled it', async () => {
    const shop = await aLinkShop(database);
    const { startBitcoin, wallet, until, page, read, payLightning, isPaid, deliveries, client, key } = shop;
    const delivered = await deliveries(['payment.completed']);
    const { bolt11, address } = await startBitcoin();
    const invoice = () => wallet.invoices.all().find(each => each.bolt11 === bolt11);
    wallet.addFault({ kind: 'dropRequest', call: 'CANCEL_INVOICE', times: 1_000 });
    wallet.chain.payTo(address, 8_000);
    wallet.chain.mine(1);
    await until(async () => (await page()).includes('Only part of the amount has arrived'));
    expect(invoice()).toMatchObject({ state: 'OPEN' });
    // The cancellation is not confirmed, so a Lightning payment is still recorded.
    payLightning(bolt11);
    await isPaid();
    expect(await delivered(0)).toMatchObject({ network: 'lightning', txIds: [invoice()?.paymentHash] });
    const claims = await client.call(listBitcoinClaims, { query: {} }, { key });
    expect(claims).toMatchObject({ body: { items: [{ reason: 'overpaid', amountSats: 8_000 }] } });
    wallet.clearFaults();

    const second = await aLinkShop(database);
    const asked = await second.startBitcoin();
    second.wallet.chain.payTo(asked.address, 8_000);
    second.wallet.chain.mine(1);
    const expiresAt = Date.parse((await second.read()).bitcoinRequest?.expiresAt ?? '');
    const isOver = () => second.clock.now() >= expiresAt;
    await second.until(async () => {
      await second.read();
      return isOver() || second.wallet.invoices.all().every(({ state }) => state === 'CANCELED');
    });
    expect(isOver()).toBe(false);
    second.wallet.chain.payTo(asked.address, 12_000);
    second.wallet.chain.mine(1);
    await second.isPaid();
    expect(await read()).toMatchObject({ status: 'PAID', payments: [{}, {}] });
  });

  test('is not priced if no exchange responds, and the page says so', async () => {
    const { startBitcoin, rates, link } = await aLinkShop(database);
    await rates.close();
    expect((await startBitcoin()).location).toBe(`/pay/${link.id}?problem=rate_unavailable`);
  });

  test('has refunds recorded against the amount received, capped by it and badged', async () => {
    const { startBitcoin, payLightning, isPaid, link, client, key, read } = await aLinkShop(database);
    payLightning((await startBitcoin()).bolt11);
    await isPaid();
    const refund = (amount: number) =>
      client.call(createBitcoinRefund, { params: { id: link.id }, body: { amount, reason: 'Chair broke' } }, { key });
    expect(await refund(5_000)).toMatchObject({
      status: 201,
      body: {
        kind: 'BITCOIN',
        status: 'recorded',
        amount: 5_000,
        reason: 'Chair broke',
        remainingSats: 15_000,
        paymentStatus: 'partly_refunded',
      },
    });
    expect(await refund(15_001)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_exceeds_payment', remaining: 15_000 } } },
    });
    expect(await refund(15_000)).toMatchObject({ status: 201, body: { paymentStatus: 'refunded' } });
    expect(await read()).toMatchObject({
      payments: [{ status: 'refunded', badges: ['manual refund, funds returned out of band'] }],
    });
  });

  test('converts refunds to shares of its amount, which add up exactly', async () => {
    const { startBitcoin, payLightning, isPaid, link, client, key } = await aLinkShop(database, 10_01);
    payLightning((await startBitcoin()).bolt11);
    await isPaid();
    const recorded = async () => {
      const payments = await client.call(listPayments, { query: {} }, { key });
      const lines = await client.call(listTransactions, { query: {} }, { key });
      if (payments.status !== 200 || lines.status !== 200) throw new Error('could not list them');
      const amounts = lines.body.items.map(({ amountInCents }) => amountInCents);
      return { payment: payments.body.items[0], lines: lines.body.items, amounts: amounts.toReversed() };
    };
    const about = { purpose: 'paymentLink', purposeId: link.id };
    const refund = async (amount: number) => {
      const body = { amount };
      expect(await client.call(createBitcoinRefund, { params: { id: link.id }, body }, { key })).toMatchObject({
        status: 201,
      });
      return recorded();
    };
    expect((await recorded()).payment).toMatchObject({ ...about, amountSats: 20_020, refundedInCents: 0 });
    expect(await refund(1)).toMatchObject({
      payment: { status: 'partly_refunded', refundedInCents: 0, remainingInCents: 10_01 },
      amounts: [10_01, 0],
    });
    expect(await refund(6_666)).toMatchObject({ payment: { refundedInCents: 3_33, remainingInCents: 6_68 } });
    expect(await refund(13_352)).toMatchObject({ payment: { refundedInCents: 10_00, remainingInCents: 1 } });
    const whole = await refund(1);
    expect(whole).toMatchObject({
      payment: { status: 'refunded', refundedInCents: 10_01, remainingInCents: 0 },
      lines: [{ ...about, type: 'bitcoin_refund', amountSats: -1, amountInCents: -1 }, about, about, about, about],
    });
    expect(whole.amounts.reduce((sum, amount) => sum + amount)).toBe(0);
  });

  test('in any order of operations, every amount counts once or is to be returned', async () => {
    const step = fc.constantFrom('ask', 'leave', 'lightning', 'onchain', 'more', 'mine', 'card', 'wait');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async steps => {
        const shop = await aLinkShop(database);
        const { wallet, clock, read, sandbox, until, link } = shop;
        let known = { bolt11: '', address: '' };
        for (const name of steps) {
          if (name === 'ask') {
            const asked = await shop.startBitcoin();
            if (asked.bolt11 !== '') known = asked;
          }
          if (name === 'leave') await shop.post('/bitcoin/leave');
          if (name === 'lightning' && known.bolt11 !== '') shop.payLightning(known.bolt11);
          if (name === 'onchain' && known.address !== '') wallet.chain.payTo(known.address, 20_000);
          if (name === 'more' && known.address !== '') wallet.chain.payTo(known.address, 7_000);
          if (name === 'mine') wallet.chain.mine(1);
          if (name === 'card') await Promise.all([shop.payByCard(), shop.payByCard()]);
          if (name === 'wait') clock.advance({ minutes: 16 });
        }
        wallet.chain.mine(1);
        const { paymentLinks } = shop.world.backend.services;
        const view = () => paymentLinks.customers.view(link.id);
        const paidMinor = () => sandbox.control.ledger().reduce((sum, sale) => sum + sale.takenMinor, 0);
        const receivedSats = () =>
          wallet.invoices.all().reduce((sum, one) => sum + Math.floor(one.paidMsat / 1_000), 0) +
          wallet.chain
            .transactions()
            .flatMap(({ outputs }) => outputs)
            .reduce((sum, output) => sum + output.amountSats, 0);
        await until(async () => {
          const [now, record] = [await view(), await read()];
          const inBitcoin = record.payments.reduce((sum, each) => sum + (each.amountSats ?? 0), 0);
          return now?.progress.kind !== 'bitcoin' && inBitcoin === receivedSats();
        }, 30);
        const [now, record] = [await view(), await read()];
        expect([0, 10_00]).toContain(record.amountPaidInCents);
        const byCard = paidMinor();
        expect([0, 10_00]).toContain(byCard);
        const counted = receivedSats() - (now?.claim?.amountSats ?? 0);
        expect([counted, byCard]).toEqual(
          record.amountPaidInCents === 0 ? [0, 0] : byCard > 0 ? [0, 10_00] : [20_000, 0],
        );
      }),
      { seed: 7, numRuns: database === 'sqlite' ? 12 : 4 },
    );
  });
});
