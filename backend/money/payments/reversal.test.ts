import { removeDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import { completeSale, getSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend, type BackendWorld, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { holdWrites } from '../../../test/support/postgres.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';

const discrepancies = statement<Record<string, never>, { kind: string }>(({ db }) =>
  db.selectFrom('discrepancies').select('kind'),
);

async function aSoldSale(database: DatabaseKind, env: Record<string, string> = {}) {
  const { world, business, client, sandbox, key } = await aShop(database, merchant, { env });
  const till = await aTill(world, await business.key('devices:write'));
  const { saleId, reversal } = await till.sell(1_500);
  expect(reversal).toBeNull();
  const reverse = async () => {
    const body = { reason: 'card_refused' as const };
    const reversed = await client.call(reverseSale, { params: { saleId }, body }, { key: till.token });
    if (reversed.status !== 200) throw new Error(JSON.stringify(reversed.body));
    return reversed.body;
  };
  const read = async (from = client, token = till.token) => {
    const found = await from.call(getSale, { params: { saleId } }, { key: token });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  };
  const refunds = async () => {
    const listed = await client.call(listRefunds, { query: {} }, { key });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items;
  };
  /** Advances the service's time until the reversal has this state; its requests use real HTTP. */
  const becomes = async (status: string, on: BackendWorld = world) => {
    const now = async () => {
      on.clock.advance({ seconds: 10 });
      return (await read(on.client)).reversal?.status;
    };
    await expect.poll(now, { interval: 10, timeout: 30_000 }).toBe(status);
  };
  const found = async () => (await world.backend.database.all(discrepancies, {})).map(({ kind }) => kind);
  return { world, client, key, business, till, sandbox, saleId, reverse, read, refunds, becomes, found };
}

eachDatabase('the reversal of a sale', database => {
  test('voids an unsettled sale, and its status shows that', async () => {
    const { reverse, read } = await aSoldSale(database);
    expect(await reverse()).toMatchObject({ reversal: { reason: 'card_refused', status: 'voided' } });
    expect((await read()).reversal?.status).toBe('voided');
  });

  test('refunds a settled sale in full, without authorisation', async () => {
    const { sandbox, reverse, read, refunds } = await aSoldSale(database);
    sandbox.control.settle();
    expect(await reverse()).toMatchObject({
      status: 'refunded',
      refundedInCents: 1_500,
      reversal: { reason: 'card_refused', status: 'refunded' },
    });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_500, returnedMinor: 1_500 }]);
    expect(await refunds()).toMatchObject([
      { kind: 'REFUND_SALE', status: 'approved', amountInCents: 1_500, source: 'terminal', staff: null },
    ]);
    expect(await reverse()).toEqual(await read());
    expect(sandbox.control.ledger()).toMatchObject([{ returnedMinor: 1_500 }]);
  });

  test('waits for the settlement of a sale handed to the bank, also through a crash, and then refunds it', async () => {
    const { world, client, key, sandbox, reverse, read, becomes } = await aSoldSale(database);
    sandbox.control.settle('tender');
    const reversed = await reverse();
    expect(reversed).toMatchObject({
      status: 'unsettled',
      action: 'none',
      blocked: { reason: 'payment_settling', retryAfter: expect.any(String) },
      reversal: { status: 'awaiting_settlement' },
    });
    const listed = await client.call(listPayments, { query: {} }, { key });
    expect(listed.body).toMatchObject({
      items: [{ reversal: { reason: 'card_refused', status: 'awaiting_settlement' } }],
    });
    await world.kill();
    sandbox.control.settle('complete');
    const next = await aBackend({ database, sharing: world });
    expect((await read(next.client)).reversal?.status).toBe('awaiting_settlement');
    await becomes('refunded', next);
    expect(sandbox.control.ledger()).toMatchObject([{ returnedMinor: 1_500 }]);
  });

  test('that the gateway refuses to refund becomes a discrepancy', async () => {
    const { world, sandbox, reverse, read, refunds, found } = await aSoldSale(database);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'decline', action: 'REFUND_SALE', times: 5 });
    expect(await reverse()).toMatchObject({ status: 'settled', action: 'refund', reversal: { status: 'declined' } });
    expect(await found()).toEqual(['reversal_declined']);
    world.clock.advance({ hours: 2 });
    expect((await read()).reversal?.status).toBe('declined');
    expect(await refunds()).toMatchObject([{ kind: 'REFUND_SALE', status: 'declined' }]);
  });

  test('retries a void that the gateway refused, and its status shows that meanwhile', async () => {
    const { sandbox, reverse, becomes } = await aSoldSale(database);
    sandbox.control.addFault({ kind: 'decline', action: 'CANCEL' });
    expect(await reverse()).toMatchObject({ status: 'unsettled', reversal: { status: 'void_pending' } });
    await becomes('voided');
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 0, state: 'canceled' }]);
  });

  test('whose void is lost is not reported as done, and is retried until it succeeds', async () => {
    const { sandbox, reverse, becomes } = await aSoldSale(database);
    sandbox.control.addFault({ kind: 'dropRequest', action: 'CANCEL' });
    expect(await reverse()).toMatchObject({ status: 'unsettled', reversal: { status: 'void_pending' } });
    sandbox.control.settle();
    await becomes('refunded');
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_500, returnedMinor: 1_500 }]);
  });

  test('waits for a gateway that cannot be reached, and is a discrepancy after a day', async () => {
    const { world, sandbox, reverse, becomes, found } = await aSoldSale(database);
    await sandbox.control.refuseConnections();
    expect(await reverse()).toMatchObject({ reversal: { status: 'void_pending' } });
    expect(world.logged()).toMatch(/"paymentId":"pay_.*did not report the settlement state of a payment/);
    expect(world.logged()).toMatch(/"level":40.*"paymentId":"pay_.*a reversal did not complete/);
    world.clock.advance({ hours: 25 });
    const raised = async () => {
      world.clock.advance({ minutes: 5 });
      return found();
    };
    await expect.poll(raised, { interval: 10, timeout: 30_000 }).toEqual(['reversal_overdue']);
    await sandbox.control.acceptConnections();
    await becomes('voided');
  });

  test('can be requested by its machine after it was enrolled again, and by no other', async () => {
    const { world, client, business, till, saleId, read } = await aSoldSale(database);
    const manager = await business.key('devices:write');
    await client.call(removeDevice, { params: { id: till.terminalId } }, { key: manager });
    const again = await aTill(world, manager);
    const otherTill = await aTill(world, manager, { keySeed: 4 });
    const reverseBy = (key: string) =>
      client.call(reverseSale, { params: { saleId }, body: { reason: 'card_refused' } }, { key });
    expect((await reverseBy(otherTill.token)).status).toBe(404);
    expect((await client.call(getSale, { params: { saleId } }, { key: otherTill.token })).status).toBe(404);
    expect(await reverseBy(again.token)).toMatchObject({ status: 200, body: { reversal: { status: 'voided' } } });
    const completed = await client.call(completeSale, { params: { saleId } }, { key: again.token });
    expect(completed).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect((await read(client, again.token)).status).toBe('cancelled');
  });
});

test('on PostgreSQL a sale reversed while it is being saved is reversed, not reported as refused', async () => {
  const { world, client, till, sandbox } = await aSoldSale('postgres', { ROLE: 'api' });
  const saleId = 'sale_both0001';
  const held = await holdWrites(world.settings.databaseUrl ?? '', 'payments');
  onTestFinished(held.release);
  const sold = till.sell(2_000, saleId);
  await expect.poll(() => held.isWaiting('insert into "payments"%')).toBe(true);
  let isAnswered = false;
  const body = { reason: 'customer_cancelled' as const };
  const reversed = client.call(reverseSale, { params: { saleId }, body }, { key: till.token }).finally(() => {
    isAnswered = true;
  });
  await expect.poll(async () => isAnswered || (await held.isWaiting('select%for update'))).toBe(true);
  await held.release();
  expect((await reversed).status).toBe(200);
  await sold;
  expect(sandbox.control.ledger().filter(({ takenMinor }) => takenMinor > 0)).toHaveLength(1);
});
