import { listStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';

type Entry = { kind: string; status: string | null; reason: string | null; terminalId: string | null };
const entriesOf = statement<{ staffId: string }, Entry>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .select(['kind', 'status', 'reason', 'terminalId'])
    .where('staffId', '=', arg('staffId'))
    .orderBy('sequence'),
);

async function aStaffMember(database: DatabaseKind) {
  const { world, business, client } = await aShop(database);
  const manager = await business.key('team:read', 'team:write', 'devices:write');
  const till = await aTill(world, manager);
  const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
  const keys = await till.keysOf('104', temporaryPassword ?? '');
  const next = { keys: keyPairOf(Buffer.alloc(32, 4)), salt: Buffer.alloc(16, 6) };
  const read = async () => {
    const listed = await client.call(listStaff, { query: {} }, { key: manager });
    return listed.status === 200 ? listed.body.items[0] : undefined;
  };
  const entries = async () => (await world.backend.database.all(entriesOf, { staffId: staff.id })).slice(1);
  const verify = () => world.backend.services.audit.verify(business.id);
  return { till, keys, next, read, entries, verify };
}

eachDatabase('a staff password change', database => {
  test('to the same key is refused and logged, and does not change the count of wrong passwords', async () => {
    const { till, keys, next, read, entries, verify } = await aStaffMember(database);
    expect(await till.proposeKey('104', next.keys, next)).toMatchObject({
      status: 403,
      body: { error: { message: 'Incorrect password' } },
    });
    expect(await till.proposeKey('104', keys, { ...next, keys })).toMatchObject({
      status: 409,
      body: {
        error: {
          message: 'Choose a password other than the present one',
          metadata: { reason: 'password_unchanged' },
        },
      },
    });
    expect(await read()).toMatchObject({ failedAttempts: 1, passwordIsTemporary: true });
    const { terminalId } = till;
    expect(await entries()).toEqual([
      { kind: 'staff_changed', status: 'failed', reason: 'invalid_signature', terminalId },
      { kind: 'staff_changed', status: 'failed', reason: 'password_unchanged', terminalId },
    ]);
    expect(await verify()).toMatchObject({ kind: 'intact' });
  });

  test('to another key is accepted, logged once, and resets the count of wrong passwords', async () => {
    const { till, keys, next, read, entries, verify } = await aStaffMember(database);
    await till.proposeKey('104', next.keys, next);
    expect(await till.proposeKey('104', keys, next)).toMatchObject({ status: 200, body: { changed: true } });
    expect(await read()).toMatchObject({ failedAttempts: 0, passwordIsTemporary: false });
    expect((await entries()).map(({ status, reason }) => reason ?? status)).toEqual([
      'invalid_signature',
      'authorized',
    ]);
    expect(await verify()).toMatchObject({ kind: 'intact' });
    // The old key is no longer valid.
    expect(await till.proposeKey('104', keys, { ...next, keys })).toMatchObject({ status: 403 });
  });

  test('is signed with its salt and costs: another salt or cost is a wrong password', async () => {
    const { till, keys, next, read } = await aStaffMember(database);
    const costs = { memoryKibibytes: 19_456, passes: 2, parallelism: 1 };
    for (const sent of [
      { salt: Buffer.alloc(16, 9).toString('base64') },
      { argon2: { ...costs, memoryKibibytes: 65_536 } },
      { argon2: { ...costs, passes: 8 } },
      { argon2: { ...costs, parallelism: 4 } },
    ]) {
      expect(await till.proposeKey('104', keys, next, sent)).toMatchObject({
        status: 403,
        body: { error: { metadata: { reason: 'invalid_signature' } } },
      });
    }
    expect(await read()).toMatchObject({ failedAttempts: 4, passwordIsTemporary: true });
  });

  test('is refused with costs that are too low for security or too high for a terminal', async () => {
    const { till, keys, next, read } = await aStaffMember(database);
    const costs = { memoryKibibytes: 19_456, passes: 2, parallelism: 1 };
    for (const argon2 of [
      { ...costs, memoryKibibytes: 19_455 },
      { ...costs, memoryKibibytes: 1_048_576 },
      { ...costs, passes: 1 },
      { ...costs, passes: 20 },
      { ...costs, parallelism: 8 },
    ]) {
      expect(await till.proposeKey('104', keys, next, { argon2 })).toMatchObject({ status: 400 });
    }
    expect(await read()).toMatchObject({ failedAttempts: 0, passwordIsTemporary: true });
  });
});
