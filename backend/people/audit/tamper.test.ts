import { operator } from '@florin/shared/actor.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';
import { hashedColumns, hashOf } from './chain.ts';
import type { AuditEntryRow } from './rows.ts';

/** Operations of an attacker with access to the database only. */
const write = <Args>(build: Parameters<typeof statement<Args, unknown>>[0]) => statement<Args, unknown>(build);
const deleteHead = write<object>(({ db }) => db.deleteFrom('auditChains'));
const deleteEntriesAfter = write<{ sequence: number }>(({ db }, arg) =>
  db.deleteFrom('auditEntries').where('sequence', '>', arg('sequence')),
);
const moveHead = write<{ sequence: number; hash: string }>(({ db }, arg) =>
  db.updateTable('auditChains').set({ sequence: arg('sequence'), hash: arg('hash') }),
);
const setSeal = write<{ seal: string }>(({ db }, arg) => db.updateTable('auditChains').set({ seal: arg('seal') }));
const rewriteEntry = write<AuditEntryRow>(({ db }, arg) =>
  db
    .updateTable('auditEntries')
    .set(Object.fromEntries([...hashedColumns, 'hash' as const].map(name => [name, arg(name)])))
    .where('id', '=', arg('id')),
);
const deleteRefund = write<{ id: string }>(({ db }, arg) => db.deleteFrom('refunds').where('id', '=', arg('id')));
const blame = write<{ id: string; actorId: string }>(({ db }, arg) =>
  db
    .updateTable('refunds')
    .set({ actorId: arg('actorId') })
    .where('id', '=', arg('id')),
);
const inflate = write<{ id: string }>(({ db }, arg) =>
  db.updateTable('refunds').set({ amountMinor: sql`"amountMinor" + 1` }).where('id', '=', arg('id')),
);

async function aShopWithRefunds(database: DatabaseKind) {
  const { world, business, sandbox } = await aShop(database);
  const till = await aTill(world, await business.key('team:read', 'team:write', 'devices:write'));
  const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
  const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'my own password');
  const { paymentId } = await till.sell(1_000);
  sandbox.control.settle();
  const { audit } = world.backend.services;
  async function refund(amountInCents: number): Promise<string> {
    const wanted = { paymentId: paymentId ?? '', kind: 'REFUND_SALE' as const, amountInCents };
    const made = await till.request(wanted, '104', keys);
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body.refund.id;
  }
  async function entries() {
    return audit.chain({ businessId: business.id, after: 0, limit: 500 });
  }
  async function head() {
    const found = await audit.head(business.id);
    if (!found) throw new Error('no head');
    return found;
  }
  async function why(noted?: { sequence: number; hash: string }): Promise<string> {
    const check = await audit.verify(business.id, noted);
    return check.kind === 'intact' ? 'intact' : check.why;
  }
  const change = <Args>(what: ReturnType<typeof write<Args>>, args: Args) =>
    world.backend.database.write(tx => tx.run(what, args));
  const refunds = [await refund(100), await refund(200), await refund(300)];
  return { world, business, staff, audit, refund, refunds, entries, head, why, change };
}

eachDatabase('an audit log that was changed outside the service', database => {
  test('is distinguished from an untouched one', async () => {
    const { why, refund, head } = await aShopWithRefunds(database);
    expect(await why()).toBe('intact');
    const noted = await head();
    await refund(50);
    expect(await why(noted)).toBe('intact');
    expect(await why({ ...noted, hash: '0'.repeat(64) })).toBe('the log does not contain the head noted earlier');
  });

  test('whose head is missing or rolled back is broken, and stays broken after later entries', async () => {
    const { why, refund, change, world } = await aShopWithRefunds(database);
    await change(deleteHead, {});
    expect(await why()).toBe('the head of the log is missing');
    await refund(10);
    expect(await why()).toBe('the log was changed outside the service before its last entries were written');
    expect(world.logged()).toContain('the audit log was changed outside the service');
  });

  test('whose head alone was rolled back still accepts refunds, and can be resealed once it is intact', async () => {
    const { why, refund, change, audit, business } = await aShopWithRefunds(database);
    await change(moveHead, { sequence: 1, hash: '0'.repeat(64) });
    expect(await why()).toBe('the head of the log was changed outside the service');
    await refund(10);
    expect(await why()).toBe('the log was changed outside the service before its last entries were written');
    expect(await audit.reseal(business.id, operator, 'restored by hand')).toMatchObject({ kind: 'intact' });
    expect(await why()).toBe('intact');
  });

  test('that was truncated with its head moved to the new end is broken, and stays broken', async () => {
    const { why, entries, refund, refunds, change, world } = await aShopWithRefunds(database);
    const kept = (await entries()).at(-3);
    if (!kept) throw new Error('no entries');
    await change(deleteEntriesAfter, { sequence: kept.sequence });
    expect(await why()).toMatch('the last entries are missing');
    // Even with their refunds deleted: that head cannot be sealed without the key.
    for (const id of refunds.slice(1)) await change(deleteRefund, { id });
    await change(moveHead, { sequence: kept.sequence, hash: kept.hash });
    expect(await why()).toBe('the head of the log was changed outside the service');
    await change(moveHead, { sequence: 0, hash: '0'.repeat(64) });
    await change(deleteEntriesAfter, { sequence: 0 });
    await change(deleteRefund, { id: refunds[0] ?? '' });
    expect(await why()).toBe('the head of the log was changed outside the service');
    await refund(10);
    expect(await why()).toBe('the log was changed outside the service before its last entries were written');
    expect(world.logged()).toContain('the audit log was changed outside the service');
  });

  test('that was rewritten from one entry to its end is broken', async () => {
    const { why, entries, change } = await aShopWithRefunds(database);
    let previous: AuditEntryRow | undefined;
    for (const entry of await entries()) {
      const changed = {
        ...entry,
        recordedAt: entry.recordedAt + 1,
        previousHash: previous?.hash ?? entry.previousHash,
      };
      previous = { ...changed, hash: hashOf(changed) };
      await change(rewriteEntry, previous);
    }
    await change(moveHead, { sequence: previous?.sequence ?? 0, hash: previous?.hash ?? '' });
    expect(await why()).toBe('the head of the log was changed outside the service');
  });

  test('rolled back with the whole database is detected against a head noted since', async () => {
    const { why, entries, refund, head, change } = await aShopWithRefunds(database);
    const before = await head();
    const late = await refund(10);
    const noted = await head();
    const { sequence } = (await entries()).find(entry => entry.hash === before.hash) ?? { sequence: 0 };
    await change(deleteEntriesAfter, { sequence });
    await change(deleteRefund, { id: late });
    await change(moveHead, before);
    await change(setSeal, { seal: before.seal });
    expect(await why()).toBe('intact');
    expect(await why(noted)).toBe('the log does not contain the head noted earlier');
  });

  test('does not match the refunds if one of them was changed, removed or inserted', async () => {
    const { why, refunds, change, staff, entries } = await aShopWithRefunds(database);
    const [first = '', second = ''] = refunds;
    await change(inflate, { id: first });
    expect(await why()).toBe(`refund ${first} by staff has no entry that authorises it as it is recorded`);
    await change(deleteRefund, { id: first });
    expect(await why()).toBe('it authorises a refund that is not recorded so');
    await change(blame, { id: second, actorId: 'staff_somebody_else' });
    expect(await why()).toBe(`refund ${second} by staff has no entry that authorises it as it is recorded`);
    expect((await entries()).filter(({ refundId }) => refundId !== null).map(({ staffId }) => staffId)).toEqual(
      refunds.map(() => staff.id),
    );
  });

  test('is resealed only by an operator, once it is intact, and the log records it', async () => {
    const { audit, business, why, refund, change, entries } = await aShopWithRefunds(database);
    await change(setSeal, { seal: 'v1.00000000.00' });
    expect(await why()).toMatch('SECRETS_KEY');
    await refund(10);
    expect(await why()).toMatch('changed outside the service');
    expect(await audit.reseal(business.id, operator, 'key was changed')).toMatchObject({ kind: 'intact' });
    await refund(10);
    expect(await why()).toBe('intact');
    const resealed = (await entries()).at(-2);
    expect(resealed).toMatchObject({ kind: 'setting_changed', actorKind: 'operator' });
    expect(JSON.parse(resealed?.detailJson ?? '')).toMatchObject({
      change: 'audit_log_resealed',
      reason: 'key was changed',
    });
    await change(deleteEntriesAfter, { sequence: 1 });
    expect(await audit.reseal(business.id, operator, 'hide it')).toMatchObject({ kind: 'broken' });
  });
});
