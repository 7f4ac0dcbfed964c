import { startReaderSimulator } from '@florin/hardware-sim/start.ts';
import { test as base, expect, type Page } from '@playwright/test';
import { accessibilityFaults } from '../../support/accessibility.ts';
import { aReaderBench, type ReaderBench } from '../../support/reader-bench.ts';
import { aGatewayWorld, aReadCard, gbp, reference } from '../gateway/world.ts';

/** The simulator's page in a real browser, with the driver connected to the simulated reader. */
const test = base.extend<{ bench: ReaderBench }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  bench: async ({}, use) => {
    const bench = await aReaderBench();
    await use(bench);
    await bench.close();
  },
});

const screenOf = (page: Page) => page.getByRole('status', { name: 'Reader screen' });
/** Waits until the simulator has performed the action, because a click only sends it. */
const armedFaults = (page: Page) => page.getByRole('list', { name: 'Armed faults' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

test('a card can be inserted and removed, and its PIN typed by mouse and keyboard', async ({ bench, page }) => {
  await page.goto(bench.simulator.url);
  await expect(screenOf(page)).toContainText('Ready');
  await expectAccessible(page);
  const outcome = bench.sale('sale_1');
  await expect(screenOf(page)).toContainText('GBP 23.99');
  await page.getByRole('radio', { name: 'Visa debit, ending 0106' }).check();
  await press(page, 'Insert');
  await expect(screenOf(page)).toContainText('Enter PIN');
  await press(page, 'Key 1');
  await press(page, 'Key 2');
  await expect(screenOf(page)).toContainText('●●');
  await page.keyboard.press('3');
  await page.keyboard.press('4');
  await expectAccessible(page);
  await press(page, 'Key Enter');
  expect(await outcome).toMatchObject({ kind: 'approved', card: { lastFour: '0106', cardholderVerification: 'pin' } });
  await expect(screenOf(page)).toContainText('Approved');
  await expectAccessible(page);
  await press(page, 'Remove');
  await expect(page.getByRole('table')).toContainText('sale_1');
  await expect(page.getByRole('log', { name: 'Timeline' })).toContainText('Take GBP 23.99 for sale_1');
  expect(await page.content()).not.toMatch(/4539791001730106|\d{13}/);
});

test('unplugging at the approval and replugging charges nothing twice', async ({ bench, page }) => {
  await page.goto(bench.simulator.url);
  await expect(screenOf(page)).toContainText('Ready');
  await press(page, 'Approve, then unplug');
  await expect(armedFaults(page)).toHaveText(/Pulls the cable/);
  const outcome = bench.sale('sale_1');
  await expect(screenOf(page)).toContainText('Present card');
  await press(page, 'Tap');
  expect(await outcome).toEqual({ kind: 'unknown' });
  await expect(page.getByRole('status', { name: 'Cable' })).toHaveText('Unplugged');
  await expect(page.getByRole('button', { name: 'Unplug', exact: true })).toBeDisabled();
  await expectAccessible(page);
  await press(page, 'Replug');
  await expect.poll(() => bench.reader.status().connection).toBe('ready');
  expect(await bench.reader.last('sale_1')).toMatchObject({ kind: 'done', outcome: { kind: 'approved' } });
});

test('a decline can be selected, the battery set low, and an impossible action shows why it is refused', async ({
  bench,
  page,
}) => {
  await page.goto(bench.simulator.url);
  await press(page, 'Tap');
  await expect(page.getByRole('alert')).toHaveText('Not now: no card expected');
  await page.getByRole('slider', { name: 'Battery' }).fill('8');
  await expect.poll(() => bench.reader.status().attention).toBe('battery_low');
  await page.getByRole('combobox', { name: 'Next decline' }).selectOption('Card expired');
  await expect(armedFaults(page)).toHaveText(/card expired/);
  const outcome = bench.sale('sale_1');
  await expect(screenOf(page)).toContainText('Present card');
  await press(page, 'Tap');
  expect(await outcome).toEqual({ kind: 'declined', by: 'reader', code: 'CARD_EXPIRED' });
  await expect(screenOf(page)).toContainText('Declined');
  await expectAccessible(page);
});

test('armed faults are listed with their effects, and can be removed', async ({ bench, page }) => {
  await page.goto(bench.simulator.url);
  const armed = armedFaults(page);
  await expect(armed).toHaveText('None');
  await press(page, 'Approve, then unplug');
  await press(page, 'Lose result');
  await page.getByRole('combobox', { name: 'Next decline' }).selectOption('Card expired');
  await expect(armed.getByRole('listitem')).toHaveText([
    /Pulls the cable in place of the next approval/,
    /Loses the next result on its way/,
    /Declines the next transaction: card expired/,
  ]);
  await expectAccessible(page);
  await armed
    .getByRole('listitem')
    .nth(1)
    .getByRole('button', { name: /^Clear/ })
    .click();
  await expect(armed.getByRole('listitem')).toHaveCount(2);
  await press(page, 'Reboot');
  await expect(armed).toHaveText('None');
  await expect(page.getByRole('combobox', { name: 'Next decline' })).toHaveValue('none');
});

test('buttons type a correct or wrong PIN, wipe the memory and send a custom line', async ({ bench, page }) => {
  await page.goto(bench.simulator.url);
  const outcome = bench.sale('sale_1');
  await expect(screenOf(page)).toContainText('Present card');
  await expect(page.getByRole('button', { name: 'Type the PIN', exact: true })).toBeDisabled();
  await page.getByRole('radio', { name: 'Visa debit, ending 0106' }).check();
  await expect(page.locator('label', { has: page.getByRole('radio', { checked: true }) })).toContainText('PIN 1234');
  await press(page, 'Insert');
  await expect(screenOf(page)).toContainText('Enter PIN');
  await press(page, 'Type a wrong PIN');
  await expect(screenOf(page)).toContainText('Wrong PIN');
  await press(page, 'Type the PIN');
  expect(await outcome).toMatchObject({ kind: 'approved' });
  await press(page, 'Remove');
  await expect(page.getByRole('table')).toContainText('sale_1');
  await press(page, 'Wipe memory');
  await expect(page.getByRole('table')).toContainText('None yet');
  await page.getByRole('textbox', { name: 'Line to send' }).fill('E 0001 NONSENSE*00000000');
  await press(page, 'Send line');
  await expect(page.getByRole('log', { name: 'Timeline' })).toContainText('Not a valid line: bad checksum');
});

test('the timeline can be filtered, paused, copied and cleared, and shows the bytes of a frame', async ({
  bench,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(bench.simulator.url);
  const log = page.getByRole('log', { name: 'Timeline' });
  const rows = log.locator('.row');
  await expect(log).toContainText('Session is open');
  await press(page, 'Garbage');
  await expect(log).toContainText('400 bytes of noise');
  await page.getByRole('checkbox', { name: 'Line' }).uncheck();
  await expect(log).not.toContainText('400 bytes of noise');
  await page.getByRole('searchbox', { name: 'Filter the timeline' }).fill('HELLO');
  await expect(rows).toHaveCount(2);
  await rows.last().getByRole('button', { name: 'HELLO 0001, bytes' }).click();
  await expect(rows.last()).toContainText('A 0001 HELLO proto=1');
  await press(page, 'Copy timeline');
  await expect(page.getByRole('alert')).toHaveText('2 events copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(
    copied
      .trim()
      .split('\n')
      .map(line => line.replace(/^[\d:.]{12}/, 'TIME').slice(0, 40)),
  ).toEqual([
    'TIME  terminal →  HELLO 0001    Opens a ',
    'TIME  reader ←    HELLO 0001    Session ',
    expect.stringMatching(/^ {28}A 0001 HELLO/),
  ]);
  await page.getByRole('searchbox', { name: 'Filter the timeline' }).fill('no such thing');
  await expect(log.getByText('No event matches.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter the timeline' }).fill('');
  await press(page, 'Pause timeline');
  await press(page, 'Clear timeline');
  await expect(rows).toHaveCount(0);
  await press(page, 'Lose result');
  await expect(page.getByRole('status', { name: 'Paused' })).toHaveText('Paused, 1 new');
  await page.getByRole('checkbox', { name: 'Line' }).check();
  await expect(rows).toHaveCount(0);
  await press(page, 'Pause timeline');
  await expect(rows).toHaveText([/Armed: loses the next result/]);
});

test('what the bank carried out is in the timeline, also when nobody heard of it', async ({ page }) => {
  const { gateway, sandbox, close } = await aGatewayWorld();
  const simulator = await startReaderSimulator({ pace: 'unpaced', bankUrl: sandbox.controlUrl });
  await page.goto(simulator.url);
  const log = page.getByRole('log', { name: 'Timeline' });
  await press(page, 'Lose its reply');
  await expect(log).toContainText('Armed for the next sale request: lose reply');
  const sale = { uniqueReference: reference(), amount: gbp(1250), invoiceNumber: 'INV-7', card: aReadCard() };
  expect(await gateway.authoriseCardPresent(sale)).toMatchObject({ kind: 'unknown' });
  await expect(log).toContainText(`Sale at a terminal: approved, ${sale.uniqueReference}`);
  await press(page, 'Decline next');
  await expect(log).toContainText('Armed for the next sale request: decline');
  await gateway.authoriseCardPresent({ ...sale, uniqueReference: `${sale.uniqueReference}b` });
  await expect(log).toContainText(`Sale at a terminal: refused, code 5, ${sale.uniqueReference}b`);
  await simulator.close();
  await close();
});

test('ten thousand events are kept, and only the newest are in the page', async ({ bench, page }) => {
  const { timeline } = bench.simulator.simulator;
  for (let count = 1; count <= 10_000; count++) timeline.add({ lane: 'reader', text: `Event ${count} of many` });
  await page.goto(bench.simulator.url);
  const rows = page.getByRole('log', { name: 'Timeline' }).locator('.row');
  await expect(rows.last()).toContainText('Event 10000 of many');
  await expect(rows).toHaveCount(200);
  await press(page, 'Show earlier events');
  await expect(rows).toHaveCount(400);
  await page.getByRole('searchbox', { name: 'Filter the timeline' }).fill('Event 777 of');
  await expect(rows).toHaveCount(1);
});

test('a card can be dragged into the slot of the reader', async ({ bench, page }) => {
  await page.goto(bench.simulator.url);
  const outcome = bench.sale('sale_1');
  await expect(screenOf(page)).toContainText('Present card');
  const card = page.locator('label', { has: page.getByRole('radio', { name: 'Visa debit, ending 0106' }) });
  await card.hover();
  await page.mouse.down();
  await screenOf(page).hover();
  await page.locator('[data-drop="insert"]').hover();
  await page.mouse.up();
  await expect(screenOf(page)).toContainText('Enter PIN');
  await press(page, 'Type the PIN');
  expect(await outcome).toMatchObject({ kind: 'approved', card: { lastFour: '0106' } });
});
