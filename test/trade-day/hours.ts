import { readdirSync } from 'node:fs';
import type { Instant } from '@florin/shared/ports.ts';
import { timeZone } from './plan.ts';
import type { Noted } from './roll.ts';
import type { TradeShop } from './shop.ts';

export type HourSample = {
  readonly at: Instant;
  /** The local time, with its offset from UTC: on one of these days an hour comes twice. */
  readonly clock: string;
  readonly approved: number;
  readonly approvedMinor: number;
  readonly notApproved: number;
  readonly voids: number;
  readonly refunds: number;
  readonly turnedAway: number;
  /** Terminals that are on, and those of them that do not reach the service. */
  readonly on: number;
  readonly offline: number;
  /** Sales of which the service has not been told everything. */
  readonly undelivered: number;
  /** Everything that people and software did until then. */
  readonly movements: number;
  readonly heapBytes: number;
  readonly files: number;
  readonly timers: number;
};

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'shortOffset',
});

/** Looks at the shop once an hour. */
export class Watch {
  readonly samples: HourSample[] = [];
  readonly #shop: TradeShop;
  #linesSeen = 0;
  #turnedAwaySeen = 0;

  constructor(shop: TradeShop) {
    this.#shop = shop;
  }

  sample(): HourSample {
    const { world, roll, counters } = this.#shop;
    const lines = roll.lines.slice(this.#linesSeen);
    const sales = lines.filter(({ kind }) => kind === 'sale');
    const approved = (kind: Noted['kind']) => lines.filter(line => line.kind === kind && line.end === 'approved');
    const on = counters.filter(({ terminal }) => terminal.isOn);
    const sample: HourSample = {
      at: world.now(),
      clock: clock.format(world.now()).replace(',', ''),
      approved: approved('sale').length,
      approvedMinor: approved('sale').reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      notApproved: sales.length - approved('sale').length,
      voids: approved('void').length,
      refunds: approved('refund').length,
      turnedAway: roll.turnedAway - this.#turnedAwaySeen,
      on: on.length,
      offline: on.filter(({ view }) => view?.header.service === 'offline').length,
      undelivered: on.reduce((sum, { terminal }) => sum + terminal.undelivered, 0),
      movements: roll.lines.length,
      heapBytes: heapBytes(),
      files: readdirSync('/proc/self/fd').length,
      timers: world.time.pending,
    };
    this.#linesSeen = roll.lines.length;
    this.#turnedAwaySeen = roll.turnedAway;
    this.samples.push(sample);
    return sample;
  }
}

/** What is still used; without `--expose-gc` what was not collected yet is part of it. */
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** How the heap grows: in an hour of the night, in which little happens, and with each sale and return by day. */
export type Leak = { readonly bytesPerNightHour: number; readonly bytesPerMovement: number };

/** From the afternoon on: by then each terminal, reader and model keeps as much as it ever will. */
const watchedHours = 12;

/** Over the last twelve hours: by day those in which all terminals were on, at night those after closing. */
export function leakOf(samples: readonly HourSample[]): Leak {
  const watched = samples.slice(-watchedHours);
  const mostOn = Math.max(...samples.map(({ on }) => on));
  const fewestOn = Math.min(...watched.map(({ on }) => on));
  const day = watched.filter(({ on }) => on === mostOn);
  const night = watched.filter(({ on }) => on === fewestOn);
  return {
    bytesPerNightHour: slopeOf(night, ({ at }) => at / 3_600_000),
    bytesPerMovement: slopeOf(day, ({ movements }) => movements),
  };
}

/** By how much the heap grows with one more of what is counted, by least squares. */
function slopeOf(samples: readonly HourSample[], counted: (sample: HourSample) => number): number {
  const mean = (of: (sample: HourSample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [middle, middleBytes] = [mean(counted), mean(({ heapBytes: bytes }) => bytes)];
  const square = mean(sample => (counted(sample) - middle) ** 2);
  const product = mean(sample => (counted(sample) - middle) * (sample.heapBytes - middleBytes));
  return square === 0 ? 0 : product / square;
}
