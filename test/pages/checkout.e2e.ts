import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { parseBolt11 } from '@florin/backend/bitcoin/nodes/bolt11.ts';
import { cancelCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { expect, type Page, test } from '@playwright/test';
import { readPaymentUri } from '../support/bitcoin-uri.ts';
import {
  codeOn,
  desktop,
  expectConfirmation,
  expectGoodPage,
  opened,
  type Payers,
  phone,
  startPayers,
  whileSuspended,
} from './payer.ts';

let shop: Payers;
test.beforeAll(async () => {
  shop = await startPayers();
});
test.afterAll(() => shop.end());

/** Pays the scanned code as a wallet does. */
async function pay(code: string, amountSats?: number) {
  const [scheme, rest = ''] = code.split(':');
  const [, address = '', amount = '0'] = /^([^?]+)\?amount=([\d.]+)$/.exec(rest) ?? [];
  if (scheme === 'bitcoin')
    return shop.wallet.chain.payTo(address.toLowerCase(), amountSats ?? Math.round(Number(amount) * 1e8));
  return shop.wallet.invoices.pay((await parseBolt11(rest.toLowerCase()))?.paymentHash ?? '', {});
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

for (const [device, options] of [
  ['phone', phone],
  ['desktop', desktop],
] as const) {
  test(`on a ${device} a wallet pays the code on the screen over Lightning, and the page shows the payment without a reload`, async ({
    browser,
  }) => {
    const checkout = await shop.aCheckout();
    const { page, context, requests, errors } = await opened(browser, options, checkout.url);
    await expect(page.getByText('Waiting for your payment. This page shows it by itself.')).toBeVisible();
    await expect(page.getByText(/within 1[45]:\d\d/)).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('link', { name: 'Open in wallet' })).toBeInViewport({ ratio: 1 });
    await expectGoodPage(page, `checkout-${device}-1-lightning`);
    const wallet = page.getByRole('link', { name: 'Open in wallet' });
    const code = await codeOn(page);
    expect(code.toLowerCase()).toBe(await wallet.getAttribute('href'));
    await pay(code);
    await expect(heading(page, 'Payment successful')).toBeVisible();
    await expectGoodPage(page, `checkout-${device}-2-paid`);
    await expectConfirmation(page, `checkout-${device}-2-paid-printed`, {
      Amount: /20,000 sats \(£10\.00\)/,
      'Paid with': /Bitcoin over Lightning/,
      Invoice: /INV-\d{6}/,
    });
    expect(new Set(requests.map(({ url }) => new URL(url).origin).filter(origin => origin !== 'null'))).toEqual(
      new Set([shop.url]),
    );
    expect(errors).toEqual([]);
    await context.close();
  });

  test(`on a ${device} a payment on chain is shown when it is seen, and the checkout completes with its block`, async ({
    browser,
  }) => {
    const checkout = await shop.aCheckout();
    const { page, context } = await opened(browser, options, checkout.url);
    await page.getByRole('link', { name: 'Bitcoin network' }).click();
    await expect(page.getByLabel('Amount in bitcoin')).toBeVisible();
    await expectGoodPage(page, `checkout-${device}-3-onchain`);
    const onScreen = await codeOn(page);
    const { address, amountSats } = readPaymentUri(onScreen);
    expect([address.toLowerCase(), amountSats]).toEqual([
      await page.getByLabel('Bitcoin address').inputValue(),
      20_000n,
    ]);
    await pay(onScreen);
    await expect(heading(page, 'Payment seen')).toBeVisible({ timeout: 60_000 });
    await expectGoodPage(page, `checkout-${device}-4-processing`);
    shop.setForward(1);
    shop.wallet.chain.mine(1);
    await expect(heading(page, 'Payment successful')).toBeVisible({ timeout: 60_000 });
    await context.close();
  });
}

test('the page explains a payment that is too small, too large or late, an expired, cancelled or unknown checkout, and an unreachable node', async ({
  browser,
}) => {
  const late = await shop.aCheckout();
  const [short, over, unpaid] = [await shop.aCheckout(), await shop.aCheckout(), await shop.aCheckout()];
  const { page, context } = await opened(browser, phone, `${short.url}?network=onchain`);
  await pay(await codeOn(page), 15_000);
  await page.goto(`${over.url}?network=onchain`);
  await pay(await codeOn(page), 25_000);
  shop.wallet.chain.mine(1);
  shop.setForward(1);
  await expect(heading(page, 'Payment successful')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('5,000 sats (about £2.50) more than was asked for')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-5-overpaid');
  await page.goto(short.url);
  await expect(heading(page, 'Part of the amount has arrived')).toBeVisible({ timeout: 60_000 });
  await expectGoodPage(page, 'checkout-phone-6-part');
  await page.goto(`${late.url}?network=onchain`);
  const lateCode = await codeOn(page);
  const leftOpen = await context.newPage();
  await leftOpen.clock.install();
  await leftOpen.goto(late.url);
  shop.setForward(16);
  await expect.poll(() => shop.statusOf(unpaid.id), { timeout: 60_000 }).toBe('EXPIRED');
  await page.goto(unpaid.url);
  await expect(heading(page, 'The time is up')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-7-expired');
  await page.goto(short.url);
  await expect(heading(page, 'Not enough was paid')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('15,000 sats (about £7.50) of 20,000 sats arrived')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-8-underpaid');
  await expect.poll(() => shop.statusOf(late.id), { timeout: 60_000 }).toBe('EXPIRED');
  await expect(heading(leftOpen, 'The time is up')).toBeVisible({ timeout: 60_000 });
  await expect(leftOpen.getByText('Nothing was paid')).toBeVisible({ timeout: 60_000 });
  await pay(lateCode);
  shop.wallet.chain.mine(1);
  shop.setForward(120);
  await page.goto(late.url);
  await expect(async () => {
    await page.reload();
    await expect(heading(page, 'Your payment came too late')).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByText('20,000 sats (about £10.00) arrived after the time was up')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-9-late');
  await leftOpen.clock.runFor(30_000);
  await expect(heading(leftOpen, 'Your payment came too late')).toBeVisible({ timeout: 30_000 });
  await expect(leftOpen.getByLabel('Where to return it')).toBeVisible();
  await leftOpen.close();
  await page.getByLabel('Where to return it').fill('me@wallet.example');
  await page.getByRole('button', { name: 'Ask for it back' }).click();
  await expect(page.getByText('Nothing can be sent there')).toHaveClass(/problem/);
  await expect(page.getByText('Please check it for typing errors')).not.toHaveClass(/problem/);
  await expect(page.getByLabel('Where to return it')).toHaveValue('me@wallet.example');
  await expectGoodPage(page, 'checkout-phone-9-refused');
  await page.getByLabel('Where to return it').fill('me@wallet.cash');
  await page.getByRole('button', { name: 'Ask for it back' }).click();
  await expect(page.getByText('knows where you want it back')).toBeVisible();
  await expect(page.getByText('You gave me@wallet.cash. Please check it for typing errors')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-10-claimed');
  await page.getByText('Is it wrong, or did someone else enter it?').click();
  await page.getByLabel('Where to return it').fill('customer@wallet.cash');
  await expectGoodPage(page, 'checkout-phone-10-other-destination');
  await page.getByRole('button', { name: 'Ask for it back' }).click();
  await expect(page.getByText('has to find out which is right before it returns anything')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-10-disputed');
  const cancelled = await shop.aCheckout();
  await shop.client.call(cancelCheckout, {
    params: { id: cancelled.id },
    body: { cancelToken: cancelled.cancelToken ?? '' },
  });
  await page.goto(cancelled.url);
  await expect(heading(page, 'Cancelled')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-11-cancelled');
  expect((await page.goto(`${shop.url}/checkout/chk_00000000`))?.status()).toBe(404);
  await expectGoodPage(page, 'checkout-phone-12-unknown');
  const waiting = await shop.aCheckout();
  await shop.wallet.refuseConnections();
  await page.goto(waiting.url);
  await expect(heading(page, 'Payments are interrupted')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-13-node-down');
  await shop.wallet.acceptConnections();
  await page.reload();
  await expect(page.getByText('Waiting for your payment')).toBeVisible();
  await context.close();
});

test('without JavaScript the page shows how to pay, and the outcome when it is loaded again', async ({ browser }) => {
  const checkout = await shop.aCheckout({ successUrl: 'https://shop.example/thanks' });
  const { page, context } = await opened(browser, { ...phone, javaScriptEnabled: false }, checkout.url);
  expect(await page.locator('noscript meta[http-equiv=refresh]').count()).toBe(1);
  await expect(page.getByRole('button', { name: 'Copy' })).toHaveCount(0);
  await expect(page.getByText('Once you have paid, load this page again')).toBeVisible();
  await expect(page.getByText('This page shows it by itself')).toBeHidden();
  await pay(await codeOn(page));
  await expect.poll(() => shop.statusOf(checkout.id)).toBe('COMPLETE');
  await page.reload();
  await expect(heading(page, 'Payment successful')).toBeVisible();
  const back = await page.getByRole('link', { name: 'Back to Corner Shop' }).getAttribute('href');
  expect(back).toMatch(/^https:\/\/shop\.example\/thanks\?.*status=COMPLETE&signature=[0-9a-f]{64}$/);
  await context.close();
});

test('a page whose stream broke while the phone slept shows the current state when the phone wakes up', async ({
  browser,
}) => {
  const checkout = await shop.aCheckout();
  const { page, context } = await opened(browser, phone, checkout.url);
  await page.route('**/subscribe*', route => route.abort());
  const code = await codeOn(page);
  await whileSuspended(page, async () => {
    await pay(code);
    await expect.poll(() => shop.statusOf(checkout.id)).toBe('COMPLETE');
  });
  await expect(heading(page, 'Payment successful')).toBeVisible({ timeout: 30_000 });
  await context.close();
});

test('the page can be embedded only by the origins of the business, and sends messages only to them', async ({
  browser,
}) => {
  const checkout = await shop.aCheckout();
  const shopPage = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><script>messages=[];onmessage=e=>messages.push([e.origin,e.data.status])</script><iframe src="${checkout.url}?iframe=true" width=390 height=900></iframe>`,
    );
  });
  await new Promise<void>(resolve => shopPage.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(shopPage.address() as AddressInfo).port}`;
  const refused = await opened(browser, desktop, origin);
  await expect.poll(() => refused.errors.join()).toContain('frame-ancestors');
  await refused.context.close();
  await shop.embedIn(origin);
  const { page, context } = await opened(browser, desktop, origin);
  await expect(page.frameLocator('iframe').getByText('Waiting for your payment')).toBeVisible();
  await pay(
    (await page.frameLocator('iframe').getByRole('link', { name: 'Open in wallet' }).getAttribute('href')) ?? '',
  );
  await expect
    .poll(() => page.evaluate('messages'))
    .toEqual([
      [shop.url, 'PENDING'],
      [shop.url, 'COMPLETE'],
    ]);
  // Opened on its own, the page cannot be framed.
  const alone = await fetch(checkout.url);
  expect(alone.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  await context.close();
  shopPage.close();
});

test('the script of the page is small', async () => {
  const html = await (await fetch((await shop.aCheckout()).url)).text();
  const [script = ''] = /\/assets\/checkout-\w+\.js/.exec(html) ?? [];
  const { length } = gzipSync(await (await fetch(shop.url + script)).text());
  expect(length).toBeLessThan(60_000);
});

for (const [how, answer] of [
  ['does not load', undefined],
  ['breaks', 'throw new Error("broken")'],
] as const) {
  test(`a page whose script ${how} shows how to pay, and asks the customer to reload it afterwards`, async ({
    browser,
  }) => {
    const checkout = await shop.aCheckout();
    const { page, context } = await opened(browser, phone, 'about:blank');
    await page.route('**/assets/checkout-*.js', route =>
      answer === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: answer }),
    );
    await page.goto(checkout.url);
    const again = page.getByRole('link', { name: 'I have paid: load this page again' });
    await expect(again).toBeVisible();
    await expectGoodPage(page, 'checkout-phone-14-script-broken');
    await pay(await codeOn(page));
    await expect.poll(() => shop.statusOf(checkout.id)).toBe('COMPLETE');
    await again.click();
    await expect(heading(page, 'Payment successful')).toBeVisible();
    await context.close();
  });
}

test('a lost connection is shown until it is back, and the code can be paid even on a slow network', async ({
  browser,
}) => {
  const checkout = await shop.aCheckout();
  const { page, context } = await opened(browser, phone, checkout.url);
  const lost = page.getByText('No connection. This page goes on as soon as it is back.');
  await context.setOffline(true);
  await expect(lost).toBeVisible({ timeout: 30_000 });
  // A wallet on another device can still pay.
  await expect(page.getByText('You can still pay with the code below')).toBeVisible();
  await expect(page.locator('.qr')).toBeVisible();
  await expectGoodPage(page, 'checkout-phone-15-no-connection');
  await context.setOffline(false);
  await expect(lost).toBeHidden({ timeout: 30_000 });
  const session = await context.newCDPSession(page);
  const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
  await session.send('Network.emulateNetworkConditions', slow);
  await page.reload();
  expect((await codeOn(page)).startsWith('lightning:')).toBe(true);
  await expect(page.getByRole('button', { name: 'Copy Lightning invoice' })).toBeVisible({ timeout: 30_000 });
  await context.close();
});

/** Holds the response to the next request of the page's script until it is released. */
async function holdNextRead(page: Page, url: string) {
  const asked = Promise.withResolvers<() => Promise<void>>();
  await page.route(
    url,
    async route => {
      const response = await route.fetch();
      asked.resolve(() => route.fulfill({ response }));
    },
    { times: 1 },
  );
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  return asked.promise;
}

test('a response sent before the network was lost does not hide that the connection is lost', async ({ browser }) => {
  const checkout = await shop.aCheckout();
  const { page, context } = await opened(browser, phone, checkout.url);
  const lost = page.getByText('No connection. This page goes on as soon as it is back.');
  const letThrough = await holdNextRead(page, checkout.url);
  await context.setOffline(true);
  await expect(lost).toBeVisible();
  const read = page.waitForResponse(checkout.url);
  await letThrough();
  await (await read).finished();
  await page.evaluate(() => new Promise(done => setTimeout(done)));
  await expect(lost).toBeVisible();
  await context.setOffline(false);
  await expect(lost).toBeHidden();
  await context.close();
});

test('a payment that is seen while the page loads an earlier state is shown', async ({ browser }) => {
  const checkout = await shop.aCheckout();
  const { page, context } = await opened(browser, phone, `${checkout.url}?network=onchain`);
  const code = await codeOn(page);
  const letThrough = await holdNextRead(page, page.url());
  const seen = page.evaluate(
    id =>
      new Promise(done => {
        const stream = new EventSource(`/api/v1/checkout/subscribe?checkoutId=${id}`);
        const look = (event: Event) => String((event as MessageEvent).data).includes('PROCESSING') && done(true);
        stream.addEventListener('open', look);
        stream.addEventListener('checkout-status-changed', look);
      }),
    checkout.id,
  );
  await pay(code);
  expect(await seen).toBe(true);
  await letThrough();
  await expect(heading(page, 'Payment seen')).toBeVisible();
  await context.close();
});

test('in a browser that can write NFC tags the page offers to write one, and shows the result', async ({ browser }) => {
  const checkout = await shop.aCheckout();
  const without = await opened(browser, phone, checkout.url);
  const write = { name: 'Write to an NFC tag' };
  await expect(without.page.getByRole('button', { name: 'Copy Lightning invoice' })).toBeVisible();
  await expect(without.page.getByRole('button', write)).toBeHidden();
  await without.context.close();
  const { page, context } = await opened(browser, phone, 'about:blank');
  await page.addInitScript(() => {
    const written: unknown[] = [];
    class NDEFReader {
      async write(message: unknown) {
        if (written.length > 0) throw new DOMException('not allowed', 'NotAllowedError');
        written.push(message);
      }
    }
    Object.assign(globalThis, { NDEFReader, written });
  });
  await page.goto(checkout.url);
  await page.getByRole('button', write).click();
  await expect(page.getByText('Written. Hold the tag to the phone with the wallet.')).toBeVisible();
  const data = await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href');
  expect(await page.evaluate('written')).toEqual([{ records: [{ recordType: 'url', data }] }]);
  await expectGoodPage(page, 'checkout-phone-16-nfc');
  await page.getByRole('button', write).click();
  await expect(page.getByText('Nothing was written.')).toBeVisible();
  await context.close();
});
