import { unlockDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { listStaff, updateStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { listRefundLog, listVoidLog } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { createStaffChallenge } from '@florin/shared/contracts/device-v1/refunds.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';
import type { AuditEntryRow } from '../audit/rows.ts';

const terminalChanges = statement<{ terminalId: string }, AuditEntryRow>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .selectAll()
    .where('kind', '=', 'terminal_changed')
    .where('terminalId', '=', arg('terminalId'))
    .orderBy('sequence', 'desc'),
);

const wrongKeys = keyPairOf(Buffer.alloc(32, 9));

async function aShopWithStaff(database: DatabaseKind) {
  const { world, business, client } = await aShop(database);
  const manager = await business.key('team:read', 'team:write', 'devices:write');
  const till = await aTill(world, manager);
  const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
  const temporary = await till.keysOf('104', temporaryPassword ?? '');
  const { paymentId } = await till.sell(1_000);
  const request = { paymentId: paymentId ?? '', kind: 'CANCEL' as const };
  const change = (body: { disabled?: boolean; mayRefundAndVoid?: boolean }) =>
    client.call(updateStaff, { params: { id: staff.id }, body }, { key: manager });
  const challenge = (staffNumber: string) =>
    client.call(createStaffChallenge, { body: { staffNumber } }, { key: till.token });
  /** The void log, oldest entry first. */
  const log = async () => {
    const listed = await client.call(listVoidLog, { query: {} }, { key: manager });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items
      .map(({ status, reason, detail }) => [status, reason, detail].filter(Boolean).join(' '))
      .toReversed();
  };
  return { world, business, client, manager, till, staff, temporary, request, change, challenge, log };
}

eachDatabase('a staff check', database => {
  test('with a valid temporary password is logged as a failed check; a staff ID alone is not logged', async () => {
    const { till, temporary, request, challenge, log } = await aShopWithStaff(database);
    expect(await challenge('104')).toMatchObject({ status: 201 });
    expect(await log()).toEqual([]);
    expect(await till.request(request, '104', temporary)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'password_change_required' } } },
    });
    expect(await log()).toEqual(['failed permission_denied password_change_required']);
    const keys = await till.changePassword('104', temporary, 'my own password');
    expect(await till.request(request, '104', keys)).toMatchObject({ status: 201 });
    expect(await log()).toEqual(['failed permission_denied password_change_required', 'authorized']);
  });

  test('of a disabled member is refused after the password check; only an unknown number is incorrect', async () => {
    const { till, temporary, request, change, challenge, log } = await aShopWithStaff(database);
    const keys = await till.changePassword('104', temporary, 'my own password');
    await change({ disabled: true });
    expect(await challenge('105')).toMatchObject({ status: 404, body: { error: { message: 'Incorrect staff ID' } } });
    expect(await till.request(request, '104', keys)).toMatchObject({
      status: 403,
      body: {
        error: {
          message: 'This staff member may not refund or void',
          metadata: { reason: 'permission_denied' },
        },
      },
    });
    expect(await till.request(request, '104', wrongKeys)).toMatchObject({
      status: 403,
      body: { error: { message: 'Incorrect password' } },
    });
    const next = { keys: wrongKeys, salt: Buffer.alloc(16, 1) };
    expect(await till.proposeKey('104', keys, next)).toMatchObject({
      status: 403,
      body: { error: { metadata: { reason: 'permission_denied' } } },
    });
    expect(await log()).toEqual(['failed permission_denied staff_disabled', 'failed invalid_signature']);
    await change({ disabled: false, mayRefundAndVoid: false });
    expect(await till.request(request, '104', keys)).toMatchObject({ status: 403 });
    expect((await log()).at(-1)).toBe('failed permission_denied');
  });

  test('while locked out is logged without checking the password', async () => {
    const { till, temporary, request, log } = await aShopWithStaff(database);
    const signed = await till.authorisation(request, '104', temporary);
    for (let attempt = 1; attempt <= 5; attempt += 1) await till.request(request, '104', wrongKeys);
    expect(await till.send(request, signed)).toMatchObject({
      status: 429,
      body: { error: { message: 'Too many attempts, try again later!' } },
    });
    expect((await log()).slice(4)).toEqual(['failed invalid_signature', 'failed permission_denied locked_out']);
  });

  test('signed for another time is expired: not checked, logged or counted', async () => {
    const { world, till, temporary, request, log } = await aShopWithStaff(database);
    for (const minutes of [-10, 10]) {
      const issuedAt = new Date(world.clock.now() + minutes * 60_000).toISOString();
      expect(await till.request(request, '104', temporary, { issuedAt })).toMatchObject({
        status: 409,
        body: { error: { metadata: { reason: 'authorisation_expired' } } },
      });
    }
    expect(await log()).toEqual([]);
    const slightlyFast = new Date(world.clock.now() + 30_000).toISOString();
    expect(await till.request(request, '104', temporary, { issuedAt: slightlyFast })).toMatchObject({
      body: { error: { metadata: { reason: 'password_change_required' } } },
    });
  });

  test('is refused for a staff member who does not exist', async () => {
    const { client, manager, till, temporary, request, log } = await aShopWithStaff(database);
    const signed = await till.authorisation(request, '104', temporary);
    expect(await till.send(request, { ...signed, staffId: 'staff_00000999' })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'authorisation_expired' } } },
    });
    expect(await till.send(request, { ...signed, staffId: '104\u0000' })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('authorisation.staffId') } },
    });
    expect(await log()).toEqual([]);
    expect(await client.call(listRefundLog, { query: {} }, { key: manager })).toMatchObject({ body: { items: [] } });
  });

  test('stays refused for the whole lockout, even if the service’s clock is set forward', async () => {
    const { world, till, temporary, request, challenge } = await aShopWithStaff(database);
    for (let attempt = 1; attempt <= 5; attempt += 1) await till.request(request, '104', wrongKeys);
    world.clock.step({ hours: 48 });
    expect(await challenge('104')).toMatchObject({
      status: 429,
      body: { error: { metadata: { reason: 'staff_locked', retryAfterSeconds: 300 } } },
    });
    world.clock.advance({ minutes: 4, seconds: 59 });
    expect(await challenge('104')).toMatchObject({ status: 429 });
    world.clock.advance({ seconds: 1 });
    expect(await till.request(request, '104', temporary)).toMatchObject({ status: 409 });
    expect(world.logged()).toContain('the system clock stepped forward');
  });

  test('is refused on a terminal that caused three lockouts within an hour; other terminals are not affected', async () => {
    const { world, manager, till, request, challenge, log } = await aShopWithStaff(database);
    const other = await aTill(world, manager, { keySeed: 4 });
    const numbers = ['201', '202', '203'];
    for (const staffNumber of numbers) {
      await till.addStaff({ staffNumber });
      for (let attempt = 1; attempt <= 5; attempt += 1) await till.request(request, staffNumber, wrongKeys);
    }
    expect(await challenge('104')).toMatchObject({
      status: 429,
      body: {
        error: {
          message: expect.stringMatching(/^This terminal .* until 2026-.* A manager can unlock it/),
          metadata: { reason: 'too_many_attempts', lockedOut: 'terminal', retryAfterSeconds: 3_600 },
        },
      },
    });
    expect(await other.request(request, '104', wrongKeys)).toMatchObject({ status: 403 });
    expect((await log()).length).toBe(16);
    world.clock.advance({ minutes: 60 });
    expect(await challenge('104')).toMatchObject({ status: 201 });
  });

  test('is accepted on such a terminal after a manager unlocked it, which is logged', async () => {
    const { world, client, manager, till, request, challenge } = await aShopWithStaff(database);
    const unlock = () =>
      client.call(unlockDevice, { params: { id: till.terminalId } }, { key: manager, idempotencyKey: 'unlock-1' });
    const lockOut = async (staffNumber: string) => {
      await till.addStaff({ staffNumber });
      for (let attempt = 1; attempt <= 5; attempt += 1) await till.request(request, staffNumber, wrongKeys);
    };
    for (const staffNumber of ['201', '202', '203']) await lockOut(staffNumber);
    expect(await challenge('104')).toMatchObject({ status: 429 });
    expect(await unlock()).toMatchObject({ status: 200, body: { unlocked: true } });
    expect(await unlock()).toMatchObject({ status: 200, body: { unlocked: true } });
    expect(await challenge('104')).toMatchObject({ status: 201 });
    expect(await challenge('201')).toMatchObject({ body: { error: { metadata: { reason: 'staff_locked' } } } });
    const [last, ...earlier] = await world.backend.database.all(terminalChanges, { terminalId: till.terminalId });
    expect(JSON.parse(last?.detailJson ?? '{}')).toMatchObject({ change: 'unlocked', was: { lockouts: 3 } });
    expect(last).toMatchObject({ actorKind: 'api_key' });
    expect(earlier.map(({ detailJson }) => JSON.parse(detailJson ?? '{}').change)).toEqual(['enrolled', 'created']);
  });

  test('authorises a refund that counts towards that person’s daily total only, in every staff list', async () => {
    const { world, client, manager, till, temporary, request } = await aShopWithStaff(database);
    await till.addStaff({ staffNumber: '105' });
    const keys = await till.changePassword('104', temporary, 'my own password');
    world.sandbox?.control.settle();
    const refund = { ...request, kind: 'REFUND_SALE' as const, amountInCents: 250 };
    expect(await till.request(refund, '104', keys)).toMatchObject({ status: 201 });
    expect(await client.call(listStaff, { query: {} }, { key: manager })).toMatchObject({
      body: {
        items: [
          { staffNumber: '105', refundedTodayInCents: 0 },
          { staffNumber: '104', refundedTodayInCents: 250 },
        ],
      },
    });
    const read = await client.call(getTerminalConfiguration, {}, { key: till.token });
    expect(read).toMatchObject({ body: { staff: [{ refundedTodayMinor: 250 }, { refundedTodayMinor: 0 }] } });
    world.clock.advance({ hours: 24 });
    const tomorrow = await client.call(listStaff, { query: {} }, { key: manager });
    expect(tomorrow).toMatchObject({ body: { items: [{}, { refundedTodayInCents: 0 }] } });
  });
});
