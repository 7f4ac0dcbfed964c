import { operator } from '@florin/shared/actor.ts';
import { listDeviceAlerts, removeDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { getStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { listRefundLog } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { getSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import {
  type OutboxEntry,
  type StaffCheckEntry,
  syncTerminal,
  type TamperReportEntry,
} from '@florin/shared/contracts/device-v1/sync.ts';
import { canonicalOutboxEntry } from '@florin/shared/signing/canonical.ts';
import { keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

const otherKeys = keyPairOf(new Uint8Array(32).fill(2));
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

async function aSyncingShop(database: DatabaseKind, env: Readonly<Record<string, string>> = {}) {
  const { world, client, business, sandbox } = await aShop(database, undefined, { env });
  const manager = await business.key('team:read', 'team:write', 'devices:read', 'devices:write');
  const till = await aTill(world, manager);
  const { staff } = await till.addStaff({ staffNumber: '17' });
  const { paymentId } = await till.sell(1_000);
  sandbox.control.settle();
  const ago = (ms: number) => new Date(world.clock.now() - ms).toISOString();
  const signed = <Entry extends Omit<OutboxEntry, 'signature'>>(entry: Entry, by = till.deviceKeys) => ({
    ...entry,
    signature: signText(by.privateKey, canonicalOutboxEntry(entry as never)),
  });
  let recorded = 0;
  const check = (change: Partial<StaffCheckEntry> = {}, by = till.deviceKeys): StaffCheckEntry => {
    recorded += 1;
    const entry = {
      entryId: `out_${String(recorded).padStart(6, '0')}`,
      terminalId: till.terminalId,
      sequence: recorded,
      kind: 'staff_check' as const,
      staffId: staff.id,
      paymentId: paymentId ?? '',
      operation: 'REFUND_SALE' as const,
      amountInCents: 500,
      status: 'failed' as const,
      reason: 'invalid_signature' as const,
      detail: null,
      attemptedAt: ago(0),
      ...change,
    };
    return signed(entry, by);
  };
  async function sync(
    entries: unknown[],
    given: { version?: string | null; token?: string; lastSequence?: number } = {},
  ) {
    const { version: configurationVersion = null, token: key = till.token, lastSequence = 0 } = given;
    const body = { configurationVersion, entries, lastSequence };
    const answered = await client.call(syncTerminal, { body }, { key });
    if (answered.status !== 200) throw new Error(JSON.stringify(answered.body));
    return answered.body;
  }
  async function log() {
    const listed = await client.call(listRefundLog, { query: { limit: 100 } }, { key: manager });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items;
  }
  async function alerts(id = till.terminalId) {
    const listed = await client.call(listDeviceAlerts, { params: { id }, query: {} }, { key: manager });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items;
  }
  async function member() {
    const read = await client.call(getStaff, { params: { id: staff.id } }, { key: manager });
    if (read.status !== 200) throw new Error(JSON.stringify(read.body));
    return read.body;
  }
  const remove = (id: string) => client.call(removeDevice, { params: { id } }, { key: manager });
  return { world, client, business, manager, till, staff, ago, check, signed, sync, log, alerts, member, remove };
}

eachDatabase('terminals that were offline', database => {
  test('have each entry accepted once, in order, however often they send it', async () => {
    const { check, sync, log, member } = await aSyncingShop(database);
    const entries = [check(), check(), check()];
    const first = await sync(entries);
    expect(first.acknowledged).toEqual(entries.map(({ entryId }) => ({ entryId, outcome: 'accepted' })));
    // The response was lost: the terminal sends all entries again, in another order, with a new one.
    const again = await sync([...entries.toReversed(), check()]);
    expect(again.acknowledged.map(({ outcome }) => outcome)).toEqual(['known', 'known', 'known', 'accepted']);
    expect(await log()).toHaveLength(4);
    expect(await member()).toMatchObject({ failedAttempts: 4 });
  });

  test('say who asked for the approval that a check was for, and are refused if that is nobody', async () => {
    const { till, check, sync, log } = await aSyncingShop(database);
    const { staff: asking } = await till.addStaff({ staffNumber: '23' });
    // An earlier version of the terminal does not have the field.
    const { acknowledged } = await sync([
      check({ requestedBy: asking.id }),
      check(),
      check({ requestedBy: 'staff_nobody' }),
      { ...check(), requestedBy: asking.id },
    ]);
    expect(acknowledged.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'accepted',
      'accepted',
      'staff_unknown',
      'signature_invalid',
    ]);
    const { id, name, staffNumber } = asking;
    expect((await log()).map(({ requestedBy }) => requestedBy)).toEqual([null, { id, name, staffNumber }]);
  });

  test('that send the same entries twice concurrently have them accepted once', async () => {
    const { check, sync, log } = await aSyncingShop(database);
    const entries = Array.from({ length: 5 }, () => check());
    await Promise.all([sync(entries), sync(entries), sync(entries)]);
    expect(await log()).toHaveLength(5);
  });

  test('get the reason for a refused entry, which is stored and listed and does not block the others', async () => {
    const { check, sync, log, alerts, world } = await aSyncingShop(database);
    const good = check();
    const forged = { ...good, amountInCents: 1 };
    const entries = [
      forged,
      check({}, otherKeys),
      check({ paymentId: 'pay_elsewhere' }),
      check({ staffId: 'staff_nobody' }),
      { entryId: 'out_000005' },
      { ...check(), staffId: 'staff_\u0000\u0000\u0000\u0000\u0000\u0000' },
      'nonsense',
      null,
      good,
    ];
    const { acknowledged } = await sync(entries);
    expect(acknowledged.map(({ outcome, reason, message }) => [reason ?? outcome, message])).toEqual([
      ['signature_invalid', 'The signature of the entry is not by this terminal'],
      ['signature_invalid', 'The signature of the entry is not by this terminal'],
      ['payment_unknown', 'There is no such payment'],
      ['staff_unknown', 'There is no such staff member'],
      ['not_valid', 'The entry is not valid: kind must be of a kind the API description gives'],
      ['not_valid', 'The entry is not valid: staffId must be an id that starts with staff_'],
      ['not_valid', 'The entry is not valid: it must be an object'],
      ['not_valid', 'The entry is not valid: it must be an object'],
      ['accepted', undefined],
    ]);
    expect(await log()).toHaveLength(1);
    const refused = (await alerts()).filter(({ kind }) => kind === 'entry_refused');
    expect(refused).toHaveLength(8);
    for (const [index, entry] of entries.slice(0, -1).entries()) {
      const { message } = acknowledged[index] ?? {};
      expect(refused).toContainEqual(expect.objectContaining({ entry, message }));
    }
    expect(world.logged()).toContain('a terminal needs attention');
    // The response was lost: stored outcomes do not change.
    await sync(entries);
    expect((await alerts()).filter(({ kind }) => kind === 'entry_refused')).toHaveLength(8);
  });

  test('can only report refusals: an entry must meet the rules of a live check', async () => {
    const { check, sync, ago } = await aSyncingShop(database);
    const { acknowledged } = await sync([
      check({ operation: 'CANCEL', amountInCents: null, status: 'limit_exceeded', reason: 'limit_exceeded' }),
      check({ operation: 'CANCEL' }),
      check({ amountInCents: null }),
      check({ status: 'limit_exceeded', reason: 'daily_limit_exceeded' }),
      check({ status: 'failed', reason: 'limit_exceeded' }),
      check({ detail: 'password_change_required' }),
      check({ status: 'authorized' as never }),
      check({ attemptedAt: '1970-01-01T00:00:00.000Z' }),
      check({ attemptedAt: ago(dayMs) }),
      check({ attemptedAt: ago(-5 * minuteMs) }),
      check({ amountInCents: 1_001 }),
    ]);
    const notValid = (what: string) => `The entry is not valid: ${what}`;
    expect(acknowledged.map(({ message }) => message)).toEqual([
      notValid('status must be failed for a void, to which limits do not apply'),
      notValid('amountInCents must be an amount for REFUND_SALE and null for CANCEL'),
      notValid('amountInCents must be an amount for REFUND_SALE and null for CANCEL'),
      notValid('reason does not belong to the status limit_exceeded'),
      notValid('reason does not belong to the status failed'),
      notValid('detail must be null unless the reason is permission_denied'),
      notValid('status must be one of failed, limit_exceeded, daily_limit_exceeded'),
      'The attempt is dated before the terminal was enrolled',
      'The attempt is dated before the terminal was enrolled',
      'The attempt is dated in the future',
      'The amount exceeds the sale',
    ]);
  });

  test('have their checks listed in the refund log', async () => {
    const { check, sync, log, till, staff } = await aSyncingShop(database);
    const entries = [
      check({ status: 'limit_exceeded', reason: 'limit_exceeded' }),
      check({ reason: 'permission_denied', detail: 'password_change_required' }),
    ];
    expect((await sync(entries)).acknowledged.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
    expect(await log()).toMatchObject([
      { status: 'failed', reason: 'permission_denied', detail: 'password_change_required', offline: true },
      { status: 'limit_exceeded', staff: { id: staff.id }, terminal: { id: till.terminalId }, offline: true },
    ]);
  });

  test('cannot report more wrong passwords than their lockout permits, nor lock out all staff', async () => {
    const { world, till, check, sync, member, client, manager } = await aSyncingShop(database);
    const burst = await sync(Array.from({ length: 20 }, () => check()));
    expect(burst.acknowledged.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(10);
    expect(burst.acknowledged.at(-1)).toMatchObject({
      reason: 'too_many_failures',
      message: 'More wrong passwords than the terminal’s lockout permits in this time',
    });
    const locks = [await member()];
    for (const staffNumber of ['18', '19', '20']) {
      const { staff } = await till.addStaff({ staffNumber });
      await sync(Array.from({ length: 5 }, () => check({ staffId: staff.id })));
      const read = await client.call(getStaff, { params: { id: staff.id } }, { key: manager });
      if (read.status === 200) locks.push(read.body);
    }
    // Three lockouts an hour: two of the first staff member, one of the second; the others are logged and not counted.
    expect(locks.map(({ lockedUntil }) => lockedUntil !== null)).toEqual([true, true, false, false]);
    expect(locks.at(-1)).toMatchObject({ failedAttempts: 0 });
    expect(world.logged()).toContain('terminal locked out');
    world.clock.advance({ minutes: 61 });
    const { staff: late } = await till.addStaff({ staffNumber: '21' });
    await sync(Array.from({ length: 5 }, () => check({ staffId: late.id })));
    const read = await client.call(getStaff, { params: { id: late.id } }, { key: manager });
    expect(read).toMatchObject({ body: { lockedUntil: expect.any(String) } });
  });

  test('cannot fill the log: entries beyond a daily limit are refused until the next day', async () => {
    const { world, manager, till, check, sync, log } = await aSyncingShop(database, { OFFLINE_ENTRIES_PER_DAY: '5' });
    const limit = () => check({ status: 'limit_exceeded', reason: 'limit_exceeded' });
    const entries = [limit(), limit(), limit(), limit(), limit()];
    await sync(entries);
    const { acknowledged } = await sync([...entries, limit()]);
    expect(acknowledged.map(({ outcome }) => outcome)).toEqual([...entries.map(() => 'known'), 'refused']);
    // The same machine, whatever enrolment it uses.
    const again = await aTill(world, manager);
    const elsewhere = check({ terminalId: again.terminalId });
    expect((await sync([elsewhere], { token: again.token })).acknowledged).toMatchObject([{ outcome: 'refused' }]);
    world.clock.advance({ hours: 24, seconds: 1 });
    expect((await sync([limit()], { token: till.token })).acknowledged).toMatchObject([{ outcome: 'accepted' }]);
    expect(await log()).toHaveLength(6);
  });

  test('lock a staff member out from the time of the attempts', async () => {
    const { world, check, sync, member, ago } = await aSyncingShop(database);
    world.clock.advance({ minutes: 20 });
    await sync(Array.from({ length: 5 }, () => check({ attemptedAt: ago(4 * minuteMs) })));
    expect(await member()).toMatchObject({ lockedUntil: ago(-minuteMs) });
  });

  test('enrolled again can deliver and repeat their earlier records; other terminals cannot', async () => {
    const { world, client, manager, till, check, sync, log, member, alerts, remove } = await aSyncingShop(database);
    const before = [check(), check(), check()];
    const { saleId, paymentId } = await till.sell(700);
    await remove(till.terminalId);
    const again = await aTill(world, manager);
    const other = await aTill(world, manager, { keySeed: 2 });

    const forged = check({}, otherKeys);
    expect((await sync([forged], { token: other.token })).acknowledged).toMatchObject([{ outcome: 'refused' }]);
    expect((await sync([check()], { token: other.token })).acknowledged).toMatchObject([{ outcome: 'refused' }]);
    const reversal = { params: { saleId }, body: { reason: 'customer_cancelled' as const } };
    expect(await client.call(reverseSale, reversal, { key: other.token })).toMatchObject({ status: 404 });
    expect(await client.call(getSale, { params: { saleId } }, { key: other.token })).toMatchObject({ status: 404 });

    expect((await sync(before, { token: again.token })).acknowledged).toMatchObject([
      { outcome: 'accepted' },
      { outcome: 'accepted' },
      { outcome: 'accepted' },
    ]);
    expect(await log()).toMatchObject(before.map(() => ({ terminal: { id: till.terminalId } })));
    expect(await member()).toMatchObject({ failedAttempts: 3 });
    expect(await client.call(getSale, { params: { saleId } }, { key: again.token })).toMatchObject({ status: 200 });
    expect(await again.sell(700, saleId)).toMatchObject({ paymentId, status: 'unsettled' });
    expect(await client.call(reverseSale, reversal, { key: again.token })).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
    expect(await alerts(again.terminalId)).toEqual([]);
    expect(await alerts(other.terminalId)).toHaveLength(2);
  });

  test('enrolled again by a process with a slow clock are the same machine', async () => {
    const { world, client, manager, till, remove } = await aSyncingShop(database);
    const { saleId } = await till.sell(700);
    await remove(till.terminalId);
    world.clock.step({ hours: -1 });
    const again = await aTill(world, manager);
    expect(await client.call(getSale, { params: { saleId } }, { key: again.token })).toMatchObject({ status: 200 });
  });

  test('reveal removed entries by gaps in the sequence', async () => {
    const { check, sync, alerts, business, world } = await aSyncingShop(database);
    const [first, , third] = [check(), check(), check()];
    await sync([first], { lastSequence: 1 });
    expect(await alerts()).toEqual([]);
    await sync([third], { lastSequence: 3 });
    expect(await alerts()).toMatchObject([
      { kind: 'entries_missing', message: '1 of 3 entries recorded by the terminal never arrived' },
    ]);
    // The last two were removed; a repeated report raises one alert.
    await sync([], { lastSequence: 5 });
    await sync([], { lastSequence: 5 });
    expect((await alerts()).map(({ message }) => message)).toEqual([
      '3 of 5 entries recorded by the terminal never arrived',
      '1 of 3 entries recorded by the terminal never arrived',
    ]);
    expect(await world.backend.services.audit.verify(business.id)).toMatchObject({ kind: 'intact' });
  });

  test('have an entry refused whose number another one has, or that they cannot have reached', async () => {
    const { check, sync, alerts, log } = await aSyncingShop(database);
    const first = check();
    const { acknowledged } = await sync([
      first,
      check({ sequence: 1 }),
      check({ sequence: 1_000_000_000_000 }),
      check({ sequence: Number.MAX_SAFE_INTEGER }),
    ]);
    const isInvalid = (message: string) => ({ outcome: 'refused', reason: 'not_valid', message });
    expect(acknowledged).toMatchObject([
      { outcome: 'accepted' },
      isInvalid(`The entry is not valid: ${first.entryId} has the same sequence; the terminal may have been copied`),
      isInvalid('The entry is not valid: its sequence is out of reach for the time since the terminal was enrolled'),
      isInvalid('The entry is not valid: sequence must be at most 1000000000000'),
    ]);
    expect(await log()).toHaveLength(1);
    expect((await alerts()).map(({ kind }) => kind)).toEqual(['entry_refused', 'entry_refused', 'entry_refused']);
    await sync([check({ sequence: 3 })], { lastSequence: 3 });
    expect((await alerts())[0]).toMatchObject({
      kind: 'entries_missing',
      message: '1 of 3 entries recorded by the terminal never arrived',
    });
  });

  test('report tampering', async () => {
    const { till, signed, sync, alerts, ago } = await aSyncingShop(database);
    const report: Omit<TamperReportEntry, 'signature'> = {
      entryId: 'out_000001',
      terminalId: till.terminalId,
      sequence: 1,
      kind: 'tamper_report',
      found: 'clock_moved',
      description: 'The clock was moved forward by 3 hours',
      detectedAt: ago(0),
    };
    const sent = signed(report);
    expect((await sync([sent, sent])).acknowledged.map(({ outcome }) => outcome)).toEqual(['accepted', 'known']);
    expect(await alerts()).toMatchObject([
      { kind: 'tamper_report', reason: 'clock_moved', message: report.description, entry: sent },
    ]);
    expect((await sync([signed({ ...report, description: 'a\u001b[2Jb' })])).acknowledged).toMatchObject([
      {
        outcome: 'refused',
        message: 'The entry is not valid: description must be one line without control characters',
      },
    ]);
  });

  test('get the configuration only when it changed', async () => {
    const { world, business, sync } = await aSyncingShop(database);
    const version = (await sync([])).configuration?.version ?? '';
    expect((await sync([], { version })).configuration).toBeNull();
    await world.backend.services.businesses.switchSetting(
      business.id,
      'passwordProtectRefundsAndVoids',
      false,
      operator,
    );
    const changed = await sync([], { version });
    expect(changed.configuration?.business.passwordProtectRefundsAndVoids).toBe(false);
    expect(changed.configuration?.version).not.toBe(version);
  });
});
