import { operator } from '@florin/shared/actor.ts';
import { listGatewayAccounts } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import { takeGatewayCallback } from '@florin/shared/contracts/callbacks.ts';
import { ok } from '@florin/shared/result.ts';
import { describe, expect, test } from 'vitest';
import { signed } from '../../../test/conformance/gateway/wire-client.ts';
import { aBackend, type BackendWorld, eachDatabase } from '../../../test/support/backend.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aShop, refundApproval } from '../../../test/support/shop.ts';
import { statement } from '../../foundation/database/database.ts';
import { secretBox } from '../../foundation/secrets/secret-box.ts';
import type { CardGateway, PostedCallback } from '../gateway.ts';
import { unusableGateway } from '../unusable.ts';

const accountsUsed = statement<Record<string, never>, { gatewayAccountId: string | null }>(({ db }) =>
  db.selectFrom('payments').select('gatewayAccountId').unionAll(db.selectFrom('refunds').select('gatewayAccountId')),
);

type AccountChanges = { readonly isDefault?: boolean; readonly merchantId?: string };

/** A second account at the sandbox, with its own secrets. */
function anotherAccount({ sandbox }: Pick<BackendWorld, 'sandbox'>, changes: AccountChanges = {}) {
  const account = sandbox?.accounts[2];
  if (!sandbox || !account) throw new Error('no gateway');
  return {
    adapter: 'cardstream',
    name: 'Second',
    merchantId: account.merchantID,
    config: { url: sandbox.url, countryCode: 'GB', reportingUser: account.portalUser },
    secrets: { signature: account.secret, reportingPassword: account.portalPassword },
    isDefault: false,
    ...changes,
  };
}

async function made(world: BackendWorld, businessId: string, changes: AccountChanges = {}) {
  const created = await world.backend.services.gatewayAccounts.create(
    { businessId, ...anotherAccount(world, changes) },
    operator,
  );
  if (!created.ok) throw new Error(created.refusal.problems.join('\n'));
  return created.value;
}

eachDatabase('gateway accounts', database => {
  test('a business without one takes payments with the account from the settings, shown without secrets', async () => {
    const shop = await aShop(database);
    const { world, client, key, sandbox } = shop;
    await shop.pay((await shop.aLink(1_000)).id);
    const listed = await client.call(listGatewayAccounts, {}, { key });
    expect(listed).toMatchObject({
      status: 200,
      body: {
        items: [
          {
            id: expect.stringMatching(/^gwa_/),
            adapter: 'cardstream',
            merchantId: '100001',
            isDefault: true,
            capabilities: { cardPresent: true, ecommerce: true, lookupByUniqueReference: true },
            disabledAt: null,
          },
        ],
        nextCursor: null,
      },
    });
    const secrets = ['Circle4Take40Idea', 'portal-password-100001', 'card-present-100001'];
    const kept = await everythingIn(world.backend.database);
    for (const secret of secrets) {
      expect(JSON.stringify(listed.body)).not.toContain(secret);
      expect(kept).not.toContain(secret);
      expect(world.logged()).not.toContain(secret);
    }
    const { id } = (listed.body as { items: { id: string }[] }).items[0] ?? { id: '' };
    expect(sandbox.control.callbacks()).toMatchObject([
      { url: expect.stringContaining(takeGatewayCallback.path.replace('{accountId}', id)) },
    ]);
  });

  test('refunds of a payment use its account after another one became the default', async () => {
    const shop = await aShop(database);
    const { world, sandbox, business, aLink, pay, refund } = shop;
    const [first, second] = [await aLink(1_000), await aLink(1_000)];
    await pay(first.id);
    const other = await made(world, business.id, { isDefault: true });
    await pay(second.id);
    expect(sandbox.control.transactions().map(({ merchantID }) => merchantID)).toEqual(['100001', '100002']);
    sandbox.control.settle();
    for (const { id } of [first, second])
      expect((await refund(id, { kind: 'REFUND_SALE', amountInCents: 100 })).status).toBe(201);
    expect(sandbox.control.transactions().map(({ merchantID }) => merchantID)).toEqual([
      '100001',
      '100002',
      '100001',
      '100002',
    ]);
    const used = (await world.backend.database.all(accountsUsed, {})).map(row => row.gatewayAccountId);
    expect(used.filter(id => id === other.id)).toHaveLength(2);
    expect(new Set(used).size).toBe(2);
  });

  test('accounts that are made the default at the same moment leave the business with one', async () => {
    const { world, business } = await aShop(database);
    const { gatewayAccounts } = world.backend.services;
    const first = (await gatewayAccounts.accountForNewPayments(business.id)) ?? '';
    const { id: second } = await made(world, business.id);
    const { id: third } = await made(world, business.id, { merchantId: '100003' });
    const makeDefault = (id: string) => gatewayAccounts.makeDefault(business.id, id, operator);
    const defaults = async () => {
      const listed = await gatewayAccounts.list({ businessId: business.id, before: 'zzzz', limit: 10 });
      return listed.filter(({ account }) => account.isDefault === 1).map(({ account }) => account.id);
    };
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await Promise.all([first, second, third].map(makeDefault))).toEqual([true, true, true]);
      expect(await defaults()).toHaveLength(1);
    }
    await makeDefault(first);
    const [isDefault] = await Promise.all([makeDefault(third), gatewayAccounts.disable(business.id, third, operator)]);
    expect(await defaults()).toEqual(isDefault ? [] : [first]);
  });

  test('a disabled account takes no new payments, and still refunds its own', async () => {
    const shop = await aShop(database);
    const { world, business, sandbox, aLink, pay, refund, client, key } = shop;
    const link = await aLink(1_000);
    const unpaid = await aLink(500);
    await pay(link.id);
    sandbox.control.settle();
    const { gatewayAccounts } = world.backend.services;
    const id = (await gatewayAccounts.accountForNewPayments(business.id)) ?? '';
    await gatewayAccounts.disable(business.id, id, operator);
    const refused = await shop.tryToPay(unpaid.id);
    expect(refused).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'no_gateway_account' } } } });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 })).toMatchObject({
      status: 201,
      body: { status: 'approved' },
    });
    const listed = await client.call(listGatewayAccounts, {}, { key });
    expect(listed.body).toMatchObject({ items: [{ id, isDefault: false, disabledAt: expect.any(String) }] });
  });

  test('a callback signed with one account’s secret cannot change another account’s operations', async () => {
    const shop = await aShop(database);
    const { world, sandbox, aLostRefund, business } = shop;
    const attacker = await world.aBusiness({ name: 'Attacker' });
    const account = await made(world, attacker.id);
    const { id } = await aLostRefund(300);
    const approval = { ...refundApproval(id, 300), merchantID: account.merchantId };
    const body = signed(approval, sandbox.accounts[2]?.secret ?? '');
    const post = (accountId: string) =>
      fetch(`${world.url}${takeGatewayCallback.path.replace('{accountId}', accountId)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    const own = await post(account.id);
    expect([own.status, await own.json()]).toEqual([200, { taken: false }]);
    const victims = (await world.backend.services.gatewayAccounts.accountForNewPayments(business.id)) ?? '';
    expect((await post(victims)).status).toBe(400);
    expect((await post('gwa_nobody00')).status).toBe(404);
    const found = await world.backend.services.refunds.byId(business.id, id);
    expect(found?.refund.status).toBe('pending');
  });

  test('a callback is passed to its adapter with its headers, which many gateways use for signatures', async () => {
    const seen: PostedCallback[] = [];
    const gateway: CardGateway = {
      ...unusableGateway,
      readCallback: async posted => {
        seen.push(posted);
        return { kind: 'not_ours' };
      },
    };
    const examples = { config: {}, secrets: {} };
    const registry = new Map([['cardstream', { name: 'cardstream', examples, open: () => ok(gateway) }]]);
    const { world, business } = await aShop(database, undefined, { gatewayRegistry: registry });
    const account = await world.backend.services.gatewayAccounts.accountForNewPayments(business.id);
    const headers = { 'X-Signature': 't=1,v1=ab', 'content-type': 'text/plain' };
    await fetch(`${world.url}/callbacks/gateway/${account}`, { method: 'POST', body: 'paid=1', headers });
    expect(seen).toEqual([{ rawBody: 'paid=1', headers: expect.objectContaining({ 'x-signature': 't=1,v1=ab' }) }]);
  });

  test('an unusable account sends nothing: the payment fails with the reason', async () => {
    const examples = { config: {}, secrets: {} };
    const registry = new Map([['cardstream', { name: 'cardstream', examples, open: () => ok(unusableGateway) }]]);
    const shop = await aShop(database, undefined, { gatewayRegistry: registry });
    const link = await shop.aLink(1_000);
    expect(await shop.pay(link.id)).toMatchObject({ status: 'failed' });
    const { gatewayAccounts } = shop.world.backend.services;
    const accountId = await gatewayAccounts.accountForNewPayments(shop.business.id);
    const gateway = await gatewayAccounts.byId(accountId ?? '');
    const now = shop.world.clock.now();
    // Not the same as a gateway without a list of operations.
    expect(await gateway?.operationsIn?.({ from: now, to: now })).toEqual({
      kind: 'unanswered',
      cause: 'account_unusable',
    });
    expect(shop.sandbox.control.requests()).toEqual([]);
  });

  test('the account from the settings is updated at the next start; another merchant id creates another account', async () => {
    const shop = await aShop(database);
    const { world, business, client, key } = shop;
    await shop.pay((await shop.aLink(1_000)).id);
    const before = await world.backend.services.gatewayAccounts.accountForNewPayments(business.id);
    const rotated = await aBackend({ sharing: world, env: { GATEWAY_SECRET: 'DontTellAnyone' } });
    const tests = await rotated.backend.services.gatewayAccounts.test(business.id, before ?? '');
    expect(tests?.[0]).toEqual({ name: 'payments', ok: false, cause: 'bad_signature' });
    const moved = await aBackend({ sharing: world, env: { GATEWAY_MERCHANT_ID: '100856' } });
    const after = await moved.backend.services.gatewayAccounts.accountForNewPayments(business.id);
    expect(after).not.toBe(before);
    const listed = await client.call(listGatewayAccounts, {}, { key });
    expect(listed.body).toMatchObject({
      items: [
        { id: after, merchantId: '100856', isDefault: true },
        { id: before, merchantId: '100001', isDefault: false },
      ],
    });
  });

  test('a process with another secrets key does not start, and reports what to do', async () => {
    const shop = await aShop(database);
    await shop.pay((await shop.aLink(1_000)).id);
    const env = { SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') };
    await expect(aBackend({ sharing: shop.world, env })).rejects.toThrow(
      /encrypted under another key: set SECRETS_KEY/,
    );
  });

  test('invalid settings are refused, one line each, and nothing is stored', async () => {
    const { world, business } = await aShop(database);
    const wanted = { ...anotherAccount(world), businessId: business.id };
    const refused = await world.backend.services.gatewayAccounts.create(
      { ...wanted, config: { url: 'http://gateway.example' }, secrets: {} },
      operator,
    );
    expect(refused).toMatchObject({ ok: false, refusal: { kind: 'settings_invalid' } });
    expect(refused.ok ? [] : refused.refusal.problems).toEqual([
      'config.url: must use https, unless it is on this machine',
      expect.stringContaining('config.countryCode: '),
      expect.stringContaining('secrets.signature: '),
    ]);
    const unknown = await world.backend.services.gatewayAccounts.create({ ...wanted, adapter: 'nobody' }, operator);
    expect(unknown.ok ? [] : unknown.refusal.problems).toEqual([
      expect.stringMatching(/^adapter: must be one of .*cardstream/),
    ]);
    const before = 'zzzz';
    expect(await world.backend.services.gatewayAccounts.list({ businessId: business.id, before, limit: 10 })).toEqual(
      [],
    );
  });
});

describe('a sealed secret', () => {
  const box = (fill: number) =>
    secretBox({
      secretsKeys: () => ({ current: Buffer.alloc(32, fill) }),
      random: { bytes: length => Buffer.alloc(length, fill) },
      purpose: 'gateway account',
    });

  test('can be decrypted for its owner', () => {
    expect(box(1).open(box(1).seal('Pa55 – wörd', 'gwa_1'), 'gwa_1')).toBe('Pa55 – wörd');
    expect(box(1).seal('Pa55', 'gwa_1')).not.toContain('Pa55');
  });

  test('cannot be decrypted for another owner, with another key, or after a change', () => {
    const sealed = box(1).seal('secret', 'gwa_1');
    expect(() => box(1).open(sealed, 'gwa_2')).toThrow('altered');
    expect(() => box(2).open(sealed, 'gwa_1')).toThrow('SECRETS_KEY');
    expect(() => box(1).open(`${sealed.slice(0, -2)}AA`, 'gwa_1')).toThrow('altered');
    expect(() => box(1).open('', 'gwa_1')).toThrow('SECRETS_KEY');
  });
});
