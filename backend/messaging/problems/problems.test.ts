import { createApiKey, revokeApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { listDiscrepancies, resolveDiscrepancy } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { createNotificationRecipient } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { listProblems, type ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import { unlockStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { enableWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { type Permission, permissionCodes } from '@florin/shared/permissions.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { aWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { aWebhookShop } from '../../../test/support/webhook-shop.ts';
import { statement } from '../../foundation/database/database.ts';

function problemsOf({ client, key }: Pick<Awaited<ReturnType<typeof aShop>>, 'client' | 'key'>) {
  return async (by = key): Promise<readonly ProblemRecord[]> => {
    const listed = await client.call(listProblems, {}, { key: by });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items;
  };
}
const kinds = (items: readonly ProblemRecord[]) => items.map(({ kind }) => kind);

/** An e-mail that could not be sent. */
const loseEmails = statement<{ now: number }, unknown>(({ db }, arg) =>
  db.updateTable('emails').set({ status: 'failed', lastError: 'refused', nextAttemptAt: null, finishedAt: arg('now') }),
);

async function aWatchedShop(database: DatabaseKind) {
  const shop = await aShop(database, permissionCodes);
  const problems = problemsOf(shop);
  const keyWith = (...permissions: Permission[]) => shop.business.key(...permissions);
  return { ...shop, problems, keyWith };
}

eachDatabase('the list of problems', database => {
  test('has a refund without outcome from then until the outcome is known, for a person once asking is not enough', async () => {
    const { problems, aLostRefund, sandbox, world } = await aWatchedShop(database);
    expect(await problems()).toEqual([]);
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 1_000 });
    const since = new Date(world.clock.now()).toISOString();
    const { id } = await aLostRefund(500);
    const watched = {
      id: `refund_outcome_unknown:${id}`,
      kind: 'refund_outcome_unknown',
      severity: 'watch',
      title: 'Refund of £5.00 without outcome',
      message: expect.stringContaining('Do not take or return the money again'),
      subject: { kind: 'refund', id, name: 'INV-000001', paymentId: expect.stringMatching(/^pay_/) },
      since,
      action: null,
    };
    expect(await problems()).toEqual([watched]);
    const later = async () => {
      world.clock.advance({ minutes: 1 });
      return (await problems())[0];
    };
    await expect.poll(later, { timeout: 20_000 }).toMatchObject({
      id: watched.id,
      severity: 'act',
      action: { kind: 'resolve_refund', permission: 'refunds:write' },
    });
    sandbox.control.clearFaults();
    await expect.poll(later, { timeout: 20_000 }).toBeUndefined();
  });

  test('has a disagreement with the gateway until it is decided, and shows it to nobody who may not see it', async () => {
    const { problems, keyWith, aLink, pay, postCallback, client, key, world } = await aWatchedShop(database);
    const payment = await pay((await aLink(1_000)).id);
    await postCallback({ merchantID: '100001', transactionUnique: payment.id, responseCode: '0' }, 'wrong secret');
    await expect.poll(async () => kinds(await problems())).toEqual(['discrepancy_open']);
    const [{ subject, action, severity, since } = {}] = await problems();
    expect({ action, severity, since }).toEqual({
      action: { kind: 'acknowledge_discrepancy', permission: 'refunds:write' },
      severity: 'act',
      since: new Date(world.clock.now()).toISOString(),
    });
    expect(kinds(await problems(await keyWith('sales:read')))).toEqual(['discrepancy_open']);
    expect(await problems(await keyWith('devices:read', 'team:read'))).toEqual([]);
    expect(await problems(await (await world.aBusiness()).key('sales:read'))).toEqual([]);
    const open = await client.call(listDiscrepancies, { query: { status: 'open' } }, { key });
    expect(open.body).toMatchObject({ items: [{ id: subject?.id }] });
    const acknowledged = { params: { id: subject?.id ?? '' }, body: { outcome: 'records_right' as const } };
    expect(await client.call(resolveDiscrepancy, acknowledged, { key })).toMatchObject({
      status: 200,
      body: { resolution: { evidence: '' } },
    });
    expect(await problems()).toEqual([]);
  });

  test('has a terminal that was in use today and is silent, and one without a reader', async () => {
    const { problems, keyWith, world, key } = await aWatchedShop(database);
    const till = await aTill(world, key);
    await till.sell(1_000);
    const silent = async () => kinds(await problems(await keyWith('devices:read')));
    expect(await silent()).toEqual([]);
    world.clock.advance({ minutes: 6 });
    expect(await silent()).toEqual(['terminal_silent']);
    expect((await problems(await keyWith('devices:read')))[0]).toMatchObject({
      severity: 'watch',
      title: 'Till 1 is silent',
      subject: { kind: 'device', id: till.terminalId, name: 'Till 1', paymentId: null },
      action: { kind: 'check_terminal', permission: 'devices:read' },
    });
    world.clock.advance({ hours: 24 });
    expect(await silent()).toEqual([]);
  });

  test('has staff who are locked out, until they are unlocked', async () => {
    const { problems, world, client, key, sandbox } = await aWatchedShop(database);
    const till = await aTill(world, key);
    const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'my own password');
    const { paymentId } = await till.sell(1_000);
    sandbox.control.settle();
    const wanted = { paymentId: paymentId ?? '', kind: 'REFUND_SALE', amountInCents: 250 } as const;
    for (let attempt = 0; attempt < 5; attempt += 1) await till.request(wanted, '104', keyPairOf(Buffer.alloc(32, 9)));
    const found = await problems();
    expect(found).toMatchObject([{ kind: 'staff_locked', title: 'Ada is locked out', subject: { id: staff.id } }]);
    // Wrong passwords may have been for a refund or for a void.
    expect(found[0]?.message).toContain('in the refund log and the void log');
    const told = await client.call(listProblems, {}, { key, headers: { 'accept-language': 'de' } });
    const message = expect.stringContaining('im Erstattungs- und im Stornoprotokoll') as string;
    expect(told.body).toMatchObject({ items: [{ title: 'Ada ist gesperrt', message }] });
    await client.call(unlockStaff, { params: { id: staff.id } }, { key });
    expect(await problems()).toEqual([]);
  });

  test('has keys that expire within a week, until they are revoked', async () => {
    const { problems, world, client, key } = await aWatchedShop(database);
    const expiresAt = new Date(world.clock.now() + 8 * 86_400_000).toISOString();
    const body = { name: 'Till software', permissions: ['sales:read' as const], expiresAt };
    const made = await client.call(createApiKey, { body }, { key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    expect(await problems()).toEqual([]);
    world.clock.advance({ hours: 25 });
    expect(await problems()).toMatchObject([{ kind: 'api_key_expiring', severity: 'watch', action: null }]);
    await problems(made.body.key ?? '');
    await expect.poll(() => problems()).toMatchObject([{ severity: 'act', action: { permission: 'api-keys:write' } }]);
    await client.call(revokeApiKey, { params: { id: made.body.id } }, { key });
    expect(await problems()).toEqual([]);
  });

  test('has endpoints that fail or were switched off, and e-mails that were not sent', async () => {
    const shop = await aWebhookShop(database, {
      WEBHOOK_RETRY_SECONDS: '1',
      WEBHOOK_WARN_AFTER: '1',
      WEBHOOK_DISABLE_AFTER: '2',
    });
    const { aWebhook, happens, until, client, key, world, business } = shop;
    const problems = problemsOf(shop);
    const recipient = { body: { email: 'owner@shop.example' } };
    await client.call(createNotificationRecipient, recipient, { key });
    const receiver = await aWebhookReceiver(() => 500);
    const { id } = await aWebhook(receiver.url);
    await happens();
    await receiver.has(1);
    await expect.poll(async () => kinds(await problems())).toEqual(['webhook_failing']);
    expect(await problems()).toMatchObject([{ message: expect.stringContaining('fail: HTTP 500. After 2') }]);
    await until(async () => kinds(await problems()).includes('webhook_failing'));
    expect(await problems()).toMatchObject([
      {
        kind: 'webhook_failing',
        severity: 'watch',
        message: expect.stringContaining('After 2 failed deliveries in a row'),
      },
    ]);
    await happens();
    await until(async () => kinds(await problems()).includes('webhook_disabled'));
    expect(await problems()).toMatchObject([
      { kind: 'webhook_disabled', severity: 'act', action: { kind: 'enable_webhook', permission: 'webhooks:write' } },
    ]);
    expect(await problems(await business.key('sales:read'))).toEqual([]);
    await client.call(enableWebhook, { params: { id } }, { key });
    expect(await problems()).toEqual([]);
    await world.backend.database.write(tx => tx.run(loseEmails, { now: world.clock.now() }));
    const unsent = await problems();
    expect(unsent).toMatchObject([
      { kind: 'email_not_sent', subject: { kind: 'recipient', id: null, name: 'owner@shop.example' } },
    ]);
    expect(await problems(await business.key('team:read'))).toEqual([]);
  });
});
