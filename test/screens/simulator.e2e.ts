import { writeFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { accessibilityFaults } from '../support/accessibility.ts';
import { isInPart } from '../support/part.ts';
import { aReaderBench, type ReaderBench } from '../support/reader-bench.ts';

/** The pages of the simulated reader and printer in each state: nothing is cut off, and everything is accessible. */
const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const schemes = ['light', 'dark'] as const;

const screenOf = (page: Page) => page.getByRole('status', { name: 'Reader screen' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const timelineOf = (page: Page) => page.getByRole('log', { name: 'Timeline' });

/** What brings each state about, in the order in which they are shown: each begins where the one before ended. */
const states: Readonly<Record<string, (bench: ReaderBench, page: Page) => Promise<void>>> = {
  async idle(_, page) {
    await expect(timelineOf(page)).toContainText('Session is open');
  },
  async pin({ sale }, page) {
    void sale('sale_1');
    await expect(screenOf(page)).toContainText('Present card');
    await page.getByRole('radio', { name: 'Visa debit, ending 0106' }).check();
    await press(page, 'Insert');
    await press(page, 'Key 1');
    await expect(screenOf(page)).toContainText('●');
  },
  async 'card held'(_, page) {
    await press(page, 'Type a wrong PIN');
    await press(page, 'Type the PIN');
    await expect(screenOf(page)).toContainText('Approved');
  },
  async unplugged({ reader, sale }, page) {
    await press(page, 'Remove');
    await reader.confirm('sale_1');
    await press(page, 'Approve, then unplug');
    const outcome = sale('sale_2');
    await expect(screenOf(page)).toContainText('Present card');
    await press(page, 'Tap');
    await outcome;
    await expect(page.getByRole('status', { name: 'Cable' })).toHaveText('Unplugged');
  },
  async 'log paused'(_, page) {
    await press(page, 'Pause timeline');
    await press(page, 'Replug');
    await expect(page.getByRole('status', { name: 'Paused' })).toHaveText(/Paused, \d+ new/);
  },
  async 'bytes of a frame'(_, page) {
    await press(page, 'Pause timeline');
    await timelineOf(page)
      .getByRole('button', { name: /^HELLO/ })
      .last()
      .click();
    await timelineOf(page).scrollIntoViewIfNeeded();
  },
  async 'no match'(_, page) {
    await page.getByRole('searchbox').fill('no such thing');
    await expect(timelineOf(page).getByText('No event matches.')).toBeVisible();
  },
  async 'paper printed'({ simulator }, page) {
    await page.goto(`${simulator.url}/printer`);
    await expect(page.getByRole('status', { name: 'Printer' })).toHaveText('Ready');
    writeFileSync(simulator.printer?.path ?? '', '\x1b@Harbour Street Coffee\n\nSale            23.99\n\x1dV\x00');
    await expect(page.getByRole('region', { name: 'Paper' })).toContainText('Harbour Street Coffee');
  },
  async 'connection lost'({ simulator }, page) {
    await page.goto(simulator.url);
    await expect(screenOf(page)).toContainText('Ready');
    await simulator.close();
    await expect(page.getByRole('status', { name: 'Cable' })).toHaveText('Simulator stopped');
  },
};

test('the pages of the simulator in each state', async ({ page }) => {
  const bench = await aReaderBench({ hasPrinter: true });
  await page.goto(bench.simulator.url);
  for (const [name, reach] of Object.entries(states)) {
    await page.setViewportSize(sizes.desk);
    await reach(bench, page);
    await look(page, name);
  }
  await bench.close();
});

test('a reader that restarts says so', async ({ page }) => {
  const bench = await aReaderBench({ protocol: 'zvt' });
  await page.goto(bench.simulator.url);
  await expect(screenOf(page)).toContainText('Ready');
  await press(page, 'Reboot');
  await expect(page.getByRole('status', { name: 'Cable' })).toHaveText('Restarting');
  await look(page, 'rebooting');
  await expect(page.getByRole('status', { name: 'Cable' })).toHaveText('Plugged in');
  await bench.close();
});

test('on a phone the reader stays in view while the timeline is read', async ({ page }) => {
  const bench = await aReaderBench();
  await page.setViewportSize(sizes.phone);
  await page.goto(bench.simulator.url);
  const outcome = bench.sale('sale_1');
  await expect(screenOf(page)).toContainText('Present card');
  await timelineOf(page).getByText('Waits for a card').scrollIntoViewIfNeeded();
  await expect(screenOf(page)).toBeInViewport({ ratio: 1 });
  for (const move of ['Insert', 'Tap', 'Swipe', 'Remove', 'Unplug'])
    await expect(page.getByRole('button', { name: move, exact: true })).toBeInViewport({ ratio: 1 });
  await press(page, 'Tap');
  expect(await outcome).toMatchObject({ kind: 'approved' });
  await bench.close();
});

/** How many states were looked at: they take turns at what is checked for accessibility, which takes longest. */
let turn = 0;

/** A picture at each size and in each colour scheme, and what is wrong with it. */
async function look(page: Page, name: string): Promise<void> {
  turn += 1;
  const isTimeline = ['log paused', 'bytes of a frame', 'no match'].includes(name);
  for (const [sizeAt, [size, viewport]] of Object.entries(sizes).entries()) {
    await page.setViewportSize(viewport);
    expect(await clipped(page), `${name}, ${size}`).toEqual([]);
    await page.evaluate(() => scrollTo(0, 0));
    if (isTimeline) await page.locator('.timeline-panel').evaluate(panel => panel.scrollIntoView({ block: 'end' }));
    for (const [schemeAt, colorScheme] of schemes.entries()) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (!process.env.CI)
        await page.screenshot({ path: `test/test-results/screens/simulator/${name}-${size}-${colorScheme}.png` });
      if (turn % 4 === sizeAt * 2 + schemeAt && isInPart(name, 3))
        expect(await accessibilityFaults(page), `${name}, ${size}, ${colorScheme}`).toEqual([]);
    }
  }
}

/** The elements whose text is cut off, and those that are partly outside the window. */
function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isScrollable = (element: Element) =>
      element.closest('.timeline, .scroll, .path, .wallet, .roll, [aria-hidden=true]') !== null;
    const cut = [...document.querySelectorAll('body *')].filter(element => {
      const { clientWidth, scrollWidth } = element;
      return clientWidth > 0 && !isScrollable(element) && scrollWidth > clientWidth + 1;
    });
    const beyond = [...document.querySelectorAll('button, label, input, select, h1, h2, td')].filter(element => {
      const { right, left, width } = element.getBoundingClientRect();
      return width > 0 && !isScrollable(element) && (right > innerWidth + 1 || left < -1);
    });
    return [...new Set([...cut, ...beyond])].map(
      element => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`,
    );
  });
}
