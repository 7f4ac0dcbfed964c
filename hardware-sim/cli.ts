#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { optionsOf, wholeNumber } from '@florin/shared/command-line.ts';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { printable } from '@florin/shared/printable.ts';
import { Command } from 'commander';
import { z } from 'zod';
import type { Action } from './actions.ts';
import { claimFolder } from './platform/one-process.ts';
import { realTimers } from './platform/real.ts';
import { printerLanguages } from './printer/simulated-printer.ts';
import { type RunningPrinter, startPrinter } from './printer/start.ts';
import { ptyBackends } from './pty/pty.ts';
import { playByHand } from './raw/play.ts';
import { protocols } from './readers/open.ts';
import { ScenarioRunner } from './scenarios/runner.ts';
import { parseAuto, parseScenario, type Scenario } from './scenarios/scenario.ts';
import { type SimulatorServer, startServer } from './server.ts';
import { ReaderSimulator } from './simulator.ts';

const count = wholeNumber({ least: 0, most: 999_999_999 });

const shape = z.object({
  protocol: z.enum([...protocols, 'raw'], { error: 'takes line, zvt, or raw' }),
  tcp: wholeNumber({ least: 0, most: 65_535 }).optional(),
  link: z.string().min(1).optional(),
  http: z
    .string()
    .regex(/^(127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/, { error: 'takes 127.0.0.1:PORT' })
    .transform(addressOf)
    .optional(),
  headless: z.boolean().default(false),
  script: z.string().optional(),
  auto: z.string().optional(),
  data: z.string().min(1).optional(),
  bank: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  printer: z.string().min(1).optional(),
  printerLanguage: z.enum(printerLanguages, { error: `takes ${printerLanguages.join(' or ')}` }),
  seed: count,
  pace: z.union([z.literal('off').transform(() => 'unpaced' as const), count], {
    error: 'takes a whole number, or off',
  }),
  backend: z.enum(ptyBackends).optional(),
});
type Settings = z.output<typeof shape>;

const command = new Command('npm run hardware-sim --')
  .description('A simulated card reader on a pseudo-terminal.')
  .option('--protocol <name>', 'the reader’s protocol: line or zvt; raw to play another one by hand', 'line')
  .option('--tcp <port>', 'ZVT over TCP on this port of 127.0.0.1 instead of a serial port; 0 for any free one')
  .option('--link <path>', 'symlink to the serial port, stable across unplug and replug')
  .option('--http <host:port>', 'the tester’s page (default: a free port of 127.0.0.1)')
  .option('--headless', 'no page, unless --http is given')
  .option('--script <file>', 'play a scenario; exits with its result when it has steps')
  .option('--auto <actions>', 'play these for every transaction: "insert visa, pin ok, remove"')
  .option('--data <dir>', 'keep the reader’s memory there')
  .option('--bank <url>', 'where the bank is controlled; the page leads there')
  .option('--printer <path>', 'a receipt printer beside the reader: symlink to its serial port; on the page, /printer')
  .option('--printer-language <name>', printerLanguages.join(' or '), printerLanguages[0])
  .option('--seed <n>', 'repeat noise and jitter', '1')
  .option('--pace <baud>', 'bits per second of the line, or off', '115200')
  .option('--backend <name>', `${ptyBackends.join(', ')} (default: the first that works)`)
  .addHelpText(
    'after',
    `
Prints one line of JSON when ready: {"ready":true,"path":…,"url":…}.
With raw, what the driver writes is printed and what you type is sent, byte by byte: \\n, \\r, \\x02. Ctrl-D ends it.
Exits 0 when every expectation held, 1 when one failed, 2 on a wrong command line.`,
  );

function addressOf(text: string): { host: string; port: number } {
  const cut = text.lastIndexOf(':');
  return { host: text.slice(0, cut).replace(/[[\]]/g, ''), port: Number(text.slice(cut + 1)) };
}

function scenarioOf(script: string | undefined, auto: string | undefined): Scenario {
  const scenario = script === undefined ? undefined : parseScenario(textOf(script));
  if (scenario?.ok === false) return command.error(`error: ${script}: ${scenario.refusal.message}`);
  const actions = auto === undefined ? undefined : parseAuto(auto);
  if (actions?.ok === false) return command.error(`error: --auto: ${actions.refusal.message}`);
  const played: Action[] | undefined = actions === undefined ? scenario?.value.auto : [...actions.value];
  return { steps: scenario?.value.steps ?? [], ...(played === undefined ? {} : { auto: played }) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return command.error(`error: --script: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What only a simulated reader has. */
const ofReaders = ['http', 'script', 'auto', 'data', 'bank', 'tcp', 'printer'] as const;

/** Until the end of the input, or a signal. */
async function playRaw(settings: Settings): Promise<number> {
  const unfit = ofReaders.find(name => settings[name] !== undefined);
  if (unfit !== undefined) return command.error(`error: --${unfit}: needs a simulated reader, which raw is not`);
  const { link, backend } = settings;
  const hand = await playByHand({
    timers: realTimers,
    input: process.stdin,
    print: console.log,
    complain: console.error,
    link,
    backend,
  });
  console.log(JSON.stringify({ ready: true, path: hand.path, backend: hand.backend }));
  const stopped = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve());
  await Promise.race([hand.ended, stopped.promise]);
  hand.close();
  return 0;
}

async function run(settings: Settings): Promise<number> {
  const { protocol, tcp } = settings;
  if (protocol === 'raw') return playRaw(settings);
  if (tcp !== undefined && protocol !== 'zvt') return command.error('error: --tcp: only ZVT is spoken over TCP');
  const { link, data, backend, seed, pace } = settings;
  const http = settings.http ?? (settings.headless ? undefined : { host: '127.0.0.1', port: 0 });
  const scenario = scenarioOf(settings.script, settings.auto);
  if (data !== undefined) {
    makeFolder(data);
    await claimFolder(data);
  }
  const simulator = await ReaderSimulator.start({
    protocol,
    ...(tcp === undefined ? {} : { tcpPort: tcp }),
    seed,
    pace,
    ...(link === undefined ? {} : { link }),
    ...(data === undefined ? {} : { dataFolder: data }),
    ...(backend === undefined ? {} : { backend }),
    ...(settings.bank === undefined ? {} : { bankUrl: settings.bank }),
    hasPrinter: settings.printer !== undefined,
  });
  let printer: RunningPrinter | undefined;
  let server: SimulatorServer | undefined;
  const runner = new ScenarioRunner({ simulator, timers: realTimers, scenario });
  const stopped = Promise.withResolvers<undefined>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve(undefined));
  try {
    if (settings.printer !== undefined)
      printer = await startPrinter({ link: settings.printer, language: settings.printerLanguage, backend });
    if (http !== undefined) server = await startServer({ simulator, printer, ...http });
    console.log(
      JSON.stringify({
        ready: true,
        path: simulator.path,
        paths: simulator.paths,
        url: server?.url ?? null,
        printer: printer?.path ?? null,
        backend: simulator.backend,
        seed,
      }),
    );
    const report = await Promise.race([scenario.steps.length > 0 ? runner.run() : stopped.promise, stopped.promise]);
    if (report === undefined) return runner.violations().length === 0 ? 0 : 1;
    console.log(JSON.stringify(report));
    return report.passed ? 0 : 1;
  } finally {
    runner.close();
    simulator.close();
    printer?.close();
    await server?.close();
  }
}

process.umask(0o077);
try {
  process.exitCode = await run(optionsOf(command, shape, process));
} catch (error) {
  console.error(printable(error instanceof Error ? error.message : String(error)));
  process.exitCode = 2;
}
