import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { createCardRefund, getRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend, anEmptyDatabase, type BackendWorld, eachDatabase } from '../../../test/support/backend.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { runAdmin } from '../admin/run.ts';

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
              { amountMinor: 3_300, gatewayReference: lostSale.gatewayReference },
              { amountMinor: 4_400, operation: 'authorise' },
            ],
            refundsHeld: [{ amountMinor: 600, paymentId: settled.id }],
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
});
