import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { type Florin, startFlorin } from '../e2e/florin.ts';
import { tapKeys } from '../screens/touch.ts';

/** What a person did at the terminal in one task. */
export type TaskReading = { readonly task: string; readonly taps: number; readonly seconds: number };

const waitMs = 30_000;

/** A shop's counter: a touch terminal, its card reader, and the number of taps at the terminal. */
export class Counter {
  readonly florin: Florin;
  readonly terminal: Page;
  readonly reader: Page;
  readonly readings: TaskReading[] = [];
  readonly #browser: Browser;
  readonly #picture: (name: string, page: Page) => Promise<void>;

  private constructor(
    florin: Florin,
    browser: Browser,
    pages: { readonly terminal: Page; readonly reader: Page },
    picture: (name: string, page: Page) => Promise<void>,
  ) {
    this.florin = florin;
    this.#browser = browser;
    this.terminal = pages.terminal;
    this.reader = pages.reader;
    this.#picture = picture;
  }

  static async begin(browser: Browser, picture: (name: string, page: Page) => Promise<void>): Promise<Counter> {
    const florin = await startFlorin();
    const atCounter = { viewport: { width: 1280, height: 800 }, hasTouch: true, locale: 'en-GB' } as const;
    const terminal = await (await browser.newContext(atCounter)).newPage();
    const reader = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    for (const page of [terminal, reader]) page.setDefaultTimeout(waitMs);
    await terminal.addInitScript(() => {
      const counted = Object.assign(window, { taps: 0 });
      window.addEventListener('pointerdown', () => (counted.taps += 1), { capture: true });
    });
    await terminal.goto(florin.terminalUrl);
    await reader.goto(florin.readerUrl);
    return new Counter(florin, browser, { terminal, reader }, picture);
  }

  /** Carries out a task, and notes its taps and how long it took, customer and bank included. */
  async task(name: string, carryOut: () => Promise<void>): Promise<void> {
    const tapsBefore = await this.#taps();
    const startedAtMs = performance.now();
    await carryOut();
    const seconds = (performance.now() - startedAtMs) / 1_000;
    this.readings.push({ task: name, taps: (await this.#taps()) - tapsBefore, seconds });
  }

  /** How often the terminal's screen was touched. */
  #taps(): Promise<number> {
    return this.terminal.evaluate(() => (window as unknown as { taps: number }).taps);
  }

  async tap(name: string | RegExp): Promise<void> {
    const button = this.terminal.getByRole('button', { name, exact: typeof name === 'string' });
    await button.filter({ visible: true }).first().tap();
  }

  /** Taps digits, or letters on the on-screen keyboard. */
  async type(typed: string): Promise<void> {
    await tapKeys(this.terminal, typed);
  }

  async heading(name: string | RegExp): Promise<void> {
    await this.terminal.getByRole('heading', { name }).first().waitFor();
  }

  /** A page on somebody else's screen. */
  async open(url: string, screen: BrowserContextOptions): Promise<Page> {
    const page = await (await this.#browser.newContext(screen)).newPage();
    page.setDefaultTimeout(waitMs);
    await page.goto(url);
    return page;
  }

  async picture(name: string, page: Page = this.terminal): Promise<void> {
    await this.#picture(name, page);
  }

  /** The customer chooses a card and inserts or taps it. */
  async present(card: string, how: 'Insert' | 'Tap' = 'Insert', pin = ''): Promise<void> {
    await this.heading('Present card');
    await this.reader.getByRole('radio', { name: new RegExp(`^${card},`) }).check({ force: true });
    await this.reader.getByRole('button', { name: how, exact: true }).click();
    if (pin !== '') await this.heading('Enter PIN');
    for (const digit of pin) await this.reader.getByRole('button', { name: `Key ${digit}`, exact: true }).click();
    if (pin !== '') await this.reader.getByRole('button', { name: 'Key Enter', exact: true }).click();
  }

  async removeCard(): Promise<void> {
    await this.reader.getByRole('button', { name: 'Remove', exact: true }).click();
  }

  async close(): Promise<void> {
    await this.florin.stop();
  }
}
