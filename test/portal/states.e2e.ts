import { pages } from '@florin/backend/web/portal/app/pages.ts';
import { listSettlements } from '@florin/shared/contracts/api-v1/settlements.ts';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectGoodPage } from '../pages/payer.ts';
import { isInPart } from '../support/part.ts';
import { aPortalUser, type PortalBrowser } from '../support/portal.ts';
import { darkPhone, desktop, type Portal, signedIn, startPortal, tablet } from './portal.ts';

test.describe.configure({ mode: 'default' });

const devices = { desktop, tablet, 'dark phone': darkPhone };

/** More than a page of any list shows, and than the service answers at once. */
const manyRows = 101;

let portal: Portal;
let records: Readonly<Record<string, string>>;
test.beforeAll(async () => {
  portal = await startPortal();
  records = await aBusyShop(await portal.owner.signIn());
});
test.afterAll(() => portal.end());

/** The pages that this run tests on this device. */
const inPart = (device: string) => pages.map(({ path }) => path).filter(path => isInPart(`${path} ${device}`, 20));
const tested = Object.keys(devices).flatMap(inPart);

/** As many as fill more than a page if a page of this run shows them; otherwise one. */
const rowsOn = (...areas: readonly string[]) =>
  tested.some(path => areas.some(area => path === area || (area !== '/' && path.startsWith(area)))) ? manyRows : 1;

/** Makes more of everything than a page shows; returns the id of one record for each page that shows one. */
async function aBusyShop(owner: PortalBrowser): Promise<Readonly<Record<string, string>>> {
  async function made(path: string, body: object): Promise<string> {
    const { status, json } = await owner.post(`/portal/api/${portal.businessId}${path}`, body);
    // What is made with a secret stands beside it.
    const id = /"id":"(\w+)"/.exec(JSON.stringify(json))?.[1];
    if (status !== 201 || id === undefined) throw new Error(`${path} ${JSON.stringify(json)}`);
    return id;
  }
  const ids: Record<string, string> = {};
  await portal.aPayment(1_820);
  const settlements = await portal.client.call(listSettlements, {}, { key: portal.key });
  const [settlement] = settlements.status === 200 ? settlements.body.items : [];
  if (settlement) ids['/settlements/$id'] = settlement.id;
  const name = 'Wolfeschlegelsteinhausenbergerdorff’s corner shop for second-hand bicycles, repairs and hire';
  const long = name.slice(0, 60);
  // Every payment is a request with a key, which the developers' pages list.
  for (let row = 0; row < rowsOn('/', '/payments', '/dev/requests', '/dev/keys'); row += 1)
    ids['/payments/$id'] = await portal.anUnsettledPayment(1_000 + row);
  for (let row = 0; row < rowsOn('/links'); row += 1)
    ids['/links/$id'] = await made('/payment-link', { description: name, amountInCents: 100 + row, currency: 'GBP' });
  for (let row = 0; row < rowsOn('/checkouts'); row += 1)
    ids['/checkouts/$id'] = (await portal.aCheckout({ orderId: `${name.slice(0, 50)} ${row}` })).id;
  for (let row = 0; row < rowsOn('/tips'); row += 1)
    ids['/tips/$id'] = await made('/tip-links', { name: name.slice(0, 40), minimumSats: 100, maximumSats: 100_000 });
  for (let row = 0; row < rowsOn('/staff'); row += 1) await made('/staff', { name: long, staffNumber: `${100 + row}` });
  let terminalId = '';
  for (let row = 0; row < manyRows; row += 1) terminalId = await made('/devices', { name: long });
  for (let row = 0; row < rowsOn('/dev/kiosk-keys'); row += 1)
    await made('/kiosk-keys', { name: long, deviceIds: [terminalId] });
  for (let row = 0; row < rowsOn('/dev/keys'); row += 1)
    ids['/dev/keys/$id'] = await made('/api-keys', { name: long, preset: 'REPORTING' });
  // A business has a hundred endpoints at most.
  for (let row = 0; row < Math.min(100, rowsOn('/dev/webhooks', '/dev/signing')); row += 1)
    ids['/dev/webhooks/$id'] = await made('/webhooks', {
      url: `https://example.com/${'hooks'.repeat(60)}/${row}`,
      eventType: 'payment.completed',
    });
  return ids;
}

function recordOf(path: string): string {
  const id = records[path];
  if (id === undefined) throw new Error(`the busy shop has no record for ${path}`);
  return id;
}

/** The addresses of all pages below a business. */
function paths(device: string): string[] {
  return inPart(device).map(path => (path === '/' ? '' : path.replace('$id', () => recordOf(path))));
}

const nameOf = (path: string) => path.replace(/\/[a-z]+_\w+/, '/record').replaceAll('/', '-');

async function expectLoaded(page: Page) {
  await expect(page.locator('h1')).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

for (const [device, options] of Object.entries(devices)) {
  const open = (browser: Browser) => signedIn(browser, portal.owner, portal.page('/settings/team'), options);

  test(`with more than a page shows, every page fits, ${device}`, async ({ browser }) => {
    const { page, context, faults } = await open(browser);
    for (const path of paths(device)) {
      await page.goto(portal.page(path));
      await expectLoaded(page);
      await expectGoodPage(page, `portal-${device}-many${nameOf(path)}`);
    }
    await page.goto(portal.page());
    await expect(page.getByText(`0 of ${manyRows} ready`)).toBeVisible();
    await page.goto(`${portal.url}/portal/me`);
    await expectLoaded(page);
    await expectGoodPage(page, `portal-${device}-me`);
    expect(faults()).toEqual([]);
    await context.close();
  });

  test(`a page whose data is late or cannot be read says so, ${device}`, async ({ browser }) => {
    const { page, context, faults } = await open(browser);
    const calls = `**/portal/api/${portal.businessId}/**`;
    for (const path of paths(device)) {
      const late = Promise.withResolvers<void>();
      await page.route(calls, async route => {
        await late.promise;
        await route.fulfill({
          status: 500,
          headers: { 'x-request-id': 'req_1' },
          json: { error: { code: 'internal_error', message: 'Something went wrong.' } },
        });
      });
      await page.goto(portal.page(path));
      await expect(page.locator('h1, [aria-busy=true]').first()).toBeVisible();
      await expectGoodPage(page, `portal-${device}-late${nameOf(path)}`);
      late.resolve();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectGoodPage(page, `portal-${device}-failed${nameOf(path)}`);
      await page.unroute(calls);
      const again = page.getByRole('button', { name: 'Try again' }).first();
      if (await again.isVisible()) await again.click();
      await expectLoaded(page);
    }
    expect(faults()).toEqual([]);
    await context.close();
  });

  test(`offline a page keeps what it shows, ${device}`, async ({ browser }) => {
    const { page, context } = await open(browser);
    for (const path of paths(device)) {
      await page.goto(portal.page(path));
      await expectLoaded(page);
      await context.setOffline(true);
      await expect(page.locator('.banner')).toBeVisible();
      await expect(page.locator('h1')).toBeVisible();
      await expectGoodPage(page, `portal-${device}-offline${nameOf(path)}`);
      await context.setOffline(false);
      await expect(page.locator('.banner')).toHaveCount(0);
    }
    await context.close();
  });

  test(`in a new business every page says what to do first, ${device}`, async ({ browser }) => {
    const { businessId } = await portal.aShop({ name: 'New Shop' });
    const owner = await aPortalUser({ url: portal.url, backend: portal.backend }, businessId, 'owner');
    const address = `${portal.url}/portal/${businessId}`;
    const { page, context, faults } = await signedIn(browser, owner, address, options);
    for (const path of paths(device).filter(path => !/_\w+$/.test(path))) {
      await page.goto(`${address}${path}`);
      await expectLoaded(page);
      await expectGoodPage(page, `portal-${device}-empty${nameOf(path)}`);
    }
    expect(faults()).toEqual([]);
    await context.close();
  });
}
