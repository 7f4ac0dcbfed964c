import { operator } from '@florin/shared/actor.ts';
import { createTerminalRefund, withdrawTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { holdWrites } from '../../../test/support/postgres.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

async function aTillWithoutPasswords(database: DatabaseKind, env: Record<string, string> = {}) {
  const { world, client, business, sandbox } = await aShop(database, merchant, { env });
  await world.backend.services.businesses.switchSetting(business.id, 'passwordProtectRefundsAndVoids', false, operator);
  const manager = await business.key('devices:write');
  let till = await aTill(world, manager);
  const { paymentId } = await till.sell(1_000);
  sandbox.control.settle();
  const refund = (requestId: string) =>
    client.call(
      createTerminalRefund,
      { body: { requestId, paymentId: paymentId ?? '', kind: 'REFUND_SALE', amountInCents: 400 } },
      { key: till.token },
    );
  const withdraw = (requestId: string) =>
    client.call(withdrawTerminalRefund, { params: { requestId } }, { key: till.token });
  /** The same machine, removed and enrolled as another terminal. */
  const enrolAgain = async () => {
    const before = till.token;
    till = await aTill(world, manager);
    return before;
  };
  const returned = () => sandbox.control.ledger().map(({ returnedMinor }) => returnedMinor);
  return { world, refund, withdraw, returned, enrolAgain };
}

eachDatabase('a terminal’s refund request without a password', database => {
  test('that was withdrawn and arrives late makes no second refund', async () => {
    const { refund, withdraw, returned } = await aTillWithoutPasswords(database);
    expect(await withdraw('request-lost')).toMatchObject({
      status: 404,
      body: { error: { metadata: { reason: 'refund_not_found' } } },
    });
    expect(await refund('request-again')).toMatchObject({ status: 201, body: { refund: { status: 'approved' } } });
    expect(await refund('request-lost')).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_withdrawn' } } },
    });
    expect(returned()).toEqual([400]);
  });

  test('that had arrived before its withdrawal is not undone, and its record shows its outcome', async () => {
    const { refund, withdraw, returned } = await aTillWithoutPasswords(database);
    const made = await refund('request-made');
    expect(await withdraw('request-made')).toMatchObject({ status: 200, body: made.body });
    expect(await refund('request-made')).toMatchObject({ status: 201, body: made.body });
    expect(returned()).toEqual([400]);
  });

  test('that was made under an earlier enrolment is found by the machine enrolled again, and not repeated', async () => {
    const { refund, withdraw, returned, enrolAgain } = await aTillWithoutPasswords(database);
    const made = await refund('request-made');
    await enrolAgain();
    expect(await withdraw('request-made')).toMatchObject({ status: 200, body: made.body });
    expect(await refund('request-made')).toMatchObject({ status: 201, body: made.body });
    expect(returned()).toEqual([400]);
  });

  test('that was withdrawn under a new enrolment is refused under any enrolment', async () => {
    const { refund, withdraw, returned, enrolAgain } = await aTillWithoutPasswords(database);
    await enrolAgain();
    expect((await withdraw('request-lost')).status).toBe(404);
    await enrolAgain();
    expect(await refund('request-lost')).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'refund_withdrawn' } } },
    });
    expect(returned()).toEqual([0]);
  });

  test('that arrives concurrently with its withdrawal is either made and reported, or not made', async () => {
    const { refund, withdraw, returned } = await aTillWithoutPasswords(database);
    const [made, given] = await Promise.all([refund('request-both'), withdraw('request-both')]);
    const isMade = made.status === 201;
    expect(given.status).toBe(isMade ? 200 : 404);
    expect(returned()).toEqual([isMade ? 400 : 0]);
  });
});

test('on PostgreSQL a request withdrawn while it is being saved is found, not reported as refused', async () => {
  const { world, refund, withdraw, returned } = await aTillWithoutPasswords('postgres', { ROLE: 'api' });
  const held = await holdWrites(world.settings.databaseUrl ?? '', 'refunds');
  onTestFinished(held.release);
  const made = refund('request-both');
  await expect.poll(() => held.isWaiting('insert into "refunds"%')).toBe(true);
  let isAnswered = false;
  const given = withdraw('request-both').finally(() => {
    isAnswered = true;
  });
  await expect.poll(async () => isAnswered || (await held.isWaiting('select%for update'))).toBe(true);
  await held.release();
  expect([(await made).status, (await given).status]).toEqual([201, 200]);
  expect(returned()).toEqual([400]);
});
