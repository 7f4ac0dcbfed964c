import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@florin/backend/config/settings.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { startCardGatewaySandbox } from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import { startLightningNodeSandbox } from '@florin/backend/programs/sandbox/lightning-node/server.ts';
import { startRatesSandbox } from '@florin/backend/programs/sandbox/rates/server.ts';
import { startServer } from '@florin/backend/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { createCheckout, getCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { createPaymentLink, type PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createTipLink } from '@florin/shared/contracts/api-v1/tip-links.ts';
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import { accessibilityFaults } from '../support/accessibility.ts';
import { clientOf } from '../support/client.ts';
import { isInPart } from '../support/part.ts';

export type Payers = Awaited<ReturnType<typeof startPayers>>;

const place = { countryCode: 'GB', currency: 'GBP', locale: 'en-GB', timeZone: 'Europe/London' };

/** A service whose shop takes cards and bitcoin in browsers, and whose clock a test can set forward. */
export async function startPayers(env: Readonly<Record<string, string>> = {}) {
  const data = mkdtempSync(join(tmpdir(), 'florin-payers-'));
  const gateway = await startCardGatewaySandbox({ file: ':memory:' });
  const node = await startLightningNodeSandbox({ file: ':memory:' });
  const rates = await startRatesSandbox();
  const read = readSettings({
    PORT: '0',
    DATA: data,
    GATEWAY_URL: gateway.url,
    RATE_LIMIT_PER_KEY: '10000',
    RATE_LIMIT_PER_ADDRESS: '10000',
    RATE_LIMIT_PAGES: '10000',
    RECOVERY_EVERY_MS: '200',
    BITCOIN_POLL_SECONDS: '1',
    OUTBOUND_ALLOW_LOOPBACK: 'true',
    RATE_SOURCES: Object.entries(rates.urls)
      .map(([kind, url]) => `${kind}=${url}`)
      .join(','),
    ...env,
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  let logged = '';
  const destination = {
    write(line: string) {
      logged += line;
    },
  };
  let aheadMs = 0;
  const clock = { now: () => Date.now() + aheadMs };
  const log = createLog({ level: 'debug', destination });
  const server = await startServer({ settings: read.settings, log, platform: { clock } });
  const { businesses, apiKeys, bitcoinBackends, checkouts } = server.backend.services;
  const client = clientOf(server.url);

  async function aShop(given: Partial<typeof place & { name: string }> = {}) {
    const business = await businesses.create({ name: 'Corner Shop', ...place, ...given });
    const config = { url: node.url, certificate: node.certificate };
    const lnd = { adapter: 'lnd', config, secrets: { macaroon: node.macaroons.admin } };
    const set = await bitcoinBackends.set(business.id, lnd, operator);
    if (!set.ok) throw new Error(JSON.stringify(set.refusal));
    const permissions = [
      'take-payments:read',
      'take-payments:write',
      'sales:read',
      'tip-links:read',
      'tip-links:write',
    ] as const;
    const wanted = { name: 'Shop', preset: 'CUSTOM', permissions: [...permissions], expiresAt: null } as const;
    const made = await apiKeys.create(business.id, wanted, operator);
    if (!made.ok) throw new Error(made.refusal.kind);
    return { businessId: business.id, key: made.value.secret, currency: business.currency };
  }
  const shop = await aShop();
  const { key } = shop;

  return {
    url: server.url,
    gateway,
    wallet: node.control,
    rates: rates.control,
    client,
    key,
    businessId: shop.businessId,
    backend: server.backend,
    logged: () => logged,
    aShop,
    async aLink(given: Record<string, unknown> = {}, at = shop): Promise<PaymentLink> {
      const { currency } = at;
      const body = { description: 'Invoice 7: two chairs', amountInCents: 1_250, currency, ...given };
      const link = await client.call(createPaymentLink, { body }, { key: at.key });
      if (link.status !== 201) throw new Error(JSON.stringify(link.body));
      return link.body;
    },
    async aCheckout(given: Record<string, unknown> = {}, { businessId, currency } = shop) {
      const body = { businessId, amount: 10_00, currency, orderId: '1042', ...given };
      const made = await client.call(createCheckout, { body });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body;
    },
    async statusOf(id: string) {
      const found = await client.call(getCheckout, { params: { id } });
      return found.status === 200 ? found.body.status : undefined;
    },
    async aTipLink(given: Record<string, unknown> = {}, at = shop) {
      const body = { name: 'Anna', minimumSats: 100, maximumSats: 100_000, ...given };
      const made = await client.call(createTipLink, { body }, { key: at.key });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body;
    },
    /** A token of the gateway's card fields, for payments without the page. */
    async paymentToken(): Promise<string> {
      const card = { cardNumber: testCard.number, cardExpiryMonth: '01', cardExpiryYear: '30', cardCVV: testCard.code };
      const sealed = await fetch(gateway.tokenUrl, { method: 'POST', body: JSON.stringify(card) });
      return ((await sealed.json()) as { paymentToken: string }).paymentToken;
    },
    now: () => clock.now(),
    embedIn: (origin: string) => checkouts.settings.change(shop.businessId, { frameOrigins: [origin] }, operator),
    setForward: (minutes: number) => {
      aheadMs += minutes * 60_000;
    },
    async end() {
      await server.stop();
      await Promise.all([gateway.close(), node.close(), rates.close()]);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
};
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' };

/** Opens a page in a separate browser context, and records its requests and errors. */
export async function opened(browser: Browser, options: BrowserContextOptions, address: string) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const watched = watch(page);
  await page.goto(address);
  return { context, page, ...watched };
}

/** Reads the QR code on the screen as a camera does. */
export async function codeOn(page: Page, code = '.qr'): Promise<string> {
  const picture = (await page.locator(code).screenshot()).toString('base64');
  const camera = await page.context().browser()?.newPage();
  const pixels = await camera?.evaluate(async base64 => {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    drawing?.drawImage(bitmap, 0, 0);
    const { data, width, height } = drawing?.getImageData(0, 0, bitmap.width, bitmap.height) ?? new ImageData(1, 1);
    // As text: passing three million numbers out of the browser one by one takes seconds.
    const reader = new FileReader();
    await new Promise(done => {
      reader.onload = done;
      reader.readAsDataURL(new Blob([data]));
    });
    if (typeof reader.result !== 'string') throw new Error('the picture was not read');
    return { base64: reader.result.replace(/^.*,/, ''), width, height };
  }, picture);
  await camera?.close();
  if (!pixels) throw new Error('no picture');
  const { base64, width, height } = pixels;
  return decodeQR({ width, height, data: new Uint8Array(Buffer.from(base64, 'base64')) });
}

/** PAGE_PICTURES names a folder for screenshots of the pages. */
export const pictures = process.env.PAGE_PICTURES || undefined;

/** Checks that the page is accessible and no wider than the screen, as every state of a page must be. */
export async function expectGoodPage(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  if (isInPart(name, 6)) await expectAccessible(page, name);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([name, overflow]).toEqual([name, 0]);
}

/** Checks the page against WCAG 2.2 AA, as far as a program can. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  expect(await accessibilityFaults(page, { onlyWcag: true }), name).toEqual([]);
}

/** Checks the confirmation that a customer can keep, on the screen and printed on one sheet. */
export async function expectConfirmation(page: Page, name: string, facts: Readonly<Record<string, RegExp>>) {
  const kept = page.getByRole('region', { name: 'Payment confirmation' });
  for (const [fact, value] of Object.entries(facts))
    await expect(kept.locator('dl > div', { has: page.getByText(fact, { exact: true }) })).toContainText(value);
  await page.emulateMedia({ media: 'print' });
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  await expect(page.getByRole('button')).toHaveCount(0);
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: null });
}

/** Records the requests of a page and the errors on its console. */
function watch(page: Page) {
  const requests: { readonly url: string; readonly body: string }[] = [];
  const errors: string[] = [];
  page.on('request', request => requests.push({ url: request.url(), body: request.postData() ?? '' }));
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', error => errors.push(String(error)));
  return { requests, errors };
}

/** Hides the page and breaks its connections, like a tab in the background of a sleeping phone. */
export async function whileSuspended(page: Page, during: () => Promise<void>): Promise<void> {
  const look = (state: 'hidden' | 'visible') =>
    page.evaluate(value => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await look('hidden');
  await page.context().setOffline(true);
  await during();
  await page.context().setOffline(false);
  await look('visible');
}

export const testCard = { number: '4929421234600821', code: '356' };

/** Types a card into the gateway's frame; the expiry month determines the outcome of the bank's check. */
export async function typeCard(page: Page, month: string): Promise<void> {
  const fields = page.frameLocator('iframe[title="Card details"]');
  await fields.getByLabel('Card number').fill(testCard.number);
  await fields.getByLabel('Expiry date').fill(`${month}30`);
  await fields.getByLabel('Security code').fill(testCard.code);
}
