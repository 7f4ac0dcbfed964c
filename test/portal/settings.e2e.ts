import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { expectGoodPage } from '../pages/payer.ts';
import { emailsTo } from '../support/portal.ts';
import { type Portal, signedIn, startPortal } from './portal.ts';

test.describe.configure({ mode: 'default' });

let portal: Portal;
test.beforeAll(async () => {
  portal = await startPortal();
});
test.afterAll(() => portal.end());

test('an owner defines a role, gives it with an invitation, and finds both in the audit log', async ({ browser }) => {
  const { page, context, faults } = await signedIn(browser, portal.owner, portal.page('/settings/roles?new=1'));
  await page.getByLabel('Name').fill('Bookkeeping');
  await page.getByLabel('View sales').check();
  await page.getByLabel('View payments').check();
  await expectGoodPage(page, 'portal-role');
  await page.getByRole('button', { name: 'Create role' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Bookkeeping' })).toContainText('2 permissions');

  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByLabel('E-mail address').fill('books@shop.example');
  await page.getByLabel('Role').selectOption('Bookkeeping');
  await expect(page.getByText('What they may do: View sales, View payments')).toBeVisible();
  await expectGoodPage(page, 'portal-invite');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'books@shop.example' })).toContainText('Sent');
  await expect.poll(() => emailsTo({ backend: portal.backend }, 'books@shop.example')).toHaveLength(1);

  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('Nothing was changed in the log')).toBeVisible();
  await page.getByLabel('Kind').selectOption('Team');
  await page.getByRole('row').filter({ hasText: 'books@shop.example' }).getByRole('link').click();
  await expect(page.getByText('Hash before')).toBeVisible();
  await expectGoodPage(page, 'portal-audit-entry');
  expect(faults()).toEqual([]);
  await context.close();
});

test('a manager sees neither the settings of the business nor what may be done with its owner', async ({ browser }) => {
  const { page, context } = await signedIn(browser, portal.manager, portal.page());
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Team', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Business' })).toHaveCount(0);
  const rowOf = ({ email }: { readonly email: string }) => page.getByRole('row').filter({ hasText: email });
  await expect(rowOf(portal.cashier).getByRole('button')).toHaveCount(1);
  await expect(rowOf(portal.owner).getByRole('button')).toHaveCount(0);
  await page.goto(portal.page('/settings/business'));
  await expect(page.getByText('It is for owners and administrators')).toBeVisible();
  await context.close();
});

test('an owner sets what staff find at the terminals, and wrong amounts are named before anything is sent', async ({
  browser,
}) => {
  const { page, context, faults } = await signedIn(browser, portal.owner, portal.page('/settings/business'));
  const card = page.locator('section, .card').filter({ has: page.getByRole('heading', { name: 'At terminals' }) });
  await page.getByLabel('Quick amounts').fill('3.50\ntwelve');
  await page.getByLabel('Confirm sales above').fill('500');
  await page.getByLabel('Play sounds').check();
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter at most six amounts, one in each line.')).toBeVisible();
  await page.getByLabel('Quick amounts').fill('3.50\n12');
  const tips = page.getByLabel('Tips offered on the reader');
  await tips.fill('10, 10');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('must name each percentage once')).toBeVisible();
  await tips.fill('10%, 15 %');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Quick amounts')).toHaveValue('3.50\n12.00');
  await expect(page.getByLabel('Confirm sales above')).toHaveValue('500.00');
  await expect(page.getByLabel('Play sounds')).toBeChecked();
  await expect(tips).toHaveValue('10, 15');
  await expectGoodPage(page, 'portal-counter');
  await page.getByLabel('Confirm sales above').fill('');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('removed the amount above which a sale is confirmed')).toBeVisible();
  expect(faults()).toEqual([]);
  await context.close();
});

test('the owner withdraws once, though the reply is lost', async ({ browser }) => {
  const { bolt11 } = portal.wallet.foreignInvoice({ amountSats: 4_300, outcome: 'succeeds' });
  const { page, context } = await signedIn(browser, portal.owner, portal.page('/settings/withdrawals?new=1'));
  await page.getByLabel('Lightning invoice').fill(bolt11);
  await expect(page.getByText('4,300 sats are sent to this invoice')).toBeVisible();
  await expectGoodPage(page, 'portal-withdrawal-1');
  const keys = new Set<string>();
  let areRepliesLost = true;
  await page.route('**/withdrawals', async route => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.add(route.request().headers()['idempotency-key'] ?? '');
    const response = await route.fetch();
    if (areRepliesLost) await route.abort('connectionreset');
    else await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Send 4,300 sats' }).click();
  await expect(page.getByText('Do not withdraw again')).toBeVisible();
  areRepliesLost = false;
  await page.reload();
  await expect(page.getByText('4,300 sats were sent')).toBeVisible();
  expect(keys.size).toBe(1);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await context.close();
});

test('an owner exports what the filters show, and finds the file again after a reload', async ({ browser }) => {
  await portal.aPayment(2_150);
  await portal.aPayment(760);
  const { page, context, faults } = await signedIn(browser, portal.owner, portal.page('/payments?status=settled'));
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('Every row that matches the filters')).toBeVisible();
  await page.getByRole('button', { name: 'Start the export' }).click();
  await expect(page.getByRole('link', { name: 'Download' })).toBeVisible();
  await expectGoodPage(page, 'portal-export');
  await page.reload();
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^time,invoice,paid_with,/);
  expect(lines.join()).toContain('21.50');
  expect(faults()).toEqual([]);
  await context.close();
});

test('what was done is said once and leaves; what was not done stays until it is dismissed', async ({ browser }) => {
  const { page, context } = await signedIn(browser, portal.owner, portal.page('/settings/methods'));
  const said = page.getByRole('status').locator('p');
  const switches = ['Cards', 'Apple Pay and Google Pay', 'Lightning', 'Bitcoin on-chain'].map(name =>
    page.getByRole('checkbox', { name }),
  );
  for (const isOn of [false, true]) {
    for (const each of switches) {
      await each.click();
      await expect(each).toBeChecked({ checked: isOn });
    }
    await expect(said).toHaveCount(3);
  }
  await expect(said.last()).toHaveText('Bitcoin on-chain: offered from now on');

  await page.route('**/business', route =>
    route.request().method() === 'PATCH' ? route.abort('connectionrefused') : route.continue(),
  );
  const [cards] = switches;
  for (let press = 0; press < 2; press += 1) await cards?.click();
  const problem = page.getByRole('status').locator('.toast-problem');
  await expect(problem).toHaveCount(1);
  await expect(said).toHaveCount(1, { timeout: 15_000 });
  await expect(problem).toBeVisible();
  await expectGoodPage(page, 'portal-toast-problem');
  await problem.getByRole('button', { name: 'Dismiss' }).click();
  await expect(said).toHaveCount(0);
  await context.close();
});

test('figures stand at the end of the cards of a phone, and nothing is cut off', async ({ browser }) => {
  await portal.aPayment(1_130);
  const large = { amountInCents: 12_345_670, refundedInCents: 10_000_000, status: 'partly_refunded' };
  for (const width of [390, 320]) {
    const phone = { viewport: { width, height: 800 }, hasTouch: true, locale: 'en-GB' };
    const { page, context } = await signedIn(browser, portal.owner, portal.page('/payments'), phone);
    // More than the test bank approves.
    await page.route('**/payments?*', async route => {
      const response = await route.fetch();
      const list = (await response.json()) as { items: object[] };
      await route.fulfill({
        response,
        json: { ...list, items: list.items.slice(0, 1).map(item => ({ ...item, ...large })) },
      });
    });
    await page.reload();
    const card = page.getByRole('listitem').filter({ hasText: '£123,456.70' });
    await expect(card).toContainText('£100,000.00 returned');
    const box = async (text: string) => (await card.getByText(text).boundingBox()) ?? { x: 0, width: 0 };
    const [whole, part, lead] = [await box('£123,456.70'), await box('£100,000.00 returned'), await box('Visa')];
    expect(Math.abs(whole.x + whole.width - (part.x + part.width))).toBeLessThan(1);
    expect(lead.x + lead.width).toBeLessThan(part.x);
    expect(part.x + part.width).toBeLessThan(width - 16);
    await expectGoodPage(page, `portal-phone-${width}-payments`);
    await context.close();
  }
});

test('a settlement says in words how its amount comes about', async ({ browser }) => {
  await portal.aPayment(1_010);
  const addressLines = ['1 High Street', 'London N1 1AA'];
  const owner = await portal.owner.signIn();
  const changed = await owner.request('PATCH', `/portal/api/${portal.businessId}/business`, { addressLines });
  expect(changed.status).toBe(200);
  const { page, context, faults } = await signedIn(browser, portal.cashier, portal.page('/settlements'));
  await page.getByRole('row').nth(1).getByRole('link').click();
  const sentence = await page.getByText(/ of sales, with nothing voided or refunded: /).innerText();
  const [sold = '', paidOut] = sentence.match(/£[\d.]+(?= )/g) ?? [];
  expect(paidOut).toBe(sold);
  await expect(page.getByRole('row').filter({ hasText: '£10.10' })).toHaveCount(1);
  await expectGoodPage(page, 'portal-settlement');
  await page.goto(portal.page('/settlements/statements'));
  await page.getByLabel('Statement of').selectOption('A month');
  await expect(page.getByRole('row').filter({ hasText: 'Total' })).toContainText(sold);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const letterhead = page.locator('.letterhead');
  for (const line of ['1 High Street', 'London N1 1AA']) await expect(letterhead.getByText(line)).toBeVisible();
  await expect(letterhead).toContainText(/Printed on.*\(Europe\/London\)/);
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await expectGoodPage(page, 'portal-statement-print');
  expect(faults()).toEqual([]);
  await context.close();
});

// The last: each account has settlements of its own.
test('an owner adds an account at the gateway, tests it, and uses it for new payments', async ({ browser }) => {
  await portal.aPayment(1_000);
  const account = portal.gateway.accounts[2];
  if (account === undefined) throw new Error('no gateway account');
  const { page, context, faults } = await signedIn(browser, portal.owner, portal.page('/settings/methods'));
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByLabel('Name').fill('Second till');
  await page.getByLabel('Merchant ID').fill(account.merchantID);
  await page.getByLabel('Signature key').fill(account.secret);
  await expect(page.getByLabel('Country')).toHaveValue('GB');
  await page.getByLabel('Country').fill('12');
  await page.getByRole('button', { name: 'Add and test' }).click();
  await expect(page.getByText('must be an ISO 3166 country, such as GB or 826')).toBeVisible();
  await page.getByLabel('Country').fill('GB');
  await page.getByLabel('User', { exact: true }).fill(account.portalUser);
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('required');
  await page.getByLabel('Password', { exact: true }).fill(account.portalPassword);
  await expectGoodPage(page, 'portal-account-new');
  await page.getByRole('button', { name: 'Add and test' }).click();
  const test = page.getByRole('dialog', { name: 'Connection of Second till' });
  await expect(test.getByText('The account can be used')).toBeVisible();
  await expectGoodPage(page, 'portal-account-test');
  await test.getByRole('button', { name: 'Use for new payments' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Use for new payments' }).click();
  const row = page.getByRole('row').filter({ hasText: account.merchantID });
  await expect(row).toContainText('Used for new payments');
  await portal.aPayment(1_100);
  expect(portal.gateway.control.transactions().at(-1)?.merchantID).toBe(account.merchantID);

  await row.getByRole('button').click();
  await row.getByRole('button', { name: 'Change' }).click();
  await expect(page.getByLabel('Merchant ID')).not.toBeEditable();
  await page.getByLabel('Name').fill('Till by the door');
  await page.getByLabel('New signature key').fill('not the key');
  await expectGoodPage(page, 'portal-account-change');
  await page.getByRole('button', { name: 'Save and test' }).click();
  const again = page.getByRole('dialog', { name: 'Connection of Till by the door' });
  await expect(again.getByText('The account cannot be used as it is')).toBeVisible();
  await again.getByRole('button', { name: 'Done' }).click();
  await row.getByRole('button').click();
  await row.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('New signature key').fill(account.secret);
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(again.getByText('The account can be used')).toBeVisible();
  await again.getByRole('button', { name: 'Done' }).click();

  const first = page.getByRole('row').filter({ hasText: '100001' });
  await first.getByRole('button').click();
  // The operator of the service set it up.
  await expect(first.getByRole('button', { name: 'Change' })).toHaveCount(0);
  await first.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByText('What it took can still be refunded and voided')).toBeVisible();
  await expectGoodPage(page, 'portal-account-disable');
  await page.getByRole('button', { name: 'Disable the account' }).click();
  await expect(first).toContainText('Disabled');
  // On a phone the menu of the last row opens upwards: below it is the bar.
  await page.setViewportSize({ width: 390, height: 844 });
  const card = page.getByRole('listitem').filter({ hasText: '100001' });
  await card.getByRole('button').click();
  await card.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByRole('dialog').getByText('Payments and refunds')).toBeVisible();
  expect(faults()).toEqual([]);
  await context.close();
});
