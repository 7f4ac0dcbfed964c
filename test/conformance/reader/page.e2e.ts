import AxeBuilder from '@axe-core/playwright';
import { readerDriver } from '@florin/device/readers/drivers.ts';
import type { CardReader, HostAnswer, ReaderOutcome } from '@florin/device/readers/reader.ts';
import { realClock, realRandom, realTimers } from '@florin/hardware-sim/platform/real.ts';
import { type RunningSimulator, startReaderSimulator } from '@florin/hardware-sim/start.ts';
import { test as base, expect, type Page } from '@playwright/test';
import { noLog } from '../../support/log.ts';
import { aReaderStorage } from '../../support/reader-storage.ts';

/** The simulator's page in a real browser, with the driver connected to the simulated reader. */
type Bench = {
  simulator: RunningSimulator;
  reader: CardReader;
  sale: (id: string, host?: HostAnswer) => Promise<ReaderOutcome>;
};

const test = base.extend<{ bench: Bench }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  bench: async ({}, use) => {
    const simulator = await startReaderSimulator({ pace: 'unpaced' });
    const reader = readerDriver('line').open({
      storage: aReaderStorage(),
      hostName: 'till',
      paths: [simulator.path],
      clock: realClock,
      timers: realTimers,
      random: realRandom,
      log: noLog,
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
/** Waits until the simulator has performed the action, because a click only sends it. */
const armedFaults = (page: Page) => page.getByRole('list', { name: 'Armed faults' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
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
  await expect(page.getByRole('log', { name: 'Line log' })).toContainText('PAY txn=sale_1');
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
  await expect(page.getByRole('log', { name: 'Line log' })).toContainText('E 0001 NONSENSE');
});

test('the log can be filtered, paused, copied and cleared', async ({ bench, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(bench.simulator.url);
  const log = page.getByRole('log', { name: 'Line log' });
  await expect(log).toContainText('HELLO');
  await press(page, 'Garbage');
  await expect(log).toContainText('garbage');
  await page.getByRole('checkbox', { name: 'Cable' }).uncheck();
  await expect(log.locator('p:visible', { hasText: 'garbage' })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Filter the log' }).fill('HELLO');
  await expect(log.locator('p:visible')).toHaveCount(2);
  await press(page, 'Copy log');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim().split('\n')).toHaveLength(2);
  await page.getByRole('searchbox', { name: 'Filter the log' }).fill('');
  await press(page, 'Pause log');
  await expect(page.getByRole('button', { name: 'Pause log', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await press(page, 'Clear log');
  await expect(log).toHaveText('');
  await press(page, 'Lose result');
  await page.getByRole('checkbox', { name: 'Cable' }).check();
  await expect(log).toHaveText('');
  await press(page, 'Pause log');
  await expect(log).toContainText('lose_result');
});

for (const [name, viewport] of Object.entries({
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
})) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the page fits a ${name}, ${colorScheme}, with the cable plugged in and unplugged`, async ({
      bench,
      page,
    }) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.goto(bench.simulator.url);
      await press(page, 'Approve, then unplug');
      await expect(armedFaults(page)).toHaveText(/Pulls the cable/);
      const outcome = bench.sale('sale_1');
      await expect(screenOf(page)).toContainText('Present card');
      await page.evaluate(() => scrollTo(0, 0));
      for (const move of ['Insert', 'Tap', 'Swipe', 'Remove'])
        await expect(page.getByRole('button', { name: move, exact: true })).toBeInViewport();
      await page.screenshot({ path: `test/test-results/reader/${name}-${colorScheme}.png`, fullPage: true });
      expect(await clipped(page)).toEqual([]);
      await expectAccessible(page);
      await press(page, 'Tap');
      await outcome;
      await expect(page.getByRole('status', { name: 'Cable' })).toHaveText('Unplugged');
      await page.screenshot({ path: `test/test-results/reader/${name}-${colorScheme}-unplugged.png`, fullPage: true });
      expect(await clipped(page)).toEqual([]);
      await expectAccessible(page);
    });
  }
}

/** Returns the elements whose text is cut off, and those that are partly outside the window. */
function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isScrollable = (element: Element) =>
      element.matches('.lines, .lines *, .scroll, .path, .wallet, [aria-hidden=true]');
    const cut = [...document.querySelectorAll('body *')].filter(element => {
      const { width } = element.getBoundingClientRect();
      return (
        width > 0 && !isScrollable(element) && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
      );
    });
    const beyond = [...document.querySelectorAll('button, label, input, select, h1, h2, td')].filter(element => {
      const { right, left, width } = element.getBoundingClientRect();
      return width > 0 && element.closest('.wallet') === null && (right > innerWidth + 1 || left < -1);
    });
    return [...new Set([...cut, ...beyond])].map(
      element => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`,
    );
  });
}
