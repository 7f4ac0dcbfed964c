import { expect, type Page, test } from '@playwright/test';
import { calmHeader, gallery, viewOf } from './gallery.ts';
import { type ScriptedHost, scriptedHost } from './host.ts';

// A recording of every step costs more than the steps.
test.use({ trace: 'off' });

const pictures = new Map(gallery(Date.now()).map(({ name, view }) => [name, view]));
function picture(name: string) {
  const found = pictures.get(name);
  if (found === undefined) throw new Error(`no picture called ${name}`);
  return found;
}

let host: ScriptedHost;
async function show(page: Page, name: string) {
  const view = picture(name);
  host.show(view);
  await page.locator(`[data-sequence='${view.sequence}'] main`).waitFor();
}

test.beforeEach(async ({ page }) => {
  host = await scriptedHost(picture('keypad'));
  await page.goto(host.address);
  await page.locator('[data-screen=keypad]').waitFor();
});
test.afterEach(() => host.close());

test('an amount typed on the keyboard is charged once, however often Enter is struck', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Amount to charge' })).toBeFocused();
  await page.keyboard.type('12599');
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('main')).toContainText('£12.59');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Charge' })).toBeDisabled();
  await page.keyboard.type('1250');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(() => host.intents).toEqual([{ name: 'start_sale', amountMinor: 1250 }]);
  await show(page, 'sale-present_card');
  await expect(page.getByRole('heading', { name: 'Present card' })).toBeFocused();
  expect(host.intents).toHaveLength(1);
});

test('a double tap on Charge asks once, and its second tap presses nothing on the screen that follows', async ({
  page,
}) => {
  for (const key of ['5', '00']) await page.getByRole('button', { name: key, exact: true }).click();
  const charge = page.getByRole('button', { name: 'Charge £5.00' });
  const place = await charge.boundingBox();
  if (place === null) throw new Error('Charge is not on the screen');
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  await page.mouse.click(x, y);
  await expect.poll(() => host.intents).toHaveLength(1);
  // Cancel sale appears where Charge was.
  await show(page, 'sale-present_card');
  await page.mouse.click(x, y);
  expect(host.intents).toEqual([{ name: 'start_sale', amountMinor: 500 }]);
  await page.getByRole('button', { name: 'Cancel sale' }).click();
  await expect.poll(() => host.intents).toEqual([{ name: 'start_sale', amountMinor: 500 }, { name: 'cancel_sale' }]);
});

for (const { name, typed, shown, amountMinor } of [
  { name: 'keypad-yen', typed: '1250', shown: /[¥￥]1,250/, amountMinor: 1250 },
  { name: 'keypad-dinar', typed: '1250', shown: /1\.250/, amountMinor: 1250 },
]) {
  test(`${name}: the amount has the decimals of its currency`, async ({ page }) => {
    await show(page, name);
    await page.keyboard.type(typed);
    await expect(page.getByRole('main')).toContainText(shown);
    await page.keyboard.press('Enter');
    await expect.poll(() => host.intents).toEqual([{ name: 'start_sale', amountMinor }]);
  });
}

test('more digits than a card message carries are not taken', async ({ page }) => {
  await page.keyboard.type('9999999999999');
  await expect(page.getByRole('main')).toContainText('£9,999,999,999.99');
  await expect(page.getByText('That is the largest amount a card can be charged.')).toBeVisible();
});

test('what was typed survives a change of the header and a lost connection, and nothing is sent late', async ({
  page,
}) => {
  await page.keyboard.type('1250');
  host.show(viewOf({ name: 'keypad', notice: null }, { reader: { ...calmHeader.reader, batteryPercent: 81 } }));
  await expect(page.getByText('Battery 81%')).toBeAttached();
  host.cut({ refuse: true });
  await expect(page.getByRole('heading', { name: 'Connecting to this terminal…' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('9');
  host.welcome();
  await expect(page.getByRole('button', { name: 'Charge £12.50' })).toBeVisible();
  expect(host.intents).toEqual([]);
});

test('a page of an earlier launch says that it must be opened again', async ({ page }) => {
  await page.goto(host.address.replace(/#.*/, '#token=of-yesterday'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Open this screen again' })).toBeVisible();
});

test('a View that cannot be read, or not be drawn, shows as such and the next good one is drawn', async ({ page }) => {
  host.show({ sequence: 1, header: calmHeader, screen: { name: 'fortune_telling' } });
  await expect(page.getByRole('heading', { name: 'This screen cannot be shown' })).toBeVisible();
  host.show(viewOf({ name: 'keypad', notice: null }, { locale: 'no such locale' }));
  await expect(page.getByRole('heading', { name: 'This screen cannot be shown' })).toBeVisible();
  await show(page, 'keypad');
  await expect(page.getByRole('heading', { name: 'Amount to charge' })).toBeVisible();
});

test('an intent that is not taken is said gently, and can be tried again', async ({ page }) => {
  host.answerWith({ kind: 'not_now' });
  await page.keyboard.type('100');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That cannot be done just now.')).toBeVisible();
  host.answerWith({ kind: 'invalid', message: 'The amount is over what this terminal may take' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('The amount is over what this terminal may take')).toBeVisible();
  expect(host.intents).toHaveLength(2);
});

test('a slow answer shows that something is under way', async ({ page }) => {
  host.answerWith(new Promise(() => {}));
  await page.keyboard.type('100');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Working…')).toBeAttached();
});

test('a refund by keyboard alone: amount, staff ID, password, and nothing of the password stays', async ({ page }) => {
  await show(page, 'refund-amount');
  await page.keyboard.type('9900');
  await expect(page.getByText('At most £24.50 can be refunded.')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'All of it: £24.50' }).click();
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('button', { name: 'Refund £2.45' })).toBeVisible();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => host.intents.at(-1)).toEqual({ name: 'enter_refund_amount', amountMinor: 245 });

  await show(page, 'staff-id');
  const staffId = page.getByLabel('Type your own staff ID.');
  await expect(staffId).toBeFocused();
  await page.getByRole('button', { name: '7', exact: true }).click();
  await expect(staffId).toBeFocused();
  await page.keyboard.type('001');
  await page.keyboard.press('Enter');
  await expect.poll(() => host.intents.at(-1)).toEqual({ name: 'enter_staff_number', staffNumber: '7001' });

  await show(page, 'staff-password');
  const password = page.getByLabel('Refund password');
  await expect(password).toBeFocused();
  await page.keyboard.type('correct horse');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.keyboard.press('Enter');
  await expect.poll(() => host.intents.at(-1)).toEqual({ name: 'enter_password', password: 'correct horse' });
  await expect(password).toHaveValue('');
  expect(await page.content()).not.toContain('correct horse');

  await show(page, 'staff-password-notice');
  await expect(page.getByText('Incorrect password', { exact: true })).toBeVisible();
  await expect(password).toBeFocused();
  await page.keyboard.type('oops');
  await page.keyboard.press('Escape');
  await expect(password).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect.poll(() => host.intents.at(-1)).toEqual({ name: 'back' });
});

test('a new password is sent only when both fields hold the same and it is long enough', async ({ page }) => {
  await show(page, 'new-password');
  const first = page.getByLabel('New password', { exact: true });
  await expect(first).toBeFocused();
  await page.keyboard.type('harbour light');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('New password again')).toBeFocused();
  await page.keyboard.type('harbour lights');
  await expect(page.getByRole('button', { name: 'Save and continue' })).toBeDisabled();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => host.intents)
    .toEqual([{ name: 'choose_password', password: 'harbour light', repeated: 'harbour light' }]);
  await expect(first).toHaveValue('');
});

test('an enrolment code can be tapped in', async ({ page }) => {
  await show(page, 'enrolment');
  for (const key of ['K', '7', '-', 'Q']) await page.getByRole('button', { name: key, exact: true }).click();
  await page.getByRole('button', { name: 'Delete last digit' }).click();
  await page.getByRole('button', { name: 'Enrol terminal' }).click();
  await expect.poll(() => host.intents).toEqual([{ name: 'enrol', code: 'K7-' }]);
});

test('each way on and back sends its own intent', async ({ page }) => {
  const ways = [
    { from: 'keypad', press: 'Recent sales', intent: { name: 'show_recent_sales' } },
    { from: 'recent-sales', press: 'Show earlier sales', intent: { name: 'load_more_sales' } },
    { from: 'recent-sales', press: 'Back', intent: { name: 'back' } },
    { from: 'recent-sales', press: /INV-2041/, intent: { name: 'show_sale', saleId: 'sale_019a8f3e6b70' } },
    { from: 'sale-detail-void', press: 'Void sale', intent: { name: 'return_money', saleId: 'sale_019a8f3e6b7c' } },
    { from: 'sale-detail-refund', press: 'Refund', intent: { name: 'return_money', saleId: 'sale_019a8f3e6b7c' } },
    { from: 'confirm-void', press: 'Void £24.50', intent: { name: 'confirm_return' } },
    { from: 'sale-result-approved', press: 'New sale', intent: { name: 'show_keypad' } },
    { from: 'sale-result-approved', press: 'View sale', intent: { name: 'show_sale', saleId: 'sale_019a8f3e6b7c' } },
    { from: 'return-result-pending', press: 'New sale', intent: { name: 'show_keypad' } },
    { from: 'locked-out', press: 'Back', intent: { name: 'back' } },
  ];
  for (const way of ways) {
    await show(page, 'starting');
    await show(page, way.from);
    await page.getByRole('button', { name: way.press }).click();
    await expect.poll(() => host.intents.at(-1), way.from).toEqual(way.intent);
  }
  expect(host.intents).toHaveLength(ways.length);
});

test('a lockout counts down and ends', async ({ page }) => {
  await page.clock.install();
  await show(page, 'locked-out');
  await expect(page.getByText(/Locked out until \d\d:\d\d/)).toBeVisible();
  const left = page.getByRole('timer');
  await expect(left).toHaveText(/^[34]:\d\d$/);
  await page.clock.fastForward('06:00');
  await expect(page.getByText('You can try again now.')).toBeVisible();
});

test('stages of a sale are read out as they change', async ({ page }) => {
  await show(page, 'sale-present_card');
  const aloud = page.getByRole('status').filter({ hasText: 'Present card' });
  await expect(aloud).toBeAttached();
  await show(page, 'sale-enter_pin');
  await expect(page.getByRole('status').filter({ hasText: 'Enter PIN' })).toBeAttached();
});

test('a bank that takes long is said to', async ({ page }) => {
  await page.clock.install();
  host.show(gallery(Date.now()).find(({ name }) => name === 'sale-authorising')?.view);
  await expect(page.getByRole('heading', { name: 'Asking the bank' })).toBeVisible();
  await page.clock.fastForward(6000);
  await expect(page.getByText('Still waiting for the bank…')).toBeVisible();
  await page.clock.fastForward(20_000);
  await expect(page.getByText('The bank is taking longer than usual.')).toBeVisible();
});
