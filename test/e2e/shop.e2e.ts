import { expect as expectOnce, type Page, test } from '@playwright/test';
import { byHand } from '../support/typing.ts';
import { type Florin, startFlorin } from './florin.ts';
import { look as lookAt } from './look.ts';

/**
 * A shop's first day, through the terminal's screen and the reader's buttons, compared with the records of the backend
 * and the bank.
 */
test.describe.configure({ mode: 'serial' });
test.use({ trace: 'off' });

/** Real programs may be slow on a busy machine; these tests do not measure speed. */
const expect = expectOnce.configure({ timeout: 30_000 });

let florin: Florin;
let terminal: Page;
let reader: Page;
let bankBefore = 0;

test.beforeAll(async ({ browser }) => {
  florin = await startFlorin();
  bankBefore = (await florin.ledger()).length;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  terminal = await context.newPage();
  reader = await context.newPage();
  await terminal.goto(florin.terminalUrl);
  await reader.goto(florin.readerUrl);
});
test.afterAll(async () => {
  await florin?.stop();
});

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

const look = (page: Page, name: string) => lookAt(page, 'pictures', name);

/** Waits for a screen; it has the focus once it handles keys. */
async function listening(screen: string): Promise<void> {
  await expect(terminal.locator(`[data-screen=${screen}] :focus`)).toBeAttached();
}

async function startSale(amount: string): Promise<void> {
  await listening('keypad');
  await terminal.keyboard.type(amount, byHand);
  await terminal.keyboard.press('Enter');
  await expect(heading(terminal, 'Present card')).toBeVisible();
}

/** Clicks the card, as a person does, because the wallet's radio buttons are small. */
async function chooseCard(card: string): Promise<void> {
  await reader.getByRole('radio', { name: new RegExp(`^${card},`) }).check({ force: true });
}

async function insert(card: string, pin?: string): Promise<void> {
  await chooseCard(card);
  await button(reader, 'Insert').click();
  if (pin !== undefined) {
    await expect(heading(terminal, 'Enter PIN')).toBeVisible();
    for (const digit of pin) await button(reader, `Key ${digit}`).click();
    await button(reader, 'Key Enter').click();
  }
}

/** Removes the card once the reader has the bank's answer; removing it earlier ends the sale. */
async function approvedAndCardRemoved(): Promise<void> {
  await expect(heading(terminal, /Approved/)).toBeVisible();
  await button(reader, 'Remove').click();
}

async function openNewestSale(): Promise<void> {
  await button(terminal, 'Recent sales').click();
  await expect(heading(terminal, 'Recent sales')).toBeVisible();
  await terminal.getByRole('list').getByRole('button').first().click();
}

async function giveStaffId(number: string): Promise<void> {
  await listening('staff_id');
  await terminal.keyboard.type(number, byHand);
  await terminal.keyboard.press('Enter');
}

async function givePassword(password: string): Promise<void> {
  await terminal.getByRole('textbox', { name: /^Password for / }).fill(password);
  await terminal.keyboard.press('Enter');
}

async function chooseOwnPassword(password: string): Promise<void> {
  await expect(heading(terminal, 'Replace your temporary password')).toBeVisible();
  await look(terminal, 'new-password');
  await terminal.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await terminal.getByRole('textbox', { name: 'New password again' }).fill(password);
  await terminal.keyboard.press('Enter');
}

async function checksOnRecord(): Promise<number> {
  return ((await florin.get('/api/v1/refund-log')) as { items: unknown[] }).items.length;
}

/** Checks that the bank has one charge if the screen shows an approval, and otherwise none. */
async function bankAgreesWithTheScreen(salesBefore: number, amountMinor: number): Promise<void> {
  const approved = await heading(terminal, /Approved/).isVisible();
  const taken = async () =>
    (await florin.ledger()).slice(salesBefore).flatMap(sale => (sale.takenMinor > 0 ? [sale.takenMinor] : []));
  await expect.poll(taken).toEqual(approved ? [amountMinor] : []);
}

function staffOf(number: string) {
  const member = florin.staff[number];
  if (!member) throw new Error(`the welcome lists no staff member ${number}`);
  return member;
}

test('the terminal is enrolled with its code', async () => {
  await look(terminal, 'enrolment');
  await terminal.getByRole('textbox', { name: 'Enrolment code' }).fill('AAAA-BBBB-CCCC');
  await terminal.keyboard.press('Enter');
  await expect(terminal.getByText('This code is not valid').first()).toBeVisible();
  await terminal.getByRole('textbox', { name: 'Enrolment code' }).fill(florin.enrolmentCode);
  await terminal.keyboard.press('Enter');
  await expect(heading(terminal, 'Amount to charge')).toBeVisible();
  await expect(terminal.getByRole('banner')).toContainText('Reader ready');
  await look(terminal, 'keypad');
});

test('a card inserted into the reader pays', async () => {
  await startSale('1250');
  await look(terminal, 'present-card');
  await look(reader, 'reader');
  await insert('Visa credit');
  await approvedAndCardRemoved();
  await expect(terminal.getByRole('main')).toContainText('£12.50');
  await look(terminal, 'approved');
  await button(terminal, 'New sale').click();
});

test('a sale that has not settled is voided by a named member of staff, who first chooses a password', async () => {
  const { name, temporaryPassword } = staffOf('101');
  await openNewestSale();
  await look(terminal, 'sale-detail');
  await button(terminal, 'Void sale').click();
  await giveStaffId('101');
  await expect(heading(terminal, `Password for ${name}`)).toBeVisible();
  await look(terminal, 'staff-password');
  await givePassword(temporaryPassword);
  await chooseOwnPassword('harbour lights at nine');
  await expect(heading(terminal, /Void approved|Voided/)).toBeVisible();
  await look(terminal, 'voided');
  const sales = (await florin.ledger()).slice(bankBefore);
  expect(sales.map(({ state, takenMinor }) => [state, takenMinor])).toEqual([['canceled', 0]]);
  await button(terminal, 'New sale').click();
});

test('a settled sale is refunded in part', async () => {
  await startSale('2000');
  await insert('Visa debit', '1234');
  await approvedAndCardRemoved();
  await button(terminal, 'New sale').click();
  await florin.settle();
  const newest = async () => ((await florin.get('/api/v1/payments')) as { items: { status: string }[] }).items[0];
  await expect.poll(newest).toMatchObject({ status: 'settled' });
  await openNewestSale();
  await button(terminal, 'Refund').click();
  await listening('refund_amount');
  await terminal.keyboard.type('450', byHand);
  await look(terminal, 'refund-amount');
  await terminal.keyboard.press('Enter');
  await giveStaffId('102');
  await givePassword(staffOf('102').temporaryPassword);
  await chooseOwnPassword('pier and promenade');
  await expect(heading(terminal, /Refund approved|Refunded/)).toBeVisible();
  await expect(terminal.getByRole('main')).toContainText('£4.50');
  await look(terminal, 'refunded');
  expect((await florin.ledger()).at(-1)).toMatchObject({ takenMinor: 2000, returnedMinor: 450 });
  await button(terminal, 'View sale').click();
  await expect(terminal.getByRole('main')).toContainText(`£4.50 by ${staffOf('102').name}, `);
  await button(terminal, 'Back').click();
  await expect(terminal.getByRole('list').getByRole('button').first()).toContainText(`by ${staffOf('102').name}, `);
  await button(terminal, 'Back').click();
});

test('the backend has a record of every refund and every password check', async () => {
  const refunds = (await florin.get('/api/v1/refunds')) as {
    items: { kind: string; status: string; staff: { name: string } }[];
  };
  expect(refunds.items.map(({ kind, status, staff }) => [kind, status, staff.name])).toEqual([
    ['REFUND_SALE', 'approved', staffOf('102').name],
    ['CANCEL', 'approved', staffOf('101').name],
  ]);
  // The correct temporary password counts as a check too, although it did not authorise the void.
  const voidLog = (await florin.get('/api/v1/void-log')) as { items: { status: string; reason: string | null }[] };
  expect(voidLog.items.map(({ status, reason }) => [status, reason])).toEqual([
    ['authorized', null],
    ['failed', 'permission_denied'],
  ]);
  expect(await florin.admin('audit', 'verify')).toMatchObject({ code: 0 });
});

test('five wrong passwords lock the staff member out, and the screen shows until when', async () => {
  await openNewestSale();
  await button(terminal, 'Refund').click();
  await listening('refund_amount');
  await terminal.keyboard.type('100', byHand);
  await terminal.keyboard.press('Enter');
  await giveStaffId('102');
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await givePassword(`not the password ${attempt}`);
    await expect.poll(checksOnRecord).toBe(2 + attempt);
    await expect(terminal.getByText('Incorrect password', { exact: true })).toBeVisible();
    await expect(terminal.getByRole('textbox', { name: /^Password for / })).toHaveValue('');
  }
  await look(terminal, 'incorrect-password');
  await givePassword('not the password 5');
  await expect(terminal.getByText(/^Locked out until \d/).first()).toBeVisible();
  await look(terminal, 'locked-out');
  const log = (await florin.get('/api/v1/refund-log')) as { items: { status: string; reason: string | null }[] };
  expect(log.items.map(({ status, reason }) => [status, reason])).toEqual([
    ...Array.from({ length: 5 }, () => ['failed', 'invalid_signature']),
    ['authorized', null],
    ['failed', 'permission_denied'],
  ]);
  // A colleague could continue with the same amount.
  await button(terminal, 'Back to staff ID').click();
  await expect(heading(terminal, 'Your staff ID')).toBeVisible();
  await button(terminal, 'Back').click();
  await expect(button(terminal, 'Refund £1.00')).toBeVisible();
  await button(terminal, 'Back').click();
  await expect(button(terminal, 'Refund')).toBeVisible();
  await button(terminal, 'Back').click();
  await expect(heading(terminal, 'Recent sales')).toBeVisible();
  await button(terminal, 'Back').click();
  await expect(heading(terminal, 'Amount to charge')).toBeVisible();
});

test('a reader unplugged during a payment and plugged in again never charges twice', async () => {
  const takenBefore = (await florin.ledger()).length;
  await startSale('777');
  await chooseCard('Visa debit');
  await button(reader, 'Insert').click();
  await expect(heading(terminal, 'Enter PIN')).toBeVisible();
  await button(reader, 'Unplug').click();
  await expect(terminal.getByRole('banner')).toContainText(/Reader lost|Looking for reader/);
  await look(terminal, 'reader-lost');
  await button(reader, 'Replug').click();
  await expect(terminal.getByRole('banner')).toContainText(/Reader (ready|in use)/);
  if (
    await heading(terminal, 'Enter PIN')
      .isVisible()
      .catch(() => false)
  ) {
    for (const digit of '1234') await button(reader, `Key ${digit}`).click();
    await button(reader, 'Key Enter').click();
  }
  await expect(button(terminal, 'New sale')).toBeVisible({ timeout: 60_000 });
  await look(terminal, 'after-replug');
  await bankAgreesWithTheScreen(takenBefore, 777);
  await button(reader, 'Remove').click();
  await button(terminal, 'New sale').click();
});

test('a reader unplugged after the bank approved leaves at most one charge, and the screen agrees with the bank', async () => {
  const takenBefore = (await florin.ledger()).length;
  await startSale('888');
  await button(reader, 'Approve, then unplug').click();
  await insert('Visa credit');
  await expect(terminal.getByRole('banner')).toContainText(/Reader lost|Looking for reader/);
  await look(terminal, 'lost-after-approval');
  await button(reader, 'Replug').click();
  await expect(button(terminal, 'New sale')).toBeVisible({ timeout: 60_000 });
  await look(terminal, 'lost-after-approval-known');
  await bankAgreesWithTheScreen(takenBefore, 888);
});
