import { expect, test } from '@playwright/test';
import { desktop, expectGoodPage, opened, type Payers, phone, startPayers } from './payer.ts';

let payers: Payers;
test.beforeAll(async () => {
  payers = await startPayers();
});
test.afterAll(() => payers.end());

const takenOf = (invoiceMinor: number) =>
  payers.gateway.control.ledger().filter(sale => sale.takenMinor === invoiceMinor).length;

for (const [device, options] of [
  ['phone', phone],
  ['desktop', desktop],
] as const)
  test(`on a ${device} the sheet of a wallet asks before it pays, by keyboard too, and cancelling sends nothing`, async ({
    browser,
  }) => {
    const amountInCents = device === 'phone' ? 1_257 : 1_258;
    const link = await payers.aLink({ amountInCents });
    const { page, context, requests, errors } = await opened(browser, options, link.url);
    const fields = page.frameLocator('iframe[title="Card details"]');
    const wallet = fields.getByRole('button', { name: 'Apple Pay', exact: true });
    const sheet = fields.getByRole('dialog', { name: 'Apple Pay' });
    const sent = () => requests.filter(({ url }) => /\/(tokens|payments)$/.test(new URL(url).pathname)).length;
    for (const end of [
      () => sheet.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await wallet.focus();
      await page.keyboard.press('Enter');
      await expect(sheet).toBeVisible();
      await expect(sheet.getByRole('heading')).toBeFocused();
      await expect(page.locator('#pay-card')).toBeDisabled();
      await expect(page.locator('#pay-card')).toHaveText('Confirm in the wallet…');
      await end();
      await expect(sheet).toBeHidden();
      await expect(wallet).toBeFocused();
      await expect(page.getByRole('button', { name: /^Pay £/ })).toBeEnabled();
    }
    expect(sent()).toBe(0);
    await wallet.click();
    await expect(sheet).toContainText('Corner Shop');
    await expect(sheet).toContainText(`£12.5${amountInCents % 10}`);
    await expectGoodPage(page, `${device}-wallet-sheet`);
    const arrives = Promise.withResolvers<void>();
    await page.route('**/payments', async route => {
      await arrives.promise;
      await route.continue();
    });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.locator('#pay-card')).toHaveText('Paying…');
    arrives.resolve();
    await expect(page.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
    expect(takenOf(amountInCents)).toBe(1);
    expect(errors).toEqual([]);
    await context.close();
  });
