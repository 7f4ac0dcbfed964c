import { updateStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { listStaffExceptions } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import type { ChecksOfStaff } from '../audit/store.ts';
import { staffExceptions } from './exceptions.ts';

const nothing = {
  refundCount: 0,
  refundedMinor: 0,
  voidCount: 0,
  wrongPasswordCount: 0,
  withoutPermissionCount: 0,
  overLimitCount: 0,
  lockedOutCount: 0,
  offlineCount: 0,
};
const checks = (name: string, counts: Partial<ChecksOfStaff>): ChecksOfStaff => ({
  ...nothing,
  staffId: `staff_${name}`,
  name,
  staffNumber: name,
  ...counts,
});
const found = (...all: ChecksOfStaff[]) =>
  Object.fromEntries(staffExceptions(all).map(({ staff, exceptions }) => [staff.name, exceptions]));

describe('what stands out', () => {
  test('is more than three times what is usual among the others, and at least five', () => {
    const usual = [checks('bo', { refundCount: 2 }), checks('cy', { refundCount: 4 })];
    expect(found(checks('ada', { refundCount: 9 }), ...usual)).toEqual({ ada: [], bo: [], cy: [] });
    expect(found(checks('ada', { refundCount: 10 }), ...usual).ada).toEqual(['more_refunds_than_others']);
    expect(found(checks('ada', { voidCount: 4 }), ...usual).ada).toEqual([]);
    expect(found(checks('ada', { voidCount: 5 }), ...usual).ada).toEqual(['more_voids_than_others']);
  });

  test('is not known from one other person', () => {
    expect(found(checks('ada', { refundCount: 50 }), checks('bo', { refundCount: 1 })).ada).toEqual([]);
  });

  test('comes first, then the largest sum', () => {
    const all = [
      checks('ada', { refundedMinor: 100 }),
      checks('bo', { refundedMinor: 900 }),
      checks('cy', { overLimitCount: 1 }),
    ];
    expect(staffExceptions(all).map(({ staff }) => staff.name)).toEqual(['cy', 'bo', 'ada']);
  });
});

eachDatabase('staff exceptions', database => {
  test('count each check by how it ended, within these days', async () => {
    const { world, business, client, sandbox } = await aShop(database);
    const manager = await business.key('team:read', 'team:write', 'devices:write');
    const till = await aTill(world, manager);
    const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104', perTransactionLimitInCents: 500 });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'my own password');
    const { paymentId } = await till.sell(5_000);
    sandbox.control.settle();
    const refund = (amountInCents: number, signedBy = keys) =>
      till.request({ paymentId: paymentId ?? '', kind: 'REFUND_SALE', amountInCents }, '104', signedBy);
    const read = async (days: number) => {
      const answer = await client.call(listStaffExceptions, { query: { days } }, { key: manager });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    };
    expect((await read(30)).items).toEqual([]);
    expect(await refund(450)).toMatchObject({ status: 201 });
    expect(await refund(501)).toMatchObject({ status: 409 });
    expect(await refund(100, keyPairOf(Buffer.alloc(32, 9)))).toMatchObject({ status: 403 });
    const toVoid = await till.sell(700);
    expect(await till.request({ paymentId: toVoid.paymentId ?? '', kind: 'CANCEL' }, '104', keys)).toMatchObject({
      status: 201,
    });
    const body = { mayRefundAndVoid: false };
    await client.call(updateStaff, { params: { id: staff.id }, body }, { key: manager });
    expect(await refund(100)).toMatchObject({ status: 403 });
    for (let attempt = 0; attempt < 5; attempt += 1) await refund(100, keyPairOf(Buffer.alloc(32, 9)));
    const { items, since } = await read(1);
    expect(items).toEqual([
      {
        staff: { id: staff.id, name: staff.name, staffNumber: '104' },
        exceptions: ['wrong_passwords', 'without_permission', 'over_limit'],
        refundCount: 1,
        refundedInCents: 450,
        voidCount: 1,
        wrongPasswordCount: 6,
        withoutPermissionCount: 1,
        overLimitCount: 1,
        lockedOutCount: 0,
        offlineCount: 0,
      },
    ]);
    expect(Date.parse(since)).toBeLessThanOrEqual(world.clock.now());
    world.clock.advance({ hours: 24 });
    expect((await read(1)).items).toEqual([]);
    expect((await read(2)).items).toHaveLength(1);
  });
});
