import type { Screen, View } from '@florin/device/ipc/view.ts';
import { describe } from '@florin/hardware-sim/readers/zvt/describe.ts';
import { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import { operator } from '@florin/shared/actor.ts';
import type { Ids } from '@florin/shared/ports.ts';
import type { buildConnector } from 'undici';
import { seededRandom } from '../simulation/seeded.ts';
import type { World } from '../simulation/world.ts';
import { noLog } from '../support/log.ts';
import { type Bank, bankOfReader, bankOfService } from './bank.ts';
import { Steps } from './steps.ts';
import { PoweredTerminal } from './terminal.ts';
import { Wire } from './wire.ts';

export const protocols = ['line', 'zvt'] as const;
export type Protocol = (typeof protocols)[number];

export type ScreenNamed<Name extends Screen['name']> = Extract<Screen, { name: Name }>;

/** What a counter needs of the place where it stands. */
export type Place = {
  readonly world: World;
  readonly ids: Ids;
  /** Connects its terminal to the service. */
  readonly connect: buildConnector.connector;
  /** Whether the service can be reached: what a ping would find. */
  readonly isServiceUp: () => boolean;
  /** Runs the world until the condition holds. */
  readonly until: (what: string, holds: () => boolean, withinMs?: number) => Promise<void>;
};

/** One terminal with the real driver, and a simulated reader on a wire in memory. */
export class Counter {
  readonly name: string;
  readonly protocol: Protocol;
  readonly world: World;
  readonly steps: Steps;
  readonly reader: ReaderSimulator;
  readonly terminal: PoweredTerminal;
  /** Where the money of its sales is. */
  readonly bank: Bank;
  readonly #place: Place;
  #view: View | undefined;
  #id = '';

  private constructor(
    place: Place,
    given: { name: string; protocol: Protocol; steps: Steps },
    connected: { reader: ReaderSimulator; wire: Wire },
  ) {
    const { world } = place;
    this.#place = place;
    this.name = given.name;
    this.protocol = given.protocol;
    this.steps = given.steps;
    this.world = world;
    this.reader = connected.reader;
    this.terminal = new PoweredTerminal({
      protocol: given.protocol,
      time: world.time,
      numbers: world.numbers,
      ids: place.ids,
      steps: given.steps,
      wire: connected.wire,
      connect: place.connect,
      isServiceUp: place.isServiceUp,
      log: noLog,
      onView: view => {
        this.#view = view;
      },
    });
    const { zvt } = this.reader;
    this.bank = zvt ? bankOfReader(zvt, world, given.steps) : bankOfService(world);
  }

  /** Sets up a terminal and its reader, and enrols it. */
  static async open(
    place: Place,
    options: {
      readonly name: string;
      readonly protocol: Protocol;
      readonly steps?: Steps;
      /** Of a ZVT reader, which tells it from others of the business. */
      readonly readerTerminalId?: string;
    },
  ): Promise<Counter> {
    const { protocol, name, steps = new Steps() } = options;
    const { time, numbers } = place.world;
    const wire = new Wire(time, (from, bytes) => {
      const to = from === 'terminal' ? 'reader' : 'terminal';
      return steps.pass({ from, to, what: whatIsSaid(protocol, bytes) });
    });
    const reader = await ReaderSimulator.start({
      protocol,
      pace: 'unpaced',
      link: wire.path,
      socket: wire.socket,
      clock: time,
      timers: time,
      random: seededRandom(numbers),
      seed: numbers.word(),
      ...(options.readerTerminalId === undefined ? {} : { terminalId: options.readerTerminalId }),
    });
    const counter = new Counter(place, { name, protocol, steps }, { reader, wire });
    await counter.#enrol();
    return counter;
  }

  async #enrol(): Promise<void> {
    const { world, terminal, name } = this;
    const create = world.instance.call(services =>
      services.terminals.create({ businessId: world.business.id, name, mode: 'staff', by: operator }),
    );
    const created = await world.drive(create);
    this.#id = created.terminal.id;
    terminal.start();
    await this.shown('enrolment');
    void terminal.send({ name: 'enrol', code: created.enrolment.code });
    await this.shown('keypad');
    await this.#place.until('the reader is found', () => this.#view?.header.reader.connection === 'ready');
  }

  /** The terminal's id at the service. */
  get id(): string {
    return this.#id;
  }

  get view(): View | undefined {
    return this.terminal.isOn ? this.#view : undefined;
  }

  get screen(): Screen | undefined {
    return this.view?.screen;
  }

  /** Runs until the terminal shows this screen. */
  async shown<Name extends Screen['name']>(name: Name, withinMs?: number): Promise<ScreenNamed<Name>> {
    const holds = () => this.screen?.name === name;
    await this.#place.until(`${this.name} shows ${name} and not ${JSON.stringify(this.screen)}`, holds, withinMs);
    return this.screen as ScreenNamed<Name>;
  }

  /** Whether the terminal derives a key from a password, which takes time of this machine and none of the world's. */
  isDerivingKey(): boolean {
    const { screen, terminal } = this;
    const isAtPassword = screen?.name === 'staff_password' || screen?.name === 'new_password';
    return isAtPassword && screen.busy && terminal.callsUnderWay === 0;
  }

  /** Whether the terminal, the reader and the line are ready for the next customer. */
  isIdle(): boolean {
    const { reader, terminal } = this;
    return terminal.hasReported && reader.stage === undefined && reader.state().insertedCard === null;
  }

  close(): void {
    this.terminal.close();
    this.reader.close();
  }
}

function whatIsSaid(protocol: Protocol, bytes: Buffer): string {
  if (protocol === 'zvt') {
    const { text, frame } = describe(bytes, { lane: 'reader', medium: 'serial' });
    return `${frame?.raw} (${text})`;
  }
  const [kind, , verb, ...fields] = bytes.toString('latin1').trim().replace(/\*.*$/, '').split(' ');
  const outcome = fields.find(field => /^(stage|outcome|state)=/.test(field));
  return [kind, verb, outcome].join(' ').trim();
}
