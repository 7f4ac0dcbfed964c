import {
  getBitcoinClaim,
  listBitcoinClaims,
  returnBitcoinClaim,
} from '@florin/shared/contracts/api-v1/bitcoin-claims.ts';
import { claimCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { createNotificationRecipient } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { createPaymentLink, getPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPaymentTimeline, listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { createBitcoinRefund, listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import { getCustomerClaim, requestReturn } from '@florin/shared/contracts/claims.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { startMailboxSandbox } from '../../programs/sandbox/mailbox/server.ts';

const txId = 'ab'.repeat(32);

type Shop = Awaited<ReturnType<typeof aCheckoutShop>>;

/** A shop that received 6,000 satoshis too much, on chain. */
async function anOverpaidShop(database: DatabaseKind) {
  const shop = await aCheckoutShop(database);
  const checkout = await shop.aCheckout();
  const { address } = await shop.open(checkout.id, 'onchain');
  shop.wallet.chain.payTo(address, 26_000);
  shop.wallet.chain.mine(1);
  await shop.becomes(checkout.id, 'COMPLETE');
  return { ...(await theClaim(shop)), checkout, address };
}

/** The same for a payment link, paid by these payments on chain, one after the other. */
async function aShopWithAnOverpaidLink(
  database: DatabaseKind,
  { env = {}, paid = [26_000] }: { env?: Record<string, string>; paid?: readonly number[] } = {},
) {
  const shop = await aCheckoutShop(database, { sandbox: true, env });
  const { client, key, wallet } = shop;
  const body = { description: 'Invoice 7', amountInCents: 10_00, currency: 'GBP' };
  const link = await client.call(createPaymentLink, { body }, { key });
  if (link.status !== 201) throw new Error(JSON.stringify(link.body));
  const { id, url } = link.body;
  await fetch(`${url}/bitcoin`, { method: 'POST' });
  const address = /id="address" value="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
  const payments = async () => {
    const read = await client.call(getPaymentLink, { params: { id } }, { key });
    return read.status === 200 ? read.body.payments.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : [];
  };
  for (const [before, amountSats] of paid.entries()) {
    wallet.chain.payTo(address, amountSats);
    wallet.chain.mine(1);
    await shop.until(async () => (await payments()).length > before);
  }
  const refund = (amount: number, paymentId?: string) =>
    client.call(createBitcoinRefund, { params: { id }, body: { amount, paymentId } }, { key });
  const page = async () => (await fetch(url)).text();
  return { ...(await theClaim(shop)), payments, refund, page, url };
}

async function theClaim(shop: Shop) {
  const { client, key } = shop;
  const list = async (query: Record<string, string> = {}) => {
    const { status, body } = await client.call(listBitcoinClaims, { query: query as never }, { key });
    return status === 200 ? body.items : [];
  };
  const [claim] = await list();
  if (!claim) throw new Error('there is no claim');
  const { id } = claim;
  const giveBack = (body: object, by = key, idempotencyKey?: string) =>
    client.call(
      returnBitcoinClaim,
      { params: { id }, body: { network: 'onchain', txId, ...body } },
      { key: by, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) },
    );
  const read = () => client.call(getBitcoinClaim, { params: { id } }, { key });
  const tasks = async () => {
    const { status, body } = await client.call(listDiscrepancies, { query: { status: 'open' } }, { key });
    return status === 200 ? body.items.map(({ kind }) => kind) : [];
  };
  return { ...shop, claim, list, giveBack, readClaim: read, tasks };
}

eachDatabase('a claim', database => {
  test('forgets a destination once it is returned, and takes further ones if it grows', async () => {
    const shop = await anOverpaidShop(database);
    const { world, business, claim, checkout, client, giveBack, address } = shop;
    const params = { id: claim.id };
    const give = (destination: string) => client.call(requestReturn, { params, body: { destination } });
    const forget = (destination: string) =>
      world.backend.services.bitcoinClaims.forgetDestinations(business.id, claim.id, each => each === destination);
    const destinations = async () => {
      const read = await shop.readClaim();
      return read.status === 200 ? read.body.destinations.map(each => each.destination) : read.body;
    };
    await give('ann@wallet.cash');
    await give('eve@wallet.cash');
    expect(await forget('ann@wallet.cash')).toBe(0);
    expect(await giveBack({ destination: 'ann@wallet.cash' })).toMatchObject({ body: { status: 'returned' } });
    expect([await forget('ann@wallet.cash'), await forget('ann@wallet.cash')]).toEqual([1, 0]);
    expect(await destinations()).toEqual(['eve@wallet.cash']);
    shop.wallet.chain.payTo(address, 1_000);
    shop.wallet.chain.mine(1);
    await shop.until(async () => (await shop.read(checkout.id)).claim?.status === 'disputed', 30);
    await give('bob@wallet.cash');
    expect(await destinations()).toEqual(['eve@wallet.cash', 'bob@wallet.cash']);
  });

  test('is an open task until all of it is returned, in the ledger and on the checkout too', async () => {
    const shop = await anOverpaidShop(database);
    const { client, key, claim, checkout, list, giveBack, readClaim, tasks, world } = shop;
    expect(claim).toMatchObject({ purpose: 'checkout', purposeId: checkout.id, reason: 'overpaid', amountSats: 6_000 });
    expect([await tasks(), await list({ status: 'returned' }), await list({ purpose: 'ucp' })]).toEqual([
      ['bitcoin_payment_in_excess'],
      [],
      [],
    ]);
    const params = { id: claim.id };
    expect(await client.call(getCustomerClaim, { params })).toMatchObject({
      body: { amountSats: 6_000, status: 'open' },
    });
    const destination = 'customer@wallet.cash';
    expect(await client.call(requestReturn, { params, body: { destination } })).toMatchObject({ status: 200 });
    expect(await list({ status: 'requested' })).toMatchObject([{ id: claim.id, destination }]);
    expect(await shop.read(checkout.id)).toMatchObject({ claim: { status: 'requested' } });

    expect(await giveBack({ amountSats: 6_001 })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'return_exceeds_claim', remaining: 6_000 } } },
    });
    expect(await giveBack({ amountSats: 1_000 })).toMatchObject({ status: 200, body: { returnedSats: 1_000 } });
    expect(await giveBack({ amountSats: 1_000 })).toMatchObject({ status: 200, body: { returnedSats: 1_000 } });
    expect(await giveBack({ amountSats: 2_000 })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'return_differs' } } },
    });
    expect(await tasks()).toEqual(['bitcoin_payment_in_excess']);
    const other = 'cd'.repeat(32);
    expect(await giveBack({ txId: other, network: 'lightning', note: 'Paid by the till' })).toMatchObject({
      status: 200,
      body: {
        status: 'returned',
        returnedSats: 6_000,
        returns: [
          { txId, amountSats: 1_000, destination, by: { kind: 'api_key' } },
          { txId: other, amountSats: 5_000, destination, note: 'Paid by the till' },
        ],
      },
    });
    expect(await giveBack({ txId: 'ef'.repeat(32) })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'claim_already_returned' } } },
    });
    expect([await tasks(), (await readClaim()).status]).toEqual([[], 200]);
    expect(await shop.read(checkout.id)).toMatchObject({ status: 'COMPLETE', claim: { status: 'returned' } });
    expect(await client.call(listPayments, {}, { key })).toMatchObject({
      body: {
        items: [
          {
            amountInCents: 13_00,
            amountSats: 26_000,
            refundedInCents: 3_00,
            remainingInCents: 10_00,
            purpose: 'checkout',
            purposeId: checkout.id,
            badges: ['manual refund, funds returned out of band'],
          },
        ],
      },
    });
    const published = await everythingIn(world.backend.database);
    expect(published.split('bitcoin_claim_returned').length - 1).toBe(2);
    expect(await world.backend.services.audit.verify(shop.business.id)).toMatchObject({ kind: 'intact' });
  });

  test('is disputed if different destinations were given, until the merchant records which one was paid', async () => {
    const shop = await anOverpaidShop(database);
    const { world, client, claim, checkout, list, giveBack, readClaim } = shop;
    const asks = (destination: string) =>
      client.call(requestReturn, { params: { id: claim.id }, body: { destination } });
    expect(await giveBack({ destination: 'thief@wallet.cash', amountSats: 1 })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'destination_not_given', destinations: [] } } },
    });
    expect(await asks('thief@wallet.cash')).toMatchObject({ status: 200, body: { status: 'requested' } });
    expect(await asks(' lightning:Thief@Wallet.cash'.trim())).toMatchObject({ body: { status: 'requested' } });
    expect(await asks('customer@wallet.cash')).toMatchObject({ status: 200, body: { status: 'disputed' } });
    expect(await asks('thief@wallet.cash')).toMatchObject({ status: 200, body: { status: 'disputed' } });
    expect(await list({ status: 'requested' })).toEqual([]);
    expect(await list({ status: 'disputed' })).toMatchObject([{ id: claim.id, destination: null }]);
    const destinations = ['thief@wallet.cash', 'customer@wallet.cash'];
    expect(await readClaim()).toMatchObject({
      body: { status: 'disputed', destinations: destinations.map(destination => ({ destination })) },
    });
    expect(await shop.read(checkout.id)).toMatchObject({ claim: { status: 'disputed' } });
    expect(await (await fetch(checkout.url)).text()).toContain(
      'has to find out which is right before it returns anything',
    );

    expect(await giveBack({})).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'destination_required', destinations } } },
    });
    expect(await giveBack({ destination: 'other@wallet.cash' })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'destination_not_given', destinations } } },
    });
    expect(await readClaim()).toMatchObject({ body: { returnedSats: 0, returns: [] } });
    const destination = 'customer@wallet.cash';
    const paid = { status: 'disputed', returnedSats: 1_000, returns: [{ destination, amountSats: 1_000 }] };
    expect(await giveBack({ destination, amountSats: 1_000 })).toMatchObject({ status: 200, body: paid });
    expect(await giveBack({})).toMatchObject({ status: 200, body: paid });
    expect(await giveBack({ destination: 'thief@wallet.cash' })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'return_differs' } } },
    });
    expect(await giveBack({ destination, txId: 'cd'.repeat(32) })).toMatchObject({ body: { status: 'returned' } });
    expect(await asks('late@wallet.cash')).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'nothing_to_claim' } } },
    });
    const audit = await everythingIn(world.backend.database);
    expect(audit).toContain(
      JSON.stringify('"destination":"customer@wallet.cash","otherDestinations":["thief@wallet.cash"]').slice(1, -1),
    );
    expect(await world.backend.services.audit.verify(shop.business.id)).toMatchObject({ kind: 'intact' });
  });

  test('notifies the merchant once of each destination, by e-mail, event and timeline, from any page', async () => {
    const mailbox = await startMailboxSandbox();
    onTestFinished(() => mailbox.close());
    const shop = await aShopWithAnOverpaidLink(database, { env: { SMTP_URL: mailbox.smtpUrl } });
    const { world, business, client, key, claim, url } = shop;
    const body = { email: 'owner@shop.example' };
    expect(await client.call(createNotificationRecipient, { body }, { key })).toMatchObject({ status: 201 });
    const published: unknown[] = [];
    await world.backend.services.events.follow({ businessId: business.id }, ({ type, subjectId, payload }) => {
      if (subjectId === claim.id) published.push([type, payload]);
    });
    const page = (destination: string) =>
      fetch(`${url}/claim`, { method: 'POST', body: new URLSearchParams({ destination }), redirect: 'manual' });
    const api = (destination: string) =>
      client.call(requestReturn, { params: { id: claim.id }, body: { destination } });
    expect((await page('first@wallet.cash')).status).toBe(303);
    expect((await page('first@wallet.cash')).status).toBe(303);
    expect(await api('second@wallet.cash')).toMatchObject({ status: 200 });
    expect(await api('first@wallet.cash')).toMatchObject({ status: 200 });
    const facts = (destination: string) => ({
      purpose: 'paymentLink',
      purposeId: claim.purposeId,
      amountSats: 6_000,
      claimId: claim.id,
      destination,
    });
    await expect
      .poll(() => published)
      .toEqual([
        ['bitcoin_claim.requested', facts('first@wallet.cash')],
        ['bitcoin_claim.disputed', facts('second@wallet.cash')],
      ]);
    const mails = () => mailbox.received.filter(({ text }) => text.includes(claim.id));
    await expect
      .poll(() =>
        mails()
          .map(({ to, subject }) => `${to.join()}: ${subject}`)
          .toSorted(),
      )
      .toEqual([
        'owner@shop.example: A customer requested the return of 6,000 sats',
        'owner@shop.example: Different destinations were given for 6,000 sats',
      ]);
    expect(mails().filter(({ text }) => text.includes('Destination  first@wallet.cash'))).toHaveLength(1);
    const read = await shop.readClaim();
    const paymentId = read.status === 200 ? (read.body.receipts[0]?.paymentId ?? '') : '';
    const { body: timeline } = await client.call(getPaymentTimeline, { params: { id: paymentId } }, { key });
    const entries = 'items' in timeline ? timeline.items.filter(({ kind }) => kind.startsWith('bitcoin_claim_')) : [];
    expect(entries).toMatchObject([
      { kind: 'bitcoin_claim_requested', detail: { claimId: claim.id, destination: 'first@wallet.cash' } },
      { kind: 'bitcoin_claim_disputed', detail: { claimId: claim.id, destination: 'second@wallet.cash' } },
    ]);
  });

  test('keeps up to five destinations given concurrently, from the page or the API', async () => {
    const { client, claim, checkout, readClaim } = await anOverpaidShop(database);
    const asks = (at: number, name: string) => {
      const body = { destination: `${name}@wallet.cash` };
      if (at % 2 === 0) return client.call(requestReturn, { params: { id: claim.id }, body });
      return client.call(claimCheckout, { params: { id: checkout.id }, body });
    };
    const same = await Promise.all(Array.from({ length: 6 }, (_, at) => asks(at, 'first')));
    expect(same.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(await readClaim()).toMatchObject({
      body: { status: 'requested', destinations: [{ destination: 'first@wallet.cash' }] },
    });
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const responses = await Promise.all(names.map((name, at) => asks(at, name)));
    const taken = names.filter((_, at) => responses[at]?.status === 200);
    expect(taken).toHaveLength(4);
    for (const answer of responses.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { metadata: { reason: 'too_many_destinations', limit: 5 } } },
      });
    const read = await readClaim();
    if (read.status !== 200) throw new Error('the claim is missing');
    const kept = read.body.destinations.map(({ destination }) => destination);
    expect(kept[0]).toBe('first@wallet.cash');
    expect(kept.slice(1).toSorted()).toEqual(taken.map(name => `${name}@wallet.cash`));
    expect(await asks(0, taken[0] ?? '')).toMatchObject({ status: 200, body: { status: 'disputed' } });
  });

  test('is returned once, however many callers report the same transaction', async () => {
    const { giveBack, readClaim } = await anOverpaidShop(database);
    const responses = await Promise.all(Array.from({ length: 8 }, () => giveBack({ amountSats: 4_000 })));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, at) => giveBack({ amountSats: 1_500, txId: String(at).repeat(64) })),
    );
    expect(many.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await readClaim()).toMatchObject({ body: { returnedSats: 5_500, status: 'open' } });
  });

  test('is settled by a refund of the full payment, so nothing is returned twice', async () => {
    const shop = await aShopWithAnOverpaidLink(database);
    const { world, business, client, page, claim, giveBack, readClaim, refund, tasks } = shop;
    const { claims } = world.backend.services.bitcoinInvoices;
    const reserved = () => world.backend.database.write(tx => claims.dueSats(tx, business.id));
    expect(await refund(22_000)).toMatchObject({ status: 201 });
    expect(await readClaim()).toMatchObject({ body: { status: 'open', refundedSats: 2_000, returnedSats: 0 } });
    expect(await page()).toContain('name="destination"');
    expect([await reserved(), await tasks()]).toEqual([4_000, ['bitcoin_payment_in_excess']]);
    expect(await giveBack({ amountSats: 4_001 })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'return_exceeds_claim', remaining: 4_000 } } },
    });
    expect(await giveBack({ amountSats: 1_000 })).toMatchObject({ status: 200, body: { status: 'open' } });
    expect(await refund(3_001)).toMatchObject({ status: 409, body: { error: { metadata: { remaining: 3_000 } } } });
    expect(await refund(3_000)).toMatchObject({ status: 201 });
    const settled = { status: 'returned', returnedSats: 1_000, refundedSats: 5_000 };
    expect(await readClaim()).toMatchObject({ body: settled });
    expect([await reserved(), await tasks()]).toEqual([0, []]);
    expect(await giveBack({ txId: 'cd'.repeat(32) })).toMatchObject({ status: 409 });
    const params = { id: claim.id };
    expect(await client.call(getCustomerClaim, { params })).toMatchObject({ body: settled });
    expect(await client.call(requestReturn, { params, body: { destination: 'a@wallet.cash' } })).toMatchObject({
      status: 409,
    });
    expect(await page()).toContain('has returned it');
    expect(await page()).not.toContain('name="destination"');
  });

  test('is allocated to the excess payment first, then to the surplus of the other payment', async () => {
    const shop = await aShopWithAnOverpaidLink(database, { paid: [8_000, 30_000] });
    const { client, key, claim, giveBack, payments, refund, tasks } = shop;
    expect(claim).toMatchObject({ reason: 'overpaid', amountSats: 18_000 });
    const [inExcess, paying] = await payments();
    const listed = await client.call(listDiscrepancies, { query: { status: 'open' } }, { key });
    expect(listed).toMatchObject({ body: { items: [{ paymentId: inExcess?.id }] } });
    expect(await giveBack({ amountSats: 5_000 })).toMatchObject({ status: 200, body: { returnedSats: 5_000 } });
    expect(await payments()).toMatchObject([{ status: 'partly_refunded' }, { status: 'settled', badges: [] }]);
    expect(await giveBack({ txId: 'cd'.repeat(32) })).toMatchObject({ body: { status: 'returned' } });
    expect(await payments()).toMatchObject([{ status: 'refunded' }, { status: 'partly_refunded' }]);
    expect(await tasks()).toEqual([]);
    const refused = (remaining: number) => ({ status: 409, body: { error: { metadata: { remaining } } } });
    expect(await refund(1, inExcess?.id)).toMatchObject(refused(0));
    expect(await refund(20_001, paying?.id)).toMatchObject(refused(20_000));
  });

  test('is settled by a refund of the excess payment, whatever else was paid', async () => {
    const shop = await aShopWithAnOverpaidLink(database, { paid: [8_000, 20_000] });
    const { giveBack, readClaim, payments, refund, tasks } = shop;
    const [inExcess] = await payments();
    expect(await giveBack({ amountSats: 1_000 })).toMatchObject({ status: 200 });
    expect(await refund(3_000, inExcess?.id)).toMatchObject({ status: 201 });
    expect(await readClaim()).toMatchObject({ body: { status: 'open', returnedSats: 1_000, refundedSats: 3_000 } });
    expect(await giveBack({ amountSats: 4_001, txId: 'cd'.repeat(32) })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'return_exceeds_claim', remaining: 4_000 } } },
    });
    expect(await refund(4_000, inExcess?.id)).toMatchObject({ status: 201 });
    expect([await readClaim(), await tasks()]).toMatchObject([
      { body: { status: 'returned', refundedSats: 7_000 } },
      [],
    ]);
    expect(await giveBack({ txId: 'cd'.repeat(32) })).toMatchObject({ status: 409 });
    expect(await payments()).toMatchObject([{ status: 'refunded' }, { status: 'settled', badges: [] }]);
  });

  test('and refunds never exceed the amount received, under concurrent requests', async () => {
    const { giveBack, refund, readClaim, client, key } = await aShopWithAnOverpaidLink(database);
    const returns = Array.from({ length: 8 }, (_, at) => ({ amountSats: 2_000, txId: String(at).repeat(64) }));
    await Promise.all([...Array.from({ length: 4 }, () => refund(8_000)), ...returns.map(one => giveBack(one))]);
    const read = await readClaim();
    if (read.status !== 200) throw new Error('the claim is missing');
    const { amountSats, returnedSats, refundedSats } = read.body;
    expect(returnedSats + refundedSats).toBeLessThanOrEqual(amountSats);
    const { body } = await client.call(listRefunds, {}, { key });
    const refunds = 'items' in body ? body.items : [];
    const sumOf = (some: typeof refunds) => some.reduce((sats, one) => sats + (one.amount ?? 0), 0);
    const byReturns = refunds.filter(({ reason }) => reason?.startsWith('Returned by'));
    expect(sumOf(byReturns)).toBe(returnedSats);
    expect(sumOf(refunds)).toBeGreaterThan(21_000);
    expect(sumOf(refunds)).toBeLessThanOrEqual(26_000);
  });

  test('refuses a destination that cannot receive funds or is the merchant’s, on the page and in both operations', async () => {
    const shop = await anOverpaidShop(database);
    const { client, claim, checkout, address, clock, world, readClaim } = shop;
    const overAnotherAmount = shop.wallet.foreignInvoice({ amountSats: 1_000 }).bolt11;
    const ofMerchant = (await shop.open((await shop.aCheckout()).id, 'lightning')).bolt11;
    const mainnetAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const bad = [
      [mainnetAddress, 'other_network'],
      [`bitcoin:${mainnetAddress}?amount=1`, 'other_network'],
      ['you@wallet', 'destination_invalid'],
      ['you@-wallet.cash', 'destination_invalid'],
      ['you@wallet.example', 'destination_invalid'],
      ['You@Example.com', 'destination_invalid'],
      [overAnotherAmount.slice(0, -1), 'destination_invalid'],
      [overAnotherAmount, 'invoice_amount_differs'],
      [address, 'destination_of_merchant'],
      [`bitcoin:${address.toUpperCase()}?amount=1`, 'destination_of_merchant'],
      [`lightning:${ofMerchant}`, 'destination_of_merchant'],
    ] as const;
    const gives = async (destination: string, reason: string) => {
      const responses = [
        await client.call(requestReturn, { params: { id: claim.id }, body: { destination } }),
        await client.call(claimCheckout, { params: { id: checkout.id }, body: { destination } }),
      ];
      const issues = [{ path: 'destination' }];
      for (const answer of responses)
        expect([destination, answer]).toMatchObject([
          destination,
          { status: 400, body: { error: { metadata: { reason, issues } } } },
        ]);
      const page = `${world.url}/checkout/${checkout.id}`;
      const body = new URLSearchParams({ destination });
      const sent = await fetch(`${page}/claim`, { method: 'POST', body, redirect: 'manual' });
      expect(sent.headers.get('location')).toBe(`/checkout/${checkout.id}?problem=${reason}`);
      expect(await (await fetch(`${page}?problem=${reason}`)).text()).toContain('aria-invalid="true"');
    };
    for (const [destination, reason] of bad) await gives(destination, reason);
    clock.advance({ hours: 2 });
    await gives(overAnotherAmount, 'invoice_expired');
    expect(await readClaim()).toMatchObject({ body: { status: 'open', destination: null } });
  });

  test('accepts a destination from the service’s own page only', async () => {
    const { world, checkout, readClaim } = await anOverpaidShop(database);
    const post = async (headers: Record<string, string>) => {
      const body = new URLSearchParams({ destination: 'customer@wallet.cash' });
      const url = `${world.url}/checkout/${checkout.id}/claim`;
      return (await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })).status;
    };
    const foreign = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: world.url },
      { Origin: 'https://thief.example' },
    ];
    for (const headers of foreign) expect([headers, await post(headers)]).toEqual([headers, 403]);
    expect(await readClaim()).toMatchObject({ body: { status: 'open', destination: null } });
    expect(await post({ Origin: world.url, 'Sec-Fetch-Site': 'same-origin' })).toBe(303);
    expect(await readClaim()).toMatchObject({ body: { status: 'requested' } });
    expect(await post({ Origin: world.url })).toBe(303);
  });
});
