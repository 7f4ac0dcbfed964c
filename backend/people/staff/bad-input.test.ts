import { createDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { createStaff, updateStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { listRefundLog, listVoidLog } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { enrolTerminal } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { createStaffChallenge, getTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

const controlCharacters = ['\u0000', '\n', '\r', '\t', '\u001b[2J', '\u007f', '\u0085', '\u2028', '\u2029'];

eachDatabase('text of staff and terminals', database => {
  test('with control characters is refused in every field, and nothing is written', async () => {
    const { world, business, client } = await aShop(database);
    const key = await business.key('team:read', 'team:write', 'devices:read', 'devices:write');
    const till = await aTill(world, key);
    const { staff } = await till.addStaff({ staffNumber: '104' });
    const params = { id: staff.id };
    // Every change of either adds an entry to this chain.
    const written = () => world.backend.services.audit.head(business.id);
    const before = await written();
    for (const character of controlCharacters) {
      const name = `Ada${character}Byron`;
      const body = { staffNumber: '105', name };
      const responses = [
        await client.call(createStaff, { body }, { key }),
        await client.call(createStaff, { body: { staffNumber: name, name: 'Ada' } }, { key }),
        await client.call(updateStaff, { params, body: { name } }, { key }),
        await client.call(createDevice, { body: { name } }, { key }),
        await client.call(listRefundLog, { query: { staffId: `staff_${name}` } }, { key }),
        await client.call(listVoidLog, { query: { deviceId: `dev_${name}` } }, { key }),
        await client.call(createStaffChallenge, { body: { staffNumber: name } }, { key: till.token }),
        await client.call(syncTerminal, { body: { configurationVersion: name, entries: [] } }, { key: till.token }),
        await client.call(enrolTerminal, {
          body: { code: name, serial: name, publicKey: till.deviceKeys.publicKey, signature: `${'A'.repeat(86)}==` },
        }),
      ];
      expect(
        responses.map(({ status }) => status),
        JSON.stringify(character),
      ).toEqual(responses.map(() => 400));
      const named = { requestId: `request-${name}` };
      expect((await client.call(getTerminalRefund, { params: named }, { key: till.token })).status).toBe(404);
    }
    expect(await written()).toEqual(before);
  });

  test('a change without a known field is refused', async () => {
    const { world, business, client } = await aShop(database);
    const key = await business.key('team:write', 'devices:write');
    const { staff } = await (await aTill(world, key)).addStaff({ staffNumber: '104' });
    for (const body of [{}, { nmae: 'Ada' } as object]) {
      expect(await client.call(updateStaff, { params: { id: staff.id }, body }, { key })).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('must name at least one of') } },
      });
    }
  });
});
