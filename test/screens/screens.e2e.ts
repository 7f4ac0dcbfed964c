import { fileURLToPath } from 'node:url';
import { coreWords } from '@florin/device/core/words.ts';
import { customerLanguages } from '@florin/shared/languages.ts';
import { expect, type Page, test } from '@playwright/test';
import { accessibilityFaults } from '../support/accessibility.ts';
import { isInPart } from '../support/part.ts';
import { onlineHeader, viewOf, wholeCounter } from './gallery/picture.ts';
import { gallery } from './gallery.ts';
import { hardCodedWords } from './hard-coded-words.ts';
import { type ScriptedHost, scriptedHost } from './host.ts';
import { brokenWords, layoutFaults } from './layout-faults.ts';
import { pseudoLanguage } from './pseudo-language.ts';
import { sizes } from './sizes.ts';

test.use({ trace: 'off' });

const nowMs = Date.now();
const pictures = gallery(nowMs);

/** Languages take turns, so that every picture is drawn in each of them, each time at another size. */
const galleries = customerLanguages
  .map(language => ({ language, drawn: gallery(nowMs, { language }) }))
  .filter(({ language }) => (process.env.SCREENS_LANGUAGE ?? language) === language);

/** Every picture in the pseudo-language, which takes the place of Spanish, whatever language the customer has. */
const accented = pseudoLanguage(coreWords.es);
const pseudoGallery = gallery(nowMs, {
  language: 'es',
  words: { en: accented, de: accented, fr: accented, es: accented },
}).map(({ name, view }) => ({
  name,
  view: { ...view, header: { ...view.header, language: 'es' as const, locale: 'es-ES' } },
}));

const screenshots = fileURLToPath(new URL('../test-results/screens/', import.meta.url));
/** Screenshots are optional: they take longer than all checks. */
const keepsScreenshots = process.env.CI === undefined;

let host: ScriptedHost;
test.beforeEach(async () => {
  host = await scriptedHost();
});
test.afterEach(() => host.close());

/** Opens the terminal with a clock that `draw` can move. */
async function open(page: Page, { address }: ScriptedHost) {
  await page.clock.install();
  await page.goto(address);
}

/** Shows one picture and waits until it is drawn in the terminal's font, with all that it shows after a while. */
async function draw(page: Page, { view }: (typeof pictures)[number], shownBy = host) {
  shownBy.show(view);
  await page.waitForSelector(`[data-sequence='${view.sequence}'] main`, { timeout: 30_000 });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const { waitingToSync } = view.header;
  if (waitingToSync === 0) return;
  // The number of entries to be sent takes room in the header only once they have waited for some seconds.
  await page.clock.fastForward(3_000);
  const waiting = page.locator('.header-waiting').filter({ hasText: String(waitingToSync) });
  await waiting.waitFor({ state: 'attached' });
  // The ages on the pictures that follow are those of the real time.
  await page.clock.setSystemTime(new Date());
}

async function keepScreenshot(page: Page, folder: string, { name }: (typeof pictures)[number]) {
  if (keepsScreenshots) await page.screenshot({ path: `${screenshots}${folder}/${name}.png` });
}

for (const [at, size] of sizes.entries()) {
  test(`every screen fits ${size.width}×${size.height}`, async ({ browser }) => {
    // Without animations, so that screenshots can be compared by eye.
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    const errors: string[] = [];
    page.on('console', message => errors.push(message.text()));
    page.on('pageerror', error => errors.push(error.message));
    await open(page, host);
    for (const [index, { name: screen }] of pictures.entries()) {
      if (!isInPart(`${screen} ${size.width}`, 10)) continue;
      const { language, drawn } = galleries[(index + at) % galleries.length] ?? { language: '', drawn: [] };
      const picture = drawn[index];
      if (picture === undefined) throw new Error('the galleries of two languages differ');
      await draw(page, picture);
      const name = `${picture.name} in ${language}`;
      expect.soft([...(await layoutFaults(page)), ...(await brokenWords(page))], name).toEqual([]);
      expect.soft(await page.locator('h1:visible').count(), `${name} has one heading`).toBe(1);
      await keepScreenshot(page, `${size.width}x${size.height}`, picture);
    }
    expect(errors).toEqual([]);
    await page.close();
  });
}

test('every word on every screen comes from a table of words, and long words fit', async ({ browser }) => {
  const spoken = await scriptedHost(undefined, { replacesSpanish: true });
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await open(page, spoken);
  for (const picture of pseudoGallery) {
    if (!isInPart(picture.name, 6)) continue;
    await draw(page, picture, spoken);
    expect.soft(await hardCodedWords(page), picture.name).toEqual([]);
    expect.soft(await layoutFaults(page), picture.name).toEqual([]);
    await keepScreenshot(page, 'pseudo', picture);
  }
  await page.close();
  await spoken.close();
});

test('no key moves when the terminal goes offline or a reader needs attention', async ({ browser }) => {
  const keypad = { name: 'keypad', notice: null } as const;
  const approved = pictures.find(({ name }) => name === 'sale-result-reader_confirmed-print-possible')?.view.screen;
  if (approved === undefined) throw new Error('the gallery has no result that can be printed');
  const reader = {
    connection: 'ready',
    batteryPercent: 64,
    attention: coreWords.en.reader.card_left,
    isCardLeft: true,
  } as const;
  const headers = [{}, { service: 'offline' }, { service: 'offline', waitingToSync: 3 }, { reader }] as const;
  for (const size of sizes) {
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    await open(page, host);
    for (const [screen, counter] of [
      [keypad, onlineHeader.counter],
      [keypad, wholeCounter],
      [approved, onlineHeader.counter],
    ] as const) {
      const places = [];
      for (const header of headers) {
        await draw(page, {
          name: screen.name,
          view: viewOf(screen, { counter, ...header }, { state: 'possible', isCopy: false, notice: null }),
        });
        const keys = page.locator('.key, .actions .button, .receipt-tools .button').filter({ visible: true });
        places.push(await keys.evaluateAll(found => found.map(key => JSON.stringify(key.getBoundingClientRect()))));
      }
      const [calm, ...others] = places;
      expect(calm?.length).toBeGreaterThanOrEqual(screen === approved ? 4 : counter === wholeCounter ? 16 : 13);
      for (const other of others) expect.soft(other, `${size.width}×${size.height}`).toEqual(calm);
    }
    await page.close();
  }
});

/** One picture of each screen, and those that have additional parts. */
const representative = pictures.filter(
  ({ name }) =>
    /-(everything-at-once|late|notice|part-refunded|approved|declined|failed|pending|requested)$/.test(name) ||
    /^((kiosk-)?bitcoin-(waiting|seen|part|node-unreachable)|kiosk-(idle|sale-present_card|result-ask_staff|result-declined-card-left|refund-staff-id|leave-staff-id)|starting|enrolment|keypad|recent-sales(-[\w-]+)?|find-sale|uncharged-sale-customer|day-report(-\w+)?|refund-amount|confirm-void|staff-id|staff-password|new-password|locked-out)$/.test(
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
    await open(page, host);
    for (const picture of representative) {
      if (!isInPart(`${picture.name} ${colorScheme}`, 10)) continue;
      await draw(page, picture);
      const only = colorScheme === 'dark' ? { rules: ['color-contrast'] } : {};
      expect.soft(await accessibilityFaults(page, only), picture.name).toEqual([]);
      if (colorScheme === 'dark') await keepScreenshot(page, 'dark', picture);
    }
    await context.close();
  });
}
