import { gzipSync } from 'node:zlib';
import { createLinkPayment, deletePaymentLink, getPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createCardRefundOfLink } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from '@playwright/test';
import { readPaymentUri } from '../support/bitcoin-uri.ts';
import { everythingIn } from '../support/dump.ts';
import {
  codeOn,
  desktop,
  expectConfirmation,
  expectGoodPage,
  opened,
  type Payers,
  phone,
  startPayers,
  testCard,
  typeCard,
  whileSuspended,
} from './payer.ts';

let payers: Payers;
test.beforeAll(async () => {
  payers = await startPayers();
});
test.afterAll(() => payers.end());

const takenOf = (invoiceMinor: number) =>
  payers.gateway.control.ledger().filter(sale => sale.takenMinor === invoiceMinor).length;

for (const [device, options] of [
  ['phone', phone],
  ['desktop', desktop],
] as const) {
  test(`on a ${device} a card is confirmed at the bank, and its number is sent only to the gateway`, async ({
    browser,
  }) => {
    const link = await payers.aLink({ amountInCents: device === 'phone' ? 1_251 : 1_252 });
    const { page, context, requests, errors } = await opened(browser, options, link.url);
    await expect(page.getByRole('button', { name: /^Pay £12\.5/ })).toBeEnabled();
    await expectGoodPage(page, `${device}-1-open`);
    const placeOfPay = async () => (await page.locator('#pay-card').boundingBox())?.y;
    const place = await placeOfPay();
    await page.getByRole('button', { name: /^Pay £/ }).click();
    const fields = page.frameLocator('iframe[title="Card details"]');
    await expect(fields.getByText('Enter the card number')).toBeVisible();
    await expectGoodPage(page, `${device}-2-invalid`);
    expect(await placeOfPay()).toBe(place);
    await typeCard(page, '12');
    await expect(fields.getByText(/^(Enter|Check)/)).toHaveCount(0);
    expect(await placeOfPay()).toBe(place);
    await page.getByRole('button', { name: /^Pay £/ }).dblclick();
    await page.waitForURL(url => url.href.startsWith(`${payers.gateway.url}/acs/challenge`));
    for (const fact of [/^ShopHarbour Street Coffee/, /^Amount£12\.5/, /^Card•••• 0821/])
      await expect(page.locator('dl > div').filter({ hasText: fact })).toBeVisible();
    await expectGoodPage(page, `${device}-17-bank`);
    await page.getByRole('button', { name: 'Confirm payment' }).click();
    await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
    await expectGoodPage(page, `${device}-3-paid`);
    await expectConfirmation(page, `${device}-3-paid-printed`, {
      'Paid to': /Corner Shop/,
      'Paid with': /Visa\u00a0••••\u00a00821/,
      Amount: /£12\.5[12]/,
      Invoice: /INV-\d{6}/,
    });
    expect(takenOf(link.amountInCents)).toBe(1);
    const toFlorin = requests.filter(({ url }) => url.startsWith(payers.url));
    expect(JSON.stringify(toFlorin)).not.toContain(testCard.number);
    const origins = new Set(requests.map(({ url }) => new URL(url).origin).filter(origin => origin !== 'null'));
    expect([...origins].toSorted()).toEqual([payers.gateway.url, payers.url].toSorted());
    expect(errors).toEqual([]);
    const kept = JSON.stringify(await everythingIn(payers.backend.database)) + payers.logged();
    expect(kept).not.toContain(testCard.number);
    await context.close();
  });
}

test('a failed check by the bank and an unfinished one have different messages, and the card can be tried again', async ({
  browser,
}) => {
  const link = await payers.aLink({ amountInCents: 1_253 });
  const { page, context } = await opened(browser, phone, link.url);
  for (const [button, message, name] of [
    ['Decline payment', 'the bank’s extra check failed', 'phone-4-check-failed'],
    ['Check could not complete', 'check could not be completed', 'phone-5-check-incomplete'],
  ] as const) {
    await typeCard(page, '12');
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('status')).toContainText(message);
    await expect(page.getByRole('status')).toContainText('Can be paid until');
    await expect(page.getByRole('button', { name: /^Pay £/ })).toBeEnabled();
    await expectGoodPage(page, name);
  }
  await typeCard(page, '01');
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  expect(takenOf(1_253)).toBe(1);
  await context.close();
});

test('a card that the bank does not authorise is shown as declined', async ({ browser }) => {
  const link = await payers.aLink({ amountInCents: 12_000 });
  const { page, context } = await opened(browser, phone, link.url);
  await typeCard(page, '01');
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await expect(page.getByRole('heading', { name: 'Card declined' })).toBeVisible();
  await expectGoodPage(page, 'phone-6-declined');
  await context.close();
});

test('after going back from the bank, in a new tab and on a second device the page shows the same payment', async ({
  browser,
}) => {
  const link = await payers.aLink({ amountInCents: 1_254 });
  const { page, context } = await opened(browser, phone, link.url);
  await typeCard(page, '12');
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await expect(page.getByRole('button', { name: 'Confirm payment' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Continue to your bank' })).toBeVisible();
  await expectGoodPage(page, 'phone-7-at-bank');
  const other = await opened(browser, desktop, link.url);
  await expect(other.page.getByRole('heading', { name: 'waits for confirmation' })).toBeVisible();
  // Only the device that began it can end it.
  await expect(other.page.getByRole('button', { name: 'Start again' })).toHaveCount(0);
  await expectGoodPage(other.page, 'desktop-8-at-bank-elsewhere');
  await page.close();
  const again = await context.newPage();
  await again.goto(link.url);
  await again
    .getByRole('button', { name: 'Continue to your bank' })
    .or(again.getByRole('button', { name: 'Confirm payment' }))
    .first()
    .waitFor();
  if (await again.getByRole('button', { name: 'Continue to your bank' }).isVisible())
    await again.getByRole('button', { name: 'Continue to your bank' }).click();
  await again.getByRole('button', { name: 'Confirm payment' }).click();
  await expect(again.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  // The second device shows it without a reload.
  await expect(other.page.getByRole('heading', { name: 'Paid' })).toBeVisible();
  await expectGoodPage(other.page, 'desktop-9-paid-elsewhere');
  await again.reload();
  await expect(again.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  expect(takenOf(1_254)).toBe(1);
  await context.close();
  await other.context.close();
});

test('after the bank’s check, Back leaves the link and does not lead to the bank again', async ({ browser }) => {
  const link = await payers.aLink({ amountInCents: 1_262 });
  const before = `${payers.url}/pay/nothing`;
  const { page, context, requests } = await opened(browser, phone, before);
  await page.goto(link.url);
  const indexInHistory = async () => {
    const session = await context.newCDPSession(page);
    const { currentIndex } = await session.send('Page.getNavigationHistory');
    await session.detach();
    return currentIndex;
  };
  await typeCard(page, '12');
  const index = await indexInHistory();
  await page.getByRole('button', { name: /^Pay £/ }).click();
  // A customer who goes back from the bank can go there again.
  await expect(page.getByRole('button', { name: 'Confirm payment' })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Continue to your bank' }).click();
  await page.getByRole('button', { name: 'Confirm payment' }).click();
  // The tab may be changing pages at this moment.
  await expect(async () => expect(await indexInHistory()).toBe(index)).toPass({ timeout: 30_000 });
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'This payment link is not available' })).toBeVisible();
  expect(page.url()).toBe(before);
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  expect(
    requests.filter(({ url }) => url.includes('/return/') && !url.includes('threeDSAcsResponse=method')),
  ).toHaveLength(1);
  expect(takenOf(1_262)).toBe(1);
  await context.close();
});

test('two windows that pay at the same time make one payment', async ({ browser }) => {
  const link = await payers.aLink({ amountInCents: 1_255 });
  const windows = await Promise.all([opened(browser, phone, link.url), opened(browser, desktop, link.url)]);
  for (const { page } of windows) await typeCard(page, '01');
  await Promise.all(windows.map(({ page }) => page.getByRole('button', { name: /^Pay £/ }).click()));
  for (const { page } of windows)
    await expect(page.getByRole('heading', { name: /^(Payment successful|Paid)$/ })).toBeVisible({ timeout: 30_000 });
  expect(takenOf(1_255)).toBe(1);
  const found = await payers.client.call(getPaymentLink, { params: { id: link.id } }, { key: payers.key });
  expect(found).toMatchObject({ body: { status: 'PAID', amountPaidInCents: 1_255 } });
  await Promise.all(windows.map(({ context }) => context.close()));
});

test('a payment whose reply is lost is shown as being checked until the gateway reports its outcome', async ({
  browser,
}) => {
  const link = await payers.aLink({ amountInCents: 1_256 });
  const { page, context } = await opened(browser, phone, link.url);
  await typeCard(page, '01');
  payers.gateway.control.addFault({ kind: 'loseReply', action: '3DS', callback: false });
  payers.gateway.control.addFault({ kind: 'unavailable', action: 'REPORT' });
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await expect(page.getByRole('heading', { name: 'We are checking your payment' })).toBeVisible();
  await expectGoodPage(page, 'phone-10-checking');
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible({ timeout: 30_000 });
  expect(takenOf(1_256)).toBe(1);
  await context.close();
});

test('a payment request that is lost is reported as not arrived, and a second attempt pays once', async ({
  browser,
}) => {
  const link = await payers.aLink({ amountInCents: 1_261 });
  const { page, context, requests } = await opened(browser, phone, link.url);
  const sent = `**/pay/${link.id}/payments`;
  const state = `**/pay/${link.id}/state*`;
  const isLost = page.getByText('We are finding out whether your payment arrived');
  await page.route(sent, route => route.abort());
  await page.route(state, route => route.abort());
  await typeCard(page, '01');
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await expect(isLost).toBeVisible();
  await expect(page.locator('#pay-card')).toBeDisabled();
  await expectGoodPage(page, 'phone-15-connection-lost');
  await page.unroute(state);
  await expect(page.getByText('Your payment did not arrive and nothing was taken')).toBeVisible();
  await expectGoodPage(page, 'phone-16-not-arrived');
  await page.unroute(sent);
  // At the second attempt only the answer is lost.
  await page.route(sent, async route => {
    await route.fetch();
    await route.abort();
  });
  await typeCard(page, '01');
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
  expect(takenOf(1_261)).toBe(1);
  const attempts = requests.filter(({ url }) => url.endsWith('/payments')).map(({ body }) => JSON.parse(body).attempt);
  expect(attempts).toHaveLength(2);
  expect(new Set(attempts).size).toBe(1);
  await context.close();
});

test('without JavaScript the page shows the amount and how to pay it', async ({ browser }) => {
  const link = await payers.aLink();
  const { page, context } = await opened(browser, { ...phone, javaScriptEnabled: false }, link.url);
  await expect(page.locator('.amount', { hasText: '£12.50' })).toBeVisible();
  await expect(page.getByText('Paying by card needs JavaScript')).toBeVisible();
  await expect(page.locator('#card-without-script')).toHaveCSS('animation-name', 'none');
  await expect(page.locator('#card')).toBeHidden();
  await context.close();
});

test('the page of a paid link returns the customer to the shop', async ({ browser }) => {
  const successUrl = 'https://shop.example/thanks?order=7';
  const link = await payers.aLink({ amountInCents: 1_257, successUrl });
  const { page, context } = await opened(browser, phone, link.url);
  await page.route('https://shop.example/**', route => route.fulfill({ body: 'Thank you' }));
  await typeCard(page, '01');
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await expect(page.getByRole('link', { name: 'Continue to Corner Shop' })).toHaveAttribute('href', successUrl);
  await expectGoodPage(page, 'phone-11-paid-with-shop');
  await page.waitForURL(successUrl);
  await context.close();
});

test('the page is light, painted at once, and readable on a slow network', async ({ browser }) => {
  const link = await payers.aLink({ description: 'A very long description of what is to be paid, '.repeat(8) });
  const { page, context } = await opened(browser, phone, link.url);
  const scripts = await page
    .locator('script[src]')
    .evaluateAll(found => found.map(each => (each as HTMLScriptElement).src));
  const bodies = await Promise.all(scripts.map(async src => (await fetch(src)).arrayBuffer()));
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(Buffer.from(body)).length, 0);
  expect(bytes).toBeLessThan(100_000);
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9,
  );
  expect(paintMs).toBeLessThan(1_000);
  await expectGoodPage(page, 'phone-12-long');
  const session = await context.newCDPSession(page);
  const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
  await session.send('Network.emulateNetworkConditions', slow);
  await page.reload();
  await expect(page.locator('.amount', { hasText: '£12.50' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Pay £/ })).toBeEnabled({ timeout: 30_000 });
  await context.close();
});

test('pages of expired, deleted, partly paid and voided links explain their state', async ({ browser }) => {
  const { client, key } = payers;
  const expiresAt = new Date(payers.now() + 60_000).toISOString();
  const [expired, part, voided, gone] = await Promise.all([
    payers.aLink({ expiresAt }),
    payers.aLink({ allowPartPayment: true }),
    payers.aLink(),
    payers.aLink(),
  ]);
  const pay = async ({ id }: { id: string }, amountInCents?: number) => {
    const paymentToken = await payers.paymentToken();
    const paid = await client.call(
      createLinkPayment,
      { params: { id }, body: { paymentToken, amountInCents } },
      { key },
    );
    expect(paid.status).toBe(201);
  };
  await pay(part, 5_00);
  await pay(voided);
  const cancel = { params: { id: voided.id }, body: { kind: 'CANCEL' as const } };
  expect(await client.call(createCardRefundOfLink, cancel, { key })).toMatchObject({ status: 201 });
  expect(await client.call(deletePaymentLink, { params: { id: gone.id } }, { key })).toMatchObject({ status: 200 });
  payers.setForward(2);
  for (const [device, options] of [
    ['phone', phone],
    ['desktop', desktop],
  ] as const)
    for (const [link, words, name] of [
      [expired, 'This payment link has expired', 'expired'],
      [part, 'Part of this has been paid', 'part-paid'],
      [voided, 'The payment was cancelled', 'voided'],
      [gone, 'This payment link is not available', 'gone'],
    ] as const) {
      const { page, context } = await opened(browser, options, link.url);
      await expect(page.getByRole('heading', { name: words })).toBeVisible();
      await expect(page.getByRole('button')).toHaveCount(name === 'part-paid' ? 1 : 0);
      if (name === 'part-paid')
        for (const text of ['so the other £7.50 cannot be paid', 'please contact Corner Shop', 'Paid so far£5.00'])
          await expect(page.getByRole('status')).toContainText(text);
      await expectGoodPage(page, `${device}-13-${name}`);
      await context.close();
    }
});

test('in bitcoin a wallet pays the code on the screen, and every window shows the payment', async ({ browser }) => {
  // Polling the node and the chain takes a while.
  const link = await payers.aLink({ amountInCents: 1_000 });
  const { page, context, errors } = await opened(browser, phone, link.url);
  await page.getByRole('button', { name: 'Pay in bitcoin' }).click();
  await expect(page.getByRole('heading', { name: /^Pay 2\d,\d{3} sats|^Pay 20,000 sats/ })).toBeVisible();
  await expect(page.getByText(/^Pay the whole amount within \d+:\d\d, once/)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Copy Lightning invoice' })).toBeVisible();
  const other = await opened(browser, desktop, link.url);
  await expect(other.page.getByRole('link', { name: 'Open in wallet' })).toBeVisible();
  await expectGoodPage(page, 'phone-20-bitcoin');
  await expectGoodPage(other.page, 'desktop-21-bitcoin');
  const { amountSats, parameters } = readPaymentUri(await codeOn(page));
  expect(amountSats).toBe(20_000n);
  const invoice = payers.wallet.invoices.all().find(each => each.bolt11 === parameters.get('lightning'));
  expect(payers.wallet.invoices.pay(invoice?.paymentHash ?? '', {})).toMatchObject({ state: 'SETTLED' });
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible({ timeout: 30_000 });
  await expect(other.page.getByRole('heading', { name: 'Payment successful' })).toBeVisible({ timeout: 30_000 });
  await expectGoodPage(page, 'phone-22-bitcoin-paid');
  await expectConfirmation(page, 'phone-22-bitcoin-paid-printed', {
    'Paid with': /Bitcoin over Lightning/,
    Amount: /20,000 sats \(£10\.00\)/,
  });
  expect(errors).toEqual([]);
  await context.close();
  await other.context.close();
});

test('in bitcoin without JavaScript the page shows a code and an address, and a button back to the card', async ({
  browser,
}) => {
  // Polling the node and the chain takes a while.
  const link = await payers.aLink({ amountInCents: 1_000 });
  const { page, context } = await opened(browser, { ...phone, javaScriptEnabled: false }, link.url);
  await page.getByRole('button', { name: 'Pay in bitcoin' }).click();
  await expect(page.getByRole('link', { name: 'Open in wallet' })).toBeVisible();
  await expect(page.getByLabel('Bitcoin address')).toHaveValue(/^bcrt1/);
  expect(await codeOn(page)).toContain('lightning=');
  await page.getByRole('button', { name: 'Pay another way' }).click();
  await expect(page.getByRole('heading', { name: 'Pay by card, Apple Pay or Google Pay' })).toBeVisible();
  await page.getByRole('button', { name: 'Pay in bitcoin' }).click();
  const address = await page.getByLabel('Bitcoin address').inputValue();
  payers.wallet.chain.payTo(address, 15_000);
  payers.wallet.chain.mine(1);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Only part of the amount has arrived')).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 });
  await expect(page.getByText(/Pay the rest by .*, once/)).toBeVisible();
  if (process.env.PAGE_PICTURES)
    await page.screenshot({ path: `${process.env.PAGE_PICTURES}/phone-23-part.png`, fullPage: true });
  payers.wallet.chain.payTo(address, 5_000);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Payment seen')).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 });
  if (process.env.PAGE_PICTURES)
    await page.screenshot({ path: `${process.env.PAGE_PICTURES}/phone-24-seen.png`, fullPage: true });
  payers.wallet.chain.mine(1);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 40_000 });
  await context.close();
});

test('a card and bitcoin in two windows at the same moment make one payment', async ({ browser }) => {
  const link = await payers.aLink({ amountInCents: 1_258 });
  const byCard = await opened(browser, phone, link.url);
  const inBitcoin = await opened(browser, desktop, link.url);
  await typeCard(byCard.page, '01');
  await Promise.all([
    byCard.page.getByRole('button', { name: /^Pay £/ }).click(),
    inBitcoin.page.getByRole('button', { name: 'Pay in bitcoin' }).click(),
  ]);
  const done = byCard.page.getByRole('heading', { name: /^(Payment successful|Paid)$/ });
  const asked = byCard.page.getByRole('link', { name: 'Open in wallet' });
  await expect(done.or(asked)).toBeVisible({ timeout: 30_000 });
  if (await asked.isVisible()) {
    // Bitcoin was first: the card was not charged, and its window shows the bitcoin payment.
    const bolt11 = await byCard.page.getByLabel('Lightning invoice', { exact: true }).inputValue();
    const invoice = payers.wallet.invoices.all().find(each => each.bolt11 === bolt11);
    payers.wallet.invoices.pay(invoice?.paymentHash ?? '', {});
  }
  for (const { page } of [byCard, inBitcoin])
    await expect(page.getByRole('heading', { name: /^(Payment successful|Paid)$/ })).toBeVisible({ timeout: 60_000 });
  const found = await payers.client.call(getPaymentLink, { params: { id: link.id } }, { key: payers.key });
  const took = found.status === 200 ? found.body.payments.filter(({ status }) => status !== 'declined') : [];
  expect(took).toHaveLength(1);
  expect(found).toMatchObject({ body: { status: 'PAID', amountPaidInCents: 1_258 } });
  expect(takenOf(1_258)).toBe(took[0]?.method === 'card' ? 1 : 0);
  await byCard.context.close();
  await inBitcoin.context.close();
});

test('a page whose script fails explains why there is no card form, and still takes bitcoin', async ({ browser }) => {
  const link = await payers.aLink({ amountInCents: 1_259 });
  const { page, context } = await opened(browser, phone, 'about:blank');
  await page.route('**/assets/pay-*.js', route => route.fulfill({ contentType: 'text/javascript', body: 'throw 1' }));
  await page.goto(link.url);
  await expect(page.getByText('Paying by card needs JavaScript')).toBeVisible();
  await expectGoodPage(page, 'phone-14-script-broken');
  await page.getByRole('button', { name: 'Pay in bitcoin' }).click();
  const bolt11 = await page.getByLabel('Lightning invoice', { exact: true }).inputValue();
  const invoice = payers.wallet.invoices.all().find(each => each.bolt11 === bolt11);
  payers.wallet.invoices.pay(invoice?.paymentHash ?? '', {});
  const again = page.getByRole('link', { name: 'I have paid: load this page again' });
  await expect(async () => {
    if (await again.isVisible()) await again.click();
    await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await context.close();
});

test('a tab that slept while its link was paid shows the payment when it wakes up', async ({ browser }) => {
  const link = await payers.aLink({ amountInCents: 1_260 });
  const { page, context } = await opened(browser, phone, link.url);
  await page.getByRole('button', { name: 'Pay in bitcoin' }).click();
  const bolt11 = await page.getByLabel('Lightning invoice', { exact: true }).inputValue();
  const invoice = payers.wallet.invoices.all().find(each => each.bolt11 === bolt11);
  const read = () => payers.client.call(getPaymentLink, { params: { id: link.id } }, { key: payers.key });
  await whileSuspended(page, async () => {
    payers.wallet.invoices.pay(invoice?.paymentHash ?? '', {});
    await expect.poll(read, { timeout: 60_000 }).toMatchObject({ body: { status: 'PAID' } });
  });
  await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible({ timeout: 30_000 });
  await context.close();
});

test('two browsers that request the return of an excess to different destinations both show that it is disputed', async ({
  browser,
}) => {
  const link = await payers.aLink({ amountInCents: 1_000 });
  const { page, context } = await opened(browser, phone, link.url);
  await page.getByRole('button', { name: 'Pay in bitcoin' }).click();
  payers.wallet.chain.payTo(await page.getByLabel('Bitcoin address').inputValue(), 25_000);
  payers.wallet.chain.mine(1);
  const read = () => payers.client.call(getPaymentLink, { params: { id: link.id } }, { key: payers.key });
  await expect.poll(read, { timeout: 60_000 }).toMatchObject({ body: { status: 'PAID', dueSats: 5_000 } });
  const other = await opened(browser, desktop, link.url);
  for (const [each, destination] of [
    [page, 'first@wallet.cash'],
    [other.page, 'second@wallet.cash'],
  ] as const) {
    await each.getByLabel('Where to return it').fill(destination);
    await each.getByRole('button', { name: 'Ask for it back' }).click();
    await expect(each.getByText('knows where you want it back').or(each.getByText('has to find out'))).toBeVisible();
  }
  for (const each of [page, other.page])
    await expect(each.getByText('has to find out which is right before it returns anything')).toBeVisible();
  await expectGoodPage(page, 'phone-25-disputed');
  await expectGoodPage(other.page, 'desktop-25-disputed');
  await context.close();
  await other.context.close();
});
