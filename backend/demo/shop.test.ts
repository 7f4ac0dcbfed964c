import { expect, test } from 'vitest';
import { aBackend } from '../../test/support/backend.ts';
import { aTill } from '../../test/support/till.ts';
import { openShop, passwordsOf } from './shop.ts';

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
