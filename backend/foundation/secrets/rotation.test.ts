import { createLinkPayment, createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { createWebhook, rotateWebhookSecret } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { checkReceipt } from '@florin/shared/receipts/verdict.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { aBackend, type BackendWorld, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aLightningNode, nodesOnThisMachine, paidThrough } from '../../../test/support/lightning-node.ts';
import { aPortalUser, portalBrowser } from '../../../test/support/portal.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { isAuthentic } from '../../../test/support/webhook-shop.ts';
import { runAdmin } from '../../programs/admin/run.ts';
import { columns } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { secretsRotation } from './rotation.ts';

type Env = Readonly<Record<string, string>>;

const keyOf = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const [old, next, another] = [keyOf(1), keyOf(2), keyOf(3)];
/** The settings of the steps of a rotation. */
const steps = {
  before: { SECRETS_KEY: old },
  bothKnown: { SECRETS_KEY: old, SECRETS_KEY_ACCEPTED: next },
  rotating: { SECRETS_KEY: next, SECRETS_KEY_ACCEPTED: old },
  after: { SECRETS_KEY: next },
} as const;
const onThisMachine = { OUTBOUND_ALLOW_LOOPBACK: 'true', ...nodesOnThisMachine };

function placeOf({ settings }: BackendWorld): Env {
  return settings.databaseUrl === undefined ? { DATA: settings.data } : { DATABASE_URL: settings.databaseUrl };
}

type Rotated = {
  readonly resealed: number;
  readonly left: number;
  readonly unreadable: readonly { readonly table: string; readonly column: string; readonly id: string }[];
};

async function rotate(world: BackendWorld, keys: Env): Promise<Rotated & { readonly code: number }> {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  const env = { ...onThisMachine, ...placeOf(world), ...keys };
  const code = await runAdmin({ args: ['secrets', 'rotate', '--json'], env, print, printError: print });
  return { ...(JSON.parse(out) as Rotated), code };
}

async function keyFindings(world: BackendWorld, keys: Env): Promise<readonly string[]> {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  const env = { ...onThisMachine, ...placeOf(world), DATA: world.settings.data, ...keys };
  await runAdmin({ args: ['doctor', '--json'], env, print, printError: print });
  const { findings } = JSON.parse(out) as { findings: { check: string; state: string; says: string }[] };
  return findings.filter(({ check }) => check === 'secrets key').map(({ state, says }) => `${state}: ${says}`);
}

/** How sealed values begin, in whatever column: one for each kind of secret and key. */
async function sealsIn({ backend }: BackendWorld): Promise<ReadonlySet<string>> {
  const everything = await everythingIn(backend.database);
  return new Set(everything.match(/\bv1\.[0-9a-f]{8}(?=\.)/g));
}

/** A shop with something sealed of every kind. */
async function aShopWithSecrets(database: DatabaseKind) {
  const shop = await aShop(database, permissionCodes, { env: { ...onThisMachine, ...steps.before } });
  const { world, client, key, business } = shop;
  const receiver = await aWebhookReceiver();
  const made = await client.call(
    createWebhook,
    { body: { url: receiver.url, eventType: 'payment.completed' } },
    { key },
  );
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const webhook = { id: made.body.id, secret: made.body.secret ?? '' };
  const [payment] = await Promise.all([shop.pay((await shop.aLink(1_000)).id), receiver.has(1)]);
  let webhookSecrets = [webhook.secret];
  const rotateWebhook = async (on: BackendWorld = world) => {
    const body = { keepPreviousSecret: true };
    const rotated = await on.client.call(rotateWebhookSecret, { params: { id: webhook.id }, body }, { key });
    if (rotated.status !== 200) throw new Error(JSON.stringify(rotated.body));
    webhookSecrets = [webhookSecrets.at(-1) ?? '', rotated.body.secret ?? ''];
  };
  await rotateWebhook();
  const node = await aLightningNode();
  const backendId = await paidThrough(world, business, node);
  const user = await aPortalUser(world, business.id, 'owner');
  const browser = await user.signIn();
  const { secret } = (await browser.post('/portal/api/me/totp')).json as { secret: string };
  const totp = new TOTP({ secret });
  const code = totp.generate({ timestamp: world.clock.now() });
  expect((await browser.post('/portal/api/me/totp/confirm', { code })).status).toBe(200);
  const tokenOf = async (on: BackendWorld) => {
    const read = await on.client.call(getPayment, { params: { id: payment.id } }, { key });
    return read.status === 200 ? read.body.receipt?.url.split('/').at(-1) : undefined;
  };
  const invoiceAt = ({ backend }: BackendWorld, label: string) =>
    backend.services.bitcoinBackends
      .ofBackend(backendId)
      .then(one => one.createInvoice({ label, amountSats: 70, description: { memo: 'x' }, expiresInSeconds: 900 }));
  const signingKeyAt = async ({ backend }: BackendWorld) =>
    (await backend.services.checkouts.settings.of(business.id)).signingKey;
  const receiptAt = async (on: BackendWorld): Promise<unknown> => {
    const read = () => fetch(`${on.url}/r/${receiptToken}/receipt.json`);
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe(200);
    return (await read()).json();
  };
  const receiptToken = await tokenOf(world);
  await receiptAt(world);
  const signingKey = await signingKeyAt(world);

  /** That everything still works on this process as it did before. */
  async function expectAllToWork(on: BackendWorld): Promise<void> {
    expect(await tokenOf(on)).toBe(receiptToken);
    expect(await signingKeyAt(on)).toBe(signingKey);
    expect(await invoiceAt(on, `sale-${on.url}`)).toMatchObject({ kind: 'created' });
    const keys: unknown = await (await fetch(`${on.url}/.well-known/florin-receipts/${business.id}.json`)).json();
    const document = await receiptAt(on);
    const isIssuerKnown = true;
    const verdict = await checkReceipt({ document, keys, isIssuerKnown, now: on.clock.now(), verify: verifyText });
    expect(verdict).toMatchObject({ kind: 'valid_then' });

    world.clock.advance({ minutes: 1 });
    const next = portalBrowser(on);
    const { token } = (await next.post('/portal/api/sign-in', user)).json as { token: string };
    const answer = { token, code: totp.generate({ timestamp: world.clock.now() }) };
    expect((await next.post('/portal/api/sign-in/second-factor', answer)).status).toBe(200);

    const before = receiver.received.length;
    const paid = await payOn(on, 500);
    await receiver.has(before + 1);
    const received = receiver.received.slice(before).find(({ body }) => body.includes(paid.linkId));
    const isSigned = (by: string) => received !== undefined && isAuthentic(received, by, world.clock.now() / 1_000);
    expect(webhookSecrets.map(isSigned)).toEqual([true, true]);
    expect(await on.backend.services.audit.verify(business.id)).toMatchObject({ kind: 'intact' });
  }
  async function payOn(on: BackendWorld, amountInCents: number) {
    const body = { description: 'Invoice 8', amountInCents, currency: 'GBP' };
    const made = await on.client.call(createPaymentLink, { body }, { key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const linkId = made.body.id;
    const paymentToken = await shop.paymentToken();
    const paid = await on.client.call(createLinkPayment, { params: { id: linkId }, body: { paymentToken } }, { key });
    if (paid.status !== 201) throw new Error(JSON.stringify(paid.body));
    return { linkId };
  }
  return { ...shop, webhook, rotateWebhook, payOn, expectAllToWork };
}

const join = (shop: { readonly world: BackendWorld }, keys: Env) =>
  aBackend({ sharing: shop.world, env: { ...onThisMachine, ...keys } });

eachDatabase('a new secrets key', database => {
  test('replaces the old one beside running requests, after which nothing needs the old one', async () => {
    const shop = await aShopWithSecrets(database);
    const sealedBefore = await sealsIn(shop.world);
    // Every kind of secret and the audit log.
    expect(sealedBefore.size).toBe(8);

    const bothKnown = await join(shop, steps.bothKnown);
    await shop.world.kill();
    const rotating = await join(shop, steps.rotating);
    const busy = async (on: BackendWorld) => {
      for (let count = 0; count < 5; count += 1) {
        await shop.payOn(on, 100);
        await shop.rotateWebhook(on);
        // A new business has an audit log, a gateway account and the keys of its checkouts.
        const { id } = await on.aBusiness();
        await on.backend.services.checkouts.settings.of(id);
      }
    };
    const [first] = await Promise.all([rotate(shop.world, steps.rotating), busy(bothKnown), busy(rotating)]);
    expect(first).toMatchObject({ unreadable: [] });
    await bothKnown.kill();
    expect(await rotate(shop.world, steps.rotating)).toMatchObject({ code: 0, left: 0, unreadable: [] });
    expect(await rotate(shop.world, steps.rotating)).toMatchObject({ code: 0, resealed: 0, left: 0 });
    expect([...(await sealsIn(rotating))].filter(seal => sealedBefore.has(seal))).toEqual([]);

    await rotating.kill();
    const after = await join(shop, steps.after);
    await shop.expectAllToWork(after);
  });

  test('is taken over by a rotation that was interrupted and repeated, without a value that cannot be read', async () => {
    const shop = await aShopWithSecrets(database);
    await shop.world.kill();
    const rotating = await join(shop, steps.rotating);
    const { database: place, services } = rotating.backend;
    const { left: total } = await services.secrets.survey();
    expect(total).toBeGreaterThan(8);
    /** A process that is killed when it begins its second transaction. */
    const interrupted = () => {
      let writes = 0;
      const write: Database['write'] = body => {
        writes += 1;
        return writes > 1 ? Promise.reject(new Error('killed')) : place.write(body);
      };
      const columns = () => services.secrets.columns();
      return secretsRotation({ database: { ...place, write }, columns }).rotate();
    };
    for (let left = total - 1; left > 0; left -= 1) {
      await expect(interrupted()).rejects.toThrow('killed');
      expect(await services.secrets.survey()).toMatchObject({ left, unreadable: [] });
    }
    expect(await rotate(shop.world, steps.rotating)).toMatchObject({ code: 0, resealed: 1, left: 0 });
    await rotating.kill();
    await shop.expectAllToWork(await join(shop, steps.after));
  });

  test('never replaces a value that was changed after the rotation had read it', async () => {
    const shop = await aShopWithSecrets(database);
    await shop.world.kill();
    const rotating = await join(shop, steps.rotating);
    const { database: place, services } = rotating.backend;
    /** The webhook's secret and the head of the audit log are replaced whenever they were read. */
    const all: Database['all'] = async (statement, args) => {
      const rows = await place.all(statement, args);
      const [row] = rows as readonly object[];
      if (row && ('sealedSecret' in row || 'seal' in row)) await shop.rotateWebhook(rotating);
      return rows;
    };
    const columns = () => services.secrets.columns();
    const { left } = await secretsRotation({ database: { ...place, all }, columns }).rotate();
    expect(left).toBe(0);
    await rotating.kill();
    await shop.expectAllToWork(await join(shop, steps.after));
  });

  test('is refused with another key than the one before: each value is named, none is changed or shown', async () => {
    const shop = await aShopWithSecrets(database);
    await shop.world.kill();
    const refused = await rotate(shop.world, { SECRETS_KEY: next, SECRETS_KEY_ACCEPTED: another });
    expect(refused).toMatchObject({ code: 1, resealed: 0, left: 0 });
    const named = refused.unreadable.map(({ table, column, id }) => `${table}.${column} of ${id}`);
    expect(named).toContain(`webhooks.sealedSecret of ${shop.webhook.id}`);
    expect(named).toContain(`auditChains.seal of ${shop.business.id}`);
    expect(JSON.stringify(refused)).not.toContain('v1.');
    await expect(join(shop, { SECRETS_KEY: next, SECRETS_KEY_ACCEPTED: another })).rejects.toThrow('SECRETS_KEY');
    await shop.expectAllToWork(await join(shop, steps.before));
  });

  test('is not accepted at the first start, when it would not be known which of the two was there before', async () => {
    await expect(aBackend({ database, env: steps.bothKnown })).rejects.toThrow('SECRETS_KEY_ACCEPTED');
  });
});

// The servers of tests write without fsync, which ends the doctor's examination of a PostgreSQL.
test('the doctor says that the key before is needed, and no longer needed', async () => {
  const shop = await aShopWithSecrets('sqlite');
  await shop.world.kill();
  const { left } = await (await join(shop, steps.rotating)).backend.services.secrets.survey();
  const needed = `look: ${left} stored values need SECRETS_KEY_ACCEPTED`;
  expect(await keyFindings(shop.world, steps.bothKnown)).toContainEqual(
    'fine: No stored value needs SECRETS_KEY_ACCEPTED',
  );
  expect(await keyFindings(shop.world, steps.rotating)).toContainEqual(needed);
  const tooEarly = await keyFindings(shop.world, steps.after);
  expect(tooEarly).toContainEqual(expect.stringMatching(/^wrong: .* and \d+ more: sealed under another key$/));
  await rotate(shop.world, steps.rotating);
  expect(await keyFindings(shop.world, steps.rotating)).toContainEqual(
    'fine: No stored value needs SECRETS_KEY_ACCEPTED',
  );
  expect(await keyFindings(shop.world, steps.after)).toContainEqual('fine: It is the one of these records');
  expect(await keyFindings(shop.world, steps.before)).toContainEqual(expect.stringMatching(/^wrong: /));
});

test('the rotation knows every column that is sealed', async () => {
  const { backend } = await aBackend();
  const known = backend.services.secrets.columns().map(({ table, column }) => `${table}.${column}`);
  const sealed = Object.entries<object>(columns).flatMap(([table, all]) =>
    Object.keys(all).flatMap(name => (/seal/i.test(name) ? [`${table}.${name}`] : [])),
  );
  expect(known.toSorted()).toEqual(sealed.toSorted());
});
