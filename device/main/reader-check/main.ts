import { writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { optionsOf } from '@florin/shared/command-line.ts';
import { Command } from 'commander';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { CheckBench, type Person } from '../../readers/check/bench.ts';
import { reportText } from '../../readers/check/report.ts';
import { checkReader } from '../../readers/check/run.ts';
import { readerDriver, readerPassword, readerProtocols, usualReaderProtocol } from '../../readers/drivers.ts';
import type { ReaderAlarm } from '../../readers/reader.ts';
import { createLog } from '../platform/log.ts';
import { systemClock, systemRandom, systemTimers } from '../platform/system.ts';

const shape = z.object({
  port: z.string().min(1),
  protocol: z.enum(readerProtocols, { error: `must be ${readerProtocols.join(' or ')}` }),
  password: readerPassword.optional(),
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'must be three letters, such as GBP' }),
  report: z.string().min(1).optional(),
});

const command = new Command('npm run reader-check --')
  .description('Leads you through a check of the card reader on your desk, and writes a report.')
  .option('--port <path>', 'serial port of the reader, or tcp://host:port')
  .option('--protocol <name>', `what the reader speaks: ${readerProtocols.join(' or ')}`, usualReaderProtocol)
  .option('--password <digits>', 'the password of six digits that a ZVT reader asks for (default: 000000)')
  .option('--currency <code>', 'the currency of the sales', 'GBP')
  .option('--report <file>', 'where the report is written')
  .addHelpText('after', '\nExits with 0 if no step failed, 1 if one did, 2 if the check was not carried out.');

/** Reads whole lines; the end of the input is the answer no, or leaves a step out. */
function atConsole(): Person & { close(): void } {
  const lines = createInterface({ input: process.stdin });
  const typed = lines[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await typed.next();
    return done ? undefined : value.trim().toLowerCase();
  };
  return {
    say: text => console.log(text),
    async begin({ number, of, title, todo }) {
      console.log(`\n${number}/${of}  ${title}\n  ${todo}\n  Enter begins, s leaves it out.`);
      const answer = await next();
      return answer === undefined || answer.startsWith('s') ? 'skip' : 'begin';
    },
    async confirms(question) {
      console.log(`${question} (yes or no)`);
      return (await next()) === 'yes';
    },
    close: () => lines.close(),
  };
}

async function run(settings: z.output<typeof shape>): Promise<number> {
  const { port, protocol, password, currency } = settings;
  const person = atConsole();
  const alarms: ReaderAlarm[] = [];
  let stored: string | undefined;
  const reader = readerDriver(protocol).open({
    paths: [port],
    hostName: hostname()
      .replaceAll(/[^A-Za-z0-9.-]/g, '-')
      .slice(0, 40),
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    log: createLog({ level: 'silent' }),
    onAlarm: alarm => alarms.push(alarm),
    storage: {
      read: () => stored,
      write(text) {
        stored = text;
      },
    },
    ...(password === undefined ? {} : { password }),
  });
  try {
    const ports = { clock: systemClock, timers: systemTimers, random: systemRandom };
    const bench = new CheckBench({ reader, person, alarms, currency, ...ports });
    const results = await checkReader(bench);
    if (results === undefined) return 2;
    const at = new Date().toISOString();
    const file = settings.report ?? join(tmpdir(), `reader-check-${at.slice(0, 19).replaceAll(':', '')}.md`);
    writeFileSync(file, reportText({ bench, results, at, appVersion: manifest.version, port }));
    const failed = results.filter(({ result }) => result === 'failed').length;
    const passed = results.filter(({ result }) => result === 'passed').length;
    console.log(`\n${passed} passed, ${failed} failed. The report is in ${file}`);
    return failed === 0 ? 0 : 1;
  } finally {
    person.close();
    await reader.close();
  }
}

process.exitCode = await run(optionsOf(command, shape, process));
