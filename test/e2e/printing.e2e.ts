import { expect as expectOnce, type Page, test } from '@playwright/test';
import { codeOn } from '../pages/payer.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { byHand } from '../support/typing.ts';
import { Caller } from './caller.ts';
import { type Florin, startFlorin } from './florin.ts';

/**
 * Receipts on paper: the terminal prints on the simulated printer that `npm start` sets up, over its serial port, and the
 * paper is read on the printer's page. Keeps a picture of each paper in test-results/paper/.
 */
test.describe.configure({ mode: 'serial' });
test.use({ trace: 'off' });
const expect = expectOnce.configure({ timeout: 30_000 });

let florin: Florin;
let caller: Caller;
let terminal: Page;
let printer: Page;

test.beforeAll(async ({ browser }) => {
  florin = await startFlorin();
  caller = new Caller(florin);
  const context = await browser.newContext({ viewport: { width: 800, height: 480 } });
  terminal = await context.newPage();
  const beside = { viewport: { width: 1100, height: 1100 }, deviceScaleFactor: 2 };
  printer = await (await browser.newContext(beside)).newPage();
  await printer.goto(`${florin.readerUrl}/printer`);
  await terminal.goto(florin.terminalUrl);
  await terminal.getByRole('textbox', { name: 'Enrolment code' }).fill(florin.enrolmentCode);
  await terminal.keyboard.press('Enter');
  await expect(terminal.getByRole('heading', { name: 'Amount to charge' })).toBeVisible();
  await expect.poll(async () => JSON.stringify(await florin.get('/api/v1/devices'))).toContain('"serial":"');
  await caller.connect();
});
test.afterAll(() => florin?.stop());

const button = (name: string) => terminal.getByRole('button', { name, exact: true });
const shows = (name: string) => expect(terminal.getByRole('heading', { name })).toBeVisible();
const paper = () => printer.getByRole('region', { name: 'Paper' });
const act = (name: string) => printer.getByRole('button', { name, exact: true }).click();

async function atReader(...actions: object[]): Promise<void> {
  for (const action of actions)
    await expect
      .poll(async () => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify(action);
        return (await fetch(`${florin.readerUrl}/api/actions`, { method: 'POST', headers, body })).status;
      })
      .toBe(200);
}

async function takesSale(amount: string): Promise<void> {
  await expect(terminal.locator('[data-screen=keypad] :focus')).toBeAttached();
  await terminal.keyboard.type(amount, byHand);
  await terminal.keyboard.press('Enter');
  await atReader({ do: 'tap', card: 'visa' });
  await shows('Approved');
}

/** The paper is complete; keeps its picture, and takes it out. */
async function takePaper(name: string): Promise<string> {
  await expect(paper().locator('hr')).toHaveCount(1);
  await paper().screenshot({ path: `test/test-results/paper/${name}.png` });
  const text = (await paper().textContent()) ?? '';
  await act('Tear off');
  await expect(paper().locator('hr')).toHaveCount(0);
  return text;
}

test('a cashier prints the receipt of a sale: its amount and the code of its page are on the paper', async () => {
  await takesSale('1250');
  await button('Print').click();
  await expect(button('Printed Print copy')).toBeVisible();
  await expect(paper()).toContainText('£12.50');
  await expect(paper()).toContainText('Visa');
  // The code on paper leads where the one on the screen does.
  await expect(paper().locator('hr')).toHaveCount(1);
  const onPaper = await codeOn(printer, '#roll img');
  await button('Receipt').click();
  await expect(terminal.getByRole('heading', { name: 'Scan to take the receipt with you' })).toBeVisible();
  expect(await codeOn(terminal, '.qr-code')).toBe(onPaper);
  expect((await fetch(onPaper)).status).toBe(200);
  expect(await accessibilityFaults(terminal)).toEqual([]);
  await button('Close').click();
  expect(await accessibilityFaults(terminal)).toEqual([]);
  await takePaper('sale');
});

test('a second one is a copy', async () => {
  await button('Printed Print copy').click();
  expect(await takePaper('copy')).toContain('*** COPY ***');
});

test('a printer that runs out of paper is a notice with Print again; the sale stands', async () => {
  await button('New sale').click();
  await takesSale('480');
  await act('Out of paper');
  await button('Print').click();
  await expect(terminal.getByText('The printer is out of paper')).toBeVisible();
  await shows('Approved');
  await terminal.screenshot({ path: 'test/test-results/paper/out-of-paper.png' });
  await act('New roll');
  await button('Print again').click();
  await expect(button('Printed Print copy')).toBeVisible();
  expect(await takePaper('after-new-roll')).not.toContain('COPY');
  await button('New sale').click();
});

test('what software wants printed is printed, and its record says so', async () => {
  const saleId = await caller.start('/api/v1/terminal', 930, {
    shouldPrint: true,
    language: 'de',
    reference: 'Order 7',
  });
  await atReader({ do: 'tap', card: 'visa' });
  await expect.poll(() => caller.read(saleId)).toMatchObject({ status: 'COMPLETE', printed: true });
  expect(await takePaper('german')).toContain('Bezahlt mit');
  await button('Done').click();
});

test('a void has a paper of its own, and the page of the printer is accessible', async () => {
  await takesSale('2000');
  await button('View sale').click();
  await button('Void sale').click();
  const number = '101';
  const { temporaryPassword } = florin.staff[number] ?? { temporaryPassword: '' };
  await terminal.getByLabel('Your staff ID').fill(number);
  await terminal.keyboard.press('Enter');
  await terminal.getByRole('textbox', { name: /^Password for / }).fill(temporaryPassword);
  await terminal.keyboard.press('Enter');
  await shows('Replace your temporary password');
  for (const label of ['New password', 'New password again'])
    await terminal.getByRole('textbox', { name: label, exact: true }).fill('harbour lights at nine');
  await terminal.keyboard.press('Enter');
  await shows('Voided');
  await button('Print').click();
  await expect(button('Printed Print copy')).toBeVisible();
  await expect(paper()).toContainText('Receipt of a void');
  expect(await accessibilityFaults(printer)).toEqual([]);
  expect(await takePaper('void')).toContain('Of the sale of £20.00');
});
