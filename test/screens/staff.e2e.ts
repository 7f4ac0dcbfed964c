import { expect, test } from '@playwright/test';
import { byHand } from '../support/typing.ts';
import { openTerminalPage } from './terminal-page.ts';

const terminal = openTerminalPage();
const { show } = terminal;

test('a staff ID typed to leave kiosk mode does not stay in the form of a refund', async ({ page }) => {
  const field = page.getByLabel('Your staff ID');
  await show(page, 'kiosk-leave-staff-id');
  await field.fill('101');
  await show(page, 'kiosk-refund-staff-id');
  await expect(field).toHaveValue('');
});

test('a notice about a new password disappears when another one is typed', async ({ page }) => {
  await show(page, 'new-password-notice');
  const notice = page.locator('.notice');
  await expect(notice).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('something else');
  await expect(notice).toHaveCount(0);
  await expect(page.getByText('The same both times')).toBeVisible();
});

test('a refused staff ID is cleared from its field, and its notice disappears with the next digit', async ({
  page,
}) => {
  await show(page, 'staff-id');
  await page.keyboard.type('999', byHand);
  await show(page, 'staff-id-busy');
  await show(page, 'staff-id-notice');
  const field = page.getByLabel('Your staff ID');
  await expect(field).toHaveValue('');
  const notice = page.locator('.notice');
  await expect(notice).toContainText('Incorrect staff ID');
  await page.keyboard.type('1');
  await expect(notice).toBeHidden();
  await show(page, 'staff-id-busy');
  await show(page, 'staff-id-notice-long');
  await expect(field).toHaveValue('');
  await expect(notice).toContainText('This staff member may not refund or void');
});

test('the sale and its card stay in view beside a warning, and in a lockout, whose exit says where it leads', async ({
  page,
}) => {
  const main = page.getByRole('main');
  for (const size of [
    { width: 480, height: 800 },
    { width: 390, height: 844 },
    { width: 800, height: 480 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    for (const name of ['approver-staff-id', 'approver-staff-id-notice', 'staff-id-notice-long', 'locked-out']) {
      await show(page, name);
      for (const fact of [/INV-002041/, /••••\s4242/])
        await expect(main.getByText(fact).filter({ visible: true }).first(), name).toBeVisible();
    }
  }
  await expect(main).toContainText('£10.00');
  await expect(main).toContainText('a manager unlocks Amara Okafor in the portal, under Staff');
  await page.getByRole('button', { name: 'Back to staff ID', exact: true }).click();
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'back' }]);
});
