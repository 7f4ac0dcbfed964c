import { unlockStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { createTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { linesOf } from '../../../test/support/log-lines.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';
import type { AuditKind } from './rows.ts';

const auditRows = statement<
  { kind: AuditKind },
  { actorKind: string; actorId: string | null; terminalId: string | null }
>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .select(['actorKind', 'actorId', 'terminalId'])
    .where('kind', '=', arg('kind'))
    .orderBy('sequence', 'desc'),
);
const eventRows = statement<{ subjectId: string }, { type: string; actorKind: string; actorId: string | null }>(
  ({ db }, arg) =>
    db
      .selectFrom('events')
      .select(['type', 'actorKind', 'actorId'])
      .where('subjectId', '=', arg('subjectId'))
      .orderBy('id'),
);
eachDatabase('by whom', kind => {
  test('a refund over the API names its key in the record and in its events; its outcome names the system', async () => {
    const { world, aLink, pay, refund, sandbox } = await aShop(kind);
    const { database } = world.backend;
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    const made = await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const { id, source, staff, apiKeyId } = made.body;
    expect({ source, staff }).toEqual({ source: 'api', staff: null });
    expect(apiKeyId).toMatch(/^key_/);
    const asked = { actorKind: 'api_key', actorId: apiKeyId };
    const concluded = { actorKind: 'system', actorId: null };
    expect(await database.all(eventRows, { subjectId: id })).toEqual([
      { type: 'refund.requested', ...asked },
      { type: 'refund.approved', ...concluded },
    ]);
    const line = linesOf(world.logged()).find(
      ({ subjectId, event }) => subjectId === id && event === 'refund.requested',
    );
    expect(line).toMatchObject({ by: { kind: 'api_key', id: apiKeyId }, requestId: made.headers['x-request-id'] });
  });

  test('a refund at a terminal names the staff member if the signature is valid; a wrong password names the terminal', async () => {
    const { world, client, business, sandbox } = await aShop(kind, merchant);
    const { database } = world.backend;
    const manager = await business.key('devices:write', 'devices:read', 'team:write', 'team:read');
    const till = await aTill(world, manager);
    const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'a good password');
    const sold = await till.sell(1_000);
    sandbox.control.settle();
    const wanted = { paymentId: sold.paymentId ?? '', kind: 'REFUND_SALE', amountInCents: 250 } as const;
    expect(await till.request(wanted, '104', keyPairOf(Buffer.alloc(32, 9)))).toMatchObject({ status: 403 });
    expect(await till.request(wanted, '104', keys)).toMatchObject({
      status: 201,
      body: { refund: { source: 'terminal', staff: { id: staff.id, staffNumber: '104' }, apiKeyId: null } },
    });
    const { terminalId } = till;
    expect(await database.all(auditRows, { kind: 'refund_check' })).toEqual([
      { actorKind: 'staff', actorId: staff.id, terminalId },
      { actorKind: 'terminal', actorId: terminalId, terminalId },
    ]);
    expect(await client.call(unlockStaff, { params: { id: staff.id } }, { key: manager })).toMatchObject({
      status: 200,
    });
    expect((await database.all(auditRows, { kind: 'staff_changed' }))[0]).toMatchObject({
      actorKind: 'api_key',
      actorId: expect.stringMatching(/^key_/),
    });
    expect(await database.all(auditRows, { kind: 'terminal_changed' })).toMatchObject([
      { actorKind: 'terminal', actorId: terminalId },
      { actorKind: 'api_key' },
    ]);
    const lines = (message: string) => linesOf(world.logged()).filter(({ msg }) => msg === message);
    const byTerminal = { kind: 'terminal', id: terminalId };
    const byStaff = { kind: 'staff', id: staff.id };
    expect(lines('answered')).toContainEqual(
      expect.objectContaining({ path: createTerminalRefund.path, by: byTerminal }),
    );
    expect(lines('recorded in the audit log').filter(line => line.kind === 'refund_check')).toMatchObject([
      { businessId: business.id, status: 'failed', reason: 'invalid_signature', terminalId, by: byTerminal },
      { businessId: business.id, status: 'authorized', terminalId, by: byStaff },
    ]);
    expect(
      lines('recorded in the audit log')
        .filter(line => line.kind === 'staff_changed')
        .at(-1),
    ).toMatchObject({
      by: { kind: 'api_key', id: expect.stringMatching(/^key_/) },
    });
    expect(lines('an event was recorded').filter(line => line.event === 'refund.requested')).toMatchObject([
      { paymentId: wanted.paymentId, subjectId: expect.stringMatching(/^ref_/), by: byStaff },
    ]);
  });
});
