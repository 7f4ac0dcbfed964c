import { readerDriver } from '@florin/device/readers/drivers.ts';
import type { CardReader, ReaderAlarm } from '@florin/device/readers/reader.ts';
import type { ActionInput } from '@florin/hardware-sim/actions.ts';
import { realRandom } from '@florin/hardware-sim/platform/real.ts';
import { ReaderSimulator, type SimulatorOptions } from '@florin/hardware-sim/simulator.ts';
import { logInto } from '../../support/log.ts';
import { aReaderStorage } from '../../support/reader-storage.ts';
import { SteadyTime } from '../../support/steady-time.ts';
import { aSerialEcho } from './serial-echo.ts';
import type { ReaderUnderTest } from './suite.ts';

/** A simulated ZVT reader and the driver, in faster time; see `aReaderWorld`. */
export async function aZvtWorld(options: Partial<SimulatorOptions> = {}) {
  const echo = await aSerialEcho();
  const time = new SteadyTime({ faster: 20, startsAt: Date.UTC(2026, 10, 21, 9), turn: echo.exchange });
  const { clock, timers } = time;
  const simulator = await ReaderSimulator.start({ protocol: 'zvt', pace: 'unpaced', clock, timers, ...options });
  const { zvt } = simulator;
  if (!zvt) throw new Error('the simulated reader is not a ZVT reader');
  const alarms: ReaderAlarm[] = [];
  const logged: string[] = [];
  const storage = aReaderStorage();
  const ledger = aLedger(zvt.processor);
  const open = (paths: readonly string[]) =>
    tracked(
      readerDriver('zvt').open({
        hostName: 'till',
        paths,
        storage,
        clock,
        timers,
        random: realRandom,
        log: logInto(logged),
        onAlarm: alarm => alarms.push(alarm),
        baudRates: [9600],
      }),
      { simulator, begun: id => ledger.begun(id) },
    );
  const reader = open([simulator.path]);
  return {
    simulator,
    zvt,
    ledger,
    reader,
    storage,
    alarms,
    logged,
    timers,
    open,
    act: async (action: ActionInput) => {
      const refused = await simulator.act(action);
      if (refused !== undefined) throw new Error(`the simulator refused ${action.do}: ${JSON.stringify(refused)}`);
    },
    /** Loses the nth message that the reader sends from now on; an acknowledgement counts. */
    lose(number: number): void {
      const [last] = simulator.timeline.events.slice(-1);
      const from = last?.number ?? 0;
      const stop = simulator.onChange(() => {
        const said = simulator.timeline.after(from).filter(({ lane, frame }) => lane === 'reader' && frame);
        if (said.length < number) return;
        stop();
        void simulator.act({ do: 'drop', lines: 1 });
      });
    },
    close: async () => {
      await reader.close();
      simulator.close();
      time.stop();
      await echo.close();
    },
  };
}

export type ZvtWorld = Awaited<ReturnType<typeof aZvtWorld>>;

/** The protocol has no transaction ids: a movement of money belongs to the transaction that the till began last. */
function aLedger(processor: NonNullable<ReaderSimulator['zvt']>['processor']) {
  const owners: string[] = [];
  let current = '';
  const assign = () => {
    while (owners.length < processor.movements.length) owners.push(current);
  };
  return {
    begun(id: string): void {
      assign();
      current = id;
    },
    /** The movements of this transaction that were not undone. */
    chargesOf(id: string): number {
      assign();
      const { movements } = processor;
      const undone = movements.filter(({ kind }) => kind === 'reversal').map(({ reference }) => reference);
      return movements.filter((movement, index) => {
        if (owners[index] !== id) return false;
        if (movement.kind === 'reversal') return owners[movement.reference - 1] !== id;
        return !undone.includes(movement.reference);
      }).length;
    },
  };
}

/** The driver; a refund asks for the card, and its customer is there. */
function tracked(reader: CardReader, world: { simulator: ReaderSimulator; begun: (id: string) => void }): CardReader {
  const { simulator, begun } = world;
  return {
    protocol: reader.protocol,
    authorisation: reader.authorisation,
    status: () => reader.status(),
    onStatus: listener => reader.onStatus(listener),
    sale(request) {
      begun(request.transactionId);
      return reader.sale(request);
    },
    void(request) {
      begun(request.transactionId);
      return reader.void(request);
    },
    refund(request) {
      begun(request.transactionId);
      const stop = simulator.onChange(() => {
        if (simulator.stage === 'present') void simulator.act({ do: 'tap', card: 'visa' });
      });
      return reader.refund(request).finally(stop);
    },
    endOfDay: async store => (await reader.endOfDay?.(store)) ?? { kind: 'refused', reason: 'not_available' },
    last: (id, sent) => reader.last(id, sent),
    confirm: id => reader.confirm(id),
    cancel: id => reader.cancel(id),
    close: () => reader.close(),
  };
}

/** The same, as the suite of readers uses it. */
export async function aZvtReaderUnderTest(options: Partial<SimulatorOptions>): Promise<ReaderUnderTest> {
  const world = await aZvtWorld(options);
  const { act, simulator, zvt, ledger } = world;
  return {
    ...world,
    get path() {
      return simulator.path;
    },
    // A reader that is found again may be further than the till knows.
    async customer(does) {
      if (does === 'cancel') await simulator.act({ do: 'key', key: 'cancel' });
      else if (does === 'remove') await simulator.act({ do: 'remove' });
      else await simulator.act({ do: does, card: 'visa' });
    },
    bank: {
      answersNext: answer =>
        zvt.processor.answersNext(Promise.resolve(answer).then(given => (given === 'declined' ? 'decline' : given))),
      authorise: () => Promise.reject(new Error('this reader authorises with its own processor')),
      chargesOf: id => ledger.chargesOf(id),
      settle: () => zvt.endOfDay(),
    },
    line: {
      unplug: () => act({ do: 'unplug' }),
      replug: path => act({ do: 'replug', path: path ?? 'same' }),
      unplugAt: (point, number) => act({ do: 'unplug', mode: point, afterLines: number }),
      waitingFaults: () => simulator.state().armed.length,
      corrupt: (fault, lines) => act({ do: fault, lines }),
      lose: number => world.lose(number),
      garbage: (bytes, lineFeeds) => act({ do: 'garbage', bytes, lineFeeds }),
      delay: (ms, jitterMs) => act({ do: 'latency', ms, jitterMs }),
      stall: on => act({ do: 'stall', on }),
    },
    restart: () => act({ do: 'reboot' }),
    forget: () => act({ do: 'wipe' }),
  };
}
