#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Action } from './actions.ts';
import { realTimers } from './platform/real.ts';
import { ptyBackends } from './pty/pty.ts';
import { ScenarioRunner } from './scenarios/runner.ts';
import { parseAuto, parseScenario, type Scenario } from './scenarios/scenario.ts';
import { type SimulatorServer, startServer } from './server.ts';
import { ReaderSimulator } from './simulator.ts';

const help = `Usage: npm run hardware-sim -- [options]

A simulated card reader on a pseudo-terminal.

  --protocol line         the reader's protocol (line is the only one)
  --link PATH             symlink to the serial port, stable across unplug and replug
  --http HOST:PORT        the tester's page (default 127.0.0.1:0, a free port)
  --headless              no page, unless --http is given
  --script FILE.yaml      play a scenario; ends with its verdict when it has steps
  --auto "ACTIONS"        play these for every transaction: "insert visa, pin ok, remove"
  --data DIR              keep the reader's memory there
  --seed N                repeat noise and jitter (default 1)
  --pace BAUD|off         bytes per second of the line (default 115200)
  --backend NAME          ${ptyBackends.join(', ')} (default: the first that works)
  --help

Prints one line of JSON when ready: {"ready":true,"path":…,"url":…}.
Exits 0 when every expectation held, 1 when one failed, 2 on a wrong command line.`;

type Settings = ReturnType<typeof readSettings>;

function readSettings() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      protocol: { type: 'string', default: 'line' },
      link: { type: 'string' },
      http: { type: 'string' },
      headless: { type: 'boolean', default: false },
      script: { type: 'string' },
      auto: { type: 'string' },
      data: { type: 'string' },
      seed: { type: 'string', default: '1' },
      pace: { type: 'string', default: '115200' },
      backend: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { help: true } as const;
  if (positionals.length > 1 || (positionals[0] ?? 'run') !== 'run')
    throw new Error(`no such command: ${positionals[0]}`);
  if (values.protocol !== 'line') throw new Error(`no such protocol: ${values.protocol}`);
  const backend = ptyBackends.find(name => name === values.backend);
  if (values.backend !== undefined && backend === undefined) throw new Error(`no such backend: ${values.backend}`);
  const http = values.http ?? (values.headless ? undefined : '127.0.0.1:0');
  return {
    help: false,
    link: values.link,
    data: values.data,
    backend,
    http: http === undefined ? undefined : addressOf(http),
    seed: wholeNumber('--seed', values.seed),
    pace: values.pace === 'off' ? ('unpaced' as const) : wholeNumber('--pace', values.pace),
    scenario: scenarioOf(values.script, values.auto),
  } as const;
}

function addressOf(text: string): { host: string; port: number } {
  const [, host, port] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined) throw new Error(`--http takes 127.0.0.1:PORT, not ${text}`);
  return { host: host === '[::1]' ? '::1' : host, port: Number(port) };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} takes a whole number, not ${text}`);
  return Number(text);
}

function scenarioOf(script: string | undefined, auto: string | undefined): Scenario {
  const scenario = script === undefined ? undefined : parseScenario(readFileSync(script, 'utf8'));
  if (scenario?.ok === false) throw new Error(`${script}: ${scenario.refusal.message}`);
  const actions = auto === undefined ? undefined : parseAuto(auto);
  if (actions?.ok === false) throw new Error(`--auto: ${actions.refusal.message}`);
  const played: Action[] | undefined = actions === undefined ? scenario?.value.auto : [...actions.value];
  return { steps: scenario?.value.steps ?? [], ...(played === undefined ? {} : { auto: played }) };
}

async function run(settings: Extract<Settings, { help: false }>): Promise<number> {
  const { link, data, backend, http, seed, pace, scenario } = settings;
  const simulator = await ReaderSimulator.start({
    seed,
    pace,
    ...(link === undefined ? {} : { link }),
    ...(data === undefined ? {} : { dataFolder: data }),
    ...(backend === undefined ? {} : { backend }),
  });
  let server: SimulatorServer | undefined;
  const runner = new ScenarioRunner({ simulator, timers: realTimers, scenario });
  const stopped = Promise.withResolvers<undefined>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve(undefined));
  try {
    if (http !== undefined) server = await startServer({ simulator, ...http });
    console.log(
      JSON.stringify({ ready: true, path: simulator.path, url: server?.url ?? null, backend: simulator.backend, seed }),
    );
    const report = await Promise.race([scenario.steps.length > 0 ? runner.run() : stopped.promise, stopped.promise]);
    if (report === undefined) return runner.violations().length === 0 ? 0 : 1;
    console.log(JSON.stringify(report));
    return report.passed ? 0 : 1;
  } finally {
    runner.close();
    simulator.close();
    await server?.close();
  }
}

try {
  const settings = readSettings();
  if (settings.help) console.log(help);
  else process.exitCode = await run(settings);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
