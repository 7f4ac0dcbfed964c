import { pages } from '@florin/backend/web/portal/app/pages.ts';
import { expect, test } from '@playwright/test';
import { expectGoodPage } from '../pages/payer.ts';
import { isInPart } from '../support/part.ts';
import { darkPhone, desktop, type Portal, signedIn, startPortal } from './portal.ts';

test.describe.configure({ mode: 'default' });

let portal: Portal;
test.beforeAll(async () => {
  portal = await startPortal();
  await portal.aPayment(1_820);
});
test.afterAll(() => portal.end());

for (const [device, options] of [
  ['dark phone', darkPhone],
  ['desktop', desktop],
] as const) {
  test(`every page is accessible and fits a ${device}`, async ({ browser }) => {
    const paths = [...new Set(pages.map(({ path }) => path))].filter(
      path => !path.includes('$') && isInPart(`${path} ${device}`, 2),
    );
    const { page, context, faults } = await signedIn(browser, portal.owner, portal.page(), options);
    for (const path of paths) {
      await page.goto(portal.page(path === '/' ? '' : path));
      await expect(page.locator('h1')).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectGoodPage(page, `portal-${device}${path.replaceAll('/', '-')}`);
    }
    await page.goto(`${portal.url}/portal/me`);
    await expect(page.locator('h1')).toBeVisible();
    await expectGoodPage(page, `portal-${device}-me`);
    expect(faults()).toEqual([]);
    await context.close();
  });
}
