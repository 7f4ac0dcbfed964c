import { operator } from '@florin/shared/actor.ts';
import {
  createDevice,
  listDevices,
  removeDevice,
  renewEnrolmentCode,
} from '@florin/shared/contracts/api-v1/devices.ts';
import { enrolTerminal, getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { type StaffCheckEntry, syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import { canonicalOutboxEntry } from '@florin/shared/signing/canonical.ts';
import { keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../test/support/backend.ts';
import { everythingIn } from '../../test/support/dump.ts';
import { signedEnrolment } from '../../test/support/till.ts';
import { columnsOf, statement } from '../database/database.ts';
import type { PaymentRow } from '../database/schema.ts';

const pair = keyPairOf(new Uint8Array(32).fill(1));
const otherPair = keyPairOf(new Uint8Array(32).fill(2));

eachDatabase('terminals', database => {
  async function aShop() {
    const world = await aBackend({ database });
    const shop = await world.aBusiness();
    const key = await shop.key('devices:read', 'devices:write');
    async function create(name = 'Till 1') {
      const answered = await world.client.call(createDevice, { body: { name } }, { key });
      if (answered.status !== 201 || !answered.body.enrolment) throw new Error(JSON.stringify(answered.body));
      return { id: answered.body.id, code: answered.body.enrolment.code };
    }
    const enrol = (code: string, keys = pair) =>
      world.client.call(enrolTerminal, { body: signedEnrolment({ code, serial: 'SN-1', keys }) });
    async function enrolled() {
      const { id, code } = await create();
      const answered = await enrol(code);
      if (answered.status !== 201) throw new Error(JSON.stringify(answered.body));
      return { id, token: answered.body.deviceToken, configuration: answered.body.configuration };
    }
    const configuration = (token: string) => world.client.call(getTerminalConfiguration, {}, { key: token });
    return { ...world, shop, key, create, enrol, enrolled, configuration };
  }

  test('enrol with their code, once, however it is typed', async () => {
    const { create, enrol, configuration, shop } = await aShop();
    const { id, code } = await create();
    expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    const answered = await enrol(typed);
    expect(answered).toMatchObject({
      status: 201,
      body: {
        configuration: { business: { id: shop.id, currency: 'GBP' }, terminal: { id, mode: 'staff' }, staff: [] },
      },
    });
    const again = await enrol(code, otherPair);
    expect(again).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'enrolment_code_invalid' } } } });
    if (answered.status !== 201) return;
    expect((await configuration(answered.body.deviceToken)).body).toEqual(answered.body.configuration);
  });

  test('enrol only with a key they prove to hold', async () => {
    const { client, create, enrol } = await aShop();
    const { code } = await create();
    const signed = signedEnrolment({ code, serial: 'SN-1', keys: otherPair });
    for (const body of [
      { ...signed, publicKey: pair.publicKey },
      { ...signed, serial: 'SN-2' },
    ]) {
      expect(await client.call(enrolTerminal, { body })).toMatchObject({
        status: 400,
        body: { error: { metadata: { reason: 'enrolment_signature_invalid' } } },
      });
    }
    // Refused before the code was looked at: it still serves.
    expect((await enrol(code)).status).toBe(201);
  });

  test('of ten who send one code at once, one is enrolled', async () => {
    const { create, enrol } = await aShop();
    const { code } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => enrol(code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('cannot enrol once the code is over; a new code takes the place of the old', async () => {
    const { client, clock, create, enrol, key } = await aShop();
    const { id, code } = await create();
    clock.advance({ minutes: 15 });
    expect((await enrol(code)).status).toBe(409);
    const renewed = await client.call(renewEnrolmentCode, { params: { id } }, { key });
    if (renewed.status !== 201) throw new Error(`${renewed.status}`);
    expect((await enrol(code)).status).toBe(409);
    expect((await enrol(renewed.body.code ?? '')).status).toBe(201);
  });

  test('lose their token with the next request once removed, and once enrolled anew', async () => {
    const { client, key, enrol, enrolled, configuration } = await aShop();
    const { id, token } = await enrolled();
    const renewed = await client.call(renewEnrolmentCode, { params: { id } }, { key });
    if (renewed.status !== 201) throw new Error(`${renewed.status}`);
    const anew = await enrol(renewed.body.code ?? '', otherPair);
    expect((await configuration(token)).status).toBe(401);
    if (anew.status !== 201) throw new Error(`${anew.status}`);
    expect((await configuration(anew.body.deviceToken)).status).toBe(200);
    expect((await client.call(removeDevice, { params: { id } }, { key })).status).toBe(200);
    expect((await configuration(anew.body.deviceToken)).status).toBe(401);
    expect((await client.call(listDevices, { query: {} }, { key })).body).toMatchObject({ items: [] });
    expect((await client.call(removeDevice, { params: { id } }, { key })).status).toBe(200);
  });

  test('of another business are not there, and an API key is no device token', async () => {
    const { client, aBusiness, enrolled, configuration, key } = await aShop();
    const { id, token } = await enrolled();
    const other = await (await aBusiness({ name: 'Other' })).key('devices:write');
    expect((await client.call(removeDevice, { params: { id } }, { key: other })).status).toBe(404);
    expect((await configuration(key)).status).toBe(401);
    expect((await client.call(listDevices, { query: {} }, { key: token })).status).toBe(401);
  });

  test('leave neither token nor code in a table or in the log', async () => {
    const { create, enrol, backend, logged } = await aShop();
    const { code } = await create();
    const answered = await enrol(code);
    if (answered.status !== 201) throw new Error(`${answered.status}`);
    const { code: unused } = await create('Till 2');
    for (const place of [await everythingIn(backend.database), logged()]) {
      for (const secret of [answered.body.deviceToken, code, unused, unused.replaceAll('-', '')]) {
        expect(place).not.toContain(secret);
      }
    }
  });

  async function aSyncingShop() {
    const world = await aShop();
    const device = await world.enrolled();
    const made = await world.backend.services.staff.create({
      businessId: world.shop.id,
      staffNumber: '17',
      name: 'Ann',
      mayRefundAndVoid: true,
      perTransactionLimitMinor: null,
      dailyLimitMinor: null,
      by: operator,
    });
    if (!made.ok) throw new Error('no staff');
    const paymentId = 'pay_000001';
    await world.backend.database.write(tx => tx.run(insertPayment, paymentOf(world.shop.id, paymentId)));
    const entryOf = (entryId: string, change: Partial<StaffCheckEntry> = {}, by = pair): StaffCheckEntry => {
      const entry = {
        entryId,
        terminalId: device.id,
        sequence: Number(entryId.slice('out_'.length)) + 1,
        detail: null,
        kind: 'staff_check' as const,
        staffId: made.value.staff.id,
        paymentId,
        operation: 'REFUND_SALE' as const,
        amountInCents: 500,
        status: 'failed' as const,
        reason: 'invalid_signature' as const,
        attemptedAt: new Date(world.clock.now() - 60_000).toISOString(),
        ...change,
      };
      return { ...entry, signature: signText(by.privateKey, canonicalOutboxEntry(entry)) };
    };
    const sync = async (entries: unknown[], configurationVersion: string | null = null, token = device.token) => {
      const answered = await world.client.call(
        syncTerminal,
        { body: { configurationVersion, entries } },
        { key: token },
      );
      if (answered.status !== 200) throw new Error(JSON.stringify(answered.body));
      return answered.body;
    };
    const checks = async () =>
      world.backend.services.audit.list({
        businessId: world.shop.id,
        kind: 'refund_check',
        filter: { staffId: null, terminalId: null, status: null, from: null, to: null },
        before: null,
        limit: 100,
      });
    return { ...world, device, staff: made.value.staff, entryOf, sync, checks };
  }

  test('hand over each entry once, in order, however often they send it', async () => {
    const { entryOf, sync, checks, staff } = await aSyncingShop();
    const entries = ['out_000001', 'out_000002', 'out_000003'].map(id => entryOf(id));
    const first = await sync(entries);
    expect(first.acknowledged).toEqual(entries.map(({ entryId }) => ({ entryId, outcome: 'accepted' })));
    // The answer was lost: the terminal sends all of it again, in another order, with one more.
    const again = await sync([...entries.toReversed(), entryOf('out_000004')]);
    expect(again.acknowledged.map(({ outcome }) => outcome)).toEqual(['known', 'known', 'known', 'accepted']);
    expect(await checks()).toHaveLength(4);
    const member = again.configuration?.staff.find(({ id }) => id === staff.id);
    expect(member?.failedAttempts).toBe(4);
  });

  test('that send the same entries twice at once have them taken once', async () => {
    const { entryOf, sync, checks } = await aSyncingShop();
    const entries = Array.from({ length: 5 }, (_, index) => entryOf(`out_00000${index}`));
    await Promise.all([sync(entries), sync(entries), sync(entries)]);
    expect(await checks()).toHaveLength(5);
  });

  test('are told why an entry is refused, and nothing of it is kept', async () => {
    const { entryOf, sync, checks } = await aSyncingShop();
    const good = entryOf('out_000001');
    const answered = await sync([
      { ...good, amountInCents: 1 },
      entryOf('out_000002', {}, otherPair),
      entryOf('out_000003', { paymentId: 'pay_elsewhere' }),
      entryOf('out_000004', { staffId: 'staff_nobody' }),
      { entryId: 'out_000005' },
      'nonsense',
      null,
      good,
    ]);
    expect(answered.acknowledged).toEqual([
      { entryId: 'out_000001', outcome: 'refused', message: 'the signature is not by this terminal' },
      { entryId: 'out_000002', outcome: 'refused', message: 'the signature is not by this terminal' },
      { entryId: 'out_000003', outcome: 'refused', message: 'paymentId: there is no such payment' },
      { entryId: 'out_000004', outcome: 'refused', message: 'staffId: there is no such staff member' },
      { entryId: 'out_000005', outcome: 'refused', message: expect.stringMatching(/^kind: /) },
      { entryId: '', outcome: 'refused', message: expect.any(String) },
      { entryId: '', outcome: 'refused', message: expect.any(String) },
      { entryId: 'out_000001', outcome: 'accepted' },
    ]);
    expect(await checks()).toHaveLength(1);
  });

  test('enrolled anew deliver what they recorded before, and nobody else delivers it for them', async () => {
    const { client, key, device, enrolled, create, enrol, entryOf, sync, checks } = await aSyncingShop();
    const before = entryOf('out_000001');
    await client.call(removeDevice, { params: { id: device.id } }, { key });
    const again = await enrolled();
    const answered = await sync([before], null, again.token);
    expect(answered.acknowledged).toEqual([{ entryId: 'out_000001', outcome: 'accepted' }]);
    expect(await checks()).toMatchObject([{ terminalId: device.id }]);
    const other = await enrol((await create()).code, otherPair);
    if (other.status !== 201) throw new Error('not enrolled');
    const forged = entryOf('out_000002', {}, otherPair);
    expect((await sync([forged], null, other.body.deviceToken)).acknowledged).toEqual([
      { entryId: 'out_000002', outcome: 'refused', message: 'terminalId: is not an enrolment of this terminal' },
    ]);
  });

  test('with a clock that runs ahead are believed no further than now', async () => {
    const { clock, entryOf, sync, checks } = await aSyncingShop();
    await sync([entryOf('out_000001', { attemptedAt: new Date(clock.now() + 3 * 86_400_000).toISOString() })]);
    expect((await checks())[0]?.attemptedAt).toBe(clock.now());
  });

  test('get the configuration when it changed, and only then', async () => {
    const { backend, shop, sync } = await aSyncingShop();
    const first = await sync([]);
    const version = first.configuration?.version ?? '';
    expect((await sync([], version)).configuration).toBeNull();
    await backend.services.businesses.setPasswordProtection(shop.id, false, operator);
    const changed = await sync([], version);
    expect(changed.configuration?.business.passwordProtectRefundsAndVoids).toBe(false);
    expect(changed.configuration?.version).not.toBe(version);
  });
});

const paymentColumns = ['id', 'businessId', 'invoiceNumber', 'amountMinor', 'currency', 'takenAt'] as const;
type SomePayment = Pick<PaymentRow, (typeof paymentColumns)[number]>;

const insertPayment = statement<SomePayment, unknown>(({ db }, arg) =>
  db.insertInto('payments').values({
    ...columnsOf(arg, paymentColumns),
    method: 'card',
    status: 'settled',
    refundedMinor: 0,
    reservedMinor: 0,
    contestedMinor: 0,
    refundedSats: 0,
    askedCount: 0,
    createdAt: 0,
  } as never),
);

function paymentOf(businessId: string, id: string): SomePayment {
  return { id, businessId, invoiceNumber: '1', amountMinor: 1000, currency: 'GBP', takenAt: 0 };
}
