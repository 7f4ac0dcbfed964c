import { expect as expectOnce, type Page, test } from '@playwright/test';
import { byHand } from '../support/typing.ts';
import { type Florin, startFlorin } from './florin.ts';
import { look as lookAt } from './look.ts';

/** A bank that takes the money and answers neither the sale nor any question about it. */
// One after the other, so that everything is started once.
test.describe.configure({ mode: 'default' });
test.use({ trace: 'off' });

/** Real programs may be slow on a busy machine; these tests do not measure speed. */
const expect = expectOnce.configure({ timeout: 30_000 });

let florin: Florin;
let terminal: Page;
let reader: Page;

test.beforeAll(async ({ browser }) => {
  florin = await startFlorin();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  terminal = await context.newPage();
  reader = await context.newPage();
  await terminal.goto(florin.terminalUrl);
  await reader.goto(florin.readerUrl);
  await terminal.getByRole('textbox', { name: 'Enrolment code' }).fill(florin.enrolmentCode);
  await terminal.keyboard.press('Enter');
});
test.afterAll(async () => {
  await florin?.stop();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string | RegExp) => terminal.getByRole('heading', { name });

const look = (name: string) => lookAt(terminal, 'pictures', name);

async function chargeCard(amount: string): Promise<void> {
  await expect(terminal.locator('[data-screen=keypad] :focus')).toBeAttached();
  await terminal.keyboard.type(amount, byHand);
  await terminal.keyboard.press('Enter');
  await expect(heading('Present card')).toBeVisible();
  await reader.getByRole('radio', { name: /^Visa credit,/ }).check({ force: true });
  await button(reader, 'Insert').click();
}

async function silenceBank(): Promise<void> {
  const sale = { kind: 'loseReply', action: 'CARD_PRESENT', callback: false };
  await florin.controlBank('POST', '/faults', sale);
  for (const action of ['CARD_PRESENT_LOOKUP', 'REPORT'])
    await florin.controlBank('POST', '/faults', { kind: 'unavailable', action, times: 1_000 });
}

async function setHostTimeout(ms: number): Promise<void> {
  const answer = await reader.request.post(`${florin.readerUrl}/api/actions`, { data: { do: 'host_timeout', ms } });
  expect(answer.ok()).toBe(true);
}

test('staff stop waiting for a silent bank, take the next sale, and the late approval is given back', async () => {
  const before = (await florin.ledger()).length;
  const taken = async () =>
    (await florin.ledger())
      .slice(before)
      .map(({ takenMinor, returnedMinor, state }) => [takenMinor, returnedMinor, state]);
  await expect(heading('Amount to charge')).toBeVisible();
  await silenceBank();
  // The reader gives up soon, as the terminal would make it do after 45 seconds.
  await setHostTimeout(2_000);
  await chargeCard('1250');
  await expect(button(terminal, 'Stop waiting')).toBeVisible();
  await look('silent-bank');
  await button(terminal, 'Stop waiting').click();
  await expect(heading('Not paid')).toBeVisible();
  await look('silent-bank-stopped');
  const [unanswered] = await taken();
  expect(unanswered?.slice(0, 2)).toEqual([1_250, 0]);

  await button(reader, 'Remove').click();
  await setHostTimeout(90_000);
  await button(terminal, 'New sale').click();
  await chargeCard('700');
  await expect(heading('Approved')).toBeVisible();

  await florin.controlBank('DELETE', '/faults');
  await expect.poll(taken, { timeout: 60_000 }).toEqual([
    [0, 0, 'canceled'],
    [700, 0, expect.any(String)],
  ]);
  await button(reader, 'Remove').click();
  await button(terminal, 'New sale').click();
});

test('a tester plays a scenario of the reader’s page: declined, then approved although the bank’s reply is lost', async () => {
  await terminal.reload();
  await reader.getByRole('combobox', { name: 'Play' }).selectOption('lost-reply-second-attempt.yaml');
  await button(reader, 'Play').click();
  const result = reader.getByRole('status', { name: 'Scenario result' });
  await expect(result).toContainText('waiting for step 1 of 2');
  for (const outcome of ['Declined', 'Approved']) {
    await expect(terminal.locator('[data-screen=keypad] :focus')).toBeAttached();
    await terminal.keyboard.type('900', byHand);
    await terminal.keyboard.press('Enter');
    await expect(heading(outcome)).toBeVisible();
    await button(terminal, 'New sale').click();
  }
  await expect(result).toContainText('passed');
  const report = await (await reader.request.get(`${florin.readerUrl}/api/report`)).text();
  expect(report).toContain('bank loseReply');
  expect(report).not.toMatch(/4929421234600821|\b\d{13,19}\b/);
});
