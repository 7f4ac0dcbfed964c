import { startMailboxSandbox } from '@florin/backend/programs/sandbox/mailbox/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { getPayment, listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { createBitcoinRefundOfPayment, getRefund, listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { SignedReceipt } from '@florin/shared/receipts/document.ts';
import { checkReceipt } from '@florin/shared/receipts/verdict.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend, type BackendWorld, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

const cardNumber = /4929\D?4212\D?3460\D?0821|49294212/;

/** Opens a page once its receipt exists: it is created right after the payment, not with it. */
async function opened(url: string | undefined, language = 'en'): Promise<{ html: string; headers: Headers }> {
  const read = () => fetch(url ?? '', { headers: { 'accept-language': language } });
  await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe(200);
  const answer = await read();
  return { html: await answer.text(), headers: answer.headers };
}

async function documentAt(url: string | undefined): Promise<SignedReceipt> {
  await opened(url);
  const answer = await fetch(`${url}/receipt.json`);
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  return (await answer.json()) as SignedReceipt;
}

const keysOf = async (world: BackendWorld, businessId: string): Promise<unknown> =>
  (await fetch(`${world.url}/.well-known/florin-receipts/${businessId}.json`)).json();

/** By a verifier that knows the issuer, and can see the receipt as it is now or not. */
const judged = (world: BackendWorld, document: unknown, keys: unknown, current?: unknown) =>
  checkReceipt({
    document,
    keys,
    isIssuerKnown: true,
    readCurrent: () => Promise.resolve(current),
    now: world.clock.now(),
    verify: verifyText,
  });

/** The facts on a page by their names. */
function factsOn(html: string): Record<string, string> {
  const rows = html.matchAll(/<dt>([^<]*)<\/dt><dd[^>]*><bdi>([^<]*)<\/bdi>/g);
  return Object.fromEntries([...rows].map(([, name, value]) => [name, value]));
}

async function aPaidShop(database: DatabaseKind, env: Readonly<Record<string, string>> = {}) {
  const shop = await aShop(database, merchant, { env });
  const { client, key } = shop;
  const paid = async (amountInCents = 1_000) => {
    const link = await shop.aLink(amountInCents, { description: 'Two chairs', externalReference: 'order-7' });
    const { id } = await shop.pay(link.id);
    return { link, id };
  };
  async function payment(id: string) {
    const read = await client.call(getPayment, { params: { id } }, { key });
    if (read.status !== 200) throw new Error(JSON.stringify(read.body));
    return read.body;
  }
  return { ...shop, paid, payment };
}

eachDatabase('a receipt', database => {
  test('of a link payment says what was paid, and nothing of the card but its last four digits', async () => {
    const { world, business, paid, payment, client, key } = await aPaidShop(database);
    await world.backend.services.businesses.settings.change(
      business.id,
      { addressLines: ['1 High Street', 'London'], receiptFooter: 'Thank you <3' },
      operator,
    );
    const { id } = await paid();
    const { receipt, invoiceNumber } = await payment(id);
    expect(receipt?.url).toMatch(new RegExp(`^${world.url}/r/[0-9A-Za-z]{22}$`));
    const listed = await client.call(listPayments, {}, { key });
    expect(listed).toMatchObject({ body: { items: [{ id, receipt }] } });
    const { html, headers } = await opened(receipt?.url);
    expect(html).toContain('£10.00');
    for (const words of ['Corner Shop', '1 High Street', 'Thank you &#60;3', 'Receipt']) expect(html).toContain(words);
    expect(factsOn(html)).toMatchObject({
      'Paid with': 'Visa\u00a0••••\u00a00821',
      'Paid on': '21 November 2026 at 09:30 GMT',
      For: 'Two chairs',
      Reference: 'order-7',
      Invoice: invoiceNumber,
      'Payment ID': id,
    });
    expect(Buffer.byteLength(html)).toBeLessThan(10_000);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringContaining("default-src 'none';script-src 'self'"),
    });
    expect(html).toContain('<meta name="robots" content="noindex">');
    const german = (await opened(receipt?.url, 'de')).html;
    for (const words of ['<html lang="de">', 'Beleg', '10,00\u00a0£', '21. November 2026'])
      expect(german).toContain(words);
    expect(german).not.toMatch(/Paid|Receipt\b|£10/);
    // The number of the sale is not called one of the receipt, which a refund has of its own.
    expect(Object.keys(factsOn(german)).filter(name => /Verkauf|Beleg/.test(name))).toEqual([
      'Verkaufs-Nr.',
      'Beleg-ID',
    ]);
    expect((await opened(`${receipt?.url}?lang=en`, 'de')).html).toContain('Paid with');
    const document = await documentAt(receipt?.url);
    expect(document).toMatchObject({ kind: 'sale', amountMinor: 1_000, currency: 'GBP', remainingMinor: 1_000 });
    for (const text of [html, german, JSON.stringify(document)]) expect(text).not.toMatch(cardNumber);
  });

  test('of a void, a part refund and another says what went back, and of which sale', async () => {
    const { world, paid, payment, refund, client, key, sandbox } = await aPaidShop(database);
    const voided = await paid(700);
    const cancelled = await refund(voided.link.id, { kind: 'CANCEL' });
    const refunded = await paid(1_000);
    sandbox.control.settle();
    const first = await refund(refunded.link.id, { kind: 'REFUND_SALE', amountInCents: 300 });
    world.clock.advance({ minutes: 1 });
    await refund(refunded.link.id, { kind: 'REFUND_SALE', amountInCents: 200 });
    if (cancelled.status !== 201 || first.status !== 201) throw new Error('not returned');

    const voidedSale = await payment(voided.id);
    const { html: voidedPage } = await opened(voidedSale.receipt?.url);
    expect(voidedPage).toContain('Voided');
    expect(factsOn(voidedPage)).toMatchObject({ 'Left of the sale': 'Nothing' });
    const { html: voidPage } = await opened(cancelled.body.receipt?.url);
    for (const words of ['Receipt of a void', '£7.00', `href="${voidedSale.receipt?.url}"`])
      expect(voidPage).toContain(words);
    expect(voidPage).toContain('The card is not charged.');
    expect(factsOn(voidPage)).toHaveProperty('Card');
    expect(factsOn(voidPage)).not.toHaveProperty('Returned to');

    const sale = await payment(refunded.id);
    const { html } = await opened(sale.receipt?.url);
    expect(html.match(/−£[0-9.]+/g)).toEqual(['−£3.00', '−£2.00']);
    expect(html).toContain(`href="${first.body.receipt?.url}"`);
    expect(factsOn(html)).toMatchObject({ 'Left of the sale': '£5.00' });
    const { html: refundPage } = await opened(first.body.receipt?.url);
    for (const words of ['Receipt of a refund', '£3.00', 'Of the sale of £10.00 on 21 November 2026'])
      expect(refundPage).toContain(words);
    expect(await documentAt(sale.receipt?.url)).toMatchObject({
      remainingMinor: 500,
      returns: [{ kind: 'refund', amountMinor: 300, url: first.body.receipt?.url }, { amountMinor: 200 }],
    });
    const read = await client.call(getRefund, { params: { id: first.body.id } }, { key });
    expect(read).toMatchObject({ body: { receipt: first.body.receipt } });
  });

  test('of a terminal’s sale has the authorisation of the card, and its address is in the sale’s record', async () => {
    const { world, business, payment } = await aPaidShop(database);
    const till = await aTill(world, await business.key(...merchant, 'devices:write', 'team:write'));
    const sold = await till.sell(1_250);
    expect(sold.receipt).toEqual((await payment(sold.paymentId ?? '')).receipt);
    const { html } = await opened(sold.receipt?.url);
    expect(factsOn(html)).toMatchObject({
      'Card read by': expect.stringMatching(/^(Chip|Contactless)$/) as string,
      'Application (AID)': 'A0000000031010',
      'Authorisation code': sold.authorisationCode,
    });
  });

  test('of bitcoin says how much of it, its worth, the transaction and what was returned', async () => {
    const shop = await aCheckoutShop(database);
    const { id } = await shop.aCheckout();
    const { paymentHash } = await shop.open(id, 'lightning');
    shop.wallet.invoices.pay(paymentHash, {});
    await shop.becomes(id, 'COMPLETE');
    const list = await shop.client.call(listPayments, {}, { key: shop.key });
    if (list.status !== 200) throw new Error(JSON.stringify(list.body));
    const [payment] = list.body.items;
    const { html } = await opened(payment?.receipt?.url);
    expect(factsOn(html)).toMatchObject({ 'Paid with': 'Bitcoin over Lightning', Transaction: paymentHash });
    expect(html).toMatch(/[0-9,]+ sats<\/bdi>/);
    expect(html).toContain('£10.00');
    const amount = Math.floor((payment?.amountSats ?? 0) / 2);
    const body = { amount };
    const recorded = await shop.client.call(
      createBitcoinRefundOfPayment,
      { params: { id: payment?.id ?? '' }, body },
      { key: shop.key },
    );
    if (recorded.status !== 201) throw new Error(JSON.stringify(recorded.body));
    shop.world.clock.advance({ ms: 20 });
    expect(await documentAt(recorded.body.receipt?.url)).toMatchObject({ kind: 'refund', amountSats: amount });
    expect(await documentAt(payment?.receipt?.url)).toMatchObject({
      remainingSats: (payment?.amountSats ?? 0) - amount,
      returns: [{ kind: 'refund', amountSats: amount }],
    });
  });

  test('does not exist where no money moved, nor at any other address', async () => {
    const { aLink, tryToPay, client, key, world, aLostRefund } = await aPaidShop(database);
    const declined = await tryToPay((await aLink(12_000)).id);
    expect(declined).toMatchObject({ body: { status: 'declined' } });
    const payments = await client.call(listPayments, {}, { key });
    expect(payments).toMatchObject({ body: { items: [{ status: 'declined', receipt: null }] } });
    const lost = await aLostRefund(300);
    const refunds = await client.call(listRefunds, {}, { key });
    expect(refunds).toMatchObject({ body: { items: [{ id: lost.id, receipt: null }] } });
    for (const token of ['A'.repeat(22), 'a', 'A'.repeat(23), '%3Cb%3E', '../pay']) {
      const page = await fetch(`${world.url}/r/${token}`, { headers: { accept: 'text/html' } });
      expect([token, page.status]).toEqual([token, 404]);
    }
    const unknown = await fetch(`${world.url}/r/${'A'.repeat(22)}`, { headers: { 'accept-language': 'de-AT' } });
    expect(await unknown.text()).toContain('Unter dieser Adresse gibt es keinen Beleg');
    const document = await fetch(`${world.url}/r/${'A'.repeat(22)}/receipt.json`);
    expect(await document.json()).toMatchObject({ error: { metadata: { reason: 'receipt_not_found' } } });
  });

  test('is created once, by whichever process, and its address is stored nowhere', async () => {
    const { world, paid, payment } = await aPaidShop(database);
    await aBackend({ sharing: world });
    const ids = await Promise.all([paid(), paid(), paid()]);
    const urls = await Promise.all(ids.map(async ({ id }) => (await payment(id)).receipt?.url ?? ''));
    const documents = await Promise.all(urls.map(documentAt));
    expect(new Set(documents.map(({ id }) => id)).size).toBe(3);
    const stored = await everythingIn(world.backend.database);
    for (const url of urls) expect(stored).not.toContain(url.slice(-22));
  });
});

eachDatabase('a signed receipt', database => {
  test('stays signed after a refund and a new key, says when it was issued, and is superseded by the later one', async () => {
    const { world, business, paid, payment, refund, sandbox } = await aPaidShop(database);
    const { id, link } = await paid();
    const { receipt } = await payment(id);
    const before = await documentAt(receipt?.url);
    sandbox.control.settle();
    world.clock.advance({ hours: 1 });
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 });
    const { keys } = world.backend.services.receipts;
    await keys.rotate(business.id, operator);
    await expect.poll(async () => (await documentAt(receipt?.url)).returns).toHaveLength(1);
    const after = await documentAt(receipt?.url);
    expect(after.keyId).not.toBe(before.keyId);
    const published = await keysOf(world, business.id);
    for (const document of [before, after])
      expect(await judged(world, document, published)).toMatchObject({ kind: 'valid_then', signer: 'Corner Shop' });
    expect(await judged(world, after, published, after)).toMatchObject({ kind: 'valid' });
    expect(await judged(world, before, published, after)).toMatchObject({ kind: 'superseded', current: after });
    expect(before.issuedAt < after.issuedAt).toBe(true);
    expect(published).toMatchObject({ keys: [{ retiredAt: after.issuedAt }, { retiredAt: null }] });
  });

  test('that was altered, or signed by another key or business, is refused', async () => {
    const { world, business, paid, payment } = await aPaidShop(database);
    const document = await documentAt((await payment((await paid()).id)).receipt?.url);
    const published = (await keysOf(world, business.id)) as { keys: { id: string }[] };
    const kind = async (changed: unknown, keys: unknown = published) => (await judged(world, changed, keys)).kind;
    expect(await kind(document)).toBe('valid_then');
    expect(await kind({ ...document, amountMinor: 100_000 })).toBe('altered');
    expect(await kind({ ...document, issuedAt: new Date(world.clock.now() + 1_000).toISOString() })).toBe('altered');
    expect(await kind({ ...document, note: 'paid' })).toBe('altered');
    expect(await kind({ ...document, signature: 'AAAA' })).toBe('altered');
    expect(await kind({ ...document, keyId: 'rkey_other' })).toBe('unknown_key');
    expect(await kind([document])).toBe('not_a_receipt');
    expect(await kind(document, {})).toBe('not_keys');
    expect(await kind(document, null)).toBe('no_such_business');
    const other = await world.aBusiness({ name: 'Other Shop' });
    const rotated = await world.backend.services.receipts.keys.rotate(other.id, operator);
    const foreign = (await keysOf(world, other.id)) as { businessId: string };
    expect(await kind(document, foreign)).toBe('other_business');
    expect(await kind({ ...document, business: { ...document.business, id: other.id } }, foreign)).toBe('unknown_key');
    const forged = { ...document, business: { ...document.business, id: other.id }, keyId: rotated.id };
    expect(await kind(forged, foreign)).toBe('altered');
    const retired = { ...published, keys: [{ ...published.keys[0], retiredAt: '2026-11-01T00:00:00.000Z' }] };
    expect(await kind(document, retired)).toBe('key_not_in_use');
    world.clock.advance({ hours: -1 });
    expect(await kind(document)).toBe('from_the_future');
  });

  test('is current only by a later document of the same receipt, signed by its business', async () => {
    const { world, business, paid, payment } = await aPaidShop(database);
    const first = await paid();
    const url = (await payment(first.id)).receipt?.url;
    const document = await documentAt(url);
    const other = await documentAt((await payment((await paid()).id)).receipt?.url);
    const keys = await keysOf(world, business.id);
    await world.backend.services.businesses.settings.change(business.id, { addressLines: ['Moved'] }, operator);
    world.clock.advance({ hours: 1 });
    const moved = await documentAt(url);
    const kind = async (checked: unknown, current: unknown) => (await judged(world, checked, keys, current)).kind;
    expect(await kind(document, moved)).toBe('valid');
    expect(await kind(moved, document)).toBe('valid_then');
    expect(await kind(document, other)).toBe('valid_then');
    expect(await kind(document, { ...moved, remainingMinor: 0 })).toBe('valid_then');
    expect(await kind(document, null)).toBe('valid_then');
  });

  test('is signed by one key, however many processes are the first to need it', async () => {
    const { world, business, paid, payment } = await aPaidShop(database);
    const { keys } = world.backend.services.receipts;
    const url = (await payment((await paid()).id)).receipt?.url;
    const documents = await Promise.all([1, 2, 3].map(() => documentAt(url)));
    expect(new Set(documents.map(({ keyId }) => keyId)).size).toBe(1);
    expect(await keys.all(business.id)).toHaveLength(1);
    expect(
      (await fetch(`${world.url}/.well-known/florin-receipts/${business.id}.json`)).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('*');
    expect((await fetch(`${world.url}/.well-known/florin-receipts/biz_000000.json`)).status).toBe(404);
  });
});

eachDatabase('a receipt by e-mail', database => {
  async function aShopWithMail() {
    const mailbox = await startMailboxSandbox();
    onTestFinished(() => mailbox.close());
    const env = { SMTP_URL: mailbox.smtpUrl, MAIL_FROM: 'Florin <florin@shop.example>' };
    const shop = await aPaidShop(database, env);
    const url = (await shop.payment((await shop.paid()).id)).receipt?.url ?? '';
    await opened(url);
    async function send(address: string, headers: Record<string, string> = {}, lang = 'en', of = url) {
      const body = new URLSearchParams({ address });
      const sent = await fetch(`${of}/email?lang=${lang}`, { method: 'POST', body, headers, redirect: 'manual' });
      const location = sent.headers.get('location') ?? '';
      return sent.status === 303 ? new URL(location, url).searchParams.get('email') : sent.status;
    }
    return { ...shop, mailbox, url, send };
  }

  test('goes once to the address that was typed, in the language of the page', async () => {
    const { mailbox, url, send } = await aShopWithMail();
    expect(await Promise.all([send('Ada@Shop.example', {}, 'de'), send('ada@shop.example', {}, 'de')])).toEqual([
      'sent',
      'sent',
    ]);
    await expect.poll(() => mailbox.received.length).toBe(1);
    const [mail] = mailbox.received;
    expect(mail).toMatchObject({ subject: 'Ihr Beleg von Corner Shop' });
    for (const words of ['10,00\u00a0£', '•••• 0821', url, 'für nichts anderes verwendet'])
      expect(mail?.text.replaceAll('\u00a0', ' ')).toContain(words.replaceAll('\u00a0', ' '));
    expect(mail?.html).toContain('<html lang="de">');
    const page = await fetch(`${url}?lang=de&email=sent`);
    expect(await page.text()).toContain('Der Beleg ist unterwegs.');
  });

  test.each([
    ['fr', 'Votre reçu de Corner Shop', '10,00 £', 'Payé le'],
    ['es', 'Su recibo de Corner Shop', '10,00 £', 'Pagado el'],
  ] as const)('has words, amounts and dates of one language in %s', async (lang, subject, amount, paidOn) => {
    const { mailbox, send } = await aShopWithMail();
    expect(await send('ada@shop.example', {}, lang)).toBe('sent');
    await expect.poll(() => mailbox.received.length).toBe(1);
    const [mail] = mailbox.received;
    expect(mail).toMatchObject({ subject });
    for (const words of [amount, paidOn]) expect(mail?.text.replace(/[\u00a0\u202f]/g, ' ')).toContain(words);
    expect(mail?.text).not.toMatch(/Paid|Receipt|November|£10/);
    expect(mail?.html).toContain(`<html lang="${lang}">`);
  });

  test.each([
    ['en', 'The card is not charged', /return|refund/i],
    ['de', 'Die Karte wird nicht belastet', /erstatt/i],
    ['fr', 'La carte n’est pas débitée', /rembours/i],
    ['es', 'No se carga nada en la tarjeta', /devol|devuel/i],
  ] as const)('of a void says what that is, and nothing of refunds, in %s', async (lang, meaning, ofRefunds) => {
    const { mailbox, send, paid, payment, refund, world } = await aShopWithMail();
    const { id, link } = await paid();
    const voided = await refund(link.id, { kind: 'CANCEL' });
    if (voided.status !== 201) throw new Error('not voided');
    world.clock.advance({ minutes: 1 });
    await opened(voided.body.receipt?.url);
    expect(await send('ada@shop.example', {}, lang, voided.body.receipt?.url)).toBe('sent');
    expect(await send('ada@shop.example', {}, lang, (await payment(id)).receipt?.url)).toBe('sent');
    await expect.poll(() => mailbox.received.length).toBe(2);
    const texts = mailbox.received.map(({ text }) => text.replace(/\s+/g, ' '));
    expect(texts.filter(text => text.includes(meaning))).toHaveLength(1);
    for (const text of texts) expect(text).not.toMatch(ofRefunds);
  });

  test('goes to at most three addresses and five times a day, and only from its own page', async () => {
    const { mailbox, url, send, world } = await aShopWithMail();
    expect(await send('nobody')).toBe('address_invalid');
    expect(await send('ada@shop.example', { 'sec-fetch-site': 'cross-site' })).toBe(403);
    for (const name of ['a', 'b', 'c']) expect(await send(`${name}@shop.example`)).toBe('sent');
    expect(await send('d@shop.example')).toBe('too_many_addresses');
    for (const _ of [1, 2]) {
      world.clock.advance({ minutes: 2 });
      expect(await send('a@shop.example')).toBe('sent');
    }
    world.clock.advance({ minutes: 2 });
    expect(await send('a@shop.example')).toBe('too_many_emails');
    world.clock.advance({ hours: 25 });
    expect(await send('a@shop.example')).toBe('sent');
    await expect.poll(() => new Set(mailbox.received.map(({ messageId }) => messageId)).size).toBe(6);
    const page = await (await fetch(`${url}?email=too_many_addresses`)).text();
    expect(page).toContain('which is the limit');
    const unknown = await fetch(`${world.url}/r/${'A'.repeat(22)}/email`, {
      method: 'POST',
      body: new URLSearchParams({ address: 'a@shop.example' }),
      redirect: 'manual',
    });
    expect(unknown.status).toBe(303);
  });
});
