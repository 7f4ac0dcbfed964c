import { expect, onTestFinished, test } from 'vitest';
import { aBackend } from '../../test/support/backend.ts';
import { aTill } from '../../test/support/till.ts';
import { startLightningNodeSandbox } from '../sandbox/lightning-node/server.ts';
import { enrolmentCode, openShop, passwordsOf, payThroughSandboxNode } from './shop.ts';

test('a temporary password is told until its owner has chosen their own', async () => {
  const world = await aBackend();
  const place = { data: world.settings.data, env: {} };
  const shop = await openShop(place);
  const till = await aTill(world, shop.apiKey);
  const [manager] = shop.staff;
  const temporary = await till.keysOf('101', manager?.temporaryPassword ?? '');
  expect((await passwordsOf(place, shop)).map(({ temporaryPassword }) => temporaryPassword)).toEqual(
    shop.staff.map(({ temporaryPassword }) => temporaryPassword),
  );
  await till.changePassword('101', temporary, 'a password of my own');
  expect(await passwordsOf(place, await openShop(place))).toMatchObject([
    { number: '101', temporaryPassword: undefined },
    { number: '102', temporaryPassword: shop.staff[1]?.temporaryPassword },
    { number: '103', temporaryPassword: shop.staff[2]?.temporaryPassword },
  ]);
});

test('the shop opens again beside other businesses of the same folder', async () => {
  const world = await aBackend();
  const place = { data: world.settings.data, env: { OUTBOUND_ALLOW_LOOPBACK: 'true' } };
  const first = await openShop(place);
  await world.aBusiness();
  const shop = await openShop(place);
  expect(shop).toEqual(first);
  const node = await startLightningNodeSandbox({ file: ':memory:', clock: world.clock });
  onTestFinished(() => node.close());
  await payThroughSandboxNode(place, shop, node.controlUrl);
  expect(await enrolmentCode(place, shop)).toMatch(/\w{4}/);
  const other = await openShop({ ...place, data: await aFolderWithABusiness() });
  expect(other.businessId).not.toBe(shop.businessId);
});

/** Where somebody made a business before the demo ran. */
async function aFolderWithABusiness(): Promise<string> {
  const world = await aBackend();
  await world.aBusiness();
  return world.settings.data;
}
