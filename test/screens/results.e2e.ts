import { expect, test } from '@playwright/test';
import { byHand } from '../support/typing.ts';
import { picture, pictures } from './pictures.ts';
import { openTerminalPage } from './terminal-page.ts';
import { tapKeys } from './touch.ts';

const terminal = openTerminalPage();
const { show } = terminal;

test('Enter leaves a result for a new sale, but not before it has been shown long enough to be read', async ({
  page,
}) => {
  await page.clock.install();
  await show(page, 'sale-result-reader_confirmed');
  await page.keyboard.press('Enter');
  await page.clock.fastForward(1000);
  expect(terminal.host.actions).toEqual([]);
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'show_keypad' }]);
});

test('digits typed right after New sale, before the keypad is there, are all of the amount', async ({ page }) => {
  await page.clock.install();
  await show(page, 'sale-result-reader_confirmed');
  await page.getByRole('button', { name: 'New sale' }).focus();
  // However long the answer takes, no time passes.
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.evaluate(() => {
    const button = document.activeElement as HTMLElement;
    button.click();
    for (const key of ['1', '2', '3', '4']) button.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  await show(page, 'keypad');
  await expect(page.getByRole('main')).toContainText('£12.34');
  await page.keyboard.type('0');
  await expect(page.getByRole('main')).toContainText('£123.40');
});

test('the main button of a result, and Enter, do what its text suggests', async ({ page }) => {
  const results = [...pictures()].filter(
    ([name]) => name.startsWith('sale-result') && !/-(code|email-(?!sent).+)$/.test(name),
  );
  const main = page.locator('.actions .button-primary');
  for (const [name, { screen }] of results) {
    await show(page, name);
    const asksAgain = screen.name === 'sale_result' && /\btry again\b/i.test(screen.notice.detail ?? '');
    const isRequested = screen.name === 'sale_result' && screen.requestedBy !== null;
    await expect(main, name).toHaveText(asksAgain ? /^Try again £24\.50/ : isRequested ? 'Done' : 'New sale');
  }
  expect(
    results.filter(([, { screen }]) => screen.name === 'sale_result' && screen.again === 'suggested').length,
  ).toBeGreaterThan(5);
  await page.clock.install();
  const sent: object[] = [];
  for (const [name, action] of [
    ['sale-result-bank_declined', { name: 'start_sale', amountMinor: 2227, tipMinor: 223, reference: 'Table 12' }],
    ['sale-result-no_card', { name: 'start_sale', amountMinor: 2450, tipMinor: 0 }],
    ['sale-result-requested', { name: 'show_keypad' }],
    ['sale-result-staff', { name: 'show_keypad' }],
  ] as const) {
    await show(page, 'starting');
    await show(page, name);
    await page.clock.fastForward(1000);
    await page.keyboard.press('Enter');
    sent.push(action);
    await expect.poll(() => terminal.host.actions, name).toEqual(sent);
  }
  // Offline the main button is disabled and shows why, and Enter does nothing.
  await show(page, 'starting');
  await show(page, 'sale-result-service_not_reached');
  await page.clock.fastForward(1000);
  await page.keyboard.press('Enter');
  await expect(main).toBeDisabled();
  expect(terminal.host.actions).toEqual(sent);
});

test('a sale can be tried again only if that cannot charge twice', async ({ page }) => {
  for (const name of ['sale-result-bank_declined', 'sale-result-no_card', 'sale-result-interrupted']) {
    await show(page, name);
    await expect(page.getByRole('button', { name: 'Try again £24.50' }), name).toBeEnabled();
  }
  for (const name of ['sale-result-reader_confirmed', 'sale-result-reader_gone', 'sale-result-disagree']) {
    await show(page, name);
    await expect(page.getByRole('button', { name: 'New sale' }), name).toBeEnabled();
    await expect(page.getByRole('button', { name: /Try again/ }), name).toHaveCount(0);
  }
});

test('a payment that the bank never received is not shown as the bank’s answer', async ({ page }) => {
  const facts = page.locator('.outcome .facts');
  await show(page, 'sale-result-bank_failed');
  await expect(facts).toContainText('ReasonThe bank never received this payment');
  await show(page, 'sale-result-bank_declined');
  await expect(facts).toContainText('Bank’s answerCARD DECLINED');
});

test('an amount stays on one line of the button that charges it again', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 480 });
  await show(page, 'sale-result-staff-large');
  const words = page.getByRole('button', { name: 'Try again £120.00' }).locator('.button-words');
  const lines = await words.evaluate(element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
  expect(lines).toBe(1);
});

test('every result asks the customer to take a card left in the reader, and says where to start again', async ({
  page,
}) => {
  for (const [language, take, again] of [
    ['', 'Please take your card', 'start again where you ordered, or ask a member of staff'],
    ['-de', 'Bitte Karte entnehmen', 'zurück zur Bestellung oder wenden Sie sich an das Personal'],
    ['-fr', 'Veuillez retirer votre carte', 'là où vous avez commandé ou adressez-vous au personnel'],
    ['-es', 'Retire su tarjeta, por favor', 'donde hizo su pedido o avise al personal'],
  ] as const) {
    await show(page, `kiosk-result-declined${language}-card-left`);
    await expect(page.getByRole('alert')).toHaveText(take);
    await expect(page.getByRole('main')).toContainText(again);
    await show(page, `kiosk-result-approved${language}-card-left`);
    await expect(page.getByRole('alert')).toHaveText(take);
    await show(page, `kiosk-result-approved${language}`);
    await expect(page.getByText(take)).toHaveCount(0);
  }
  await show(page, 'kiosk-idle-card-left');
  await expect(page.getByRole('main')).toContainText('Retire la tarjeta, por favor');
});

test('no screen before the bank’s answer looks like a finished sale', async ({ page }) => {
  const before = [...pictures().keys()].filter(name => /^sale-(?!result|detail|checking-reader-lost)/.test(name));
  expect(before.length).toBeGreaterThan(15);
  for (const name of before) {
    await show(page, name);
    await expect(page.getByRole('main'), name).not.toContainText(/\bdone\b|approved|✓/i);
    await expect(page.locator('.screen'), name).toHaveAttribute('data-tone', 'neutral');
  }
});

test('a partly typed amount returns after a sale that software started, but not after a sale of that amount', async ({
  page,
}) => {
  const amount = page.locator('.summary-amount');
  await page.keyboard.type('125', byHand);
  await show(page, 'sale-requested');
  await expect(amount).toContainText('£24.50');
  await show(page, 'sale-result-requested');
  await show(page, 'keypad');
  await expect(amount).toContainText('£1.25');
  await page.keyboard.type('0');
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'start_sale', amountMinor: 1250 }]);
  await show(page, 'sale-present_card');
  await show(page, 'keypad');
  await expect(amount).toContainText('£0.00');
});

test('the timer of the wait for the bank continues through every step of the wait', async ({ page }) => {
  await page.clock.install();
  const at = Date.now();
  const timer = page.getByRole('timer');
  const { view } = { view: picture('sale-authorising') };
  if (view.screen.name !== 'sale') throw new Error('no sale');
  const step = { ...view.screen, bankSince: at, since: at };
  terminal.host.show({ ...view, screen: step });
  await page.clock.fastForward(12_000);
  await expect(timer).toHaveText(/^0:1[2-9]$/);
  terminal.host.show({
    ...view,
    sequence: view.sequence + 100_000,
    screen: { ...step, stage: 'checking', since: at + 12_000 },
  });
  await expect(page.getByRole('heading', { name: 'Wait: don’t charge again' })).toBeVisible();
  await page.clock.fastForward(5_000);
  await expect(timer).toHaveText(/^0:(1[7-9]|2\d)$/);
});

test('a receipt is sent to an address typed by touch, or on the keyboard with Enter', async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 480, height: 800 } });
  const page = await context.newPage();
  await page.goto(terminal.host.address);
  await show(page, 'sale-result-reader_confirmed');
  await page.getByRole('button', { name: 'E-mail', exact: true }).tap();
  await show(page, 'sale-result-reader_confirmed-email-typing');
  await expect(page.getByRole('button', { name: 'Send receipt' })).toBeDisabled();
  await tapKeys(page, 'ada@shop.example');
  await page.getByRole('button', { name: 'Send receipt' }).tap();
  await show(page, 'sale-result-reader_confirmed-email-not-reached');
  await expect(page.getByLabel('Customer’s e-mail address')).toHaveValue('ada@shop.example');
  await page.keyboard.press('Enter');
  await show(page, 'sale-result-reader_confirmed-email-sent');
  await expect(page.getByRole('button', { name: 'Sent E-mail', exact: true })).toBeVisible();
  await expect
    .poll(() => terminal.host.actions)
    .toEqual([
      { name: 'show_receipt_email' },
      { name: 'email_receipt', address: 'ada@shop.example' },
      { name: 'email_receipt', address: 'ada@shop.example' },
    ]);
  await context.close();
});

test('the receipt of a past sale opens with one tap and is marked as a copy', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 480 });
  await show(page, 'sale-detail-void');
  await page.getByRole('button', { name: 'Receipt', exact: true }).click();
  const receipt = page.getByRole('region', { name: 'Copy of the receipt' });
  for (const fact of ['Harbour Street Coffee', '£24.50', 'Authorisation']) await expect(receipt).toContainText(fact);
  const last = receipt.locator('dd').last();
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(receipt).toHaveCount(0);
  await expect(page.getByText('Can be voided')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await show(page, 'sale-detail-refund');
  await page.getByRole('button', { name: 'Receipt', exact: true }).click();
  const label = await page.getByRole('button', { name: 'Refund', exact: true }).locator('.button-words').boundingBox();
  expect(label?.height, 'the label is on one line').toBeLessThan(40);
  await show(page, 'sale-detail-declined');
  await expect(page.getByRole('button', { name: 'Receipt', exact: true })).toHaveCount(0);
});
