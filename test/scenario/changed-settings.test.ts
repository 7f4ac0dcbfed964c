import { getDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aPortalUser } from '../support/portal.ts';
import { aShop } from '../support/shop.ts';
import { aRealTerminal } from '../support/terminal/real-terminal.ts';

/** Shorter than the pauses between a terminal's reports and between its synchronisations. */
const heldFromMs = 5_000;

eachDatabase('a changed setting of the business', database => {
  test('reaches a connected terminal, which acknowledges it, before any report of it is due', async () => {
    const { world, client, key, business } = await aShop(database, ['devices:read', 'devices:write']);
    const { deviceId, view } = await aRealTerminal(world, key, { heldFromMs });
    const owner = await (await aPortalUser(world, business.id, 'owner')).signIn();
    const device = async () => (await client.call(getDevice, { params: { id: deviceId } }, { key })).body;
    const usesLatest = () =>
      expect
        .poll(device, { interval: 10, timeout: 10_000 })
        .toMatchObject({ online: true, health: { configuration: 'current' } });
    await usesLatest();
    const changes = { counter: { quickAmountsInCents: [350] } };
    expect(await owner.request('PATCH', `/portal/api/${business.id}/business`, changes)).toMatchObject({ status: 200 });
    await expect
      .poll(view, { interval: 10, timeout: 10_000 })
      .toMatchObject({ header: { counter: { quickAmountsMinor: [350] } } });
    await usesLatest();
  });
});
