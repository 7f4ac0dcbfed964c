import { expect, type Page, test } from '@playwright/test';
import { byHand } from '../support/typing.ts';
import { aReturn, viewOf } from './gallery/picture.ts';
import { layoutFaults } from './layout-faults.ts';
import { picture } from './pictures.ts';
import { openTerminalPage } from './terminal-page.ts';
import { tapKeys } from './touch.ts';

const terminal = openTerminalPage();
const { show } = terminal;

const code = 'https://pay.example/r/3kTnV0aQ8wLx1yB5cD7eF9';

/** What a scanner does: it types a character every 5 ms, however busy this machine is, and ends with Enter. */
async function scan(page: Page, scanned: string, { withEnter = true } = {}) {
  const devtools = await page.context().newCDPSession(page);
  const startedAt = Date.now() / 1000;
  const keys = Array.from(scanned).map(key => ({ key, text: key }));
  if (withEnter) keys.push({ key: 'Enter', text: '\r' });
  // Sent without waiting for each other.
  await Promise.all(
    keys.flatMap((key, index) =>
      (['keyDown', 'keyUp'] as const).map(type =>
        devtools.send('Input.dispatchKeyEvent', {
          type,
          key: key.key,
          ...(type === 'keyDown' ? { text: key.text } : {}),
          timestamp: startedAt + index * 0.005,
        }),
      ),
    ),
  );
  await devtools.detach();
}

test('a scanned code is sent, and none of its digits is taken as an amount', async ({ page }) => {
  await page.keyboard.type('125', byHand);
  await expect(page.getByRole('main')).toContainText('£1.25');
  await scan(page, code);
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'scan_code', code }]);
  await expect(page.getByRole('main')).toContainText('£1.25');
});

test('the barcode of an article is no amount either, with or without Enter', async ({ page }) => {
  terminal.host.answerWith({ kind: 'not_now' });
  await scan(page, '4006381333931');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'scan_code', code: '4006381333931' }]);
  await expect(page.getByText('That cannot be done just now.')).toBeVisible();
  await scan(page, '96385074000', { withEnter: false });
  await expect.poll(() => terminal.host.actions).toHaveLength(2);
  // Until it is answered, another one is not sent.
  await expect(page.getByText('That cannot be done just now.')).toBeVisible();
  await scan(page, '1042');
  await expect.poll(() => terminal.host.actions).toHaveLength(3);
  await expect(page.getByRole('button', { name: 'Charge' })).toBeDisabled();
  await page.keyboard.type('1250', byHand);
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'start_sale', amountMinor: 1250 });
});

for (const { name, label } of [
  { name: 'staff-id', label: 'Your staff ID' },
  { name: 'staff-password', label: 'Password for Amara Okafor' },
  { name: 'new-password', label: 'New password' },
]) {
  test(`${name}: a scanned code stays out of the field, and what is typed goes in`, async ({ page }) => {
    await show(page, name);
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toBeFocused();
    terminal.host.answerWith({ kind: 'not_now' });
    await page.keyboard.type('10', byHand);
    await scan(page, '104210421042');
    await expect.poll(() => terminal.host.actions).toEqual([{ name: 'scan_code', code: '104210421042' }]);
    await expect(field).toHaveValue('10');
    await page.keyboard.press('Home');
    await page.keyboard.type('4', byHand);
    await expect(field).toHaveValue('410');
  });
}

test('the code that enrols a terminal may be scanned', async ({ page }) => {
  await show(page, 'enrolment');
  await scan(page, 'ABCD-EFGH');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'enrol', code: 'ABCD-EFGH' }]);
});

test('in kiosk mode a customer’s scanner does nothing', async ({ page }) => {
  await show(page, 'kiosk-idle');
  await scan(page, code);
  await page.keyboard.press('Escape');
  expect(terminal.host.actions).toEqual([]);
});

test('a sale is found by touch alone', async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 480, height: 800 } });
  const page = await context.newPage();
  await page.goto(terminal.host.address);
  await show(page, 'recent-sales');
  await page.getByRole('button', { name: 'Find a sale' }).tap();
  await show(page, 'find-sale');
  await expect(page.getByRole('button', { name: 'Search' })).toBeDisabled();
  await tapKeys(page, 'Table 12.5');
  await page.getByRole('button', { name: 'Delete last character' }).tap();
  await expect(page.getByLabel('Find a sale')).toHaveValue('Table 12.');
  await page.getByRole('button', { name: 'Search', exact: true }).tap();
  await show(page, 'recent-sales-found');
  await page.getByRole('button', { name: /Mastercard/ }).tap();
  await show(page, 'recent-sales-unknown-receipt');
  await expect(page.getByRole('main')).toContainText('No sale with this receipt');
  await page.getByRole('button', { name: 'Search again' }).tap();
  await expect
    .poll(() => terminal.host.actions.map(({ name }) => name))
    .toEqual(['show_find_sale', 'search_sales', 'show_sale', 'show_find_sale']);
  expect(terminal.host.actions[1]).toEqual({ name: 'search_sales', text: 'Table 12.' });
  await context.close();
});

test('a sale is found by keyboard alone', async ({ page }) => {
  await show(page, 'recent-sales');
  for (let tabs = 0; tabs < 40; tabs += 1) {
    if (await page.getByRole('button', { name: 'Find a sale' }).evaluate(it => it === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'show_find_sale' }]);
  await show(page, 'find-sale');
  await expect(page.getByLabel('Find a sale')).toBeFocused();
  await page.keyboard.type('14:35', byHand);
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'search_sales', text: '14:35' });
  await show(page, 'recent-sales-none');
  await expect(page.getByRole('main')).toContainText('Searched for: amount £5.00 / £0.05 · card ending');
  await page.keyboard.press('Escape');
  await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'back' });
});

test('the detail of a sale says what can be done, and lists every refund with its amount, who and when', async ({
  page,
}) => {
  await show(page, 'sale-detail-void');
  await expect(page.getByRole('main')).toContainText('Can be voided');
  await show(page, 'sale-detail-part-refunded');
  await expect(page.getByRole('main')).toContainText('Can be refunded (£12.50 left)');
  await page.getByRole('button', { name: 'All 5 voids and refunds: £12.00' }).click();
  const rows = page.locator('.rows > li');
  await expect(rows).toHaveCount(6);
  await page.setViewportSize({ width: 800, height: 480 });
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows.last().locator('.row-amount')).toBeInViewport({ ratio: 1 });
  await expect(rows.nth(3)).toContainText(/Refunded.*by another system, .*£4\.00/);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  const shown = picture('sale-detail-void').screen;
  if (shown.name !== 'sale_detail') throw new Error('not a sale');
  const returns = [aReturn(Date.now(), { kind: 'CANCEL', amountInCents: 24_50 })];
  const sale = { ...shown.sale, saleId: 'sale_voided00', status: 'cancelled', action: 'none', returns } as const;
  terminal.host.show(viewOf({ ...shown, sale: { ...sale, returns: [...returns] }, receipt: [] }));
  await expect(page.getByRole('main')).toContainText('Voided in full: nothing can be refunded.');
  await expect(page.getByRole('main')).toContainText(/£24\.50 by Amara Okafor, /);
});

test('each void and refund of a sale leads to its own receipt, besides that of the sale', async ({ page }) => {
  for (const size of [
    { width: 800, height: 480 },
    { width: 480, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await show(page, 'sale-detail-voided');
    await page.getByRole('button', { name: 'Receipts', exact: true }).click();
    expect(await layoutFaults(page)).toEqual([]);
    await page.getByRole('button', { name: /Sale.*£24\.50/ }).click();
    await expect(page.getByRole('region', { name: 'Copy of the receipt' })).toContainText('Voided');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Voided.*by Bartholomew Featherstonehaugh.*£24\.50/ }).click();
    const url = 'https://pay.example/r/9zRkW2mTnV0aQ8wLx1yB5c';
    await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'show_return_receipt', url });
    await show(page, 'return-receipt-void');
    const receipt = page.getByRole('region', { name: 'Copy of the receipt' });
    for (const fact of ['Void of invoice', 'INV-002041', 'Authorised by']) await expect(receipt).toContainText(fact);
    // Never printed: it is no copy.
    await show(page, 'return-receipt-refund-print-possible');
    await expect(page.getByRole('region', { name: 'Receipt', exact: true })).toContainText('Authorised by');
    // Nothing was sent to the printer: the reason stands above the lines, and it is still to be printed.
    await show(page, 'return-receipt-refund-print-not-sent');
    await expect(page.getByRole('alert')).toContainText('Could not reach the server!');
    await expect(page.getByRole('region', { name: 'Receipt', exact: true })).toContainText('Authorised by');
    await expect(page.locator('.receipt-tools').getByRole('button')).toHaveText(['Receipt', 'Print', 'E-mail']);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'back' });
    const { screen: sale } = picture('sale-detail-voided');
    if (sale.name !== 'sale_detail') throw new Error('not a sale');
    terminal.host.show(viewOf({ ...sale, opensReceipts: true }));
    await expect(page.locator('.rows > li')).toHaveCount(2);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(page.getByText('Voided in full: nothing can be refunded.')).toBeVisible();
    const sent = terminal.host.actions.length;
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect.poll(() => terminal.host.actions.slice(sent)).toEqual([{ name: 'back' }]);
  }
});

test('a sale that asked for no money is opened from the list, and offers nothing but a new sale', async ({ page }) => {
  await show(page, 'recent-sales-uncharged');
  await page.getByRole('button', { name: /Not charged.*Cancelled.*£24\.50/ }).click();
  const saleId = 'sale_019a8f3e6b7u';
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'show_sale', saleId }]);
  await show(page, 'uncharged-sale-customer');
  await expect(page.getByRole('main')).toContainText('The card was not charged');
  await expect(page.getByRole('main').getByRole('button')).toHaveText(['Back', 'New sale']);
  await page.getByRole('button', { name: 'New sale' }).click();
  await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'show_keypad' });
});

test('the totals of another day and of the business are one press away, and tomorrow has none', async ({ page }) => {
  await show(page, 'day-report');
  await expect(page.getByRole('heading', { name: 'Day totals' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Day after' })).toBeDisabled();
  await page.getByRole('button', { name: 'Day before' }).click();
  await expect.poll(() => terminal.host.actions.at(-1)).toMatchObject({ name: 'show_day_report', scope: 'terminal' });
  const { screen } = picture('day-report');
  if (screen.name !== 'day_report') throw new Error('not a report');
  const yesterday = new Date(Date.parse(screen.date) - 86_400_000).toISOString().slice(0, 10);
  expect(terminal.host.actions).toEqual([{ name: 'show_day_report', date: yesterday, scope: 'terminal' }]);
  await show(page, 'day-report-nothing');
  await expect(page.getByRole('button', { name: 'Printed Print again' })).toBeVisible();
  await page.getByRole('button', { name: 'Whole business' }).click();
  await expect
    .poll(() => terminal.host.actions.at(-1))
    .toEqual({ name: 'show_day_report', date: screen.date, scope: 'business' });
});
