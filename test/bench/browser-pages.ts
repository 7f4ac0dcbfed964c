import { getPayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { type Browser, chromium } from '@playwright/test';
import playwrightConfig from '../playwright.config.ts';
import { type Portal, startPortal } from '../portal/portal.ts';
import buildScreens from '../screens/build-renderer.ts';
import { viewOf } from '../screens/gallery/picture.ts';
import { scriptedHost } from '../screens/host.ts';
import { type Bench, type Reading, type Scale, withinLimit } from './bar.ts';
import { summarise } from './measure.ts';

const firstViewLimitMs = 1_000;
const keyLimitMs = 50;
const receiptLimitMs = 5;
/** What Chromium's event timing leaves out. */
const shortestReportedMs = 16;

/** What people wait for in a browser: the first view of a page, and the answer to a key press. */
export const browserPages: Bench = {
  name: 'browser',
  about: 'the first view of the portal and of a payment link, a receipt, and a key press on the terminal, in Chromium',
  async run(scale) {
    await buildScreens();
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions ?? {});
    const portal = await startPortal();
    try {
      return [
        await portalFirstView(browser, portal, scale),
        await linkFirstPaint(browser, portal, scale),
        await receiptProcessorTime(portal, scale),
        await keyToPaint(browser, scale),
      ];
    } finally {
      await portal.end();
      await browser.close();
    }
  },
};

/** From the address to today's takings, in a browser that has seen nothing of the portal but its cookie. */
async function portalFirstView(browser: Browser, portal: Portal, scale: Scale): Promise<Reading> {
  await portal.anUnsettledPayment(1_234);
  const [name = '', value = ''] = (await portal.owner.signIn()).cookie().split('=');
  const ms = await repeated(scale.times(20), async () => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name, value, url: portal.url }]);
    const page = await context.newPage();
    const startedAtMs = performance.now();
    await page.goto(portal.page());
    await page.getByText('£12.34').first().waitFor();
    const tookMs = performance.now() - startedAtMs;
    await context.close();
    return tookMs;
  });
  return withinLimit('portal, from its address to today’s takings, nothing cached, p50', ms.p50Ms, firstViewLimitMs);
}

async function linkFirstPaint(browser: Browser, portal: Portal, scale: Scale): Promise<Reading> {
  const { url } = await portal.aLink();
  const ms = await repeated(scale.times(20), async () => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(url);
    const painted = await page.evaluate(
      () =>
        new Promise<number>(resolve => {
          new PerformanceObserver(list => {
            const paint = list.getEntriesByName('first-contentful-paint')[0];
            if (paint !== undefined) resolve(paint.startTime);
          }).observe({ type: 'paint', buffered: true });
        }),
    );
    await context.close();
    return painted;
  });
  return withinLimit('page of a payment link, first paint, nothing cached, p50', ms.p50Ms, firstViewLimitMs);
}

/** Processor time of the whole process, so that it includes what the caller needs. */
async function receiptProcessorTime({ client, key, ...portal }: Portal, scale: Scale): Promise<Reading> {
  const id = await portal.anUnsettledPayment(1_500);
  const read = await client.call(getPayment, { params: { id } }, { key });
  const url = read.status === 200 ? (read.body.receipt?.url ?? '') : '';
  const times = scale.times(500);
  const cpuMs = async () => {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time += 1) {
      const { status } = await fetch(url);
      if (status !== 200) throw new Error(`the receipt was answered with ${status}`);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / times;
  };
  await cpuMs();
  return withinLimit('page of a receipt, processor time of service and caller', await cpuMs(), receiptLimitMs);
}

/** From the key press to the frame that shows it. Chromium reports steps of 8 ms, and nothing shorter than 16 ms. */
async function keyToPaint(browser: Browser, scale: Scale): Promise<Reading> {
  const host = await scriptedHost();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  host.show(viewOf({ name: 'keypad', notice: null }));
  await page.goto(host.address);
  await page.waitForSelector('.key');
  const times = scale.times(400);
  await page.evaluate(() => {
    const slowMs: number[] = [];
    Object.assign(window, { slowMs });
    new PerformanceObserver(list => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') slowMs.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  for (let press = 0; press < times; press += 1) {
    await page.keyboard.press(press % 6 === 5 ? 'Backspace' : '5', { delay: 20 });
  }
  const slowMs = await page.evaluate(() => (window as unknown as { slowMs: number[] }).slowMs);
  await page.close();
  await host.close();
  const all = [...slowMs, ...Array<number>(times - slowMs.length).fill(shortestReportedMs)];
  return withinLimit('key press to its frame on the terminal, p99', summarise(all, 1).p99Ms, keyLimitMs);
}

/** What `measureMs` finds, so many times. */
async function repeated(times: number, measureMs: () => Promise<number>) {
  const durations: number[] = [];
  for (let time = 0; time < times; time += 1) durations.push(await measureMs());
  return summarise(durations, 1);
}
