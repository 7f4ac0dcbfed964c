import AxeBuilder from '@axe-core/playwright';
import { openReader } from '@florin/device/readers/open.ts';
import type { CardReader, HostAnswer, ReaderOutcome } from '@florin/device/readers/reader.ts';
import { realClock, realRandom, realTimers } from '@florin/hardware-sim/platform/real.ts';
import { type RunningSimulator, startReaderSimulator } from '@florin/hardware-sim/start.ts';
import { test as base, expect, type Page } from '@playwright/test';

/** The tester's page in a real browser, with the driver as the host behind the cable. */
type Bench = {
  simulator: RunningSimulator;
  reader: CardReader;
  sale: (id: string, host?: HostAnswer) => Promise<ReaderOutcome>;
};

const test = base.extend<{ bench: Bench }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  bench: async ({}, use) => {
    const simulator = await startReaderSimulator({ pace: 'unpaced' });
    const reader = openReader({
      protocol: 'line',
      paths: [simulator.path],
      clock: realClock,
      timers: realTimers,
      random: realRandom,
      log: { info: () => undefined, warn: () => undefined },
      onAlarm: () => undefined,
    });
    const sale = async (id: string, host?: HostAnswer) => {
      await expect.poll(() => reader.status().connection).toBe('ready');
      return reader.sale({
        transactionId: id,
        amount: { amountMinor: 2399, currency: 'GBP' },
        timeoutMs: 60_000,
        onStage: () => undefined,
        authorise: async () => host ?? { kind: 'approved', authorisationCode: '712345', hostCode: '00' },
      });
    };
    await use({ simulator, reader, sale });
    await reader.close();
    await simulator.close();
  },
});

const screenOf = (page: Page) => page.getByRole('status', { name: 'Reader screen' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

test('a card is inserted, the PIN typed by mouse and keyboard, the card removed', async ({ bench, page }) => {
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
  await expect(page.getByRole('log', { name: 'Line log' })).toContainText('PAY txn=sale_1');
  expect(await page.content()).not.toMatch(/4539791001730106|\d{13}/);
});

test('unplugged with the approval, replugged, and nothing is charged twice', async ({ bench, page }) => {
  await page.goto(bench.simulator.url);
  await expect(screenOf(page)).toContainText('Ready');
  await press(page, 'Approve, then unplug');
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

test('a picked decline, a low battery and an action that makes no sense', async ({ bench, page }) => {
  await page.goto(bench.simulator.url);
  await press(page, 'Tap');
  await expect(page.getByRole('alert')).toHaveText('Not now: no card expected');
  await page.getByRole('slider', { name: 'Battery' }).fill('8');
  await expect.poll(() => bench.reader.status().attention).toBe('Reader battery is low');
  await page.getByRole('combobox', { name: 'Next decline' }).selectOption('Card expired');
  const outcome = bench.sale('sale_1');
  await expect(screenOf(page)).toContainText('Present card');
  await press(page, 'Tap');
  expect(await outcome).toEqual({ kind: 'declined', by: 'reader', code: 'CARD_EXPIRED' });
  await expect(screenOf(page)).toContainText('Declined');
  await expectAccessible(page);
});
