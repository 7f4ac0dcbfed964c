import { readerDriver } from '@florin/device/readers/drivers.ts';
import type {
  CardReader,
  ReaderAlarm,
  ReaderMemory,
  ReaderOutcome,
  ReaderStage,
} from '@florin/device/readers/reader.ts';
import type { ActionInput } from '@florin/hardware-sim/actions.ts';
import { realRandom } from '@florin/hardware-sim/platform/real.ts';
import { ReaderSimulator, type SimulatorOptions } from '@florin/hardware-sim/simulator.ts';
import { logInto } from '../../support/log.ts';
import { aReaderStorage } from '../../support/reader-storage.ts';
import { SteadyTime } from '../../support/steady-time.ts';
import { aBank, type Bank } from './bank.ts';
import { aSerialEcho } from './serial-echo.ts';
import { ready } from './suite.ts';

export type ReaderWorld = Awaited<ReturnType<typeof aReaderWorld>>;

/**
 * A reader on a real pseudo-terminal, the driver on a real serial port, and a bank that counts its charges. Time runs
 * faster than real time for both sides, so that heartbeats and retransmissions take little time, but never faster than
 * another serial line on this machine, so that a busy machine does not look like a broken cable.
 */
export async function aReaderWorld(options: { simulator?: Partial<SimulatorOptions>; faster?: number } = {}) {
  const echo = await aSerialEcho();
  const time = new SteadyTime({
    faster: options.faster ?? 20,
    startsAt: Date.UTC(2026, 10, 21, 9),
    turn: echo.exchange,
  });
  const { clock, timers } = time;
  const simulator = await ReaderSimulator.start({ pace: 'unpaced', clock, timers, ...options.simulator });
  const alarms: ReaderAlarm[] = [];
  const logged: string[] = [];
  const log = logInto(logged);
  const open = (paths: readonly string[] = [simulator.path]) =>
    readerDriver('line').open({
      hostName: 'till',
      storage: aReaderStorage(),
      paths,
      clock,
      timers,
      random: realRandom,
      log,
      onAlarm: alarm => alarms.push(alarm),
      baudRates: [115_200],
    });
  const reader = open();
  const bank = aBank();
  return {
    simulator,
    reader,
    bank,
    alarms,
    logged,
    timers,
    open,
    act: async (action: ActionInput) => {
      const refused = await simulator.act(action);
      if (refused !== undefined) throw new Error(`the simulator refused ${action.do}: ${JSON.stringify(refused)}`);
    },
    /** Starts a sale and acts as its customer: each action follows as soon as its stage is reached. */
    sale: (id: string, sale: SaleScenario = {}) => startSale(simulator, reader, bank, id, sale),
    close: async () => {
      await reader.close();
      simulator.close();
      time.stop();
      await echo.close();
    },
  };
}

export type SaleScenario = {
  amountMinor?: number;
  currency?: string;
  timeoutMs?: number;
  /** The customer's action when the reader requests a card. */
  present?: ActionInput;
  /** The customer's action when the reader requests the PIN. */
  pin?: ActionInput[];
  onStage?: (stage: ReaderStage) => void;
};

function startSale(simulator: ReaderSimulator, reader: CardReader, bank: Bank, id: string, sale: SaleScenario) {
  const stages: ReaderStage[] = [];
  const pins = [...(sale.pin ?? [])];
  const outcome = reader.sale({
    transactionId: id,
    amount: { amountMinor: sale.amountMinor ?? 1250, currency: sale.currency ?? 'GBP' },
    timeoutMs: sale.timeoutMs ?? 60_000,
    onStage: stage => {
      stages.push(stage);
      sale.onStage?.(stage);
      if (stage === 'present_card' && sale.present !== undefined && simulator.state().insertedCard === null)
        void simulator.act(sale.present);
      const next = stage === 'enter_pin' || stage === 'wrong_pin' ? pins.shift() : undefined;
      if (next !== undefined) void simulator.act(next);
    },
    authorise: card => bank.authorise(id, card),
  });
  return { outcome, stages };
}

/** Recovers as a till does after contact was lost: queries the reader and resumes the sale until the outcome is known. */
export async function settle(world: ReaderWorld, id: string, sale: SaleScenario = {}): Promise<ReaderOutcome> {
  for (let round = 0; round < 20; round++) {
    await ready(world.reader);
    const memory: ReaderMemory = await world.reader.last(id);
    if (memory.kind === 'done') return memory.outcome;
    if (memory.kind === 'active' || memory.kind === 'unknown_to_reader') {
      const outcome = await world.sale(id, sale).outcome;
      if (outcome.kind !== 'unknown' && outcome.kind !== 'not_available') return outcome;
    } else if (memory.kind !== 'unreachable') throw new Error(`the reader reports ${memory.kind}`);
  }
  throw new Error('no outcome after twenty rounds');
}
