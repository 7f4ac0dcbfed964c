import { customerView } from '@florin/device/ipc/customer-view.ts';
import type { View } from '@florin/device/ipc/view.ts';
import { customerLanguages } from '@florin/shared/languages.ts';
import { expect, type Page, test } from '@playwright/test';
import { type ScriptedHost, scriptedHost } from './host.ts';
import { brokenWords, layoutFaults } from './layout-faults.ts';
import { picture } from './pictures.ts';

test.use({ trace: 'off' });

let host: ScriptedHost;
test.beforeEach(async ({ page }) => {
  host = await scriptedHost(customerView(picture('keypad')));
  await page.goto(`${host.address}&display=customer`);
  await page.locator('[data-screen=kiosk_idle]').waitFor();
});
test.afterEach(() => host.close());

/** Shows on the customer's display what belongs to a picture of the counter. */
async function show(page: Page, name: string, header: Partial<View['header']> = {}) {
  const view = customerView(picture(name));
  host.show({ ...view, header: { ...view.header, ...header } });
  await page.locator(`[data-sequence='${view.sequence}'] main`).waitFor();
}

/** Nothing may be cut off or broken, in any language, at the sizes of a customer's display. */
async function fits(page: Page, name: string, { code = false } = {}) {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 800, height: 480 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const language of customerLanguages) {
      await show(page, name, { language });
      await expect(page.locator(`html[lang=${language}]`)).toBeAttached();
      const faults = [...(await layoutFaults(page)), ...(await brokenWords(page))];
      const where = `${name} in ${language}, ${size.width}×${size.height}`;
      expect.soft(faults, where).toEqual([]);
      if (!code) continue;
      // A camera reads it from an arm's length.
      const box = await page.locator('svg.qr-code').boundingBox();
      expect.soft(Math.min(box?.width ?? 0, box?.height ?? 0), where).toBeGreaterThan(180);
    }
  }
}

test('the customer is told that the reader asks for a tip, and that the amount has one', async ({ page }) => {
  const main = page.getByRole('main');
  await show(page, 'tip');
  await expect(page.getByRole('heading', { name: 'Choose a tip' })).toBeVisible();
  await expect(main).toContainText('£24.50');
  await expect(main).toContainText('On the card reader.');
  await expect(page.getByRole('button')).toHaveCount(0);
  await show(page, 'sale-with-tip');
  await expect(page.getByRole('heading', { name: 'Present your card' })).toBeVisible();
  await expect(main).toContainText('Including a tip of £2.23');
  await show(page, 'sale-present_card');
  await expect(main).not.toContainText('tip');
  for (const name of ['tip', 'sale-with-tip']) await fits(page, name);
});

test('a customer at a counter is not sent back to where they ordered', async ({ page }) => {
  const main = page.getByRole('main');
  await show(page, 'sale-result-bank_declined');
  await expect(page.getByRole('heading', { name: 'Card declined' })).toBeVisible();
  await expect(main).toContainText('You have not been charged. Staff can try again, or take another card.');
  await show(page, 'sale-result-service_not_reached');
  await expect(page.getByRole('heading', { name: 'Payment not possible' })).toBeVisible();
  await expect(main).toContainText('You have not been charged. Staff can try again.');
  for (const name of ['sale-result-bank_declined', 'sale-result-service_not_reached']) {
    await fits(page, name);
    for (const language of customerLanguages) {
      await show(page, name, { language });
      await expect(main, language).not.toContainText(/where you ordered|Bestellung|commandé|pedido|Empiece/);
    }
  }
});

test('the thanks has the code of the receipt by itself, whoever started the sale and whatever staff do with the receipt', async ({
  page,
}) => {
  for (const name of [
    'sale-result-reader_confirmed',
    'sale-result-reader_confirmed-code',
    'kiosk-result-approved',
    'kiosk-result-approved-card-left',
  ]) {
    await show(page, name);
    await expect(page.getByRole('heading', { name: 'Payment approved' })).toBeVisible();
    await fits(page, name, { code: true });
  }
  await show(page, 'sale-result-bank_declined');
  await expect(page.locator('svg.qr-code')).toHaveCount(0);
});
