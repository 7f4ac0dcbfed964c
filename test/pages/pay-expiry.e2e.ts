import { expect, test } from '@playwright/test';
import { opened, type Payers, phone, startPayers } from './payer.ts';

let payers: Payers;
test.beforeAll(async () => {
  payers = await startPayers();
});
test.afterAll(() => payers.end());

test('a page that is left open shows when its link expires', async ({ browser }) => {
  const link = await payers.aLink({ expiresAt: new Date(payers.now() + 8_000).toISOString() });
  const { page, context } = await opened(browser, phone, link.url);
  await expect(page.getByRole('button', { name: /^Pay £/ })).toBeEnabled();
  await expect(page.getByRole('heading', { name: 'This payment link has expired' })).toBeVisible({ timeout: 12_000 });
  await expect(page.getByRole('button')).toHaveCount(0);
  await context.close();
});
