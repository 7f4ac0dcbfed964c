import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { byHand } from '../support/typing.ts';
import { onlineHeader, viewOf, wholeCounter } from './gallery/picture.ts';
import { picture } from './pictures.ts';
import { openTerminalPage } from './terminal-page.ts';

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
  expect(await new AxeBuilder({ page }).setLegacyMode().analyze()).toMatchObject({ violations: [] });
  await page.getByRole('button', { name: 'Charge £1,900.00' }).click();
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'start_bitcoin_sale', amountMinor: 1900_00 }]);
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
