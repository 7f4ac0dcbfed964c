import { expect, test } from '@playwright/test';
import { accessibilityFaults } from '../support/accessibility.ts';
import { byHand } from '../support/typing.ts';
import { onlineHeader, viewOf, wholeCounter } from './gallery/picture.ts';
import { brokenWords, layoutFaults } from './layout-faults.ts';
import { picture } from './pictures.ts';
import { sizes } from './sizes.ts';
import { openTerminalPage } from './terminal-page.ts';
import { tapKeys } from './touch.ts';

const terminal = openTerminalPage();
const { show } = terminal;

test('quick amounts add up with what was typed, and a large amount is charged only once it was confirmed', async ({
  page,
}) => {
  await show(page, 'keypad-counter');
  await page.getByRole('button', { name: 'Add £3.50' }).click();
  await page.getByRole('button', { name: 'Add £3.50' }).click();
  await page.keyboard.type('0');
  await page.getByRole('button', { name: 'Add £120.00' }).click();
  await expect(page.getByRole('main')).toContainText('£190.00');
  await page.keyboard.type('0');
  // Enter once to charge, and at once again: the second one was not meant for the question.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Is this amount right?' })).toBeFocused();
  await expect(page.getByRole('main')).toContainText('£1,900.00');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('main')).toContainText('£19.00');
  await page.keyboard.type('00', byHand);
  expect(terminal.host.actions).toEqual([]);
  await page.getByRole('button', { name: 'Bitcoin' }).click();
  const question = page.getByRole('heading', { name: 'Is this amount right?' });
  await expect(question).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Charge £1,900.00' }).click();
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'start_bitcoin_sale', amountMinor: 1900_00 }]);
});

test('what staff note of a sale goes with it, also when it is tried again, and with no other', async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 480, height: 800 } });
  const page = await context.newPage();
  await page.goto(terminal.host.address);
  await show(page, 'keypad-counter');
  await page.getByRole('button', { name: 'Note', exact: true }).tap();
  for (const size of [
    { width: 800, height: 480 },
    { width: 390, height: 844 },
    { width: 480, height: 800 },
  ]) {
    await page.setViewportSize(size);
    expect([...(await layoutFaults(page)), ...(await brokenWords(page))]).toEqual([]);
  }
  await tapKeys(page, 'Anna 2');
  await page.getByRole('button', { name: 'Done' }).tap();
  await expect(page.getByRole('main')).toContainText('Anna 2');
  // The business wants no notes any more: this one stays, and can be taken back.
  await show(page, 'keypad');
  await expect(page.getByRole('main')).toContainText('Anna 2');
  await expect(page.getByRole('button', { name: 'Note', exact: true })).toBeVisible();
  for (const key of ['4', '8', '0']) await page.getByRole('button', { name: key, exact: true }).tap();
  await page.getByRole('button', { name: 'Charge £4.80' }).tap();
  await show(page, 'sale-present_card');
  await show(page, 'keypad-counter');
  await expect(page.getByRole('main')).not.toContainText('Anna 2');
  await show(page, 'sale-result-bank_declined');
  await page.getByRole('button', { name: /^Try again/ }).tap();
  const again = { name: 'start_sale', amountMinor: 2227, tipMinor: 223, reference: 'Table 12' };
  await expect
    .poll(() => terminal.host.actions)
    .toEqual([{ name: 'start_sale', amountMinor: 480, reference: 'Anna 2' }, again]);
  await context.close();
});

test('neither the longest note nor the first digit moves a key or hides one, at any size', async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true });
  const page = await context.newPage();
  await page.goto(terminal.host.address);
  await show(page, 'keypad-counter');
  const keys = page.getByRole('button', { name: /^(\d|00|Delete|Add .*)$/ });
  const places = () => keys.evaluateAll(all => all.map(key => Object.values(key.getBoundingClientRect().toJSON())));
  const note = async (text: string) => {
    await page.getByRole('button', { name: 'Note', exact: true }).tap();
    await page.getByRole('textbox').fill(text);
    await page.getByRole('button', { name: 'Done' }).tap();
  };
  for (const size of sizes) {
    await page.setViewportSize(size);
    const before = await places();
    // Ten digits, the double zero, Delete, and as many quick amounts as the size has room for.
    expect(before.length).toBeGreaterThanOrEqual(14);
    await page.getByRole('button', { name: '5', exact: true }).tap();
    await expect(page.getByRole('button', { name: 'Clear' })).toBeVisible();
    expect(await places(), `${JSON.stringify(size)} with an amount`).toEqual(before);
    expect(await layoutFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear' }).tap();
    await note('Table by the window, Mrs Wetherington-As');
    await expect(page.getByText('Wetherington')).toBeVisible();
    expect(await places(), JSON.stringify(size)).toEqual(before);
    expect(await layoutFaults(page)).toEqual([]);
    await note('');
    await expect(page.getByText('Wetherington')).toHaveCount(0);
  }
  await context.close();
});

test('the largest amount without a question is charged at once', async ({ page }) => {
  await show(page, 'keypad-counter');
  await page.keyboard.type('50000', byHand);
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'start_sale', amountMinor: 500_00 }]);
});

test('the result of a sale sounds where the business wants it, and a card that stays in the reader too', async ({
  page,
}) => {
  const tones = () => page.evaluate(() => (window as unknown as { tones: number[] }).tones);
  await page.evaluate(() => {
    const heard: number[] = [];
    Object.assign(window, { tones: heard });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (this: OscillatorNode, when?: number) {
      heard.push(this.frequency.value);
      return start.call(this, when);
    };
  });
  await show(page, 'sale-result-reader_confirmed');
  await show(page, 'keypad');
  expect(await tones()).toEqual([]);
  const { screen } = picture('sale-result-reader_confirmed');
  terminal.host.show(viewOf({ name: 'keypad', notice: null }, { counter: wholeCounter }));
  terminal.host.show(viewOf(screen, { counter: wholeCounter }));
  await expect.poll(tones).toEqual([660, 990]);
  const reader = { ...onlineHeader.reader, isCardLeft: true };
  terminal.host.show(viewOf(screen, { counter: wholeCounter, reader }));
  await expect.poll(tones).toContain(1400);
});
