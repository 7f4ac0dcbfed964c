import { expect, type Page, test } from '@playwright/test';
import { accessibilityFaults } from '../../support/accessibility.ts';
import { isInPart } from '../../support/part.ts';
import { wireClient, wireSale } from './wire-client.ts';
import { aGatewayWorld, type GatewayWorld } from './world.ts';

/** The sandbox bank's page in a real browser. */
let world: GatewayWorld;
test.beforeEach(async () => {
  world = await aGatewayWorld();
});
test.afterEach(() => world.close());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a sale can be handed to the bank, rejected and approved again, and the ledger shows it', async ({ page }) => {
  const { xref = '' } = await wireClient(world).send({ ...wireSale, callbackURL: world.inbox.url });
  await page.goto(world.sandbox.controlUrl);
  await expect(page.getByRole('row', { name: xref })).toContainText('captured');
  await press(page, 'Hand to the bank');
  await expect(page.getByRole('status', { name: 'Notice' })).toContainText('1 handed over, 0 accepted, 0 rejected');
  await expect(page.getByRole('row', { name: xref })).toContainText('tendered');
  await press(page, `Reject ${xref}`);
  await expect(page.getByRole('row', { name: xref })).toContainText('rejected');
  await press(page, `Approve again ${xref}`);
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(3);
});

test('faults can be armed and cleared, and are listed', async ({ page }) => {
  await page.goto(world.sandbox.controlUrl);
  await expect(page.getByRole('list', { name: 'Armed faults' })).toHaveText('None');
  await press(page, 'Decline a sale');
  await press(page, 'Lose a refund’s reply');
  await expect(page.getByRole('list', { name: 'Armed faults' }).getByRole('listitem')).toHaveText([
    'decline of CARD_PRESENT',
    'loseReply of REFUND_SALE',
  ]);
  expect(world.sandbox.control.faults()).toHaveLength(2);
  await press(page, 'Clear all');
  await expect(page.getByRole('list', { name: 'Armed faults' })).toHaveText('None');
});

for (const width of [1280, 390]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    if (!isInPart(`${width} ${colorScheme}`, 4)) continue;
    test(`the page fits ${width} pixels, ${colorScheme}`, async ({ page }) => {
      await wireClient(world).send(wireSale);
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.goto(world.sandbox.controlUrl);
      await expect(page.getByRole('row')).toHaveCount(2);
      await page.screenshot({ path: `test/test-results/bank/${width}-${colorScheme}.png`, fullPage: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  }
}
