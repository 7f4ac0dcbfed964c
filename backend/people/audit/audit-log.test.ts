import { createApiKey, revokeApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import {
  type AuditEntryRecord,
  auditKinds,
  listAuditEntries,
  verifyAudit,
} from '@florin/shared/contracts/api-v1/audit.ts';
import { createStaff, unlockStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aPortalUser } from '../../../test/support/portal.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';
import { fillAuditSubjects } from '../../foundation/database/migrations/0003-portal-records.ts';
import type { Chosen } from '../../foundation/language.ts';
import { sentenceOf, type ToldEntry } from './sentences.ts';

const forge = statement<{ id: string }, unknown>(({ db }, arg) =>
  db.updateTable('auditEntries').set({ detailJson: '{}' }).where('id', '=', arg('id')),
);

const forgetSubjects = statement<object, unknown>(({ db }) => db.deleteFrom('auditSubjects'));
const fillSubjects = statement<object, unknown>(({ db, isPostgres }) => ({
  compile: () => fillAuditSubjects(isPostgres ? 'postgres' : 'sqlite').compile(db),
}));

/** A shop in which a key, a staff member and a terminal did something. */
async function aBusyShop(database: DatabaseKind) {
  const shop = await aShop(database, permissionCodes);
  const { client, key, world, sandbox } = shop;
  type Query = Parameters<typeof client.call<typeof listAuditEntries>>[1]['query'];
  async function list(query: Query = {}, by = key): Promise<AuditEntryRecord[]> {
    const items: AuditEntryRecord[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await client.call(
        listAuditEntries,
        { query: { limit: 3, ...query, ...(cursor ? { cursor } : {}) } },
        { key: by },
      );
      if (page.status !== 200) throw new Error(JSON.stringify(page.body));
      items.push(...page.body.items);
      cursor = page.body.nextCursor;
    }
    return items;
  }
  const till = await aTill(world, key);
  const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
  const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'my own password');
  const { paymentId } = await till.sell(1_000);
  sandbox.control.settle();
  const wanted = { paymentId: paymentId ?? '', kind: 'REFUND_SALE', amountInCents: 250 } as const;
  await till.request(wanted, '104', keyPairOf(Buffer.alloc(32, 9)));
  const refund = await till.request(wanted, '104', keys);
  if (refund.status !== 201) throw new Error(JSON.stringify(refund.body));
  return { ...shop, list, till, staff, paymentId: wanted.paymentId, refundId: refund.body.refund.id };
}

const sentences = (entries: readonly AuditEntryRecord[]) => entries.map(({ sentence }) => sentence);

eachDatabase('the audit log', database => {
  test('says who did what, newest first, in sentences', async () => {
    const { list, client, key, staff, world, business } = await aBusyShop(database);
    const made = await client.call(
      createApiKey,
      { body: { name: 'Till software', permissions: ['sales:read'] } },
      { key },
    );
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    await client.call(revokeApiKey, { params: { id: made.body.id } }, { key });
    await client.call(unlockStaff, { params: { id: staff.id } }, { key });
    const owner = await aPortalUser(world, business.id, 'owner');
    const changed = { passwordProtectRefundsAndVoids: false };
    await (await owner.signIn()).request('PATCH', `/portal/api/${business.id}/business`, changed);
    const entries = await list();
    expect(sentences(entries)).toEqual([
      expect.stringMatching(/^User \d+ switched password protection of refunds and voids off\.$/),
      expect.stringContaining('An operator of the service'),
      'test unlocked Ada.',
      'test revoked the API key “Till software”.',
      'test created the API key “Till software”.',
      'Ada authorised a refund of £2.50 of INV-000001.',
      'A refund of £2.50 of INV-000001 was refused to Ada: the password was wrong.',
      'Ada changed the password of Ada.',
      'test added the staff member Ada.',
      'Till 1 enrolled as the terminal “Till 1”.',
      'test added the terminal “Till 1”.',
      'An operator of the service created the API key “test”.',
    ]);
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => entries.length - index));
    const headers = { 'accept-language': 'de-DE,de;q=0.9' };
    const inGerman = await client.call(listAuditEntries, { query: { limit: 6 } }, { key, headers });
    expect(inGerman.status === 200 && sentences(inGerman.body.items).slice(3)).toEqual([
      'test hat den API-Schlüssel „Till software“ widerrufen.',
      'test hat den API-Schlüssel „Till software“ erstellt.',
      expect.stringMatching(/^Ada hat eine Erstattung von 2,50\s£ zu INV-000001 genehmigt\.$/),
    ]);
    expect(entries[2]).toMatchObject({
      kind: 'staff_changed',
      actor: { kind: 'api_key', name: 'test' },
      details: { change: 'unlocked' },
      previousHash: entries[3]?.hash,
      recordedAt: new Date(world.clock.now()).toISOString(),
    });
  });

  test('is searched by who did it, what it is about, its kind and its time', async () => {
    const { list, world, till, staff, paymentId, refundId, client, key } = await aBusyShop(database);
    const all = await list();
    const idsOf = (entries: readonly AuditEntryRecord[]) => entries.map(({ id }) => id);
    const where = (matches: (entry: AuditEntryRecord) => boolean) => idsOf(all.filter(matches));
    expect(idsOf(await list({ actorId: staff.id }))).toEqual(where(({ actor }) => actor.id === staff.id));
    expect((await list({ actorId: staff.id })).length).toBe(2);
    expect(idsOf(await list({ kind: 'refund_check' }))).toEqual(where(({ kind }) => kind === 'refund_check'));
    expect(sentences(await list({ subjectId: refundId }))).toEqual(['Ada authorised a refund of £2.50 of INV-000001.']);
    expect((await list({ subjectId: paymentId })).length).toBe(2);
    expect((await list({ subjectId: staff.id })).length).toBe(4);
    expect((await list({ subjectId: till.terminalId })).length).toBeGreaterThan(3);
    expect((await list({ subjectId: staff.id, actorId: till.terminalId, kind: 'refund_check' })).length).toBe(1);
    const made = await client.call(createApiKey, { body: { name: 'Later', permissions: ['sales:read'] } }, { key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    expect(sentences(await list({ subjectId: made.body.id }))).toEqual(['test created the API key “Later”.']);
    world.clock.advance({ hours: 2 });
    const between = new Date(world.clock.now() - 3_600_000).toISOString();
    const later = new Date(world.clock.now() + 3_600_000).toISOString();
    await client.call(createStaff, { body: { staffNumber: '105', name: 'Ben' } }, { key });
    expect(sentences(await list({ from: between }))).toEqual(['test added the staff member Ben.']);
    expect((await list({ to: between })).length).toBe(all.length + 1);
    expect(await list({ from: later })).toEqual([]);
    expect((await list({ to: later })).length).toBe(all.length + 2);
    expect(await list({ from: between, to: between })).toEqual([]);
  });

  test('of another business is neither listed nor found', async () => {
    const { list, world, staff } = await aBusyShop(database);
    const other = await world.aBusiness({ name: 'Other' });
    const theirs = await other.key('team:read');
    expect(sentences(await list({}, theirs))).toEqual(['An operator of the service created the API key “test”.']);
    expect(await list({ subjectId: staff.id }, theirs)).toEqual([]);
    expect(await list({ actorId: staff.id }, theirs)).toEqual([]);
  });

  test('is checked at most once a minute, and shows what was changed outside the service', async () => {
    const { list, world, client, key } = await aBusyShop(database);
    const check = async () => (await client.call(verifyAudit, {}, { key })).body;
    const [newest] = await list();
    const intact = await check();
    expect(intact).toMatchObject({ result: 'intact', length: newest?.sequence, head: newest?.hash, problem: null });
    const oldest = (await list()).at(-1);
    await world.backend.database.write(tx => tx.run(forge, { id: oldest?.id ?? '' }));
    expect(await check()).toEqual(intact);
    world.clock.advance({ minutes: 2 });
    const broken = { result: 'broken', length: null, problem: { sequence: 1, message: 'its contents were changed' } };
    expect(await check()).toMatchObject(broken);
  });

  test('written before it could be searched by record is searched, too', async () => {
    const { world, list, staff, refundId, paymentId } = await aBusyShop(database);
    const found = async () => ({
      staff: (await list({ subjectId: staff.id })).length,
      refund: (await list({ subjectId: refundId })).length,
      payment: (await list({ subjectId: paymentId })).length,
    });
    const before = await found();
    await world.backend.database.write(async tx => {
      await tx.run(forgetSubjects, {});
      await tx.run(fillSubjects, {});
    });
    expect(await found()).toEqual(before);
  });
});

const inEnglish: Chosen = { language: 'en', locale: 'en-GB' };
const inGerman: Chosen = { language: 'de', locale: 'de-DE' };

/** An entry by Ada, or by nobody that is known. */
function anEntry(kind: ToldEntry['kind'], detail: object, given: Partial<ToldEntry> = {}): ToldEntry {
  const nothing = { status: null, reason: null, amountMinor: null };
  return { kind, actorKind: 'portal_user', actorName: 'Ada', ...nothing, detailJson: JSON.stringify(detail), ...given };
}

test('refused sign-ins and calls are told with what is known of them', () => {
  const told = (entry: ToldEntry) => sentenceOf(entry, inEnglish);
  expect(told(anEntry('sign_in_refused', { email: 'ada@shop.example' }, { actorName: null }))).toBe(
    'A sign-in as ada@shop.example was refused.',
  );
  expect(told(anEntry('sign_in_refused', {}))).toBe('A sign-in as Ada was refused.');
  const detail = { operation: 'createCardRefund', missingPermissions: ['refunds:write'] };
  expect(told(anEntry('permission_refused', detail))).toBe(
    'Ada was refused “createCardRefund” for lack of permission: Issue refunds.',
  );
});

test('entries are told in German where German is asked for', () => {
  const told = (...entry: Parameters<typeof anEntry>) => sentenceOf(anEntry(...entry), inGerman);
  expect(told('api_key_changed', { change: 'revoked', name: 'Till software' })).toBe(
    'Ada hat den API-Schlüssel „Till software“ widerrufen.',
  );
  expect(told('team_changed', { change: 'role_given', name: 'Bo', roleId: 'cashier' })).toBe(
    'Ada hat „Bo“ die Rolle „Kasse“ gegeben.',
  );
  const sale = { invoiceNumber: 'INV-1', currency: 'EUR' };
  const check = { staff: { name: 'Cy' }, sale, detail: 'locked_out' };
  expect(told('refund_check', check, { status: 'failed', reason: 'permission_denied', amountMinor: 123_450 })).toBe(
    'Eine Erstattung von 1.234,50\u00a0€ zu INV-1 wurde Cy verweigert: Das Mitglied des Personals ist gesperrt.',
  );
  expect(told('setting_changed', { setting: 'paymentLinksEnabled', value: false })).toBe(
    'Ada hat Zahlungslinks ausgeschaltet.',
  );
  // The permissions have their German names; one of an older version keeps its code.
  expect(told('permission_refused', { missingPermissions: ['team:read', 'old:code'] })).toBe(
    'Ada wurde mangels Berechtigung abgewiesen: Team ansehen, old:code.',
  );
  expect(told('export_requested', { list: 'void-log' })).toBe('Ada hat die Liste „Stornoprotokoll“ exportiert.');
  expect(told('webhook_changed', { change: 'of a later version', url: 'https://a.example' })).toBe(
    'Ada hat den Webhook-Endpunkt „https://a.example“ geändert.',
  );
});

test('every entry of an empty detail is told in every language', () => {
  for (const kind of auditKinds)
    for (const chosen of [inEnglish, inGerman]) {
      const sentence = sentenceOf(anEntry(kind, {}), chosen);
      expect(sentence).toMatch(/^[A-ZÄÖÜ].*[^ ]\.$/);
      expect(sentence).not.toMatch(/undefined|null| {2}/);
    }
});
