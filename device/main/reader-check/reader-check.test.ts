import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ActionInput } from '@florin/hardware-sim/actions.ts';
import { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import { afterEach, expect, test } from 'vitest';

const program = new URL('./main.ts', import.meta.url).pathname;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** By the title of a step; with `: told`, what is done once the program says so. */
type Acts = Readonly<Record<string, (desk: Desk) => unknown>>;

/** The real program with a simulated reader on the desk, and a person who does what the program says. */
class Desk {
  readonly simulator: ReaderSimulator;
  readonly #child: ChildProcess;
  readonly #report: string;
  readonly said: string[] = [];
  readonly ended: Promise<number | null>;
  readonly #acts: Acts;
  readonly #leavesOut: RegExp | undefined;
  #title = '';

  private constructor(
    simulator: ReaderSimulator,
    options: { protocol: string; acts: Acts; agrees?: boolean; leavesOut?: RegExp },
  ) {
    this.simulator = simulator;
    this.#acts = options.acts;
    this.#leavesOut = options.leavesOut;
    const folder = mkdtempSync(join(tmpdir(), 'florin-check-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    this.#report = join(folder, 'report.md');
    const args = ['--port', simulator.path, '--protocol', options.protocol, '--report', this.#report];
    this.#child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    cleanups.push(() => this.#child.kill('SIGKILL'));
    this.ended = new Promise(resolve => this.#child.once('close', resolve));
    const { stdout } = this.#child;
    if (!stdout) throw new Error('no output');
    createInterface({ input: stdout }).on('line', line => this.#heard(line, options.agrees ?? true));
    simulator.onChange(() => this.#ready());
  }

  static async sit(options: {
    protocol: 'line' | 'zvt';
    acts?: Acts;
    agrees?: boolean;
    leavesOut?: RegExp;
  }): Promise<Desk> {
    const simulator = await ReaderSimulator.start({ protocol: options.protocol, pace: 'unpaced' });
    cleanups.push(() => simulator.close());
    return new Desk(simulator, { ...options, acts: { ...usual, ...options.acts } });
  }

  report(): string {
    return readFileSync(this.#report, 'utf8');
  }

  async act(...actions: ActionInput[]): Promise<void> {
    for (const action of actions) await this.simulator.act(action);
  }

  #heard(line: string, agrees: boolean): void {
    this.said.push(line);
    const title = /^\d+\/\d+ {2}(.*)$/.exec(line)?.[1];
    if (title !== undefined) this.#title = title;
    if (line.includes('(yes or no)')) this.#type(agrees ? 'yes' : 'no');
    if (line.includes('s leaves it out'))
      this.#type(this.#title in this.#acts && !this.#leavesOut?.test(this.#title) ? '' : 's');
    if (/^(Pull|Switch)/.test(line)) void this.#acts[`${this.#title}: told`]?.(this);
  }

  #type(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  #stage: string | undefined;
  /** The reader asks for a card, or for a tip. */
  #ready(): void {
    const stage = this.simulator.state().screen.kind;
    if (stage === this.#stage) return;
    this.#stage = stage;
    if (stage === 'present' || stage === 'tip') setImmediate(() => void this.#acts[this.#title]?.(this));
    if (stage === 'remove') setImmediate(() => void this.act({ do: 'remove' }));
  }
}

const tap = (desk: Desk) => desk.act({ do: 'tap', card: 'visa' });
const replugged = async (desk: Desk) => {
  await desk.act({ do: 'unplug' });
  setTimeout(() => void desk.act({ do: 'replug' }), 300);
};
const idle = () => undefined;
const usual: Acts = {
  'The reader is found': idle,
  'A sale is approved, once, and its result can be asked for again': tap,
  'The bank declines': tap,
  'The bank’s answer is not known': tap,
  'The customer cancels': desk => desk.act({ do: 'key', key: 'cancel' }),
  'Staff cancel': idle,
  'The customer adds a tip': desk => desk.act({ do: 'key', key: '1' }),
  'A sale is refunded': tap,
  'The cable is pulled before a card is presented': idle,
  'The cable is pulled before a card is presented: told': replugged,
  'The reader is switched off before a card is presented': idle,
  'The reader is switched off before a card is presented: told': desk => desk.act({ do: 'reboot' }),
  'The cable is pulled while the bank answers': tap,
  'The cable is pulled while the bank answers: told': replugged,
};

test('a person is led through every step with a reader whose host authorises, and gets a report without card data', async () => {
  const desk = await Desk.sit({ protocol: 'line' });
  expect(await desk.ended, desk.said.join('\n')).toBe(0);
  const report = desk.report();
  expect(report).toContain('0 failed');
  expect(report).toMatch(/The customer adds a tip \| passed/);
  expect(report).toMatch(/while the bank answers \| passed/);
  expect(report).not.toMatch(/\d{13,19}|block=/);
});

test('a reader that authorises by itself moves money only with consent, and every sale is returned', async () => {
  const desk = await Desk.sit({ protocol: 'zvt', agrees: false });
  expect(await desk.ended).toBe(2);
  expect(desk.simulator.state().transactions).toEqual([]);
  const agreed = await Desk.sit({
    protocol: 'zvt',
    acts: { 'The bank declines': desk => desk.act({ do: 'insert', card: 'blocked' }) },
    leavesOut: /cable|switched off/,
  });
  expect(await agreed.ended, agreed.said.join('\n')).toBe(0);
  expect(agreed.report()).not.toContain('Money that was not returned');
  expect(agreed.report()).toMatch(/A sale is refunded \| passed/);
});

test('a step that fails is reported, and the others go on', async () => {
  const desk = await Desk.sit({
    protocol: 'line',
    acts: {
      'A sale is approved, once, and its result can be asked for again': desk =>
        desk.act({ do: 'insert', card: 'refuser' }),
    },
    leavesOut: /cable|switched off/,
  });
  expect(await desk.ended).toBe(1);
  expect(desk.report()).toMatch(/A sale is approved.*\| failed \| declined by the card/);
  expect(desk.report()).toMatch(/The customer cancels \| passed/);
});
