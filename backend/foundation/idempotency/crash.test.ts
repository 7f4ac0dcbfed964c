import { createApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { listBitcoinClaims, returnBitcoinClaim } from '@florin/shared/contracts/api-v1/bitcoin-claims.ts';
import {
  cancelCheckout,
  claimCheckout,
  createCheckout,
  getCheckout,
} from '@florin/shared/contracts/api-v1/checkouts.ts';
import { createDevice, renewEnrolmentCode, unlockDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { listDiscrepancies, resolveDiscrepancy } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { createExport } from '@florin/shared/contracts/api-v1/exports.ts';
import { createKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import { createNotificationRecipient } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { createLinkPayment, createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { resolvePayment } from '@florin/shared/contracts/api-v1/payments.ts';
import {
  createBitcoinRefund,
  createBitcoinRefundOfLink,
  createBitcoinRefundOfPayment,
  createCardRefund,
  createCardRefundOfLink,
  createCardRefundOfPayment,
  resolveRefund,
} from '@florin/shared/contracts/api-v1/refunds.ts';
import { createSavedView } from '@florin/shared/contracts/api-v1/saved-views.ts';
import { createStaff, resetStaffPassword, unlockStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { createRole, inviteTeamMember } from '@florin/shared/contracts/api-v1/team.ts';
import { cancelTerminalSale, startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { createTipLink } from '@florin/shared/contracts/api-v1/tip-links.ts';
import { verifyUcpPayment } from '@florin/shared/contracts/api-v1/ucp.ts';
import {
  createWebhook,
  disableWebhook,
  enableWebhook,
  recoverWebhook,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@florin/shared/contracts/api-v1/webhooks.ts';
import { createWithdrawal, getWithdrawal, resolveWithdrawal } from '@florin/shared/contracts/api-v1/withdrawals.ts';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { createUcpInvoice } from '@florin/shared/contracts/ucp.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aBitcoinNode } from '../../../test/support/checkout-shop.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aLightningNode, paidThrough } from '../../../test/support/lightning-node.ts';
import { isInPart } from '../../../test/support/part.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { insertPayment, paymentById } from '../../money/payments/store.ts';
import { refundById } from '../../money/refunds/store.ts';
import type { Database } from '../database/database.ts';
import { requestHashOf } from '../http/serve.ts';
import { defaultLeaseMs, leasesOf } from '../jobs/leases.ts';
import { createLog } from '../platform/log.ts';
import { idempotencyService } from './service.ts';

type Body = Record<string, unknown>;
type Call = {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: Body;
};
type Shop = Awaited<ReturnType<typeof aCrashingShop>>;

async function aCrashingShop(database: DatabaseKind) {
  const shop = await aShop(database, permissionCodes, { env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } });
  const { world, client, key, aLink, pay } = shop;

  async function made<Made extends { readonly status: number; readonly body: unknown }>(asked: Promise<Made>) {
    const { status, body } = await asked;
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body as Extract<Made, { readonly status: 200 | 201 | 202 }>['body'];
  }
  async function aPaidLink() {
    const link = await aLink(1_000);
    return { link, payment: await pay(link.id) };
  }
  const aStaffMember = async () =>
    (await made(client.call(createStaff, { body: { staffNumber: '104', name: 'Nadia' } }, { key }))).staff;

  /** Serves the call as the server does, until everything its flow wrote is committed; then the process crashes. */
  async function crashesWhenDone(contract: AnyContract, call: Call, idempotencyKey: string): Promise<unknown> {
    const { backend, clock } = world;
    const route = backend.routes.find(each => each.contract === contract);
    const caller = await backend.services.apiKeys.authenticate(key);
    if (!route || !caller) throw new Error(`${contract.name} is not served`);
    const input = {
      params: contract.params.parse(call.params),
      query: contract.query.parse(call.query),
      body: contract.body.parse(call.body),
    };
    const settings = { retentionMs: 1_000_000, pollMs: 1_000 };
    const log = createLog({ level: 'silent' });
    const { businessId } = caller;
    const request = {
      businessId,
      key: idempotencyKey,
      requestHash: requestHashOf(contract, input),
      runId: 'req_1',
      isGone: () => false,
    };
    let answered: unknown;
    const leases = leasesOf({ clock, timers: clock, log, leaseMs: defaultLeaseMs });
    await idempotencyService({ database: backend.database, clock, timers: clock, log, leases, settings })
      .run(request, async given => {
        answered = await route.handler({
          ...input,
          caller,
          requestId: 'req_1',
          languages: () => ['en'],
          call: given,
        } as never);
        throw new Error('the process died here');
      })
      .catch(() => undefined);
    return answered;
  }
  /** A node for the business, and a checkout to make. */
  async function aBitcoinShop() {
    const { wallet } = await aBitcoinNode(world, shop.business.id);
    return { wallet, checkout: { amount: 20_000, currency: 'BTC', orderId: 'order-7' } };
  }
  return { ...shop, made, aPaidLink, aStaffMember, aBitcoinShop, crashesWhenDone };
}

const aDevice = ({ made, client, key }: Shop) => made(client.call(createDevice, { body: { name: 'Till 1' } }, { key }));

async function aSaleToStart({ world, business }: Shop) {
  await aTill(world, await business.key('devices:write'));
  return { serial: 'SN-1', amountInCents: 500, currency: 'GBP' };
}

/** A call of each operation, whatever it needs being there. */
const calls: readonly (readonly [contract: AnyContract, prepare: (shop: Shop) => Promise<Call>])[] = [
  [createApiKey, async () => ({ body: { name: 'Till', permissions: ['sales:read' as const] } })],
  [createDevice, async () => ({ body: { name: 'Till 1' } })],
  [inviteTeamMember, async () => ({ body: { email: 'nia@shop.example', roleId: 'cashier' } })],
  [createExport, async () => ({ body: { list: 'payments', format: 'csv' } })],
  [createRole, async () => ({ body: { name: 'Bookkeeper', permissions: ['sales:read'] } })],
  [renewEnrolmentCode, async shop => ({ params: { id: (await aDevice(shop)).id } })],
  [createPaymentLink, async () => ({ body: { description: 'Invoice', amountInCents: 500, currency: 'GBP' } })],
  [
    createLinkPayment,
    async ({ aLink, paymentToken }) => ({
      params: { id: (await aLink(1_000)).id },
      body: { paymentToken: await paymentToken() },
    }),
  ],
  [
    createCardRefund,
    async ({ aPaidLink }) => ({ params: { id: (await aPaidLink()).link.id }, body: { kind: 'CANCEL' } }),
  ],
  [createBitcoinRefund, aBitcoinRefund],
  [
    createCardRefundOfLink,
    async ({ aPaidLink }) => ({ params: { id: (await aPaidLink()).link.id }, body: { kind: 'CANCEL' } }),
  ],
  [
    createCardRefundOfPayment,
    async ({ aPaidLink }) => ({ params: { id: (await aPaidLink()).payment.id }, body: { kind: 'CANCEL' } }),
  ],
  [createBitcoinRefundOfLink, aBitcoinRefund],
  [
    createBitcoinRefundOfPayment,
    async shop => ({ params: { id: (await aBitcoinPayment(shop)).id }, body: { amount: 2_000 } }),
  ],
  [resolveRefund, aRefundToResolve],
  [resolvePayment, aPaymentToResolve],
  [resolveDiscrepancy, aDiscrepancy],
  [createStaff, async () => ({ body: { staffNumber: '105', name: 'Sam' } })],
  [unlockDevice, async shop => ({ params: { id: (await aDevice(shop)).id } })],
  [unlockStaff, async ({ aStaffMember }) => ({ params: { id: (await aStaffMember()).id } })],
  [resetStaffPassword, async ({ aStaffMember }) => ({ params: { id: (await aStaffMember()).id } })],
  [createKioskKey, async shop => ({ body: { name: 'Kiosk', deviceIds: [(await aDevice(shop)).id] } })],
  [startTerminalSale, async shop => ({ body: await aSaleToStart(shop) })],
  [
    cancelTerminalSale,
    async shop => {
      const { made, client, key } = shop;
      const { saleId } = await made(client.call(startTerminalSale, { body: await aSaleToStart(shop) }, { key }));
      return { params: { saleId } };
    },
  ],
  [createCheckout, async shop => ({ body: (await shop.aBitcoinShop()).checkout })],
  [cancelCheckout, async shop => ({ params: await aCheckout(shop), body: {} })],
  [claimCheckout, aClaim],
  [returnBitcoinClaim, aReturn],
  [verifyUcpPayment, aProof],
  [createNotificationRecipient, async () => ({ body: { email: 'owner@shop.example' } })],
  [createWebhook, async () => ({ body: endpoint })],
  [rotateWebhookSecret, async shop => ({ params: await aWebhook(shop), body: { keepPreviousSecret: true } })],
  [disableWebhook, async shop => ({ params: await aWebhook(shop) })],
  [enableWebhook, async shop => ({ params: await aWebhook(shop) })],
  [testWebhook, async shop => ({ params: await aWebhook(shop) })],
  [redeliverWebhook, aDeliveryToRepeat],
  [createWithdrawal, aWithdrawal],
  [resolveWithdrawal, aMissingWithdrawal],
  [createTipLink, aTipLink],
  [createSavedView, async () => ({ body: aView })],
  [recoverWebhook, async shop => ({ params: await aWebhook(shop), query: { since: '2026-11-21T00:00:00Z' } })],
];

const aView = { list: 'payments', name: 'Declined', filters: { status: 'declined' }, isShared: true } as const;
const endpoint = { url: 'https://shop.example/hooks', eventType: 'payment.completed' } as const;

async function aWebhook({ made, client, key }: Shop) {
  return { id: (await made(client.call(createWebhook, { body: endpoint }, { key }))).id };
}

async function aDeliveryToRepeat(shop: Shop): Promise<Call> {
  const { made, client, key } = shop;
  const params = await aWebhook(shop);
  const { id: deliveryId } = await made(client.call(testWebhook, { params }, { key }));
  return { params: { ...params, deliveryId } };
}

async function aCheckout({ made, client, key, aBitcoinShop }: Shop) {
  const { checkout } = await aBitcoinShop();
  return { id: (await made(client.call(createCheckout, { body: checkout }, { key }))).id };
}

/** A checkout that was paid after it was cancelled. */
async function aClaim(shop: Shop): Promise<Call> {
  const { made, client, key, world } = shop;
  const { wallet, checkout } = await shop.aBitcoinShop();
  const { id } = await made(client.call(createCheckout, { body: checkout }, { key }));
  const { checkouts, bitcoinInvoices } = world.backend.services;
  const opened = await bitcoinInvoices.open((await checkouts.find(id))?.invoiceId ?? '', 'onchain');
  if (!opened.ok || opened.value.address === null) throw new Error('no address');
  await made(client.call(cancelCheckout, { params: { id }, body: {} }, { key }));
  wallet.chain.payTo(opened.value.address, 20_000);
  wallet.chain.mine(1);
  for (let turn = 0; turn < 1_000; turn += 1) {
    const { claim } = await made(client.call(getCheckout, { params: { id } }));
    if (claim) return { params: { id }, body: { destination: 'customer@wallet.cash' } };
    world.clock.advance({ seconds: 10 });
  }
  throw new Error('there is nothing to claim');
}

async function aReturn(shop: Shop): Promise<Call> {
  await aClaim(shop);
  const { client, key } = shop;
  const { items } = await shop.made(client.call(listBitcoinClaims, { query: {} }, { key }));
  return { params: { id: items[0]?.id ?? '' }, body: { network: 'lightning', txId: 'ab'.repeat(32) } };
}

async function aProof(shop: Shop): Promise<Call> {
  const { wallet } = await shop.aBitcoinShop();
  const asked = { merchant_id: shop.business.id, checkout_id: 'chk_1', currency: 'SAT', amount: 500 };
  const { payment_hash: hash } = await shop.made(shop.client.call(createUcpInvoice, { body: asked }));
  wallet.invoices.pay(hash, {});
  return { body: { preimage: wallet.invoices.get(hash)?.preimage ?? '', checkout_id: 'chk_1' } };
}

async function aTipLink({ world, business }: Shop): Promise<Call> {
  await paidThrough(world, business, await aLightningNode(world.clock));
  return { body: { name: 'The kitchen' } };
}

async function aMissingWithdrawal(shop: Shop): Promise<Call> {
  const { world, made, client, key } = shop;
  const { wallet } = await shop.aBitcoinShop();
  wallet.chain.payTo(wallet.chain.newAddress(), 100_000);
  wallet.chain.mine(1);
  const body = { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', amountSats: 10_000 };
  const { id, txId } = await made(client.call(createWithdrawal, { body }, { key }));
  wallet.chain.drop(txId ?? '');
  for (let turn = 0; turn < 1_000; turn += 1) {
    const { missingSince } = await made(client.call(getWithdrawal, { params: { id } }, { key }));
    world.clock.advance({ minutes: missingSince === null ? 1 : 11 });
    if (missingSince)
      return { params: { id }, body: { outcome: 'failed', evidence: 'No transaction spends its coins' } };
  }
  throw new Error('the withdrawal is not missing');
}

async function aWithdrawal({ world, business }: Shop): Promise<Call> {
  const node = await aLightningNode(world.clock);
  await paidThrough(world, business, node);
  return { body: { invoice: node.control.foreignInvoice({}).bolt11 } };
}

async function aBitcoinRefund(shop: Shop): Promise<Call> {
  return { params: { id: (await aBitcoinPayment(shop)).paymentLinkId }, body: { amount: 2_000 } };
}

async function aBitcoinPayment({ world, business, aPaidLink, aLink }: Shop) {
  const { database } = world.backend;
  const template = await aPaidLink();
  const row = await database.first(paymentById, { businessId: business.id, id: template.payment.id });
  if (!row) throw new Error('no payment');
  const paymentLinkId = (await aLink(1_000)).id;
  const bitcoin = { method: 'lightning', amountSats: 5_000, status: 'settled', gatewayReference: null } as const;
  const payment = { ...row, ...bitcoin, id: `${row.id}b`, paymentLinkId, uniqueReference: null, clientRequestId: null };
  await database.write(tx => tx.run(insertPayment, payment));
  return payment;
}

const evidence = 'The list of the day does not have it';

/** Advances the service's time until it has polled for an outcome for long enough to accept evidence. */
async function askedLongEnough(
  { world, client, key }: Shop,
  polled: () => Promise<{ polledForMs: number } | undefined>,
) {
  for (let turn = 0; turn < 1_000; turn += 1) {
    if (((await polled())?.polledForMs ?? 0) >= 10 * 60_000) return;
    world.clock.advance({ seconds: 2 });
    // What the jobs wait for arrives over real HTTP, as this does.
    await client.call(listDiscrepancies, { query: {} }, { key });
  }
  throw new Error('it was not asked about for long enough');
}

async function aRefundToResolve(shop: Shop): Promise<Call> {
  const { sandbox, aPaidLink, made, client, key, world, business } = shop;
  const { link } = await aPaidLink();
  sandbox.control.settle();
  sandbox.control.addFault({ kind: 'loseReply', action: 'REFUND_SALE', callback: false });
  sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
  const body = { kind: 'REFUND_SALE', amountInCents: 600 } as const;
  const { id } = await made(client.call(createCardRefund, { params: { id: link.id }, body }, { key }));
  await askedLongEnough(shop, () => world.backend.database.first(refundById, { businessId: business.id, id }));
  return { params: { id }, body: { outcome: 'failed', evidence } };
}

async function aPaymentToResolve(shop: Shop): Promise<Call> {
  const { sandbox, aLink, paymentToken, made, client, key, world, business } = shop;
  sandbox.control.addFault({ kind: 'loseReply', action: 'SALE', callback: false });
  sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
  const params = { id: (await aLink(1_000)).id };
  const body = { paymentToken: await paymentToken() };
  const { id } = await made(client.call(createLinkPayment, { params, body }, { key }));
  await askedLongEnough(shop, () => world.backend.database.first(paymentById, { businessId: business.id, id }));
  return { params: { id }, body: { outcome: 'failed', evidence } };
}

/** A settlement that the bank rejected. */
async function aDiscrepancy({ sandbox, aLink, pay, refund, made, client, key }: Shop): Promise<Call> {
  const link = await aLink(2_600);
  await pay(link.id);
  sandbox.control.settle();
  await refund(link.id, { kind: 'CANCEL' });
  const { items } = await made(client.call(listDiscrepancies, { query: {} }, { key }));
  return { params: { id: items[0]?.id ?? '' }, body: { outcome: 'gateway_right', evidence } };
}

/** Shown in the first answer only, and stored nowhere. */
const secrets = ['cancelToken', 'key', 'secret', 'enrolment', 'code', 'temporaryPassword'];
function withoutSecrets(body: Body): Body {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, secrets.includes(name) ? null : value]));
}

/** The whole database, once the events and deliveries of every commit are processed. */
async function atRest(database: Database): Promise<string> {
  let last = '';
  const isSame = async () => {
    const before = last;
    last = await everythingIn(database);
    return last === before && !last.includes('"position":null') && !/"(isUnderWay":1|attemptStartedAt":\d)/.test(last);
  };
  await expect.poll(isSame).toBe(true);
  return last;
}

eachDatabase('a process that crashes between its work and its response', database => {
  const inPart = calls.filter(([{ name }]) => isInPart(name, 3));
  test.each(inPart.map(([contract, prepare]) => [contract.name, contract, prepare] as const))(
    '%s: the repetition gets the first answer and does nothing',
    async (_, contract, prepare) => {
      const shop = await aCrashingShop(database);
      const { client, key, crashesWhenDone, world } = shop;
      const call = await prepare(shop);
      const first = (await crashesWhenDone(contract, call, 'k1')) as { status: number; body: Body };
      expect(first.status).toBeLessThan(300);
      const before = await atRest(world.backend.database);
      for (const _turn of [1, 2]) {
        const repeated = await client.call(contract, call as Parameters<typeof client.call>[1], {
          key,
          idempotencyKey: 'k1',
        });
        expect(repeated).toMatchObject({ status: first.status, headers: { 'idempotency-replayed': 'true' } });
        expect(repeated.body).toEqual(withoutSecrets(first.body));
      }
      expect(await atRest(world.backend.database)).toBe(before);
      for (const name of ['cancelToken', 'key', 'secret', 'temporaryPassword', 'code'])
        if (typeof first.body[name] === 'string') expect(before).not.toContain(first.body[name]);
    },
  );
});

test('every POST of the API that keys may call honours an Idempotency-Key, and is one of those above', () => {
  const posts = operations.filter(
    ({ method, path, authentication }) =>
      method === 'POST' && path.startsWith('/api/') && authentication.includes('apiKey'),
  );
  expect(posts.map(({ name }) => name).toSorted()).toEqual(calls.map(([{ name }]) => name).toSorted());
  for (const { name, idempotent } of posts) expect([name, idempotent]).toEqual([name, true]);
});
