import { returnBitcoinClaim } from '@florin/shared/contracts/api-v1/bitcoin-claims.ts';
import { createNotificationRecipient } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { createLinkPayment, createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPayment, listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { createWebhook, deleteWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { createWithdrawal, listWithdrawals } from '@florin/shared/contracts/api-v1/withdrawals.ts';
import { requestReturn } from '@florin/shared/contracts/claims.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type BackendWorld, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { secretsKeySetting } from '../../../test/support/gateway-account.ts';
import { paymentTokenFrom } from '../../../test/support/shop.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import type { Database } from '../../foundation/database/database.ts';
import { runAdmin } from '../admin/run.ts';
import { startMailboxSandbox } from '../sandbox/mailbox/server.ts';
import { erase, eraseUnusedSince } from './erase.ts';
import { subjectOf } from './subject.ts';

const email = 'Ann.Lee@example.com';
const destination = 'ann@wallet.cash';
const txId = 'ab'.repeat(32);
const noFilter = { staffId: null, terminalId: null, status: null, from: null, to: null };

async function admin({ settings }: BackendWorld, ...args: string[]) {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  const place =
    settings.databaseUrl === undefined
      ? { DATA: settings.data }
      : { DATABASE_URL: settings.databaseUrl, SECRETS_KEY: secretsKeySetting };
  const code = await runAdmin({ args: [...args, '--json'], env: place, print, printError: print });
  return { code, ...(JSON.parse(out) as Record<string, unknown>) } as {
    code: number;
    erased?: Record<string, number>;
    kept?: { table: string }[];
    needed?: unknown;
    records?: { table: string; goes: string; rows: Record<string, unknown>[] }[];
    sales?: Record<string, unknown>[];
    kind?: string;
  };
}

/** The rows of the whole database that have this text, in whatever case, also as a URL writes it. */
async function rowsWith({ backend }: BackendWorld, text: string): Promise<string[]> {
  const tables = JSON.parse(await everythingIn(backend.database)) as object[][];
  const forms = [text, encodeURIComponent(text)].map(form => form.toLowerCase());
  const rows = tables.flat().map(row => JSON.stringify(row));
  return rows.filter(row => forms.some(form => row.toLowerCase().includes(form))).toSorted();
}

/** A shop on a composed server, of which a second business has the same customer. */
async function aShopWithCustomers(database: DatabaseKind) {
  const mailbox = await startMailboxSandbox();
  onTestFinished(() => mailbox.close());
  const receiver = await aWebhookReceiver();
  const shop = await aCheckoutShop(database, { sandbox: true, env: { SMTP_URL: mailbox.smtpUrl } });
  const { world, client, wallet } = shop;
  const other = await world.aBusiness({ name: 'Other Shop' });
  const otherKey = await other.key(...permissionCodes);

  const order = (key: string, idempotencyKey = 'link-1') => {
    const body = {
      description: `Deposit (${email})`,
      amountInCents: 5_00,
      currency: 'GBP',
      externalReference: `${email}-7`,
      successUrl: `https://shop.example/thanks?mail=${encodeURIComponent(email)}`,
    };
    return client.call(createPaymentLink, { body }, { key, idempotencyKey });
  };
  /** A card payment over a link that names the customer, and its receipt by e-mail. */
  async function buys(key: string, idempotencyKey?: string) {
    const before = mailbox.received.length;
    for (const eventType of ['payment.created', 'payment.completed'] as const)
      await client.call(createWebhook, { body: { url: receiver.url, eventType } }, { key });
    const link = await order(key, idempotencyKey);
    if (link.status !== 201) throw new Error(JSON.stringify(link.body));
    const paymentToken = await paymentTokenFrom(world.sandbox?.tokenUrl ?? '');
    const params = { id: link.body.id };
    const paid = await client.call(createLinkPayment, { params, body: { paymentToken } }, { key });
    if (paid.status !== 201) throw new Error(JSON.stringify(paid.body));
    const payment = await client.call(getPayment, { params: { id: paid.body.id } }, { key });
    const url = payment.status === 200 ? (payment.body.receipt?.url ?? '') : '';
    await expect.poll(async () => (await fetch(url)).status).toBe(200);
    await fetch(`${url}/email`, { method: 'POST', body: new URLSearchParams({ address: email }), redirect: 'manual' });
    await expect.poll(() => mailbox.received.length).toBe(before + 1);
    await client.call(getPayment, { params: { id: email } }, { key });
    return paid.body.id;
  }
  const claims = () => {
    const all = { status: null, purpose: null, purposeId: null, before: '~', limit: 10 };
    return world.backend.services.bitcoinClaims.list({ ...all, businessId: shop.business.id });
  };
  /** A checkout that is overpaid on chain, and the customer's destination for the rest. */
  async function overpays() {
    const { key } = shop;
    await client.call(createNotificationRecipient, { body: { email: 'boss@shop.example' } }, { key });
    const webhookUrl = `${receiver.url}?for=${email}`;
    const checkout = await shop.aCheckout({ externalReference: email, webhookUrl });
    const { address } = await shop.open(checkout.id, 'onchain');
    wallet.chain.payTo(address, 26_000);
    wallet.chain.mine(1);
    await shop.becomes(checkout.id, 'COMPLETE');
    const id = (await claims())[0]?.id ?? '';
    const before = mailbox.received.length;
    await client.call(requestReturn, { params: { id }, body: { destination } });
    await expect.poll(() => mailbox.received.length).toBeGreaterThan(before);
    return { claimId: id, checkoutId: checkout.id, address };
  }
  const returns = (id: string) =>
    client.call(returnBitcoinClaim, { params: { id }, body: { network: 'onchain', txId } }, { key: shop.key });
  /** What the API says of the money, with the customer's addresses as an erasure leaves them. */
  async function books() {
    const { key } = shop;
    const read = (path: string) =>
      fetch(`${world.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } }).then(answer => {
        expect(answer.status, path).toBe(200);
        return answer.text();
      });
    const payments = await read('payments');
    const ids = [...new Set(payments.match(/pay_[0-9a-f]{32}/g))];
    const lists = ['overview', 'transactions', 'settlements', 'refunds', 'bitcoin-claims', 'payment-link', 'checkouts'];
    const claimIds = (await claims()).map(({ id }) => `bitcoin-claims/${id}`);
    const others = [...lists, ...claimIds, ...ids.map(id => `payments/${id}/timeline`)].map(read);
    const said = [payments, ...(await Promise.all(others))].join('\n');
    return subjectOf(email)
      .eraseFrom(subjectOf(destination).eraseFrom(said))
      .replaceAll('"[erased]"', 'null')
      .replace(/"(generatedAt|asOf)":"[^"]+"/g, '')
      .replaceAll(/"destinations":\[[^\]]*\]/g, '"destinations":[]')
      .replaceAll(/"requestedAt":"[^"]+"/g, '"requestedAt":null');
  }
  /** Nothing is under way any more, and so many calls that name the customer were noted. */
  async function settled({ calls = 1 } = {}) {
    world.clock.advance({ seconds: 2 });
    const noted = async () => (await rowsWith(world, email)).filter(row => row.includes('"apiKeyId"'));
    await expect.poll(async () => (await noted()).length).toBe(calls);
    const underWay = async () => [
      ...(await rowsWith(world, '"isUnderWay":1')),
      ...(await rowsWith(world, '"status":"pending"')),
    ];
    await expect.poll(underWay).toEqual([]);
  }
  return { ...shop, claims, other, otherKey, receiver, mailbox, order, buys, overpays, returns, books, settled };
}

eachDatabase('a customer', database => {
  test('is exported, and forgotten everywhere but in the sealed log, while the books and other businesses stay', async () => {
    const shop = await aShopWithCustomers(database);
    const { world, business, other } = shop;
    await shop.buys(shop.otherKey);
    const payment = await shop.buys(shop.key);
    const { claimId } = await shop.overpays();
    await shop.returns(claimId);
    await shop.settled({ calls: 2 });
    const person = ['--business', business.id, '--email', email.toLowerCase(), '--text', destination];

    const exported = await admin(world, 'privacy', 'export', ...person);
    const goes = new Map(exported.records?.map(each => [each.table, each.goes]));
    expect(goes.get('receiptEmails')).toBe('90 days after the receipt was sent');
    const tables = new Map(exported.records?.map(({ table, rows }) => [table, rows]));
    expect([...tables.keys()].toSorted()).toEqual([
      'apiRequests',
      'auditEntries',
      'bitcoinClaimDestinations',
      'bitcoinClaims',
      'bitcoinReturns',
      'checkouts',
      'emails',
      'events',
      'idempotencyRecords',
      'paymentLinks',
      'receiptEmails',
      'webhookAttempts',
      'webhookDeliveries',
      'webhooks',
    ]);
    expect(tables.get('receiptEmails')).toMatchObject([{ address: email, sentAt: expect.stringMatching(/^2026-/) }]);
    expect(tables.get('bitcoinClaims')).toMatchObject([{ destination, amountSats: 6_000, status: 'returned' }]);
    expect(exported.sales).toContainEqual(
      expect.objectContaining({ id: payment, amountMinor: 5_00, cardLastFour: '0821' }),
    );

    const otherBefore = (await rowsWith(world, email)).filter(row => row.includes(other.id));
    expect(otherBefore.length).toBeGreaterThan(2);
    // An operator has to erase nothing from the log.
    expect(world.logged()).not.toMatch(/ann\.lee(@|%40)|ann@wallet/i);
    const books = await shop.books();
    const erased = await admin(world, 'privacy', 'erase', ...person);
    expect(erased).toMatchObject({ code: 0, kept: [{ table: 'auditEntries' }] });
    expect(erased.erased).toMatchObject({ receiptEmails: 1, paymentLinks: 1, bitcoinClaims: 1, bitcoinReturns: 1 });

    const left = [...(await rowsWith(world, email)), ...(await rowsWith(world, destination))];
    const ofOthers = left.filter(row => !row.includes('"previousHash"'));
    expect(left.length - ofOthers.length).toBe(1);
    // The other business's, its receipt's address, and the letter with that receipt.
    expect(ofOthers.filter(row => row.includes(business.id))).toEqual([]);
    expect(ofOthers.filter(row => row.includes(other.id))).toEqual(otherBefore);
    expect(ofOthers.filter(row => row.includes('"addressKey"'))).toHaveLength(1);
    expect(ofOthers.filter(row => row.includes('"recipient"'))).toHaveLength(1);
    expect(await shop.books()).toEqual(books);
    expect(await admin(world, 'audit', 'verify', '--business', business.id)).toMatchObject({ code: 0, kind: 'intact' });

    const repeated = await shop.order(shop.key);
    expect(repeated).toMatchObject({ status: 201, isReplayed: true, body: { description: 'Deposit ([erased])' } });
    expect(await shop.books()).toEqual(books);

    expect(await admin(world, 'privacy', 'erase', ...person)).toMatchObject({ code: 0, erased: {} });
    const again = await admin(world, 'privacy', 'export', ...person);
    expect(again.records?.map(({ table }) => table)).toEqual(['auditEntries']);
  });

  test('to whom bitcoin is still to be returned is not forgotten, and asked anew if more arrives later', async () => {
    const shop = await aShopWithCustomers(database);
    const { world, business } = shop;
    const { claimId, checkoutId, address } = await shop.overpays();
    const person = ['--business', business.id, '--text', destination];
    await shop.settled({ calls: 0 });
    const before = await rowsWith(world, destination);
    const refused = await admin(world, 'privacy', 'erase', ...person);
    expect(refused).toMatchObject({ code: 1, needed: [{ id: claimId, until: 'all of it is returned' }] });
    expect(await rowsWith(world, destination)).toEqual(before);

    await shop.returns(claimId);
    // With a key that names the customer: it has to stay, or the repeated call would make a second link.
    const order = () => {
      const body = { description: 'Invoice 7', amountInCents: 100, currency: 'GBP' };
      return shop.client.call(createPaymentLink, { body }, { key: shop.key, idempotencyKey: `7:${destination}` });
    };
    const ordered = await order();
    const endpoint = { url: `${shop.receiver.url}?to=${destination}`, eventType: 'payment.completed' } as const;
    const made = await shop.client.call(createWebhook, { body: endpoint }, { key: shop.key });
    const webhookId = made.status === 201 ? made.body.id : '';
    expect(await admin(world, 'privacy', 'erase', ...person)).toMatchObject({ code: 1, needed: [{ id: webhookId }] });
    await shop.client.call(deleteWebhook, { params: { id: webhookId } }, { key: shop.key });
    const erased = await admin(world, 'privacy', 'erase', ...person);
    expect(erased).toMatchObject({ code: 0, erased: { webhooks: 1 } });
    expect(erased.kept?.map(({ table }) => table)).toEqual(['idempotencyRecords', 'auditEntries']);
    expect(await order()).toMatchObject({ isReplayed: true, body: { id: (ordered.body as { id: string }).id } });
    expect(await shop.claims()).toMatchObject([{ status: 'returned', destination: null, returnedSats: 6_000 }]);
    shop.wallet.chain.payTo(address, 1_000);
    shop.wallet.chain.mine(1);
    await shop.until(async () => (await shop.read(checkoutId)).claim?.status === 'open', 30);
    const params = { id: claimId };
    await shop.client.call(requestReturn, { params, body: { destination: 'new@wallet.cash' } });
    expect(await shop.claims()).toMatchObject([
      { status: 'requested', destination: 'new@wallet.cash', amountSats: 7_000, returnedSats: 6_000 },
    ]);
  });

  test('is forgotten by an erasure that was interrupted at any point and repeated', async () => {
    const shop = await aShopWithCustomers(database);
    const { world, business } = shop;
    await shop.buys(shop.key);
    await shop.settled();
    const { database: place, services } = world.backend;
    const options = { businessId: business.id, subjects: [subjectOf(email)] };
    let rows = (await rowsWith(world, email)).length;
    expect(rows).toBeGreaterThan(5);
    /** A process that is killed at its third transaction; the first one writes the audit log. */
    const interrupted = () => {
      let writes = 0;
      const write: Database['write'] = body => {
        writes += 1;
        return writes > 2 ? Promise.reject(new Error('killed')) : place.write(body);
      };
      return erase({ services, database: { ...place, write } }, options);
    };
    for (; rows > 1; rows -= 1) {
      await expect(interrupted()).rejects.toThrow('killed');
      await expect.poll(async () => (await rowsWith(world, email)).length).toBe(rows - 1);
    }
    expect(await erase(world.backend, options)).toMatchObject({ kind: 'erased', left: {} });
    expect(await rowsWith(world, email)).toEqual([]);
    expect(await services.audit.verify(business.id)).toMatchObject({ kind: 'intact' });
    const [entry] = await services.audit.list({
      businessId: business.id,
      kind: 'setting_changed',
      filter: noFilter,
      before: null,
      limit: 1,
    });
    expect(JSON.parse(entry?.detailJson ?? '')).toMatchObject({ change: 'personal_data_erased', records: 1 });
  });

  test('whose address was not used since a time is forgotten, and one to whom bitcoin is owed is not', async () => {
    const shop = await aShopWithCustomers(database);
    const { world, business, clock, client } = shop;
    await shop.buys(shop.key);
    const { claimId } = await shop.overpays();
    await shop.settled();
    const eraseBefore = (before: number) => eraseUnusedSince(world.backend, { businessId: business.id, before });
    expect(await eraseBefore(clock.now() - 3_600_000)).toMatchObject({ addresses: 0, erased: {} });
    expect(await eraseBefore(clock.now() + 1)).toMatchObject({ addresses: 1, erased: { receiptEmails: 1, emails: 1 } });
    expect(await rowsWith(world, email)).toEqual([]);
    expect(await shop.claims()).toMatchObject([{ destination }]);
    const all = await admin(world, 'privacy', 'export', '--business', business.id);
    expect(all.records?.map(({ table }) => table)).toEqual(['bitcoinClaims', 'bitcoinClaimDestinations']);
    await shop.returns(claimId);
    // Another one that is still needed keeps none of the others.
    await shop.buys(shop.key, 'link-2');
    const endpoint = { url: `${shop.receiver.url}?to=${email}`, eventType: 'payment.completed' } as const;
    await client.call(createWebhook, { body: endpoint }, { key: shop.key });
    expect(await eraseBefore(clock.now() + 1)).toMatchObject({ addresses: 1, erased: { bitcoinReturns: 1 } });
    expect((await rowsWith(world, destination)).filter(row => !row.includes('"previousHash"'))).toEqual([]);
  });

  test('is forgotten after the retention by itself, except in the records of the shop', async () => {
    const shop = await aShopWithCustomers(database);
    const { world, clock, client, key } = shop;
    await shop.buys(key);
    await shop.settled();
    clock.step({ hours: 91 * 24 });
    const isOfShop = (row: string) => row.includes('"allowPartPayment"');
    await expect
      .poll(async () => {
        clock.advance({ minutes: 11 });
        await client.call(listPayments, {}, { key });
        return (await rowsWith(world, email)).filter(row => !isOfShop(row));
      })
      .toEqual([]);
  });

  test('to whom the shop sent bitcoin is forgotten once that is certain, and the same invoice is never paid again', async () => {
    const shop = await aCheckoutShop(database);
    const { world, client, key, wallet, business } = shop;
    const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
    const { bolt11 } = wallet.foreignInvoice({ amountSats: 1_000 });
    const withdraw = (body: object) => client.call(createWithdrawal, { body: body as never }, { key });
    const statuses = async () => {
      const { status, body } = await client.call(listWithdrawals, { query: {} }, { key });
      return status === 200 ? body.items.map(each => [each.destination, each.status, each.amountSats]) : [];
    };
    wallet.chain.payTo(wallet.chain.newAddress(), 100_000);
    wallet.chain.mine(1);
    expect((await withdraw({ invoice: bolt11 })).status).toBe(201);
    const sent = await withdraw({ address, amountSats: 60_000 });
    const person = ['--business', business.id, '--text'];
    expect(await admin(world, 'privacy', 'erase', ...person, address)).toMatchObject({
      code: 1,
      needed: [{ id: (sent.body as { id: string }).id }],
    });
    wallet.chain.mine(1);
    await shop.until(async () => (await statuses()).every(([, status]) => status === 'completed'), 60);
    for (const text of [address, bolt11])
      expect(await admin(world, 'privacy', 'erase', ...person, text)).toMatchObject({ erased: { withdrawals: 1 } });
    expect(await statuses()).toEqual([
      ['[erased]', 'completed', 60_000],
      ['[erased]', 'completed', 1_000],
    ]);
    expect(await withdraw({ invoice: bolt11 })).toMatchObject({ status: 409 });
    expect(wallet.payments.all()).toHaveLength(1);
  });
});
