import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { Command, namesOf, readOptions } from '@florin/backend/foundation/platform/command-line.ts';
import { z } from 'zod';
import { authenticatedPost } from './authenticated-post.ts';
import { type Bench, isMet, type Reading, type Scale } from './bar.ts';
import { browserPages } from './browser-pages.ts';
import { checkouts } from './checkouts.ts';
import { paymentSearch } from './payment-search.ts';
import { postgresRefunds } from './postgres-refunds.ts';
import { programs } from './programs.ts';
import { readerExchange } from './reader-exchange.ts';
import { growth, refundCode } from './refund-code.ts';
import { refundsOverHttp } from './refunds-over-http.ts';
import { machineLine, tableOf } from './table.ts';
import { tapToResult, terminalGrowth } from './tap-to-result.ts';
import { thousandTerminals } from './thousand-terminals.ts';
import { webhookBacklog } from './webhook-backlog.ts';
import { firstAttempts, webhooks } from './webhooks.ts';

const benches: readonly Bench[] = [
  authenticatedPost,
  refundsOverHttp,
  refundCode,
  growth,
  programs,
  postgresRefunds,
  webhooks,
  webhookBacklog,
  firstAttempts,
  thousandTerminals,
  checkouts,
  paymentSearch,
  readerExchange,
  tapToResult,
  terminalGrowth,
  browserPages,
];

async function main(): Promise<number> {
  const { only, quick, large, json, readme } = readOptions(
    new Command('npm run bench --')
      .description(
        `Measures what the product does against a ceiling of the same run: hand-written code that does the same work with
nothing around it. Ratios carry over to other machines, figures do not. Run it on a machine that does nothing else.`,
      )
      .option('--only <names>', 'only these, by commas')
      .option('--quick', 'fewer repetitions: for a quick look only')
      .option('--large', 'growth also with ten million payments (takes minutes and about 10 GB of disk)')
      .option('--json <file>', 'also write the readings there')
      .option('--readme', 'also put the table of this run into README.md')
      .addHelpText(
        'after',
        `
${benches.map(({ name, about }) => `  ${name.padEnd(16)}${about}`).join('\n')}

Exits 0 when every goal is met, 1 when one is missed, 2 on a wrong command line.`,
      ),
    z.object({
      only: namesOf(benches.map(({ name }) => name)).optional(),
      quick: z.boolean().default(false),
      large: z.boolean().default(false),
      json: z.string().min(1).optional(),
      readme: z.boolean().default(false),
    }),
  );
  const loadBefore = loadavg()[0] ?? 0;
  const readings: Reading[] = [];
  for (const bench of benches.filter(({ name }) => only?.includes(name) ?? true)) {
    const scale: Scale = {
      quick,
      large,
      rounds: quick ? 3 : 5,
      times: usual => (quick ? Math.ceil(usual / 10) : usual),
      print: text => console.error(`${bench.name}: ${text}`),
    };
    const beganAt = performance.now();
    readings.push(...(await bench.run(scale)));
    scale.print(`done in ${((performance.now() - beganAt) / 1_000).toFixed(0)} s`);
  }
  const machine = machineLine(loadBefore);
  const table = `${tableOf(readings)}\n\n${machine}`;
  console.log(`\n${table}`);
  if (readme) writeIntoReadme(table);
  if (json !== undefined) {
    const judged = readings.map(reading => ({ ...reading, met: isMet(reading) ?? null }));
    writeFileSync(json, `${JSON.stringify({ machine, quick, readings: judged }, null, 2)}\n`);
  }
  return readings.every(reading => isMet(reading) ?? true) ? 0 : 1;
}

const tablePlace = /(<!-- table -->\n).*(<!-- end of table -->)/s;

function writeIntoReadme(table: string): void {
  const file = new URL('README.md', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(
    file,
    text.replace(tablePlace, (_, before: string, after: string) => `${before}${day}\n\n${table}\n${after}`),
  );
}

const exitCode = await main().catch((error: unknown) => {
  console.error(error);
  return 1;
});
// A failed bench may have left a server running: end it with this process.
process.exit(exitCode);
