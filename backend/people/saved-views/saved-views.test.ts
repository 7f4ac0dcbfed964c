import { createSavedView, deleteSavedView, listSavedViews } from '@florin/shared/contracts/api-v1/saved-views.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aPortalUser, type PortalBrowser } from '../../../test/support/portal.ts';

eachDatabase('saved views', database => {
  const declined = { list: 'payments', name: 'Declined', filters: { status: 'declined' } };
  const namesOf = async (browser: PortalBrowser, path: string) =>
    ((await browser.get(path)).json as { items: { name: string; isOwn: boolean }[] }).items.map(view => [
      view.name,
      view.isOwn,
    ]);

  async function aTeam() {
    const world = await aBackend({ database });
    const business = await world.aBusiness();
    const [manager, owner, cashier, developer] = await Promise.all(
      ['manager', 'owner', 'cashier', 'developer'].map(async role =>
        (await aPortalUser(world, business.id, role)).signIn(),
      ),
    );
    if (!manager || !owner || !cashier || !developer) throw new Error('somebody did not sign in');
    return { world, business, manager, owner, cashier, developer, path: `/portal/api/${business.id}/saved-views` };
  }

  test('are the user’s own, or shared with whoever may read the list', async () => {
    const { manager, cashier, developer, path } = await aTeam();
    expect(await manager.post(path, declined)).toMatchObject({ status: 201, json: { isShared: false, isOwn: true } });
    await manager.post(path, { ...declined, name: 'Shared', isShared: true });
    await manager.post(path, { ...declined, list: 'void-log', name: 'Voids', isShared: true });
    expect(await namesOf(manager, path)).toEqual([
      ['Voids', true],
      ['Shared', true],
      ['Declined', true],
    ]);
    // Neither may read the log of voids.
    expect(await namesOf(cashier, path)).toEqual([['Shared', false]]);
    expect(await namesOf(developer, `${path}?list=payments`)).toEqual([['Shared', false]]);
    expect(await namesOf(developer, `${path}?list=void-log`)).toEqual([]);
  });

  test('are shared and removed by whoever may, and are of a business', async () => {
    const { world, business, manager, owner, cashier, path } = await aTeam();
    const refused = await cashier.post(path, { ...declined, isShared: true });
    expect(refused).toMatchObject({
      status: 403,
      json: { error: { metadata: { missingPermissions: ['dashboard:write'] } } },
    });
    expect(await cashier.post(path, { ...declined, list: 'audit' })).toMatchObject({ status: 403 });
    const id = async (browser: PortalBrowser, view: object) =>
      ((await browser.post(path, view)).json as { id: string }).id;
    const [own, shared] = [await id(cashier, declined), await id(manager, { ...declined, isShared: true })];
    const remove = async (browser: PortalBrowser, view: string) => {
      const { status, json } = await browser.request('DELETE', `${path}/${view}`);
      return [status, (json as { error?: { metadata: { reason: string } } }).error?.metadata.reason];
    };
    expect(await remove(cashier, shared)).toEqual([403, 'not_own_view']);
    expect(await remove(owner, own)).toEqual([404, 'saved_view_not_found']);
    const other = await (await world.aBusiness()).key('dashboard:write', 'take-payments:read');
    expect((await world.client.call(listSavedViews, { query: {} }, { key: other })).body).toMatchObject({ items: [] });
    expect((await world.client.call(deleteSavedView, { params: { id: shared } }, { key: other })).status).toBe(404);
    expect(await remove(owner, shared)).toEqual([200, undefined]);
    expect(await remove(cashier, own)).toEqual([200, undefined]);
    const key = await business.key('dashboard:write', 'take-payments:read');
    expect((await world.client.call(listSavedViews, { query: {} }, { key })).body).toMatchObject({ items: [] });
  });

  test('have a name once, and an end', async () => {
    const { manager, cashier, path } = await aTeam();
    const made = async (browser: PortalBrowser, name: string) => {
      const { status, json } = await browser.post(path, { ...declined, name });
      return [status, (json as { error?: { metadata: { reason: string } } }).error?.metadata.reason];
    };
    expect(await made(manager, 'Till 2')).toEqual([201, undefined]);
    expect(await made(manager, 'Till 2')).toEqual([409, 'saved_view_exists']);
    expect(await made(cashier, 'Till 2')).toEqual([201, undefined]);
    for (let number = 1; number < 100; number += 1) await made(cashier, `View ${number}`);
    expect(await made(cashier, 'One more')).toEqual([409, 'too_many_saved_views']);
    const tooMany = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, 'x']));
    expect(await manager.post(path, { ...declined, filters: tooMany })).toMatchObject({ status: 400 });
    expect(await manager.post(path, { ...declined, list: 'staff' })).toMatchObject({ status: 400 });
  });

  test('are a key’s own, too', async () => {
    const { client, aBusiness } = await aBackend({ database });
    const key = await (await aBusiness()).key('sales:read');
    const body = { list: 'settlements', name: 'Rejected', filters: { status: 'rejected' } } as const;
    const made = await client.call(createSavedView, { body }, { key });
    expect(made).toMatchObject({ status: 201, body: { ...body, isOwn: true } });
  });
});
