import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { readSettings } from '@florin/backend/config/settings.ts';
import { createLog } from '@florin/backend/platform/log.ts';
import { startCardGatewaySandbox } from '@florin/backend/sandbox/card-gateway/server.ts';
import { startLightningNodeSandbox } from '@florin/backend/sandbox/lightning-node/server.ts';
import { startRatesSandbox } from '@florin/backend/sandbox/rates/server.ts';
import { startServer } from '@florin/backend/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { createPaymentLink, type PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { expect, type Page } from '@playwright/test';
import { clientOf } from '../support/client.ts';

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export type Payers = Awaited<ReturnType<typeof startPayers>>;

/** A service with a shop that takes cards, for browsers to pay at. */
export async function startPayers() {
  const data = mkdtempSync(join(tmpdir(), 'florin-payers-'));
  const gateway = await startCardGatewaySandbox({ file: ':memory:' });
  const node = await startLightningNodeSandbox({ file: ':memory:' });
  const rates = await startRatesSandbox();
  const read = readSettings({
    PORT: '0',
    DATA: data,
    GATEWAY_URL: gateway.url,
    RATE_LIMIT_PER_ADDRESS: '10000',
    RATE_LIMIT_PAGES: '10000',
    OUTBOUND_ALLOW_LOOPBACK: 'true',
    RATE_SOURCES: Object.entries(rates.urls)
      .map(([kind, url]) => `${kind}=${url}`)
      .join(','),
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  let logged = '';
  const destination = {
    write(line: string) {
      logged += line;
    },
  };
  const server = await startServer({ settings: read.settings, log: createLog({ level: 'debug', destination }) });
  const { businesses, apiKeys, bitcoinBackends } = server.backend.services;
  const business = await businesses.create({
    name: 'Corner Shop',
    countryCode: 'GB',
    currency: 'GBP',
    locale: 'en-GB',
    timeZone: 'Europe/London',
  });
  const config = { url: node.url, certificate: node.certificate };
  const lnd = { adapter: 'lnd', config, secrets: { macaroon: node.macaroons.admin } };
  const set = await bitcoinBackends.set(business.id, lnd, operator);
  if (!set.ok) throw new Error(JSON.stringify(set.refusal));
  const permissions = ['take-payments:read', 'take-payments:write', 'sales:read'] as const;
  const wanted = { name: 'Shop', preset: 'CUSTOM', permissions: [...permissions], expiresAt: null } as const;
  const made = await apiKeys.create(business.id, wanted, operator);
  if (!made.ok) throw new Error(made.refusal.kind);
  const key = made.value.secret;
  const client = clientOf(server.url);
  return {
    url: server.url,
    gateway,
    wallet: node.control,
    client,
    key,
    database: server.backend.database,
    logged: () => logged,
    async aLink(
      given: { amountInCents?: number; description?: string; successUrl?: string } = {},
    ): Promise<PaymentLink> {
      const body = { description: 'Invoice 7: two chairs', amountInCents: 1_250, currency: 'GBP', ...given };
      const link = await client.call(createPaymentLink, { body }, { key });
      if (link.status !== 201) throw new Error(JSON.stringify(link.body));
      return link.body;
    },
    async end() {
      await server.stop();
      await Promise.all([gateway.close(), node.close(), rates.close()]);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Where pictures go when somebody wants to look at the pages: PAGE_PICTURES names the folder. */
const pictures = process.env.PAGE_PICTURES;

/** What every state of a page has to be: read by everybody, as wide as the screen, and quiet on the console. */
export async function expectGoodPage(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  const found = await new AxeBuilder({ page }).withTags(wcag).analyze();
  expect(found.violations.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)])).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([name, overflow]).toEqual([name, 0]);
}

/** Everything a page asked for and said, for what it must not. */
export function watch(page: Page) {
  const requests: { readonly url: string; readonly body: string }[] = [];
  const complaints: string[] = [];
  page.on('request', request => requests.push({ url: request.url(), body: request.postData() ?? '' }));
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(String(error)));
  return { requests, complaints };
}

export const testCard = { number: '4929421234600821', code: '356' };

/** Types a card into the gateway's frame; the month decides how the bank's check ends. */
export async function typeCard(page: Page, month: string): Promise<void> {
  const fields = page.frameLocator('iframe[title="Card details"]');
  await fields.getByLabel('Card number').fill(testCard.number);
  await fields.getByLabel('Expiry date').fill(`${month}30`);
  await fields.getByLabel('Security code').fill(testCard.code);
}
