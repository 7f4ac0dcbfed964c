#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { actionReference } from './reference.ts';
import { parseAuto, parseScenario, type Scenario, scenarioSchema } from './scenarios/scenario.ts';
import { TesterSession } from './scenarios/session.ts';
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
  node: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  readers: wholeNumber({ least: 1, most: 20 }),
  record: z.string().min(1).optional(),
  reference: z.boolean().default(false),
  schema: z.boolean().default(false),
  printer: z.string().min(1).optional(),
  printerLanguage: z.enum(printerLanguages, { error: `takes ${printerLanguages.join(' or ')}` }),
  seed: count.optional(),
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
  .option('--node <url>', 'where the bitcoin node is controlled')
  .option(
    '--readers <n>',
    'so many readers, 1 to 20: of the second on, --link, --data and a port of --http end in their number',
    '1',
  )
  .option('--record <file>', 'write down what is done, as a scenario that does it again')
  .option('--reference', 'print the reference of every action (ACTIONS.md)')
  .option('--schema', 'print the JSON Schema of a scenario file')
  .option('--printer <path>', 'a receipt printer beside the reader: symlink to its serial port; on the page, /printer')
  .option('--printer-language <name>', printerLanguages.join(' or '), printerLanguages[0])
  .option('--seed <n>', 'repeat noise and jitter (default: that of the scenario, or 1)')
  .option('--pace <baud>', 'bits per second of the line, or off', '115200')
  .option('--backend <name>', `${ptyBackends.join(', ')} (default: the first that works)`)
  .addHelpText(
    'after',
    `
Prints one line of JSON for each reader when it is ready: {"ready":true,"path":…,"url":…}.
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
  return { ...(scenario?.value ?? { steps: [] }), ...(played === undefined ? {} : { auto: played }) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return command.error(`error: --script: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What only a simulated reader has. */
const ofReaders = ['http', 'script', 'auto', 'data', 'bank', 'node', 'tcp', 'printer', 'record'] as const;

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
  if (settings.reference || settings.schema) {
    process.stdout.write(settings.reference ? actionReference() : `${JSON.stringify(scenarioSchema(), null, 2)}\n`);
    return 0;
  }
  if (protocol === 'raw') return playRaw(settings);
  if (tcp !== undefined && protocol !== 'zvt') return command.error('error: --tcp: only ZVT is spoken over TCP');
  const scenario = scenarioOf(settings.script, settings.auto);
  const stopped = Promise.withResolvers<undefined>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve(undefined));
  const numbers = Array.from({ length: settings.readers }, (_, index) => index + 1);
  const results = await Promise.all(
    numbers.map(number => runReader(numbered(settings, number), { scenario, stopped: stopped.promise })),
  );
  return Math.max(...results);
}

/** The settings of one of several readers: paths and ports of the second and later ones end in its number. */
function numbered(settings: Settings, number: number): Settings {
  if (number === 1) return settings;
  const { link, data, http, tcp, record, seed } = settings;
  return {
    ...settings,
    printer: undefined,
    ...(seed === undefined ? {} : { seed: seed + number - 1 }),
    ...(link === undefined ? {} : { link: `${link}${number}` }),
    ...(data === undefined ? {} : { data: join(data, String(number)) }),
    ...(record === undefined ? {} : { record: `${record}${number}` }),
    ...(http === undefined ? {} : { http: { ...http, port: portOf(http.port, number) } }),
    ...(tcp === undefined ? {} : { tcp: portOf(tcp, number) }),
  };
}

function portOf(first: number, number: number): number {
  return first === 0 ? 0 : first + number - 1;
}

async function runReader(
  settings: Settings,
  { scenario, stopped }: { scenario: Scenario; stopped: Promise<undefined> },
): Promise<number> {
  const { protocol, tcp, link, data, backend, pace, record } = settings;
  const seed = settings.seed ?? scenario.seed ?? 1;
  const http = settings.http ?? (settings.headless ? undefined : { host: '127.0.0.1', port: 0 });
  if (data !== undefined) {
    makeFolder(data);
    await claimFolder(data);
  }
  const simulator = await ReaderSimulator.start({
    protocol: protocol === 'raw' ? 'line' : protocol,
    ...(tcp === undefined ? {} : { tcpPort: tcp }),
    seed,
    pace,
    ...(link === undefined ? {} : { link }),
    ...(data === undefined ? {} : { dataFolder: data }),
    ...(backend === undefined ? {} : { backend }),
    ...(settings.bank === undefined ? {} : { bankUrl: settings.bank }),
    ...(settings.node === undefined ? {} : { nodeUrl: settings.node }),
    hasPrinter: settings.printer !== undefined,
  });
  let printer: RunningPrinter | undefined;
  let server: SimulatorServer | undefined;
  const session = new TesterSession({ simulator, timers: realTimers, auto: scenario.auto });
  try {
    if (settings.printer !== undefined)
      printer = await startPrinter({ link: settings.printer, language: settings.printerLanguage, backend });
    if (http !== undefined) server = await startServer({ simulator, session, printer, ...http });
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
    const isPlayed = scenario.steps.length > 0;
    const report = await Promise.race([isPlayed ? session.run({ ...scenario, seed }) : stopped, stopped]);
    if (report === undefined) return session.violations().length === 0 ? 0 : 1;
    console.log(JSON.stringify(report));
    return report.passed ? 0 : 1;
  } finally {
    if (record !== undefined) writeFileSync(record, session.recording());
    session.close();
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
