import {
  createDevice,
  listDevices,
  removeDevice,
  renewEnrolmentCode,
} from '@florin/shared/contracts/api-v1/devices.ts';
import { createStaff, resetStaffPassword, unlockStaff, updateStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { enrolTerminal, getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aDrivenTerminal } from '../../../test/support/driven-terminal.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { signedEnrolment } from '../../../test/support/till.ts';

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

  test('enrol with their code once, in any spelling', async () => {
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

  test('enrol only with a signature by their key', async () => {
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
    // Refused before the code was checked, so it is still valid.
    expect((await enrol(code)).status).toBe(201);
  });

  test('of ten concurrent requests with one code, one is enrolled', async () => {
    const { create, enrol } = await aShop();
    const { code } = await create();
    const responses = await Promise.all(Array.from({ length: 10 }, () => enrol(code)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('cannot enrol with an expired code; a new code replaces the old one', async () => {
    const { client, clock, create, enrol, key } = await aShop();
    const { id, code } = await create();
    clock.advance({ minutes: 15 });
    expect((await enrol(code)).status).toBe(409);
    const renewed = await client.call(renewEnrolmentCode, { params: { id } }, { key });
    if (renewed.status !== 201) throw new Error(`${renewed.status}`);
    expect((await enrol(code)).status).toBe(409);
    expect((await enrol(renewed.body.code ?? '')).status).toBe(201);
  });

  test('are refused from the next request once removed or enrolled again', async () => {
    const { client, key, enrol, enrolled, configuration } = await aShop();
    const { id, token } = await enrolled();
    const renewed = await client.call(renewEnrolmentCode, { params: { id } }, { key });
    if (renewed.status !== 201) throw new Error(`${renewed.status}`);
    const again = await enrol(renewed.body.code ?? '', otherPair);
    expect((await configuration(token)).status).toBe(401);
    if (again.status !== 201) throw new Error(`${again.status}`);
    expect((await configuration(again.body.deviceToken)).status).toBe(200);
    expect((await client.call(removeDevice, { params: { id } }, { key })).status).toBe(200);
    expect((await configuration(again.body.deviceToken)).status).toBe(401);
    expect((await client.call(listDevices, { query: {} }, { key })).body).toMatchObject({ items: [] });
    expect((await client.call(removeDevice, { params: { id } }, { key })).status).toBe(200);
  });

  test('are told at once to synchronise whenever staff are added, changed, removed or choose a password', async () => {
    const { client, till, listen, business } = await aDrivenTerminal(database);
    const stream = await listen();
    const key = await business.key('team:write');
    const told = async (times: number) => {
      await stream.has(times);
      expect(stream.events.map(({ event }) => event)).toEqual(Array(times).fill('settings'));
    };
    const body = { staffNumber: '17', name: 'Ada', mayRefundAndVoid: true };
    const added = await client.call(createStaff, { body }, { key });
    if (added.status !== 201) throw new Error(JSON.stringify(added.body));
    await told(1);
    const { temporaryPassword, staff } = added.body;
    const keys = await till.keysOf('17', temporaryPassword ?? '');
    await till.changePassword('17', keys, 'correct horse');
    await told(2);
    const params = { id: staff.id };
    await client.call(updateStaff, { params, body: { disabled: true } }, { key });
    await told(3);
    const configured = await client.call(getTerminalConfiguration, {}, { key: till.token });
    expect(configured.body).toMatchObject({ staff: [{ id: staff.id, mayRefundAndVoid: false, isDisabled: true }] });
    await client.call(unlockStaff, { params }, { key });
    await told(4);
    await client.call(resetStaffPassword, { params }, { key });
    await told(5);
  });

  test('are filtered by mode, serial and enrolment', async () => {
    const { create, enrol, client, key } = await aShop();
    const { code } = await create();
    if ((await enrol(code)).status !== 201) throw new Error('not enrolled');
    await create('Till 2');
    await client.call(createDevice, { body: { name: 'Kiosk', mode: 'kiosk' } }, { key });
    const all = await client.call(listDevices, { query: { enrolled: 'true' } }, { key });
    const serial = all.status === 200 ? (all.body.items[0]?.serial ?? '') : '';
    const count = async (query: { mode?: 'staff' | 'kiosk'; serial?: string; enrolled?: 'true' | 'false' }) => {
      const listed = await client.call(listDevices, { query }, { key });
      return listed.status === 200 ? listed.body.items.length : listed.status;
    };
    expect(serial).not.toBe('');
    expect(await count({})).toBe(3);
    expect(await count({ mode: 'kiosk' })).toBe(1);
    expect(await count({ serial })).toBe(1);
    expect(await count({ serial: 'another' })).toBe(0);
    expect(await count({ enrolled: 'true' })).toBe(1);
    expect(await count({ enrolled: 'false', mode: 'staff' })).toBe(1);
  });

  test('leave neither token nor code in a table or the log', async () => {
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
});
