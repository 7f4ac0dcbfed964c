import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { atCounter, type Pace } from './at-counter.ts';
import { type Bench, fewRounds, inRounds, middle, type Reading } from './bar.ts';
import { type Measured, summarise } from './measure.ts';

const goalMs = 40;

/** The part of the customer's wait after the tap that Florin causes: reader, driver, terminal, its database and HTTP. */
export const tapToResult: Bench = {
  name: 'tap',
  about: 'from the tap to the result on the screen, with a bank that answers at once',
  async run(scale) {
    const times = scale.times(300);
    const rounds = await inRounds(scale, async () => ({
      unpaced: await taps('unpaced', times),
      paced: await taps('paced', Math.ceil(times / 5)),
    }));
    const reading = (bar: string, pace: Pace, percentile: 'p50Ms' | 'p99Ms', goal?: Reading['goal']): Reading => {
      const ms = middle(rounds.map(round => round[pace][percentile]));
      return { bar, goal, ratio: ms / goalMs, measured: `${ms.toFixed(1)} ms`, ceiling: `${goalMs} ms` };
    };
    return [
      reading('tap to result without gateway and line, p50', 'unpaced', 'p50Ms', { sign: '≤', value: 1 }),
      reading('  its p99', 'unpaced', 'p99Ms'),
      reading('  p50 with a line of 115200 bit/s', 'paced', 'p50Ms'),
    ];
  },
};

function taps(pace: Pace, times: number): Promise<Measured> {
  return atCounter(pace, async ({ sell }) => {
    const warmUp = Math.ceil(times / 10);
    const durations: number[] = [];
    const started = performance.now();
    for (let index = 0; index < warmUp + times; index += 1) {
      const duration = await sell(1_000 + index);
      if (index >= warmUp) durations.push(duration);
    }
    return summarise(durations, performance.now() - started);
  });
}

/** What the terminal keeps of the sales it has taken: a shop does not restart it for weeks. */
export const terminalGrowth: Bench = {
  name: 'terminal-growth',
  about: 'the memory that a terminal keeps after many sales',
  async run(scale) {
    const sales = scale.times(1_000);
    const rounds = await inRounds(fewRounds(scale), () =>
      atCounter('unpaced', async ({ sell }) => {
        for (let index = 0; index < warmUpSales; index += 1) await sell(1_000 + index);
        const before = heapMb();
        for (let index = 0; index < sales; index += 1) await sell(2_000 + index);
        return ((heapMb() - before) * 1_000) / sales;
      }),
    );
    const grownMb = middle(rounds);
    return [
      {
        bar: 'memory that a terminal keeps of 1,000 sales',
        goal: { sign: '≤', value: 1 },
        ratio: grownMb / keptGoalMb,
        measured: `${grownMb.toFixed(2)} MB`,
        ceiling: `${keptGoalMb} MB`,
      },
    ];
  },
};

/** Until caches and compiled code have their size. */
const warmUpSales = 300;
const keptGoalMb = 1;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is in use after a garbage collection. */
function heapMb(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
