import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ReaderSimulator } from '../../../hardware-sim/simulator.ts';
import { ScriptedService } from '../../../test/support/terminal/scripted-service.ts';
import { serverMessage } from '../../ipc/socket.ts';
import type { UserAction } from '../../ipc/user-action.ts';
import { type Screen, view as viewSchema } from '../../ipc/view.ts';

/**
 * The real program with a real database, serial port and HTTP, killed with SIGKILL at random moments of a sale. The
 * simulated reader and the service keep running, as they would in a shop.
 */

const main = new URL('./main.ts', import.meta.url).pathname;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Mulberry32: a repeatable generator, seeded with the printed seed. */
function seeded(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Program {
  readonly #child: ChildProcess;
  readonly #socket: WebSocket;
  /** The URL with which the page of this run was opened. */
  readonly token: string;
  #screen: Screen | undefined;
  #next = 1;

  private constructor(child: ChildProcess, socket: WebSocket, token: string) {
    this.#child = child;
    this.#socket = socket;
    this.token = token;
    socket.on('message', (data: Buffer) => {
      const message = serverMessage.parse(JSON.parse(data.toString('utf8')));
      if (message.type === 'view') this.#screen = viewSchema.parse(message.view).screen;
    });
    socket.on('error', () => undefined);
  }

  /** Opens the terminal's page; with `token`, as a page that was opened before the restart. */
  static async start(options: { service: string; data: string; reader: string; token?: string }): Promise<Program> {
    const { service, data, reader } = options;
    const args = [main, '--service', service, '--data', data, '--reader', reader, '--port', '0', '--json', '--quiet'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    cleanups.push(() => child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { url, port } = JSON.parse(line) as { url: string; port: number };
    const token = options.token ?? decodeURIComponent(new URL(url).hash.slice('#token='.length));
    const socket = new WebSocket(`ws://127.0.0.1:${port}/terminal`, { origin: `http://127.0.0.1:${port}` });
    const program = new Program(child, socket, token);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', token }));
    return program;
  }

  send(action: UserAction): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify({ type: 'action', id: this.#next, action }));
    this.#next += 1;
  }

  async screen<Found extends Screen>(what: string, fits: (screen: Screen) => screen is Found): Promise<Found> {
    return until(
      what,
      () => (this.#screen && fits(this.#screen) ? this.#screen : undefined),
      () => JSON.stringify(this.#screen),
    );
  }

  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
    this.#socket.terminate();
  }
}

async function until<Found>(
  what: string,
  find: () => Found | undefined,
  shown: () => string = () => '',
): Promise<Found> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}: ${shown()} (seed ${seed})`);
    await pause(20);
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));
const isNamed =
  <Name extends Screen['name']>(...names: Name[]) =>
  (screen: Screen): screen is Extract<Screen, { name: Name }> =>
    (names as string[]).includes(screen.name);

test(`killed with SIGKILL in the middle of sales, every restart ends in one outcome (SEED=${seed})`, {
  timeout: 180_000,
}, async () => {
  const random = seeded(seed);
  const service = new ScriptedService({ now: () => Date.now() });
  await service.start();
  cleanups.push(() => service.stop());
  const simulator = await ReaderSimulator.start({ seed });
  cleanups.push(() => simulator.close());
  const customer = setInterval(() => playCustomer(simulator), 15);
  cleanups.push(() => clearInterval(customer));
  const data = mkdtempSync(join(tmpdir(), 'florin-kill-'));
  cleanups.push(() => rmSync(data, { recursive: true }));
  const start = () => Program.start({ service: service.url, data, reader: simulator.path });

  let program = await start();
  await program.screen('enrolment', isNamed('enrolment'));
  program.send({ name: 'enrol', code: service.enrolmentCode });
  await program.screen('the keypad', isNamed('keypad'));
  for (let round = 0; round < 6; round += 1) {
    const before = new Set(service.sales.keys());
    program.send({ name: 'start_sale', amountMinor: 1_000 + round });
    await program.screen('the sale', isNamed('sale', 'sale_result'));
    await pause(random() * 700);
    await program.kill();
    program = await start();
    const shown = await program.screen('a result', isNamed('sale_result'));
    await until('the report to reach the service', () => settled(service) || undefined);
    const saleId = [...service.sales.keys()].find(id => !before.has(id));
    const sale = saleId === undefined ? undefined : service.sales.get(saleId);
    expect(service.bankCalls.get(saleId ?? '') ?? 0, `seed ${seed}`).toBeLessThanOrEqual(1);
    expect(shown.outcome === 'approved', `seed ${seed}, round ${round}`).toBe(sale?.record.status === 'unsettled');
    if (shown.outcome !== 'approved' && sale) expect(sale.record.status).toBe('cancelled');
    const atReader = simulator.state().transactions.filter(transaction => transaction.txn === saleId);
    for (const { outcome } of atReader) {
      if (outcome === 'approved') expect(shown.outcome, `seed ${seed}, round ${round}`).toBe('approved');
    }
    program.send({ name: 'show_keypad' });
    await program.screen('the keypad', isNamed('keypad'));
  }
  // Whatever state the kills left in the reader, the next sale must succeed.
  program.send({ name: 'start_sale', amountMinor: 4_200 });
  expect(await program.screen('the last result', isNamed('sale_result'))).toMatchObject({ outcome: 'approved' });
  await program.kill();
  // Whole card numbers of the simulated cards have sixteen digits; none may be stored in the terminal's folder.
  const kept = readdirSync(data)
    .map(name => readFileSync(join(data, name), 'latin1'))
    .join('\n');
  expect(kept).not.toMatch(/(?<![0-9A-Fa-f])[345]\d{14,15}(?![0-9A-Fa-f])/);
});

test('a page that was open when the program was killed reconnects to the next run', async () => {
  const service = new ScriptedService({ now: () => Date.now() });
  await service.start();
  cleanups.push(() => service.stop());
  const data = mkdtempSync(join(tmpdir(), 'florin-page-'));
  cleanups.push(() => rmSync(data, { recursive: true }));
  const start = (token?: string) =>
    Program.start({ service: service.url, data, reader: join(data, 'no-reader'), ...(token ? { token } : {}) });
  const first = await start();
  await first.screen('enrolment', isNamed('enrolment'));
  await first.kill();
  const second = await start(first.token);
  await second.screen('enrolment', isNamed('enrolment'));
  expect(statSync(join(data, 'page.key')).mode & 0o777).toBe(0o600);
  await second.kill();
  // Without the file, no earlier page is admitted.
  rmSync(join(data, 'page.key'));
  const third = await start();
  expect(third.token).not.toBe(first.token);
  await third.kill();
});

/** Every sale the bank approved must be completed or reversed. */
function settled(service: ScriptedService): boolean {
  return [...service.sales.values()].every(sale => sale.record.status !== 'unsettled' || sale.completed);
}

/** Presents a card whenever the reader asks for one, and removes it again. */
function playCustomer(simulator: ReaderSimulator): void {
  const { screen, insertedCard } = simulator.state();
  const isWaiting = simulator.state().transactions.some(transaction => transaction.state === 'active');
  if (isWaiting && insertedCard === null) void simulator.act({ do: 'insert', card: 'visa' });
  else if (insertedCard !== null && !isWaiting) void simulator.act({ do: 'remove' });
  else if (insertedCard !== null && JSON.stringify(screen).toLowerCase().includes('pin'))
    void simulator.act({ do: 'pin', pin: 'ok' });
}
