import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { createCardRefund, getRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { createWithdrawal, getWithdrawal } from '@florin/shared/contracts/api-v1/withdrawals.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend, anEmptyDatabase, type BackendWorld, eachDatabase } from '../../../test/support/backend.ts';
import { aLightningNode, nodesOnThisMachine, paidThrough } from '../../../test/support/lightning-node.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { runAdmin } from '../admin/run.ts';
import { startRatesSandbox } from '../sandbox/rates/server.ts';

type Env = Readonly<Record<string, string>>;

async function admin(env: Env, ...args: string[]): Promise<{ code: number; json: unknown }> {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  const code = await runAdmin({ args: [...args, '--json'], env, print, printError: print });
  return { code, json: JSON.parse(out) };
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-drill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function envOf({ settings }: BackendWorld): Env {
  const { data, databaseUrl, secretsKey } = settings;
  return {
    GATEWAY_URL: settings.gateway.url,
    ...nodesOnThisMachine,
    DATA: databaseUrl === undefined ? data : aFolder(),
    SECRETS_KEY: secretsKey?.toString('base64') ?? readFileSync(join(data, 'secrets.key'), 'utf8').trim(),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
}

eachDatabase('a shop that lost everything since its backup', database => {
  test('learns from the gateway what happened, names what is missing, and sends nothing twice', async () => {
    const shop = await aShop(database, [...merchant, 'devices:write', 'devices:read']);
    const { sandbox, key, world } = shop;
    const till = await aTill(world, key);
    const settledLink = await shop.aLink(1_000);
    const settled = await shop.pay(settledLink.id);
    sandbox.control.settle();
    // Carried out by the gateway, whose reply was lost: undecided when the backup is made.
    sandbox.control.addFault({ kind: 'loseReply', action: 'REFUND_SALE', callback: false });
    const undecided = await shop.refund(settledLink.id, { kind: 'REFUND_SALE', amountInCents: 100 });
    expect(undecided.status).toBe(202);
    if (undecided.status !== 202) return;
    const openLink = await shop.aLink(2_000);
    const voided = await shop.pay(openLink.id);

    const file = join(aFolder(), 'florin.backup');
    const env = envOf(world);
    expect(await admin(env, 'backup', 'create', '--file', file)).toMatchObject({ code: 0 });
    const since = new Date(world.clock.now()).toISOString();
    world.clock.advance({ minutes: 3 });

    // Until everything is lost.
    expect(await shop.refund(openLink.id, { kind: 'CANCEL' })).toMatchObject({ status: 201 });
    expect(await shop.refund(settledLink.id, { kind: 'REFUND_SALE', amountInCents: 600 })).toMatchObject({
      status: 201,
    });
    const lostSale = await shop.pay((await shop.aLink(3_300)).id);
    await till.sell(4_400);
    await world.stop();
    const sentBefore = sandbox.control.requests().filter(({ action }) => action !== 'QUERY');
    const ledgerBefore = sandbox.control.ledger();

    // A new machine.
    const { SECRETS_KEY: _, ...empty } = await anEmptyDatabase(database);
    const place: Env = { ...env, DATA: aFolder(), ...empty };
    const restore = await admin(place, 'backup', 'restore', '--file', file);
    expect(restore.code).toBe(0);
    const { nextInvoiceNumbers } = restore.json as { nextInvoiceNumbers: Record<string, string> };
    expect(Object.values(nextInvoiceNumbers)).toEqual([lostSale.invoiceNumber]);
    const compared = () => admin(place, 'gateway-account', 'compare', '--since', since);
    const first = await compared();
    expect(first).toMatchObject({
      code: 1,
      json: {
        comparisons: [
          {
            problem: null,
            salesMissing: [
              { amountMinor: 3_300, currency: 'GBP', gatewayReference: lostSale.gatewayReference },
              { amountMinor: 4_400, operation: 'authorise' },
            ],
            refundsHeld: [{ amountMinor: 600, currency: 'GBP', payments: [{ id: settled.id }] }],
            refundsMissing: [],
          },
        ],
      },
    });
    // Again: the same is named, and held once.
    expect(await compared()).toEqual(first);

    const restored = await aBackend({ env: place, clock: world.clock, database });
    const restoredClient = restored.client;
    const found = async () => {
      const list = await restoredClient.call(listDiscrepancies, { query: { status: 'open' } }, { key });
      return 'items' in list.body
        ? list.body.items.map(({ kind, paymentId, contestedInCents }) => ({ kind, paymentId, contestedInCents }))
        : [];
    };
    const refundStatus = async () => {
      restored.clock.advance({ minutes: 1 });
      const read = await restoredClient.call(getRefund, { params: { id: undecided.body.id } }, { key });
      return 'status' in read.body ? read.body.status : read.body;
    };
    // The refund that was undecided is asked after, and approved without being sent again.
    await expect.poll(refundStatus).toBe('approved');
    const nextPoll = async () => {
      restored.clock.advance({ minutes: 6 });
      return found();
    };
    await expect.poll(nextPoll).toEqual([
      { kind: 'payment_voided_elsewhere', paymentId: voided.id, contestedInCents: 0 },
      { kind: 'refund_not_recorded', paymentId: settled.id, contestedInCents: 600 },
    ]);
    // The rest is refundable, and nothing beyond it.
    const body = { kind: 'REFUND_SALE' as const, amountInCents: 400 };
    const beyond = await restoredClient.call(createCardRefund, { params: { id: settledLink.id }, body }, { key });
    expect(beyond).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_exceeds_payment', remaining: 300 } } },
    });
    // Terminals keep their identity.
    const devices = await restoredClient.call(listDevices, {}, { key });
    expect(devices.body).toMatchObject({ items: [{ id: till.terminalId }] });

    // What the gateway was told to do is what it was told before the loss.
    expect(sandbox.control.requests().filter(({ action }) => action !== 'QUERY')).toEqual(sentBefore);
    expect(sandbox.control.ledger()).toEqual(ledgerBefore);
  });

  test('learns from its bitcoin node what happened, names what is missing, and sends nothing twice', async () => {
    const rates = await startRatesSandbox();
    onTestFinished(() => rates.close());
    const sources = Object.entries(rates.urls).map(([kind, url]) => `${kind}=${url}`);
    const bitcoin = { ...nodesOnThisMachine, OUTBOUND_ALLOW_LOOPBACK: 'true', RATE_SOURCES: sources.join(',') };
    const world = await aBackend({ database, env: bitcoin });
    const business = await world.aBusiness();
    const key = await business.key('take-payments:read', 'take-payments:write', 'withdraw:write');
    const node = await aLightningNode(world.clock);
    const { control } = node;
    const backendId = await paidThrough(world, business, node);
    const { client } = world;
    async function anInvoice(network: 'lightning' | 'onchain') {
      const body = { amount: 10_00, currency: 'GBP', orderId: 'order-7' };
      const made = await client.call(createCheckout, { body }, { key });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      const { bitcoinInvoices, checkouts } = world.backend.services;
      const opened = await bitcoinInvoices.open((await checkouts.find(made.body.id))?.invoiceId ?? '', network);
      if (!opened.ok) throw new Error(opened.refusal.kind);
      return opened.value;
    }
    const withdraw = async (body: object) => {
      const made = await client.call(createWithdrawal, { body: body as never }, { key });
      if (made.status !== 201 && made.status !== 202) throw new Error(JSON.stringify(made.body));
      return made.body;
    };
    control.chain.payTo(control.chain.newAddress(), 200_000);
    control.chain.mine(1);
    world.clock.advance({ minutes: 180 });
    const [recorded, awaited] = [await anInvoice('lightning'), await anInvoice('onchain')];
    control.invoices.pay(recorded.paymentHash ?? '', {});
    const receiptsOf = async (at: BackendWorld, invoiceId: string) => {
      at.clock.advance({ seconds: 5 });
      return (await at.backend.services.bitcoinInvoices.find(invoiceId))?.receipts.map(({ status }) => status);
    };
    await expect.poll(() => receiptsOf(world, recorded.id)).toEqual(['confirmed']);
    // Sent by the node, whose reply was lost: undecided when the backup is made.
    control.addFault({ kind: 'loseReply', call: 'SEND_PAYMENT' });
    const undecided = await withdraw({ invoice: control.foreignInvoice({ amountSats: 700 }).bolt11 });
    expect(undecided.status).toBe('unknown');

    const file = join(aFolder(), 'florin.backup');
    const env = { ...envOf(world), ...bitcoin };
    expect(await admin(env, 'backup', 'create', '--file', file)).toMatchObject({ code: 0 });
    const since = new Date(world.clock.now()).toISOString();
    world.clock.advance({ minutes: 3 });

    // Until everything is lost.
    const overLightning = await anInvoice('lightning');
    control.invoices.pay(overLightning.paymentHash ?? '', {});
    const { address } = await anInvoice('onchain');
    const lostPayment = control.chain.payTo(address ?? '', 20_000);
    control.chain.payTo(awaited.address ?? '', 20_000);
    const foreign = control.foreignInvoice({ amountSats: 1_000 });
    await withdraw({ invoice: foreign.bolt11 });
    const elsewhere = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
    const sent = await withdraw({ address: elsewhere, amountSats: 60_000 });
    control.chain.mine(1);
    await world.stop();
    const sends = () => control.requests().filter(({ call }) => call.startsWith('SEND_')).length;
    const [sentBefore, paymentsBefore] = [sends(), control.payments.all()];

    // A new machine.
    const { SECRETS_KEY: _, ...empty } = await anEmptyDatabase(database);
    const place: Env = { ...env, DATA: aFolder(), ...empty };
    expect(await admin(place, 'backup', 'restore', '--file', file)).toMatchObject({ code: 0 });
    const compared = () => admin(place, 'bitcoin-backend', 'compare', '--since', since);
    const first = await compared();
    const at = expect.any(String) as string;
    expect(first).toEqual({
      code: 1,
      json: {
        comparisons: [
          {
            bitcoinBackendId: backendId,
            adapter: 'lnd',
            listed: 7,
            notCompared: [],
            paymentsMissing: [
              { network: 'lightning', amountSats: 20_000, at, txId: overLightning.paymentHash, address: null },
              { network: 'onchain', amountSats: 20_000, at, txId: lostPayment.txId, address },
            ],
            withdrawalsMissing: [
              { network: 'lightning', amountSats: 1_000, at, txId: foreign.paymentHash, address: null },
              { network: 'onchain', amountSats: 60_000, at, txId: sent.txId, address: elsewhere },
            ],
            contradictions: [],
          },
        ],
      },
    });
    expect(await compared()).toEqual(first);

    // What was undecided or awaited is recorded by itself.
    const restored = await aBackend({ env: place, clock: world.clock, database });
    const withdrawalStatus = async () => {
      restored.clock.advance({ minutes: 1 });
      const read = await restored.client.call(getWithdrawal, { params: { id: undecided.id } }, { key });
      return 'status' in read.body ? read.body.status : read.body;
    };
    await expect.poll(withdrawalStatus).toBe('completed');
    await expect.poll(() => receiptsOf(restored, awaited.id)).toEqual(['confirmed']);
    // The node refuses the invoice of a withdrawal that the records do not have.
    const again = await restored.client.call(createWithdrawal, { body: { invoice: foreign.bolt11 } as never }, { key });
    expect(again.body).toMatchObject({ status: 'failed', failureReason: 'already_paid' });
    expect(control.payments.all()).toEqual(paymentsBefore);
    expect(sends()).toBe(sentBefore + 1);
  });
});
