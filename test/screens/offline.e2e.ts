import { expect, test } from '@playwright/test';
import { byHand } from '../support/typing.ts';
import { picture } from './pictures.ts';
import { openTerminalPage } from './terminal-page.ts';

const terminal = openTerminalPage();
const { show } = terminal;

test('offline, a card is not asked for, bitcoin cannot be chosen, and both come back with the connection', async ({
  page,
}) => {
  const view = picture('sale-present_card-offline');
  terminal.host.show(view);
  await expect(page.getByRole('heading', { name: 'Waiting for the connection' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Don’t present a card yet.');
  await expect(page.getByRole('main')).not.toContainText('Tap, insert or swipe');
  const bitcoin = page.getByRole('button', { name: /^Pay with bitcoin/ });
  await expect(bitcoin).toBeDisabled();
  await expect(bitcoin).toHaveText('Pay with bitcoinOffline');
  await expect(page.getByRole('button', { name: 'Cancel sale' })).toBeEnabled();
  terminal.host.show({ ...view, header: { ...view.header, service: 'online' } });
  await expect(page.getByRole('heading', { name: 'Present card' })).toBeVisible();
  await expect(bitcoin).toBeEnabled();
});

test('offline, a sale in bitcoin says what waits for the connection, and only of a code that was shown that it may be paid', async ({
  page,
}) => {
  const main = page.getByRole('main');
  await show(page, 'bitcoin-no-code-yet');
  await expect(main).toContainText('No code was shown yet.');
  await expect(main).not.toContainText('shown again');
  await show(page, 'bitcoin-leaving-offline');
  await expect(main).toContainText('This goes on by itself once it is back. No code was shown');
  await show(page, 'bitcoin-cancelling-offline');
  await expect(main).toContainText('until then it may still be paid');
  await expect(main).not.toContainText('One moment');
});

test('while the bank is asked and the service is gone, the page does not wait for the bank', async ({ page }) => {
  await show(page, 'sale-authorising-late');
  await expect(page.getByText('Don’t charge again: the bank has not answered yet.')).toBeVisible();
  await show(page, 'sale-authorising-offline');
  await expect(page.getByRole('heading', { name: 'Wait: don’t charge again' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('finds out whether the card was charged as soon as it is back');
  await expect(page.getByRole('main')).not.toContainText('for the bank');
});

test('offline, a void or refund that waits says that nobody knows yet, and does not wait for the bank', async ({
  page,
}) => {
  const main = page.getByRole('main');
  const view = picture('return-checking-leavable');
  terminal.host.show(view);
  await expect(main).toContainText('No answer came.');
  await expect(main).toContainText('The bank is taking longer than usual.');
  terminal.host.show({ ...view, header: { ...view.header, service: 'offline' } });
  await expect(page.getByRole('heading', { name: 'Wait: don’t refund again' })).toBeVisible();
  await expect(main).toContainText('There is no connection, so it is not known yet whether the money was returned.');
  await expect(main).not.toContainText('bank');
  await expect(main).not.toContainText('No answer came.');
  await expect(main.getByRole('timer')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^Wait: .*There is no connection/ })).toBeAttached();
  await show(page, 'return-sending-offline');
  await expect(page.getByRole('heading', { name: 'Wait: don’t refund again' })).toBeVisible();
  await expect(main).not.toContainText('Please wait.');
  await show(page, 'return-sending');
  await expect(page.getByRole('heading', { name: 'Refunding the card' })).toBeVisible();
});

test('offline, the list of sales and a sale say it once, and a customers’ terminal offers no list', async ({
  page,
}) => {
  await show(page, 'recent-sales-notice');
  await expect(page.locator('.banner')).toHaveCount(1);
  await expect(page.locator('.notice')).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText('These are the sales this terminal saw last');
  const view = picture('sale-detail-refund');
  terminal.host.show({ ...view, header: { ...view.header, service: 'offline' } });
  await expect(page.getByRole('button', { name: /Offline: nothing can be given back/ })).toBeDisabled();
  await expect(page.getByRole('main')).not.toContainText('Can be refunded');
  await show(page, 'sale-detail-refund');
  await expect(page.getByRole('main')).toContainText('Can be refunded (£24.50 left)');
  const leaving = picture('kiosk-leave-offline');
  terminal.host.show({ ...leaving, header: { ...leaving.header, service: 'offline' } });
  await expect(page.locator('.banner')).toHaveText(/cards can’t be taken/);
  await expect(page.locator('.banner')).not.toContainText('Recent sales');
});

test('a typed amount stays while staff look up sales, and is gone after a sale', async ({ page }) => {
  await page.keyboard.type('1250', byHand);
  for (const name of ['recent-sales', 'sale-detail-void', 'find-sale', 'recent-sales']) await show(page, name);
  await show(page, 'keypad');
  await expect(page.getByRole('button', { name: 'Charge £12.50' })).toBeVisible();
  await show(page, 'sale-present_card');
  await show(page, 'sale-result-reader_confirmed');
  await show(page, 'recent-sales');
  await show(page, 'keypad');
  await expect(page.getByRole('button', { name: 'Charge', exact: true })).toBeDisabled();
});
