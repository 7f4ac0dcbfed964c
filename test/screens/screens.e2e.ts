import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { gallery } from './gallery.ts';
import { type ScriptedHost, scriptedHost } from './host.ts';

test.use({ trace: 'off' });

const sizes = [
  { width: 1280, height: 800 },
  { width: 1024, height: 600 },
  { width: 800, height: 1280 },
  { width: 480, height: 800 },
];
const smallestTarget = 56;
const pictures = gallery(Date.now());
const album = fileURLToPath(new URL('../test-results/screens/', import.meta.url));

let host: ScriptedHost;
test.beforeEach(async () => {
  host = await scriptedHost();
});
test.afterEach(() => host.close());

/** Shows one picture and waits until it is drawn. */
async function draw(page: Page, picture: (typeof pictures)[number]) {
  host.show(picture.view);
  await page.waitForSelector(`[data-sequence='${picture.view.sequence}'] main`, { timeout: 10_000 });
}

/** What does not fit: sideways scrolling, cut-off words, controls that are too small or out of reach. */
function misfits(page: Page, target: number): Promise<string[]> {
  return page.evaluate(least => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > window.innerWidth) found.push(`page is ${root.scrollWidth} wide`);
    const visible = [...document.querySelectorAll<HTMLElement>('.terminal *')].filter(
      element => element.checkVisibility() && element.closest('.aloud, svg') === null,
    );
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.slice(0, 40)}"`;
    const scrollerOf = (element: Element): Element | null => {
      for (let above = element.parentElement; above !== null; above = above.parentElement) {
        if (['auto', 'scroll'].includes(getComputedStyle(above).overflowY)) return above;
      }
      return null;
    };
    for (const element of visible) {
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      // Kept for screen readers only.
      if (style.clipPath !== 'none' || box.width === 0 || box.height === 0) continue;
      if (box.left < -1 || box.right > window.innerWidth + 1) found.push(`${name(element)} leaves the screen sideways`);
      const scrolls = ['auto', 'scroll'].includes(style.overflowY);
      const spills = element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline';
      if (spills && element.clientWidth > 0 && style.textOverflow !== 'ellipsis')
        found.push(`${name(element)} spills sideways`);
      if (!scrolls && style.overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1) {
        found.push(`${name(element)} is cut off`);
      }
      if (
        element.matches('main, main > *, .work-body, .stage') &&
        !scrolls &&
        element.scrollHeight > element.clientHeight + 1
      ) {
        found.push(`${name(element)} spills over what is under it`);
      }
      if (!element.matches('button, input')) continue;
      if (box.height < least || box.width < least) found.push(`${name(element)} is only ${box.width}×${box.height}`);
      const scroller = scrollerOf(element);
      const room = scroller?.getBoundingClientRect();
      const inside = room === undefined ? box.top >= -1 && box.bottom <= window.innerHeight + 1 : true;
      if (!inside) found.push(`${name(element)} is out of reach`);
      if (room !== undefined && (room.top < -1 || room.bottom > window.innerHeight + 1 || room.height < least)) {
        found.push(`${name(element)} scrolls in a place that is itself out of reach`);
      }
    }
    const [tally, work] = ['.tally', '.work'].map(part => document.querySelector(part)?.getBoundingClientRect());
    if (tally && work && work.height > 0 && work.top < tally.bottom - 1 && work.left < tally.right - 1) {
      found.push('the work covers part of the panel');
    }
    return found;
  }, target);
}

for (const size of sizes) {
  test(`every screen fits ${size.width}×${size.height}`, async ({ browser }) => {
    test.setTimeout(90_000);
    // Still pictures, so that screenshots can be compared by eye.
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    const complaints: string[] = [];
    page.on('console', message => complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(error.message));
    await page.goto(host.address);
    for (const picture of pictures) {
      await draw(page, picture);
      expect.soft(await misfits(page, smallestTarget), picture.name).toEqual([]);
      expect.soft(await page.locator('h1:visible').count(), `${picture.name} has one heading`).toBe(1);
      await page.screenshot({ path: `${album}${size.width}x${size.height}/${picture.name}.png` });
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
}

/** One picture of each screen, and those with parts the others lack. */
const telling = pictures.filter(
  ({ name }) =>
    /-(everything-at-once|late|notice|part-refunded|approved|declined|failed|pending)$/.test(name) ||
    /^(starting|enrolment|keypad|recent-sales(-\w+)?|refund-amount|confirm-void|staff-id|staff-password|new-password|locked-out)$/.test(
      name,
    ),
);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any screen, ${colorScheme}`, async ({ browser }) => {
    test.setTimeout(90_000);
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      colorScheme,
    });
    const page = await context.newPage();
    await page.goto(host.address);
    for (const picture of telling) {
      await draw(page, picture);
      // Legacy mode leaves out frames, of which there are none, and opens no second page each time.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      const { violations } = await (colorScheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join(' | ')}`,
      );
      expect.soft(found, picture.name).toEqual([]);
      if (colorScheme === 'dark') await page.screenshot({ path: `${album}dark/${picture.name}.png` });
    }
    await context.close();
  });
}
