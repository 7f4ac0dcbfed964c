import type { GatewayAccountRecord, GatewayTestRecord } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { expect, test } from 'vitest';
import { aBackend, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aPortalUser, type PortalBrowser } from '../../../test/support/portal.ts';
import { aShop } from '../../../test/support/shop.ts';

type Changes = { readonly config?: object; readonly secrets?: object; readonly [field: string]: unknown };

/** A shop whose owner adds the second account of the sandbox. */
async function aShopWithOwner(database: DatabaseKind) {
  const shop = await aShop(database, permissionCodes);
  const { world, business, sandbox } = shop;
  const account = sandbox.accounts[2];
  if (!account) throw new Error('no gateway account');
  const owner = await aPortalUser(world, business.id, 'owner');
  const browser = await owner.signIn();
  const path = `/portal/api/${business.id}/gateway-accounts`;
  const wanted = ({ config, secrets, ...changes }: Changes = {}) => ({
    adapter: 'cardstream',
    name: 'Own account',
    merchantId: account.merchantID,
    config: { countryCode: 'GB', reportingUser: account.portalUser, ...config },
    secrets: {
      signature: account.secret,
      reportingPassword: account.portalPassword,
      cardPresent: account.cardPresentSecret,
      ...secrets,
    },
    ...changes,
  });
  async function add(changes: Changes = {}, by: PortalBrowser = browser) {
    const { status, json } = await by.post(path, wanted(changes));
    if (status !== 201) throw new Error(JSON.stringify(json));
    return json as GatewayAccountRecord;
  }
  async function tests(id: string) {
    const { json } = await browser.post(`${path}/${id}/test`);
    return (json as { tests: GatewayTestRecord[] }).tests;
  }
  async function changesLogged() {
    const entries = await world.backend.services.audit.chain({ businessId: business.id, after: 0, limit: 500 });
    return entries
      .filter(({ kind }) => kind === 'gateway_account_changed')
      .map(({ actorKind, actorId, detailJson }) => ({ actorKind, actorId, ...JSON.parse(detailJson) }));
  }
  return { ...shop, owner, browser, path, account, wanted, add, tests, changesLogged };
}

eachDatabase('a business’s own gateway accounts', database => {
  test('are added, tested, made the default and disabled by its owner, and no secret is shown or written', async () => {
    const shop = await aShopWithOwner(database);
    const { world, sandbox, browser, path, owner, account, aLink, pay } = shop;
    await pay((await aLink(1_000)).id);
    const added = await shop.add();
    expect(added).toMatchObject({
      id: expect.stringMatching(/^gwa_/),
      name: 'Own account',
      isDefault: false,
      capabilities: { cardPresent: true, ecommerce: true, lookupByUniqueReference: true },
      disabledAt: null,
    });
    expect(await shop.tests(added.id)).toEqual(
      ['payments', 'reporting', 'cardPresent'].map(name => ({
        name,
        ok: true,
        cause: null,
        message: expect.stringContaining('answers as it should'),
      })),
    );
    await pay((await aLink(1_000)).id);
    const chosen = await browser.post(`${path}/${added.id}/default`);
    expect(chosen).toMatchObject({ status: 200, json: { id: added.id, isDefault: true } });
    expect(await browser.post(`${path}/${added.id}/default`)).toEqual(chosen);
    const own = await aLink(1_000);
    await pay(own.id);
    expect(sandbox.control.transactions().map(({ merchantID }) => merchantID)).toEqual(['100001', '100001', '100002']);

    const unpaid = await aLink(1_000);
    const disabled = await browser.post(`${path}/${added.id}/disable`);
    expect(disabled).toMatchObject({ status: 200, json: { isDefault: false, disabledAt: expect.any(String) } });
    expect(await browser.post(`${path}/${added.id}/disable`)).toEqual(disabled);
    expect(await browser.post(`${path}/${added.id}/default`)).toMatchObject({
      status: 409,
      json: { error: { metadata: { reason: 'gateway_account_disabled' } } },
    });
    expect((await shop.tryToPay(unpaid.id)).status).toBe(409);
    sandbox.control.settle();
    expect((await shop.refund(own.id, { kind: 'REFUND_SALE', amountInCents: 100 })).status).toBe(201);
    expect(sandbox.control.transactions().at(-1)?.merchantID).toBe(account.merchantID);

    const by = { actorKind: 'portal_user', actorId: owner.id, gatewayAccountId: added.id, name: 'Own account' };
    expect(await shop.changesLogged()).toMatchObject(
      ['created', 'made_default', 'disabled'].map(change => ({ ...by, change, merchantId: account.merchantID })),
    );
    const kept = await everythingIn(world.backend.database);
    const shown = JSON.stringify([added, chosen, disabled, await browser.get(path)]);
    for (const secret of [account.secret, account.portalPassword, account.cardPresentSecret])
      for (const place of [kept, shown, world.logged()]) expect(place).not.toContain(secret);
  });

  test('are for owners and administrators, who have just confirmed who they are, and never for keys', async () => {
    const shop = await aShopWithOwner(database);
    const { world, business, key, path, wanted } = shop;
    const admin = await (await aPortalUser(world, business.id, 'admin')).signIn();
    const { id } = await shop.add({}, admin);
    const manager = await (await aPortalUser(world, business.id, 'manager')).signIn();
    const calls: readonly (readonly [path: string, body?: object])[] = [
      [path, wanted()],
      ...['test', 'default', 'disable'].map(what => [`${path}/${id}/${what}`] as const),
    ];
    for (const [address, body] of calls) {
      expect([address, (await manager.post(address, body)).status]).toEqual([address, 403]);
      const withKey = await fetch(world.url + address.replace(`/portal/api/${business.id}`, '/api/v1'), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      });
      expect([address, [404, 405].includes(withKey.status)]).toEqual([address, true]);
    }
    world.clock.advance({ minutes: 6 });
    for (const [address, body] of calls) {
      const isAsked = !address.endsWith('/test');
      const { status, json } = await admin.post(address, body);
      expect([address, status]).toEqual([address, isAsked ? 403 : 200]);
      if (isAsked) expect(json).toMatchObject({ error: { metadata: { reason: 'step_up_required' } } });
    }
  });

  test('are renamed and given new secrets, each by itself, and used with them at once', async () => {
    const shop = await aShopWithOwner(database);
    const { browser, path, account, world } = shop;
    const { id } = await shop.add({ secrets: { signature: 'mistyped' } });
    expect((await shop.tests(id)).map(({ name, ok }) => [name, ok])).toContainEqual(['payments', false]);
    const changed = await browser.patch(`${path}/${id}`, { name: 'Shop', secrets: { signature: account.secret } });
    expect(changed).toMatchObject({
      status: 200,
      json: { id, name: 'Shop', isOwn: true, merchantId: account.merchantID },
    });
    expect((await shop.tests(id)).map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(await browser.patch(`${path}/${id}`, { name: 'Main' })).toMatchObject({
      status: 200,
      json: { name: 'Main' },
    });
    expect((await shop.tests(id)).map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(await shop.changesLogged()).toMatchObject([
      { change: 'created' },
      { change: 'changed', name: 'Shop', actorId: shop.owner.id },
      { change: 'changed', name: 'Main' },
    ]);
    const kept = await everythingIn(world.backend.database);
    for (const place of [kept, JSON.stringify(changed.json), world.logged()])
      expect(place).not.toContain(account.secret);
  });

  test('keep the addresses of the service when they are changed, and what is wrong changes nothing', async () => {
    const shop = await aShopWithOwner(database);
    const { browser, path } = shop;
    const { id } = await shop.add();
    const refused: readonly object[] = [
      { config: { url: 'https://elsewhere.example/' } },
      { config: { cardPresentUrl: 'https://elsewhere.example/' } },
      { secrets: { signature: '' } },
      { secrets: { another: 'secret' } },
      { merchantId: '100001' },
      {},
      { name: '' },
    ];
    for (const body of refused)
      expect([body, (await browser.patch(`${path}/${id}`, body)).status]).toEqual([body, 400]);
    expect((await shop.tests(id)).map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(await shop.changesLogged()).toHaveLength(1);
  });

  test('that the business did not add are not changed by it', async () => {
    const { browser, path, pay, aLink } = await aShopWithOwner(database);
    await pay((await aLink(1_000)).id);
    const { json } = await browser.get(path);
    const [given] = (json as { items: GatewayAccountRecord[] }).items;
    expect(given?.isOwn).toBe(false);
    expect(await browser.patch(`${path}/${given?.id}`, { name: 'Mine' })).toMatchObject({
      status: 409,
      json: { error: { metadata: { reason: 'gateway_account_not_own' } } },
    });
  });

  test('of another business are not found', async () => {
    const shop = await aShopWithOwner(database);
    const { id } = await shop.add();
    const other = await shop.world.aBusiness({ name: 'Other' });
    const stranger = await (await aPortalUser(shop.world, other.id, 'owner')).signIn();
    for (const what of ['test', 'default', 'disable'])
      expect(await stranger.post(`/portal/api/${other.id}/gateway-accounts/${id}/${what}`)).toMatchObject({
        status: 404,
        json: { error: { metadata: { reason: 'gateway_account_not_found' } } },
      });
    const renamed = await stranger.patch(`/portal/api/${other.id}/gateway-accounts/${id}`, { name: 'Mine' });
    expect(renamed.status).toBe(404);
    expect(await shop.changesLogged()).toHaveLength(1);
  });

  test('use the gateway of the service: no address is taken, and each wrong setting is named', async () => {
    const { browser, path, wanted, sandbox, world } = await aShopWithOwner(database);
    const refused = async (changes: Changes) => {
      const { status, json } = await browser.post(path, wanted(changes));
      expect(status).toBe(400);
      return (json as { error: { metadata: { reason: string; issues: object[] } } }).error.metadata;
    };
    for (const name of ['url', 'cardPresentUrl', 'cardFieldsUrl', 'wallets'])
      expect(await refused({ config: { [name]: 'https://127.0.0.1:8443' } })).toEqual({
        reason: 'settings_invalid',
        issues: [{ path: 'config', message: `must not have ${name}` }],
      });
    expect(await refused({ config: { countryCode: 'England' }, secrets: { signature: '' } })).toMatchObject({
      issues: [{ path: 'config.countryCode' }, { path: 'secrets.signature' }],
    });
    expect(await refused({ secrets: { reportingPassword: undefined } })).toMatchObject({
      issues: [{ path: 'secrets.reportingPassword' }],
    });
    expect(await refused({ adapter: 'nobody' })).toMatchObject({
      issues: [{ path: 'adapter', message: 'must be cardstream' }],
    });
    expect(await everythingIn(world.backend.database)).not.toContain('Own account');
    expect(sandbox.control.requests()).toEqual([]);
  });

  test('follow the address of the service’s gateway when its operator moves it', async () => {
    const shop = await aShopWithOwner(database);
    const { world, business } = shop;
    const { id } = await shop.add();
    const moved = await aBackend({ sharing: world, env: { GATEWAY_URL: 'http://127.0.0.1:1' } });
    const tests = await moved.backend.services.gatewayAccounts.test(business.id, id);
    expect(tests?.[0]).toEqual({ name: 'payments', ok: false, cause: 'connection_refused' });
  });

  test('with a wrong secret are added, and the test says so in words', async () => {
    const shop = await aShopWithOwner(database);
    const { id } = await shop.add({
      secrets: { signature: 'wrong', reportingPassword: 'wrong', cardPresent: 'wrong' },
    });
    expect(await shop.tests(id)).toMatchObject([
      {
        name: 'payments',
        ok: false,
        cause: 'bad_signature',
        message: expect.stringContaining('do not belong together'),
      },
      { name: 'reporting', ok: false, cause: 'status 401', message: expect.stringContaining('user or the password') },
      {
        name: 'cardPresent',
        ok: false,
        cause: 'gateway_error',
        message: expect.stringContaining('refused the request'),
      },
    ]);
  });
});
