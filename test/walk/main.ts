import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, readOptions } from '@florin/backend/foundation/platform/command-line.ts';
import { chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import playwrightConfig from '../playwright.config.ts';
import { busyHour } from './busy-hour.ts';
import { Counter, type TaskReading } from './counter.ts';
import { firstMinutes } from './first-minutes.ts';
import { everydayTasks } from './tasks.ts';

/** The pictures that the README shows, by their names there. */
const readmePictures = {
  sale: 'first-5-approved',
  receipt: 'task-receipt-page',
  refund: 'task-refund-amount',
  portal: 'first-12-payment',
};

/** Walks through a shop's day on the whole product, as `npm start` runs it, and keeps a picture of each step. */
async function main(): Promise<void> {
  const { out, customers, seed, readme } = readOptions(
    new Command('npm run walk --')
      .description(
        `Uses the product as a shop does, by touch on a terminal of 1280 by 800: the first minutes, the tasks of every day, and
a busy hour, after which terminal, service and bank must agree. Writes pictures and taps and seconds of each task.`,
      )
      .option('--out <folder>', 'where pictures and report.md are written', 'test/test-results/walk')
      .option('--customers <count>', 'in the busy hour', '60')
      .option('--seed <number>', 'repeats a busy hour', String(Date.now() % 100_000))
      .option('--readme', 'also replace the pictures of the README'),
    z.object({
      out: z.string().min(1),
      customers: z.coerce.number().int().positive(),
      seed: z.coerce.number().int(),
      readme: z.boolean().default(false),
    }),
  );
  mkdirSync(out, { recursive: true });
  const names: string[] = [];
  const picture = async (name: string, page: Page) => {
    names.push(name);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: join(out, `${name}.png`) });
  };
  const browser = await chromium.launch(playwrightConfig.use?.launchOptions ?? {});
  const counter = await Counter.begin(browser, picture);
  try {
    await firstMinutes(counter, browser);
    await everydayTasks(counter);
    const hour = await busyHour(counter, { customers, seed });
    const report = `${tableOf(counter.readings)}\n\n${hour}\n\n${names.map(name => `![${name}](${name}.png)`).join('\n')}\n`;
    writeFileSync(join(out, 'report.md'), report);
    if (readme)
      for (const [name, picture] of Object.entries(readmePictures))
        copyFileSync(join(out, `${picture}.png`), join(import.meta.dirname, 'pictures', `${name}.png`));
    console.log(`${tableOf(counter.readings)}\n\n${hour}\n\nPictures and report.md: ${out}`);
  } catch (error) {
    await picture('where-it-stopped', counter.terminal);
    throw error;
  } finally {
    await counter.close();
    await browser.close();
  }
}

function tableOf(readings: readonly TaskReading[]): string {
  const rows = readings.map(({ task, taps, seconds }) => `| ${task} | ${taps} | ${seconds.toFixed(1)} |`);
  return ['| task | taps | seconds |', '|-|-|-|', ...rows].join('\n');
}

await main();
