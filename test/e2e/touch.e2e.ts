import { expect as expectOnce, type Page, test } from '@playwright/test';
import { tapKeys } from '../screens/touch.ts';
import { type Florin, startFlorin } from './florin.ts';

/** A terminal with only a small touch screen, from the enrolment code to a void with a chosen password. */
test.use({ trace: 'off' });

const expect = expectOnce.configure({ timeout: 30_000 });

let florin: Florin;
test.beforeAll(async () => {
  florin = await startFlorin();
});
test.afterAll(async () => {
  await florin?.stop();
});

test('the terminal can be enrolled, take a sale and void it with a chosen password by touch alone at 800×480', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 800, height: 480 }, hasTouch: true });
  const terminal = await context.newPage();
  const reader = await (await browser.newContext()).newPage();
  await terminal.goto(florin.terminalUrl);
  await reader.goto(florin.readerUrl);
  const tap = (name: string | RegExp) =>
    terminal.getByRole('button', { name, exact: typeof name === 'string' }).tap({ timeout: 30_000 });
  const heading = (name: string | RegExp) => expect(terminal.getByRole('heading', { name })).toBeVisible();
  const look = (page: Page, name: string) => page.screenshot({ path: `test/test-results/touch/${name}.png` });

  await heading('Enrol this terminal');
  await tapKeys(terminal, florin.enrolmentCode);
  await look(terminal, 'enrolment');
  await tap('Enrol terminal');

  await heading('Amount to charge');
  for (const key of ['1', '2', '5', '0']) await tap(key);
  await expect(terminal.getByRole('banner')).toContainText('Reader ready');
  await tap('Charge £12.50');
  await heading('Present card');
  await reader.getByRole('radio', { name: /^Visa credit,/ }).check({ force: true });
  await reader.getByRole('button', { name: 'Insert' }).click();
  await heading('Approved');
  await look(terminal, 'approved');

  await tap('View sale');
  await tap('Void sale');
  await heading('Your staff ID');
  for (const key of ['1', '0', '1']) await tap(key);
  await look(terminal, 'staff-id');
  await tap('Continue');
  const { name, temporaryPassword } = florin.staff['101'] ?? { name: '', temporaryPassword: '' };
  await heading(`Password for ${name}`);
  await tapKeys(terminal, temporaryPassword);
  await look(terminal, 'password');
  await tap('Void sale');
  await heading('Replace your temporary password');
  await tapKeys(terminal, 'Harbour_9!');
  await tap('Next');
  await tapKeys(terminal, 'Harbour_9!');
  await look(terminal, 'new-password');
  await tap('Save and continue');
  await heading('Voided');
  await look(terminal, 'voided');
  expect((await florin.ledger()).at(-1)).toMatchObject({ takenMinor: 0, state: 'canceled' });
  await context.close();
});
