import { Command, readOptions, wholeNumber } from '@florin/backend/foundation/platform/command-line.ts';
import { z } from 'zod';
import buildBackend from '../crash/program.ts';
import { scaleDrill } from './drill.ts';
import { told } from './told.ts';

const { seconds, customers } = readOptions(
  new Command('npm run scale --')
    .description(
      `Three processes that serve and two workers behind a proxy, on PostgreSQL behind PgBouncer: speed with one, two and three of
them, then the primary is killed, its synchronous standby takes over, and everybody's records are compared.`,
    )
    .option('--seconds <n>', 'of each phase', '15')
    .option('--customers <n>', 'who trade at the same time', '24'),
  z.object({
    seconds: wholeNumber({ least: 1, most: 3_600 }),
    customers: wholeNumber({ least: 1, most: 1_000 }),
  }),
);
await run();

async function run(): Promise<void> {
  const ends: (() => Promise<void> | void)[] = [await buildBackend()];
  try {
    const atTheEnd = (end: () => Promise<void> | void) => void ends.unshift(end);
    const figures = await scaleDrill({ phaseMs: seconds * 1_000, customers, atTheEnd });
    console.log(told(figures));
    const { lost, unexpected } = figures.webhooks;
    if (figures.violations.length + lost + unexpected > 0) process.exitCode = 1;
  } finally {
    for (const end of ends) await end();
  }
}
