import { expect, test } from '@playwright/test';
import { isInPart } from '../support/part.ts';
import { byHand } from '../support/typing.ts';
import { onlineHeader, viewOf } from './gallery/picture.ts';
import { gallery } from './gallery.ts';
import { picture } from './pictures.ts';
import { centreOf, openTerminalPage } from './terminal-page.ts';
import { tapKeys } from './touch.ts';

const terminal = openTerminalPage();
const { show } = terminal;

test('an amount typed on the keyboard is charged once, however often Enter is pressed', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Amount to charge' })).toBeFocused();
  await page.keyboard.type('12599', byHand);
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('main')).toContainText('£12.59');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Charge' })).toBeDisabled();
  await page.keyboard.type('1250', byHand);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'start_sale', amountMinor: 1250 }]);
  await show(page, 'sale-present_card');
  await expect(page.getByRole('heading', { name: 'Present card' })).toBeFocused();
  expect(terminal.host.actions).toHaveLength(1);
});

test('a double tap on Charge starts one sale, and its second tap presses nothing on the next screen', async ({
  page,
}) => {
  for (const key of ['5', '00']) await page.getByRole('button', { name: key, exact: true }).click();
  const charge = page.getByRole('button', { name: 'Charge £5.00' });
  const [x, y] = await centreOf(charge);
  await page.mouse.click(x, y);
  await expect.poll(() => terminal.host.actions).toHaveLength(1);
  // Cancel sale appears where Charge was. The time in which it takes no tap is an animation, and waits for a slow machine.
  const devTools = await page.context().newCDPSession(page);
  const animate = (playbackRate: number) => devTools.send('Animation.setPlaybackRate', { playbackRate });
  await animate(0);
  await show(page, 'sale-present_card');
  await page.mouse.click(x, y);
  expect(terminal.host.actions).toEqual([{ name: 'start_sale', amountMinor: 500 }]);
  await animate(1);
  await page.getByRole('button', { name: 'Cancel sale' }).click();
  await expect
    .poll(() => terminal.host.actions)
    .toEqual([{ name: 'start_sale', amountMinor: 500 }, { name: 'cancel_sale' }]);
});

test('a double tap on Clear does not press Kiosk mode, which takes its place', async ({ page }) => {
  await page.getByRole('button', { name: '5', exact: true }).click();
  const clear = page.getByRole('button', { name: 'Clear', exact: true });
  await clear.click({ trial: true });
  const [x, y] = await centreOf(clear);
  await page.mouse.dblclick(x, y);
  const mode = page.getByRole('button', { name: 'Kiosk mode' });
  await expect(mode).toBeVisible();
  expect(terminal.host.actions).toEqual([]);
  await mode.click();
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'change_mode' }]);
});

for (const { name, typed, shown, amountMinor } of [
  { name: 'keypad-yen', typed: '1250', shown: /¥1,250/, amountMinor: 1250 },
  { name: 'keypad-dinar', typed: '1250', shown: /1\.250/, amountMinor: 1250 },
]) {
  test(`${name}: the amount has the decimals of its currency`, async ({ page }) => {
    await show(page, name);
    await page.keyboard.type(typed, byHand);
    await expect(page.getByRole('main')).toContainText(shown);
    await page.keyboard.press('Enter');
    await expect.poll(() => terminal.host.actions).toEqual([{ name: 'start_sale', amountMinor }]);
  });
}

test('digits beyond the largest amount of a card message are ignored', async ({ page }) => {
  await page.keyboard.type('9999999999999', byHand);
  await expect(page.getByRole('main')).toContainText('£9,999,999,999.99');
  await expect(page.getByText('That is the largest amount a card can be charged.')).toBeVisible();
});

test('a typed amount survives a change of the header and a lost connection, and no key press is sent later', async ({
  page,
}) => {
  await page.keyboard.type('1250', byHand);
  terminal.host.show(
    viewOf({ name: 'keypad', notice: null }, { reader: { ...onlineHeader.reader, batteryPercent: 81 } }),
  );
  await expect(page.getByText('Battery 81%')).toBeAttached();
  terminal.host.disconnect({ refuse: true });
  await expect(page.getByRole('heading', { name: 'Connecting to this terminal…' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('9');
  terminal.host.acceptConnections();
  await expect(page.getByRole('button', { name: 'Charge £12.50' })).toBeVisible();
  expect(terminal.host.actions).toEqual([]);
});

test('after a longer loss of the connection to the terminal the page says what to do', async ({ page }) => {
  await page.clock.install();
  terminal.host.disconnect({ refuse: true });
  await page.clock.runFor(1_000);
  await expect(page.getByRole('heading', { name: 'Connecting to this terminal…' })).toBeVisible();
  const hint = page.getByText('This takes long. Ask a manager to start the terminal again.');
  await expect(hint).toBeHidden();
  await page.clock.runFor(16_000);
  await expect(hint).toBeVisible();
  await expect(page.getByRole('main')).toContainText(
    'whether the last payment or refund went through. Don’t repeat it until this screen is back.',
  );
});

test('a page whose token is no longer valid says what to do, and that a card may have been charged', async ({
  page,
}) => {
  await page.goto(terminal.host.address.replace(/#.*/, '#token=of-yesterday'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This screen is out of date' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Close it and open the terminal again.');
  await expect(page.getByRole('main')).toContainText('does not know whether the last payment or refund went through');
});

test('an invalid View, or one that cannot be drawn, shows an error, and the next valid View is drawn', async ({
  page,
}) => {
  terminal.host.show({ sequence: 1, header: onlineHeader, screen: { name: 'fortune_telling' } });
  await expect(page.getByRole('heading', { name: 'This screen cannot be shown' })).toBeVisible();
  await expect.poll(() => terminal.host.actions).toHaveLength(1);
  terminal.host.show(viewOf({ name: 'keypad', notice: null }, { locale: 'no such locale' }));
  await expect(page.getByRole('heading', { name: 'This screen cannot be shown' })).toBeVisible();
  await expect
    .poll(() => terminal.host.actions)
    .toEqual([
      { name: 'report_screen_fault', sequence: null, fault: expect.stringContaining('screen') },
      { name: 'report_screen_fault', sequence: expect.any(Number), fault: expect.stringContaining('locale') },
    ]);
  await show(page, 'keypad');
  await expect(page.getByRole('heading', { name: 'Amount to charge' })).toBeVisible();
});

test('a refused action shows a message, and can be tried again', async ({ page }) => {
  terminal.host.answerWith({ kind: 'not_now' });
  await page.keyboard.type('100');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That cannot be done just now.')).toBeVisible();
  terminal.host.answerWith({ kind: 'sale_starting', requestedBy: 'Web till' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('Web till is starting a sale.')).toBeVisible();
  terminal.host.answerWith({ kind: 'invalid', message: 'The amount is over what this terminal may take' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('The amount is over what this terminal may take')).toBeVisible();
  expect(terminal.host.actions).toHaveLength(3);
});

test('a slow answer shows a sign of progress', async ({ page }) => {
  terminal.host.answerWith(new Promise(() => {}));
  await page.keyboard.type('100');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Working…')).toBeAttached();
});

test('a refund can be made by keyboard alone, and the page keeps nothing of the password', async ({ page }) => {
  await show(page, 'refund-amount');
  await page.keyboard.type('9900', byHand);
  await expect(page.getByText('Refund exceeds original sale amount: only £24.50 can still be refunded.')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'All of it: £24.50' }).click();
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('button', { name: 'Refund £2.45' })).toBeVisible();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'enter_refund_amount', amountMinor: 245 });

  await show(page, 'staff-id');
  const staffId = page.getByLabel('Your staff ID');
  await expect(staffId).toBeFocused();
  await page.getByRole('button', { name: '7', exact: true }).click();
  await expect(staffId).toBeFocused();
  await page.keyboard.type('001');
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'enter_staff_number', staffNumber: '7001' });

  await show(page, 'staff-password');
  const password = page.getByLabel('Password for Amara Okafor');
  await expect(password).toBeFocused();
  await page.keyboard.type('correct horse', byHand);
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'enter_password', password: 'correct horse' });
  await expect(password).toHaveValue('');
  expect(await page.content()).not.toContain('correct horse');

  await show(page, 'staff-password-notice');
  await expect(page.getByText('Incorrect password', { exact: true })).toBeVisible();
  await expect(password).toBeFocused();
  await page.keyboard.type('oops', byHand);
  await page.keyboard.press('Escape');
  await expect(password).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect.poll(() => terminal.host.actions.at(-1)).toEqual({ name: 'back' });
});

test('a new password is sent only if both fields are equal and it is long enough', async ({ page }) => {
  await show(page, 'new-password');
  const first = page.getByLabel('New password', { exact: true });
  await expect(first).toBeFocused();
  // Characters are counted, not the units they are stored in.
  const rule = page.getByRole('listitem').filter({ hasText: '8 to 128 characters' });
  await first.fill('🐟🐟🐟🐟');
  await expect(rule).toHaveAttribute('data-met', 'false');
  await first.fill('');
  await page.keyboard.type('harbour light', byHand);
  await expect(rule).toHaveAttribute('data-met', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('New password again')).toBeFocused();
  await page.keyboard.type('harbour lights', byHand);
  await expect(page.getByRole('button', { name: 'Save and continue' })).toBeDisabled();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => terminal.host.actions)
    .toEqual([{ name: 'choose_password', password: 'harbour light', repeated: 'harbour light' }]);
  await expect(first).toHaveValue('');
});

test('an enrolment code can be tapped in', async ({ page }) => {
  await show(page, 'enrolment');
  for (const key of ['K', '7', '-', 'Q']) await page.getByRole('button', { name: key, exact: true }).click();
  await page.getByRole('button', { name: 'Delete last character' }).click();
  await page.getByRole('button', { name: 'Enrol terminal' }).click();
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'enrol', code: 'K7-' }]);
});

test('each button that changes the screen sends its own action', async ({ page }) => {
  const ways = [
    { from: 'keypad', press: 'Recent sales', action: { name: 'show_recent_sales' } },
    { from: 'recent-sales', press: 'Show earlier sales', action: { name: 'load_more_sales' } },
    { from: 'recent-sales', press: 'Back', action: { name: 'back' } },
    { from: 'recent-sales', press: /INV-002041/, action: { name: 'show_sale', saleId: 'sale_019a8f3e6b70' } },
    { from: 'sale-detail-void', press: 'Void sale', action: { name: 'return_money', saleId: 'sale_019a8f3e6b7c' } },
    { from: 'sale-detail-refund', press: 'Refund', action: { name: 'return_money', saleId: 'sale_019a8f3e6b7c' } },
    { from: 'confirm-void', press: 'Void £24.50', action: { name: 'confirm_return' } },
    { from: 'sale-result-reader_confirmed', press: 'New sale', action: { name: 'show_keypad' } },
    {
      from: 'sale-result-reader_confirmed',
      press: 'View sale',
      action: { name: 'show_sale', saleId: 'sale_019a8f3e6b7c' },
    },
    {
      from: 'sale-result-bank_declined',
      press: 'Try again £24.50',
      action: { name: 'start_sale', amountMinor: 2227, tipMinor: 223, reference: 'Table 12' },
    },
    { from: 'return-checking-leavable', press: 'Leave this screen', action: { name: 'back' } },
    { from: 'return-result-pending', press: 'New sale', action: { name: 'show_keypad' } },
    { from: 'locked-out', press: 'Back', action: { name: 'back' } },
  ];
  for (const way of ways) {
    await show(page, 'starting');
    await show(page, way.from);
    await page.getByRole('button', { name: way.press }).click();
    await expect.poll(() => terminal.host.actions.at(-1), way.from).toEqual(way.action);
  }
  expect(terminal.host.actions).toHaveLength(ways.length);
});

test('a lockout counts down and ends', async ({ page }) => {
  await page.clock.install();
  // Drawn again: the pictures of this worker may be minutes old.
  terminal.host.show(gallery(Date.now()).find(({ name }) => name === 'locked-out')?.view);
  await expect(page.getByRole('heading', { name: /^Locked out until \d\d:\d\d$/ })).toBeVisible();
  const left = page.getByRole('timer');
  await expect(left).toHaveText(/^[34]:\d\d$/);
  await page.clock.fastForward('06:00');
  await expect(page.getByRole('heading', { name: 'You can try again now.' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Go back and enter your staff ID.');
});

test('a lockout counts down by the service’s time, also on a machine whose clock is an hour ahead', async ({
  page,
}) => {
  const hourMs = 3_600_000;
  const view = gallery(Date.now()).find(({ name }) => name === 'locked-out')?.view;
  if (!view) throw new Error('no picture of a lockout');
  await page.clock.install({ time: Date.now() + hourMs });
  terminal.host.show({ ...view, header: { ...view.header, clockAheadMs: hourMs } });
  await expect(page.getByRole('timer')).toHaveText(/^[34]:\d\d$/);
  await expect(page.getByRole('heading', { name: /^Locked out until \d\d:\d\d$/ })).toBeVisible();
});

test('stages of a sale are read out as they change', async ({ page }) => {
  await show(page, 'sale-present_card');
  const announced = page.getByRole('status').filter({ hasText: 'Present card' });
  await expect(announced).toBeAttached();
  await show(page, 'sale-enter_pin');
  await expect(page.getByRole('status').filter({ hasText: 'Enter PIN' })).toBeAttached();
  // While a payment is checked, the text that is read out is the visible text.
  for (const name of ['sale-checking', 'sale-checking-reader-lost']) {
    await show(page, name);
    const detail = (await page.locator('.stage-detail').textContent()) ?? '';
    await expect(page.locator('p.visually-hidden[role=status]'), name).toHaveText(
      `Wait: don’t charge again. ${detail}`,
    );
  }
  await show(page, 'sale-checking');
  await expect(page.getByRole('main')).toContainText('It can take about ten minutes');
});

test('the screen says when the bank takes long', async ({ page }) => {
  await page.clock.install();
  terminal.host.show(gallery(Date.now()).find(({ name }) => name === 'sale-authorising')?.view);
  await expect(page.getByRole('heading', { name: 'Asking the bank' })).toBeVisible();
  await page.clock.fastForward(6000);
  await expect(page.getByText('Still waiting for the bank…')).toBeVisible();
  await page.clock.fastForward(20_000);
  await expect(page.getByText('Don’t charge again: the bank has not answered yet.')).toBeVisible();
});

const everyCharacter = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

const keyboards = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
].filter((_, index, { length }) => isInPart(index, length));
for (const viewport of keyboards) {
  test(`by touch alone every password can be typed at ${viewport.width}×${viewport.height}, and only the action carries it`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport, hasTouch: true });
    const page = await context.newPage();
    const sent: string[] = [];
    page.on('websocket', socket => socket.on('framesent', frame => sent.push(String(frame.payload))));
    await page.goto(terminal.host.address);
    await show(page, 'staff-password');
    const requests: string[] = [];
    page.on('request', request => requests.push(request.url()));
    await page.getByRole('textbox').waitFor();
    await tapKeys(page, everyCharacter);
    await page.getByRole('button', { name: 'Refund', exact: true }).tap();
    await expect.poll(() => terminal.host.actions).toEqual([{ name: 'enter_password', password: everyCharacter }]);
    await expect(page.getByRole('textbox')).toHaveValue('');
    expect(sent.filter(frame => frame.includes('enter_password'))).toHaveLength(1);
    expect(sent).toHaveLength(2);
    expect(requests).toEqual([]);
    await context.close();
  });
}

test('by touch alone a new password is chosen, and Next leads to the second field', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 480, height: 800 }, hasTouch: true });
  const page = await context.newPage();
  await page.goto(terminal.host.address);
  await show(page, 'new-password');
  await tapKeys(page, 'Harbour-9');
  await page.getByRole('button', { name: 'Next' }).tap();
  await expect(page.getByLabel('New password again')).toBeFocused();
  await tapKeys(page, 'Harbour-9');
  await page.getByRole('button', { name: 'Save and continue' }).tap();
  await expect
    .poll(() => terminal.host.actions)
    .toEqual([{ name: 'choose_password', password: 'Harbour-9', repeated: 'Harbour-9' }]);
  await context.close();
});

test('the on-screen keys type at the caret, work together with a physical keyboard, and delete while held', async ({
  page,
}) => {
  await show(page, 'staff-password');
  const password = page.getByRole('textbox');
  const key = (name: string) => page.getByRole('button', { name, exact: true });
  await page.keyboard.type('ac');
  await page.keyboard.press('ArrowLeft');
  await key('b').click();
  await expect(password).toBeFocused();
  await expect(password).toHaveValue('abc');
  await page.getByRole('button', { name: 'Show password' }).click();
  await page.keyboard.press('End');
  await key('Shift').click();
  await key('Shift').click();
  await expect(key('Caps lock')).toHaveAttribute('aria-pressed', 'true');
  for (const letter of ['D', 'E']) await key(letter).click();
  await expect(password).toHaveValue('abcDE');
  await key('Delete last character').click();
  await expect(password).toHaveValue('abcD');
  await key('Delete last character').hover();
  await page.mouse.down();
  await expect(password).toHaveValue('');
  await page.mouse.up();
  await page.keyboard.type('x');
  await expect(password).toHaveValue('x');
  // Tab skips the keys and moves to Back.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Back' })).toBeFocused();
});

test('offline, Charge is disabled and shows why, and Enter does nothing', async ({ page }) => {
  await show(page, 'keypad-offline');
  await page.keyboard.type('1250', byHand);
  const charge = page.getByRole('button', { name: /^Charge/ });
  await expect(charge).toBeDisabled();
  await expect(charge).toHaveText('Charge £12.50Offline: cards can’t be taken.');
  await page.keyboard.press('Enter');
  await show(page, 'sale-result-service_not_reached');
  await expect(page.getByRole('button', { name: /^Try again/ })).toBeDisabled();
  // The amount can be typed and charged again once the terminal is online.
  await show(page, 'keypad');
  await page.keyboard.type('1250', byHand);
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'start_sale', amountMinor: 1250 }]);
});

test('offline, neither a void nor a refund can be started, and their buttons show why', async ({ page }) => {
  for (const name of ['sale-detail-void', 'sale-detail-refund']) {
    const view = picture(name);
    terminal.host.show({ ...view, header: { ...view.header, service: 'offline' } });
    const begin = page.getByRole('button', { name: /Offline: nothing can be given back/ });
    await expect(begin).toBeDisabled();
    terminal.host.show(view);
    await expect(begin).toBeHidden();
    await expect(page.getByRole('button', { name: /^(Void sale|Refund)$/ })).toBeEnabled();
  }
});

test('the smallest screen still shows the refundable amount, how long a code is valid and why a password is replaced', async ({
  page,
}) => {
  await page.setViewportSize({ width: 800, height: 480 });
  await show(page, 'refund-amount-rest');
  await expect(page.getByRole('button', { name: 'The rest: £14.50' })).toBeVisible();
  await expect(page.getByText('£14.50 can still be refunded')).toBeVisible();
  await show(page, 'bitcoin-waiting');
  await expect(page.getByRole('timer')).toHaveText(/^Code valid for \d:\d\d$/);
  await show(page, 'new-password');
  await expect(page.getByRole('heading', { name: 'Replace your temporary password' })).toBeVisible();
});

test('a message about an amount disappears when the amount changes', async ({ page }) => {
  await show(page, 'refund-amount-notice');
  const refused = page.locator('.notice');
  await expect(refused).toContainText('Refund exceeds original sale amount');
  await page.keyboard.type('9900', byHand);
  await expect(refused).toBeHidden();
  await expect(page.getByRole('alert')).toHaveText(
    'Refund exceeds original sale amount: only £24.50 can still be refunded.',
  );
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.getByText('£24.50 can still be refunded', { exact: true })).toBeVisible();
  expect(terminal.host.actions).toEqual([]);
});

test('screens ask only for what is possible: no card while offline, not an amount already paid, no connection before enrolment', async ({
  page,
}) => {
  for (const [language, title] of [
    ['en', 'Card payments are not available'],
    ['de', 'Kartenzahlung nicht möglich'],
  ] as const) {
    await show(page, `kiosk-sale-present_card-offline-${language}`);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  await show(page, 'bitcoin-seen_part');
  await expect(page.getByText('Only 19,000 sats of 49,000 sats were sent: 30,000 sats are missing.')).toBeVisible();
  await expect(page.locator('.summary-amount')).toHaveText('30,000 sats');
  await show(page, 'enrolment-busy');
  await expect(page.getByText('Not enrolled')).toBeVisible();
  await expect(page.getByText('Connecting…')).toHaveCount(0);
  await show(page, 'recent-sales');
  await expect(page.getByRole('main')).not.toContainText(/visa ••••/);
  await expect(page.getByRole('listitem').filter({ hasText: '£9.99' })).toContainText('automatically');
});

test('the font is served by the terminal, and its licence is shipped with it', async ({ page }) => {
  const elsewhere: string[] = [];
  page.on('request', request => {
    if (!request.url().startsWith(new URL(terminal.host.address).origin)) elsewhere.push(request.url());
  });
  await page.reload();
  await page.locator('[data-screen=keypad]').waitFor();
  const loaded = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family }) => family.replaceAll('"', ''));
  });
  expect(loaded).toContain('Inter Variable');
  expect(elsewhere).toEqual([]);
  const licence = await page.request.get(new URL('licences/inter-font.txt', terminal.host.address).href);
  expect(await licence.text()).toContain('SIL Open Font License');
  const scripts = await page.request.get(new URL('licences/scripts.md', terminal.host.address).href);
  expect(await scripts.text()).toContain('react-aria-components');
});
