import type { Browser } from '@playwright/test';
import type { Counter } from './counter.ts';

export const password = 'Harbour_9!';

/** From an unpacked terminal to the first sale, its void, and the sale in the portal. */
export async function firstMinutes(counter: Counter, browser: Browser): Promise<void> {
  const { florin } = counter;
  await counter.task('enrol the terminal', async () => {
    await counter.heading('Enrol this terminal');
    await counter.picture('first-1-enrolment');
    await counter.type(florin.enrolmentCode.replaceAll('-', ''));
    await counter.tap('Enrol terminal');
    await counter.heading('Amount to charge');
    await counter.terminal.getByText('Reader ready').waitFor();
  });
  await counter.task('first sale', async () => {
    await counter.type('1250');
    await counter.picture('first-2-amount');
    await counter.tap('Charge £12.50');
    await counter.heading('Present card');
    await counter.picture('first-3-present-card');
    await counter.picture('first-4-reader', counter.reader);
    await counter.present('Visa credit');
    await counter.heading('Approved');
  });
  await counter.removeCard();
  await counter.picture('first-5-approved');
  await counter.task('void it, with a temporary password that is replaced', async () => {
    await counter.tap('View sale');
    await counter.picture('first-6-sale');
    await counter.tap('Void sale');
    await staffId(counter, '101');
    await counter.heading(/^Password for /);
    await counter.picture('first-7-password');
    await counter.type(florin.staff['101']?.temporaryPassword ?? '');
    await counter.tap('Void sale');
    await counter.heading('Replace your temporary password');
    await counter.picture('first-8-new-password');
    await counter.type(password);
    await counter.tap('Next');
    await counter.type(password);
    await counter.tap('Save and continue');
    await counter.heading('Voided');
  });
  await counter.picture('first-9-voided');
  await counter.tap('New sale');
  await portal(counter, browser);
}

/** Types a staff ID, and goes on to the password. */
export async function staffId(counter: Counter, number: string): Promise<void> {
  await counter.heading('Your staff ID');
  await counter.type(number);
  await counter.tap('Continue');
}

async function portal(counter: Counter, browser: Browser): Promise<void> {
  const { printed } = counter.florin;
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })).newPage();
  await page.goto(printed(/Portal +(\S+)/));
  await page.getByLabel('E-mail address').fill(printed(/owner +(\S+@\S+)/));
  await page.getByLabel('Password', { exact: true }).fill(printed(/owner +\S+@\S+ +(\S+)/));
  await counter.picture('first-10-sign-in', page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Today, net').waitFor();
  await counter.picture('first-11-portal', page);
  await page.getByRole('link', { name: 'Payments', exact: true }).first().click();
  await page.getByRole('table').getByRole('link').first().click();
  await page.locator('.timeline li').first().waitFor();
  await page.getByText('it does not appear on your statement').waitFor();
  await counter.picture('first-12-payment', page);
  await page.context().close();
}
