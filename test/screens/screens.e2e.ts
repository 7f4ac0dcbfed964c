import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { coreWords } from '@florin/device/core/words.ts';
import { expect, type Page, test } from '@playwright/test';
import { viewOf } from './gallery/picture.ts';
import { gallery } from './gallery.ts';
import { type ScriptedHost, scriptedHost } from './host.ts';

test.use({ trace: 'off' });

const sizes = [
  { width: 1280, height: 800 },
  { width: 800, height: 480 },
  { width: 1080, height: 1920 },
  { width: 480, height: 800 },
  { width: 390, height: 844 },
];
/** Keys of the on-screen keyboard are ten to a row, so they are narrower than other targets. */
const minTargetPixels = 56;
const minKeyPixels = { width: 30, height: 54 };
const pictures = gallery(Date.now());
const screenshots = fileURLToPath(new URL('../test-results/screens/', import.meta.url));
/** Screenshots are optional: they take longer than all checks. */
const keepsScreenshots = process.env.CI === undefined;

let host: ScriptedHost;
test.beforeEach(async () => {
  host = await scriptedHost();
});
test.afterEach(() => host.close());

/** Shows one picture and waits until it is drawn in the terminal's font. */
async function draw(page: Page, picture: (typeof pictures)[number]) {
  host.show(picture.view);
  await page.waitForSelector(`[data-sequence='${picture.view.sequence}'] main`, { timeout: 30_000 });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

async function keepScreenshot(page: Page, folder: string, { name }: (typeof pictures)[number]) {
  if (keepsScreenshots) await page.screenshot({ path: `${screenshots}${folder}/${name}.png` });
}

/** Returns what does not fit: sideways scrolling, cut-off words, hidden parts, controls too small or off the screen. */
function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ min, minKey }) => {
      const found: string[] = [];
      const root = document.documentElement;
      if (root.scrollWidth > window.innerWidth) found.push(`page is ${root.scrollWidth} wide`);
      const visible = [...document.querySelectorAll<HTMLElement>('.terminal *')].filter(
        element => element.checkVisibility() && element.closest('.visually-hidden, svg, .watermark') === null,
      );
      const name = (element: Element) =>
        `${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.slice(0, 40)}"`;
      // Only a list of sales may be longer than the screen.
      const mayScroll = (element: Element) => element.closest('[data-screen=recent_sales] .work') !== null;
      for (const element of visible) {
        const box = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        // Text for screen readers only.
        if (style.clipPath !== 'none' || box.width === 0 || box.height === 0) continue;
        if (box.left < -1 || box.right > window.innerWidth + 1)
          found.push(`${name(element)} is partly beside the screen`);
        if (!mayScroll(element) && (box.top < -1 || box.bottom > window.innerHeight + 1))
          found.push(`${name(element)} is partly above or below the screen`);
        const spills = element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline';
        if (spills && element.clientWidth > 0 && style.textOverflow !== 'ellipsis')
          found.push(`${name(element)} spills sideways`);
        const isTooLong = element.scrollHeight > element.clientHeight + 1;
        if (style.overflowY !== 'visible' && isTooLong && !mayScroll(element) && !element.matches('.header-names > *'))
          found.push(`${name(element)} hides ${element.scrollHeight - element.clientHeight} pixels`);
        if (
          element.matches('main, .frame, .frame > *, .stage, .outcome, .pay-code') &&
          isTooLong &&
          !mayScroll(element)
        )
          found.push(`${name(element)} overlaps what is below it`);
        if (!element.matches('button, input')) continue;
        const [width, height] = element.matches('.keyboard-key') ? [minKey.width, minKey.height] : [min, min];
        if (box.width < width || box.height < height) found.push(`${name(element)} is only ${box.width}×${box.height}`);
      }
      for (const words of document.querySelectorAll('.status-words')) {
        if (words.checkVisibility() && words.getBoundingClientRect().width < 20)
          found.push(`${name(words)} is an icon only`);
      }
      const middleOf = (element: Element) => {
        const { left, right } = element.getBoundingClientRect();
        return (left + right) / 2;
      };
      for (const words of document.querySelectorAll('.kiosk-idle, .kiosk-result, .message')) {
        const besidePixels = Math.abs(middleOf(words) - middleOf(words.parentElement ?? words));
        if (besidePixels > 1) found.push(`${name(words)} is ${besidePixels} pixels beside the middle`);
      }
      const parts = [...document.querySelectorAll('.frame > *')].filter(part => part.checkVisibility());
      const boxes = parts.map(part => ({ part, box: part.getBoundingClientRect() }));
      for (const [index, one] of boxes.entries()) {
        for (const other of boxes.slice(index + 1)) {
          const apart =
            one.box.right <= other.box.left + 7 ||
            other.box.right <= one.box.left + 7 ||
            one.box.bottom <= other.box.top + 7 ||
            other.box.bottom <= one.box.top + 7;
          if (!apart) found.push(`${name(one.part)} covers ${name(other.part)}`);
        }
      }
      return found;
    },
    { min: minTargetPixels, minKey: minKeyPixels },
  );
}

for (const size of sizes) {
  test(`every screen fits ${size.width}×${size.height}`, async ({ browser }) => {
    // Without animations, so that screenshots can be compared by eye.
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    const errors: string[] = [];
    page.on('console', message => errors.push(message.text()));
    page.on('pageerror', error => errors.push(error.message));
    await page.goto(host.address);
    for (const picture of pictures) {
      await draw(page, picture);
      expect.soft(await layoutFaults(page), picture.name).toEqual([]);
      expect.soft(await page.locator('h1:visible').count(), `${picture.name} has one heading`).toBe(1);
      await keepScreenshot(page, `${size.width}x${size.height}`, picture);
    }
    expect(errors).toEqual([]);
    await page.close();
  });
}

test('no key moves when the terminal goes offline or a reader needs attention', async ({ browser }) => {
  const keypad = { name: 'keypad', notice: null } as const;
  const reader = {
    connection: 'ready',
    batteryPercent: 64,
    attention: coreWords.en.reader.card_left,
    isCardLeft: true,
  } as const;
  const headers = [{}, { service: 'offline' }, { service: 'offline', waitingToSync: 3 }, { reader }] as const;
  for (const size of sizes) {
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    await page.goto(host.address);
    const places = [];
    for (const header of headers) {
      await draw(page, { name: 'keypad', view: viewOf(keypad, header) });
      const keys = page.locator('.key, .actions .button');
      places.push(await keys.evaluateAll(found => found.map(key => JSON.stringify(key.getBoundingClientRect()))));
    }
    const [calm, ...others] = places;
    expect(calm).toHaveLength(13);
    for (const other of others) expect.soft(other, `${size.width}×${size.height}`).toEqual(calm);
    await page.close();
  }
});

/** One picture of each screen, and those that have additional parts. */
const representative = pictures.filter(
  ({ name }) =>
    /-(everything-at-once|late|notice|part-refunded|approved|declined|failed|pending|requested)$/.test(name) ||
    /^((kiosk-)?bitcoin-(waiting|seen|part|node-unreachable)|kiosk-(idle|sale-present_card|result-ask_staff|result-declined-card-left|refund-staff-id|leave-staff-id)|starting|enrolment|keypad|recent-sales(-\w+)?|refund-amount|confirm-void|staff-id|staff-password|new-password|locked-out)$/.test(
      name,
    ),
);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any screen, ${colorScheme}`, async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      colorScheme,
    });
    const page = await context.newPage();
    await page.goto(host.address);
    for (const picture of representative) {
      await draw(page, picture);
      // Legacy mode opens no second page for each analysis; it omits frames, of which there are none.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      const { violations } = await (colorScheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join(' | ')}`,
      );
      expect.soft(found, picture.name).toEqual([]);
      if (colorScheme === 'dark') await keepScreenshot(page, 'dark', picture);
    }
    await context.close();
  });
}
