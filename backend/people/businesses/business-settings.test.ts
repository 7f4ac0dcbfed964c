import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getBusiness, type updateBusiness } from '@florin/shared/contracts/api-v1/business.ts';
import { createCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { BodyInputOf } from '@florin/shared/contracts/contract.ts';
import { syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { aPortalUser, type PortalBrowser } from '../../../test/support/portal.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

function aPng(widthPx: number, heightPx: number, bytes = 64): string {
  const png = Buffer.alloc(bytes);
  png.write('89504e470d0a1a0a0000000d49484452', 'hex');
  png.writeUInt32BE(widthPx, 16);
  png.writeUInt32BE(heightPx, 20);
  return png.toString('base64');
}
/** 32 pixels high, 64 wide. */
const aJpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc2000b080020004001011100ffd9', 'hex');

/** What the portal's page of settings does. */
const changing =
  (browser: PortalBrowser, businessId: string) => async (changes: BodyInputOf<typeof updateBusiness>) => {
    const { status, json } = await browser.request('PATCH', `/portal/api/${businessId}/business`, changes);
    return { status, body: json };
  };

async function aBusinessOwner(database: DatabaseKind) {
  const shop = await aShop(database, [...merchant, 'team:write', 'team:read', 'devices:write']);
  const { client, key, world, business } = shop;
  const owner = await aPortalUser(world, business.id, 'owner');
  const browser = await owner.signIn();
  const change = changing(browser, business.id);
  async function read() {
    const found = await client.call(getBusiness, {}, { key });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  }
  async function changesLogged() {
    const entries = await world.backend.services.audit.chain({ businessId: business.id, after: 0, limit: 500 });
    return entries
      .filter(({ kind }) => kind === 'setting_changed')
      .map(({ actorKind, detailJson }) => ({ actorKind, ...JSON.parse(detailJson) }));
  }
  return { ...shop, owner, browser, change, read, changesLogged };
}

eachDatabase('the settings of a business', database => {
  test('are changed one by one, and each change is an entry of the audit log with what it was before', async () => {
    const { change, read, changesLogged } = await aBusinessOwner(database);
    const before = await read();
    expect(before).toMatchObject({
      name: 'Corner Shop',
      addressLines: [],
      currency: 'GBP',
      isCurrencyFixed: false,
      accentColour: null,
      logo: null,
      paymentMethods: { card: true, wallets: true, lightning: true, onchain: true },
      passwordProtectRefundsAndVoids: true,
      counter: {
        quickAmountsInCents: [],
        confirmAboveInCents: null,
        playsSounds: false,
        saleReference: 'none',
        tipPercents: [],
      },
      receiptFooter: null,
    });
    const changed = await change({
      name: 'Corner Shop Ltd',
      addressLines: ['1 High Street', 'London N1 1AA'],
      accentColour: '#1F6FE0',
      paymentMethods: { onchain: false },
      counter: { quickAmountsInCents: [350, 12_00], confirmAboveInCents: 500_00 },
      receiptFooter: 'Thank you!',
      timeZone: 'Europe/London',
    });
    expect(changed).toMatchObject({ status: 200 });
    const after = await read();
    expect(changed.body).toEqual(after);
    expect(after).toEqual({
      ...before,
      name: 'Corner Shop Ltd',
      addressLines: ['1 High Street', 'London N1 1AA'],
      accentColour: '#1f6fe0',
      paymentMethods: { ...before.paymentMethods, onchain: false },
      counter: {
        quickAmountsInCents: [350, 12_00],
        confirmAboveInCents: 500_00,
        playsSounds: false,
        saleReference: 'none',
        tipPercents: [],
      },
      receiptFooter: 'Thank you!',
    });
    const logged = [
      { setting: 'name', value: 'Corner Shop Ltd', previous: 'Corner Shop' },
      { setting: 'addressLines', value: ['1 High Street', 'London N1 1AA'], previous: [] },
      { setting: 'accentColour', value: '#1f6fe0', previous: null },
      { setting: 'receiptFooter', value: 'Thank you!', previous: null },
      { setting: 'paymentMethods.onchain', value: false, previous: true },
      { setting: 'counter.quickAmountsInCents', value: [350, 12_00], previous: [] },
      { setting: 'counter.confirmAboveInCents', value: 500_00, previous: null },
    ].map(detail => ({ actorKind: 'portal_user', ...detail }));
    expect(await changesLogged()).toHaveLength(logged.length);
    expect(await changesLogged()).toEqual(expect.arrayContaining(logged));
    // What is the same already is no change.
    expect((await change({ name: 'Corner Shop Ltd', accentColour: '#1f6fe0' })).status).toBe(200);
    expect(await changesLogged()).toHaveLength(logged.length);
  });

  test('offer each tip once', async () => {
    const { change, read } = await aBusinessOwner(database);
    const message = 'must name each percentage once';
    expect(await change({ counter: { tipPercents: [10, 10] } })).toMatchObject({
      status: 400,
      body: { error: { metadata: { issues: [{ path: 'counter.tipPercents', message }] } } },
    });
    expect((await change({ counter: { tipPercents: [10, 15] } })).status).toBe(200);
    expect(await read()).toMatchObject({ counter: { tipPercents: [10, 15] } });
  });

  test('name a country and a way of writing that there are', async () => {
    const { change, read } = await aBusinessOwner(database);
    const issueAt = (path: string) => ({ status: 400, body: { error: { metadata: { issues: [{ path }] } } } });
    for (const countryCode of ['UK', 'ZZ', 'AA', 'gb'])
      expect([countryCode, await change({ countryCode })]).toMatchObject([countryCode, issueAt('countryCode')]);
    for (const locale of ['english', 'xx-YY', ''])
      expect([locale, await change({ locale })]).toMatchObject([locale, issueAt('locale')]);
    expect((await change({ countryCode: 'DE', locale: 'de-DE' })).status).toBe(200);
    expect(await read()).toMatchObject({ countryCode: 'DE', locale: 'de-DE' });
  });

  test('of another business stay as they are', async () => {
    const { change, read, browser, world, client } = await aBusinessOwner(database);
    const other = await world.aBusiness({ name: 'Other' });
    const theirs = { key: await other.key('team:write') };
    expect((await change({ name: 'Mine', logo: aPng(10, 10) })).status).toBe(200);
    expect(await client.call(getBusiness, {}, theirs)).toMatchObject({ body: { name: 'Other', logo: null } });
    expect((await changing(browser, other.id)({ name: 'Mine, too' })).status).toBe(404);
    const neighbour = await (await aPortalUser(world, other.id, 'owner')).signIn();
    expect((await changing(neighbour, other.id)({ name: 'Theirs' })).status).toBe(200);
    expect(await read()).toMatchObject({ name: 'Mine' });
  });

  test('are changed by owners and administrators only, and protection is switched off by who has just confirmed it', async () => {
    const { change, owner, browser, read, world, business, key } = await aBusinessOwner(database);
    const { url } = world;
    const byKey = await fetch(`${url}/api/v1/business`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'By key' }),
    });
    expect(byKey.status).toBe(405);
    const manager = await (await aPortalUser(world, business.id, 'manager')).signIn();
    const refused = { error: { metadata: { reason: 'admins_only' } } };
    expect(await changing(manager, business.id)({ name: 'New' })).toMatchObject({ status: 403, body: refused });
    expect((await manager.get(`/portal/api/${business.id}/business`)).status).toBe(403);
    const admin = await (await aPortalUser(world, business.id, 'admin')).signIn();
    expect((await changing(admin, business.id)({ name: 'New' })).status).toBe(200);
    world.clock.advance({ minutes: 6 });
    const unconfirmed = { error: { metadata: { reason: 'step_up_required' } } };
    expect(await change({ passwordProtectRefundsAndVoids: false })).toMatchObject({ status: 403, body: unconfirmed });
    expect((await change({ passwordProtectRefundsAndVoids: true })).status).toBe(200);
    expect((await browser.post('/portal/api/me/step-up', { password: owner.password })).status).toBe(200);
    expect((await change({ passwordProtectRefundsAndVoids: false })).status).toBe(200);
    expect(await read()).toMatchObject({ passwordProtectRefundsAndVoids: false });
  });

  test('may name another currency until the first payment', async () => {
    const { change, read, aLink, pay } = await aBusinessOwner(database);
    expect((await change({ currency: 'EUR' })).status).toBe(200);
    expect((await change({ currency: 'GBP' })).status).toBe(200);
    await pay((await aLink(1_000)).id);
    const refused = await change({ currency: 'EUR', name: 'New name' });
    expect(refused).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'currency_fixed' } } } });
    expect(await read()).toMatchObject({ currency: 'GBP', isCurrencyFixed: true, name: 'Corner Shop' });
    expect((await change({ currency: 'GBP', name: 'New name' })).status).toBe(200);
  });

  test('reach terminals with their next synchronisation', async () => {
    const { change, world, key, client } = await aBusinessOwner(database);
    const till = await aTill(world, key);
    const sync = async (configurationVersion: string | null) => {
      const body = { configurationVersion, entries: [], lastSequence: 0 };
      const synced = await client.call(syncTerminal, { body }, { key: till.token });
      return synced.status === 200 ? synced.body.configuration : undefined;
    };
    const known = await sync(null);
    expect(await sync(known?.version ?? '')).toBeNull();
    const counter = { quickAmountsInCents: [350], playsSounds: true };
    expect((await change({ name: 'New name', timeZone: 'Europe/Paris', counter })).status).toBe(200);
    expect(await sync(known?.version ?? '')).toMatchObject({
      business: { name: 'New name', timeZone: 'Europe/Paris', counter: { ...counter, confirmAboveInCents: null } },
    });
  });

  test('have a logo that is a PNG or JPEG of a limited size', async () => {
    const { change, read, changesLogged } = await aBusinessOwner(database);
    const why = async (logo: string) => {
      const refused = await change({ logo });
      expect(refused.status).toBe(400);
      return (refused.body as { error: { message: string } }).error.message;
    };
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    expect(await why(svg.toString('base64'))).toBe('logo: must be a PNG or JPEG picture');
    expect(await why(aPng(10, 10).slice(0, 24))).toBe('logo: must be a PNG or JPEG picture');
    expect(await why('ÿØÿ')).toBe('logo: must be the picture in base64');
    expect(await why(aPng(0, 10))).toMatch('pixels, and is 0 × 10');
    expect(await why(aPng(10, 2_001))).toMatch('must be at most 2000 × 2000 pixels, and is 10 × 2001');
    expect(await why(aPng(10, 10, 100_001))).toBe('logo: must be a picture of at most 100 kB');
    expect(await why(aPng(10, 10, 100_010))).toBe('logo: must be a picture of at most 100 kB');
    expect((await change({ logo: aPng(2_000, 10, 100_000) })).status).toBe(200);
    const { logo } = await read();
    expect(logo).toMatchObject({ mediaType: 'image/png', widthPx: 2_000, heightPx: 10 });
    expect((await change({ logo: aJpeg.toString('base64') })).body).toMatchObject({
      logo: { mediaType: 'image/jpeg', widthPx: 64, heightPx: 32, hash: expect.not.stringMatching(logo?.hash ?? '') },
    });
    expect((await change({ logo: null })).body).toMatchObject({ logo: null });
    const logged = await changesLogged();
    expect(logged.map(({ setting }) => setting)).toEqual(['logo', 'logo', 'logo']);
    expect(JSON.stringify(logged)).not.toContain(aJpeg.toString('base64'));
  });

  test('have an accent colour that stands out on light and dark pages', async () => {
    const { change, read } = await aBusinessOwner(database);
    const why = async (accentColour: string) => (await change({ accentColour })).body;
    expect(await why('#ffee00')).toMatchObject({
      error: { message: 'accentColour: must have a contrast of at least 3:1 to white, and has 1.2:1' },
    });
    expect(await why('#101010')).toMatchObject({
      error: { message: expect.stringContaining('to the dark surface (#161f36), and has 1.2:1') },
    });
    expect(await why('blue')).toMatchObject({ error: { message: 'accentColour: must be a colour, such as #1f4fe0' } });
    expect((await read()).accentColour).toBeNull();
    const tokens = readFileSync(join(import.meta.dirname, '../../../shared/design/tokens.css'), 'utf8');
    expect(tokens).toContain('#161f36');
  });

  test('decide which methods customers are offered', async () => {
    const { change, aLink, client, key } = await aBusinessOwner(database);
    const { url } = await aLink(1_000);
    const page = async () => (await fetch(url)).text();
    expect(await page()).toContain('Google Pay');
    await change({ paymentMethods: { wallets: false } });
    expect(await page()).not.toContain('Google Pay');
    await change({ paymentMethods: { card: false } });
    const body = { description: 'Invoice 8', amountInCents: 500, currency: 'GBP' };
    expect(await client.call(createPaymentLink, { body }, { key })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'no_payment_method' } } },
    });
  });

  test('decide over which networks bitcoin is offered', async () => {
    const { client, key, world, business, aCheckout } = await aCheckoutShop(database);
    const change = changing(await (await aPortalUser(world, business.id, 'owner')).signIn(), business.id);
    const offered = async () => {
      const page = await (await fetch(`${world.url}/checkout/${(await aCheckout()).id}`)).text();
      return { lightning: page.includes('over Lightning'), onchain: page.includes('Bitcoin network') };
    };
    expect(await offered()).toEqual({ lightning: true, onchain: true });
    await change({ paymentMethods: { onchain: false } });
    expect(await offered()).toEqual({ lightning: true, onchain: false });
    await change({ paymentMethods: { lightning: false } });
    const body = { amount: 10_00, currency: 'GBP', orderId: 'order-8' };
    expect(await client.call(createCheckout, { body }, { key })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'bitcoin_not_available' } } },
    });
  });
});
