import { expect, test } from '@playwright/test';
import { viewOf } from './gallery/picture.ts';
import { openTerminalPage } from './terminal-page.ts';

const terminal = openTerminalPage();
const keypad = { name: 'keypad', notice: null } as const;

test('staff choose a language with two taps, and nothing typed meanwhile reaches the keypad', async ({ page }) => {
  await page.getByRole('button', { name: /^Language: / }).click();
  const choice = page.getByRole('dialog', { name: 'Language' });
  await expect(choice).toBeVisible();
  await page.keyboard.type('55');
  await choice.getByRole('button', { name: 'Deutsch' }).click();
  await expect(choice).toBeHidden();
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'choose_language', language: 'de' }]);
  await expect(page.locator('output')).toHaveText('£0.00');
  await page.keyboard.press('Enter');
  await expect(choice).toBeHidden();
  terminal.host.show(viewOf(keypad, { language: 'de', locale: 'de-DE' }));
  await expect(page.getByRole('heading', { name: 'Zu zahlender Betrag' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('button', { name: /^Sprache: / })).toContainText('DE');
});

test('a language is chosen before the terminal is enrolled, and the code is typed at once', async ({ page }) => {
  const enrolment = { name: 'enrolment', notice: null, busy: false } as const;
  terminal.host.show(viewOf(enrolment));
  await page.getByRole('button', { name: /^Language: / }).click();
  await page.getByRole('button', { name: 'Français' }).click();
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'choose_language', language: 'fr' }]);
  terminal.host.show(viewOf(enrolment, { language: 'fr', locale: 'fr-FR' }));
  await expect(page.getByLabel('Code d’enregistrement')).toBeFocused();
  // The next action is not held back: the screen has changed by its language alone.
  await page.keyboard.type('ABCD');
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions.at(-1), { timeout: 1_000 }).toEqual({ name: 'enrol', code: 'ABCD' });
});

test('the choice of languages works by keyboard alone, and Escape leaves it', async ({ page }) => {
  const button = page.getByRole('button', { name: /^Language: / });
  await button.focus();
  await page.keyboard.press('Enter');
  const choice = page.getByRole('dialog', { name: 'Language' });
  await expect(choice).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(choice).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await choice.getByRole('button', { name: 'Español' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => terminal.host.actions).toEqual([{ name: 'choose_language', language: 'es' }]);
});

test('each language is fetched once, and a View that comes first stays until its words are there', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', request => {
    if (/assets\/(de|fr|es)-/.test(request.url())) fetched.push(request.url());
  });
  for (const language of ['fr', 'en', 'fr'] as const) {
    terminal.host.show(viewOf(keypad, { language, locale: language === 'fr' ? 'fr-FR' : 'en-GB' }));
    const title = language === 'fr' ? 'Montant à encaisser' : 'Amount to charge';
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  expect(fetched).toHaveLength(2);
});
