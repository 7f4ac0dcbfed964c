import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { createLinkPayment } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { opened, startPayers } from '../pages/payer.ts';
import { aPortalUser, emailsTo, portalBrowser } from '../support/portal.ts';

export type Portal = Awaited<ReturnType<typeof startPortal>>;
export type User = Portal['owner'];

export const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, locale: 'en-GB' };
export const tablet: BrowserContextOptions = { viewport: { width: 768, height: 1024 }, locale: 'en-GB' };
export const darkPhone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  colorScheme: 'dark',
  locale: 'en-GB',
};

/** A service with a shop and its users: an owner, a manager and a cashier. Its address has a name, as passkeys need. */
export async function startPortal() {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const service = await startPayers({ PORT: String(port), PUBLIC_URL: url, SETTLEMENT_POLL_SECONDS: '1' });
  const { client, key, businessId, backend, gateway } = service;
  const world = { url, backend };

  /** A card payment by a link, which the bank has authorised. */
  async function anUnsettledPayment(amountInCents: number): Promise<string> {
    const link = await service.aLink({ amountInCents });
    const body = { paymentToken: await service.paymentToken() };
    const paid = await client.call(createLinkPayment, { params: { id: link.id }, body }, { key });
    if (paid.status !== 201) throw new Error(JSON.stringify(paid.body));
    return paid.body.id;
  }

  return {
    ...service,
    url,
    aUser: (role: string) => aPortalUser(world, businessId, role),
    owner: await aPortalUser(world, businessId, 'owner'),
    manager: await aPortalUser(world, businessId, 'manager'),
    cashier: await aPortalUser(world, businessId, 'cashier'),
    /** The address of a page of the shop. */
    page: (path = '') => `${url}/portal/${businessId}${path}`,
    anUnsettledPayment,
    /** A card payment by a link, which the bank has settled. */
    async aPayment(amountInCents: number): Promise<string> {
      const id = await anUnsettledPayment(amountInCents);
      gateway.control.settle();
      const found = () => client.call(getPayment, { params: { id } }, { key });
      await expect.poll(found).toMatchObject({ body: { status: 'settled' } });
      return id;
    },
    /** The address in the last e-mail to somebody. */
    async linkTo(recipient: string): Promise<string> {
      const link = async () => /http\S+#\S+/.exec((await emailsTo(world, recipient)).at(-1)?.text ?? '')?.[0] ?? '';
      await expect.poll(link).not.toBe('');
      return link();
    },
  };
}

/** A browser that has opened an address of the portal, and what was written to its console in error. */
export async function visit(browser: Browser, address: string, options = desktop) {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, context, errors } = await opened(browser, { permissions, ...options }, address);
  // Chromium reports every refused request as an error; what the portal does then is what is tested.
  const faults = () => errors.filter(error => !error.startsWith('Failed to load resource'));
  return { page, context, faults };
}

/** Types e-mail address and password, and sends them. */
export async function typePassword(page: Page, { email, password }: Pick<User, 'email' | 'password'>): Promise<void> {
  const address = page.getByLabel('E-mail address');
  if (await address.isEditable()) await address.fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * A browser in which a user is signed in, at an address of the portal. The session begins without the page of the sign-in, which
 * takes as long as many a test and has tests of its own.
 */
export async function signedIn(browser: Browser, { email, password }: User, address: string, options = desktop) {
  const { origin: url, hostname: domain } = new URL(address);
  const session = portalBrowser({ url });
  const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': options.locale ?? 'en-GB' };
  const { status, json } = await session.request('POST', '/portal/api/sign-in', { email, password }, headers);
  if (status !== 200) throw new Error(`signing in was answered with ${status} ${JSON.stringify(json)}`);
  const [name = '', value = ''] = session.cookie().split('=');
  const kept = { expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' } as const;
  const storageState = { cookies: [{ name, value, domain, path: '/', ...kept }], origins: [] };
  return visit(browser, address, { ...options, storageState });
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows for a secret (RFC 6238). */
export function codeOf(secret: string, now: number): string {
  const fives = Array.from(secret, digit => base32.indexOf(digit).toString(2).padStart(5, '0'));
  const bits = fives.join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac('sha1', bytes).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
