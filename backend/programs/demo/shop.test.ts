import { listNotificationRecipients } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import { aTill } from '../../../test/support/till.ts';
import { startLightningNodeSandbox } from '../sandbox/lightning-node/server.ts';
import { enrolmentCode, openShop, passwordsOf, payThroughSandboxNode, takePastSales } from './shop.ts';

test('a temporary password is printed until the staff member has set their own', async () => {
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

test('the shop reopens beside other businesses in the same folder', async () => {
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

test('the shop with its past sales has one recipient of notifications, also if its creation was interrupted', async () => {
  const world = await aBackend({ sandbox: true });
  const { sandbox, url, settings } = world;
  if (!sandbox) throw new Error('no sandbox');
  const shop = await openShop({ data: settings.data, env: {} });
  const { tokenUrl, controlUrl } = sandbox;
  for (const _ of ['interrupted', 'repeated'])
    await takePastSales({ data: settings.data, shop, backendUrl: url, tokenUrl, controlUrl });
  const listed = await world.client.call(listNotificationRecipients, { query: {} }, { key: shop.apiKey });
  expect(listed).toMatchObject({ status: 200, body: { items: [{ email: 'owner@harbour-street.example' }] } });
  expect(listed.status === 200 && listed.body.items).toHaveLength(1);
});

/** A data folder in which another business was created before the demo ran. */
async function aFolderWithABusiness(): Promise<string> {
  const world = await aBackend();
  await world.aBusiness();
  return world.settings.data;
}
