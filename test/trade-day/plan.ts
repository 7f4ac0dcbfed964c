import type { Instant } from '@florin/shared/ports.ts';
import { dateAt } from '../../backend/money/settlements/settlement.ts';
import type { Protocol } from '../matrix/counter.ts';
import { type SeededNumbers, seededNumbers } from '../simulation/seeded.ts';

export const timeZone = 'Europe/London';
/** The days of 2026 on which the clocks of the shop change: one of 23 hours, one of 25. */
const daysOfChange = [Date.UTC(2026, 2, 29, 12), Date.UTC(2026, 9, 25, 12)] as const;

const minuteMs = 60_000;

/** A customer who comes to a counter. */
export type SaleErrand = {
  readonly kind: 'sale';
  readonly at: Instant;
  readonly amountMinor: number;
  readonly card: 'visa' | 'visa-debit' | 'mastercard' | 'amex' | 'refuser' | 'blocked';
  readonly entry: 'insert' | 'tap' | 'swipe';
  readonly tip: '1' | '2' | '3' | 'cancel';
  /** `leaves`: never presents a card, so that staff cancel. */
  readonly ends: 'pays' | 'leaves' | 'mistypes_pin';
};

/** Somebody brings goods back, at this counter or another than the one that sold them. */
export type ReturnErrand = {
  readonly kind: 'return';
  readonly at: Instant;
  /** Which of the sales that can be returned, from 0 (the oldest) to 1. */
  readonly which: number;
  readonly isElsewhere: boolean;
  /** The part of a refund; a void is always whole. */
  readonly part: number;
  readonly mistypesPassword: boolean;
};
export type Errand = SaleErrand | ReturnErrand;

type Period = { readonly from: Instant; readonly to: Instant };
export type CounterPlan = {
  readonly name: string;
  readonly protocol: Protocol;
  /** When it is switched on; all others are off at night. */
  readonly open: Period;
  readonly breaks: readonly Period[];
  /** When somebody else takes over, and who. */
  readonly shifts: readonly { readonly from: Instant; readonly staff: number }[];
  readonly errands: readonly Errand[];
};

export type Incident = Period & {
  readonly what: 'wifi' | 'terminal' | 'reader' | 'service' | 'bank';
  /** Undefined where it concerns all counters. */
  readonly counter: number | undefined;
};

export type DayPlan = {
  readonly date: ReturnType<typeof dateAt>;
  readonly hours: number;
  /** The evening before, until a while after the day: what is sold across its bounds shows where it counts. */
  readonly begins: Instant;
  readonly ends: Instant;
  readonly counters: readonly CounterPlan[];
  readonly staff: readonly { readonly name: string; readonly isTrainee: boolean; readonly isNew: boolean }[];
  readonly incidents: readonly Incident[];
  readonly settlements: readonly Instant[];
  /** In a shop with few customers terminals are switched off where the next is long in coming. */
  readonly areSwitchedOff: boolean;
};

export type Scale = { readonly seed: number; readonly terminals: number; readonly sales: number };

/** Customers in each hour of the day, relatively: few at night, most at lunch. */
const rush = [1, 1, 1, 1, 1, 2, 4, 20, 30, 30, 35, 50, 110, 120, 60, 45, 45, 60, 70, 50, 30, 18, 4, 3];
const hourOfDay = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' });
const fewSalesEach = 60;
/** A sale just before midnight, and how long after it begins the network fails; the counter has a reader of ZVT. */
const lateSale = '23:46';
const lateWifiMs = 950;
const lateCounter = 1;
const openFrom = '07:00';
const openTo = '21:30';

/** Everything that people do and that fails on one day, drawn before it begins. */
export function plannedDay({ seed, terminals, sales }: Scale): DayPlan {
  const numbers = seededNumbers(seed);
  const date = dateAt(daysOfChange[seed % 2] ?? daysOfChange[0], timeZone);
  const at = (time: string, days = 0): Instant =>
    date.add({ days }).toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
  const isSmall = sales < fewSalesEach * terminals;
  const begins = at(isSmall ? '23:00' : '21:00', -1);
  const ends = at('00:40', 1);
  const staff = Array.from({ length: Math.ceil(terminals * 1.5) + 1 }, (_, index) => ({
    name: `Staff ${index + 1}`,
    isTrainee: index % 5 === 3,
    isNew: index % 5 === 4,
  }));
  const stands = Array.from({ length: terminals }, (_, index) => {
    // One of each protocol never closes.
    const open = index < 2 ? { from: begins, to: ends } : { from: at(openFrom), to: at(openTo) };
    const lunch = open.from + (open.to - open.from) / 3 + numbers.between(0, 180) * minuteMs;
    const breaks = index < 2 ? [] : [{ from: lunch, to: lunch + numbers.between(15, 40) * minuteMs }];
    const shifts = [begins, at('14:00'), at('22:00')].map((from, shift) => ({
      from: from + numbers.between(0, 20) * minuteMs,
      staff: (index + shift * terminals) % staff.length,
    }));
    return {
      name: `Till ${index + 1}`,
      protocol: index % 2 === 0 ? ('line' as const) : ('zvt' as const),
      open,
      breaks,
      shifts,
    };
  });
  const errands = stands.map((): Errand[] => []);
  const times = Array.from({ length: sales }, () => drawnTime(numbers, begins, ends));
  for (const time of times.sort((one, other) => one - other)) {
    const there = stands.flatMap((stand, index) => (isServed(stand, time) ? [index] : []));
    const counter = numbers.pick(there);
    errands[counter]?.push(drawnSale(numbers, time));
    if (numbers.chance(0.09)) errands[counter]?.push(drawnReturn(numbers, time + numbers.between(1, 30) * minuteMs));
  }
  // The reader charges it by itself while the network fails, and the service is told on the next day.
  errands[lateCounter]?.push({
    ...drawnSale(numbers, at(lateSale)),
    amountMinor: numbers.between(1_20, 79_99),
    card: 'visa',
    ends: 'pays',
  });
  return {
    date,
    hours: date.toZonedDateTime(timeZone).hoursInDay,
    begins,
    ends,
    staff,
    counters: stands.map((stand, index) => ({
      ...stand,
      errands: (errands[index] ?? []).sort((one, other) => one.at - other.at),
    })),
    incidents: drawnIncidents(numbers, { terminals, at, isSmall }),
    areSwitchedOff: isSmall,
    settlements: [at('03:15'), at('13:45'), at('20:15')],
  };
}

function isServed({ open, breaks }: Pick<CounterPlan, 'open' | 'breaks'>, time: Instant): boolean {
  const isIn = ({ from, to }: Period) => from <= time && time < to;
  return isIn({ from: open.from + minuteMs, to: open.to - 5 * minuteMs }) && !breaks.some(isIn);
}

function drawnTime(numbers: SeededNumbers, begins: Instant, ends: Instant): Instant {
  for (;;) {
    const time = numbers.between(begins + 2 * minuteMs, ends - 10 * minuteMs);
    if (numbers.chance((rush[Number(hourOfDay.format(time))] ?? 1) / 120)) return time;
  }
}

function drawnSale(numbers: SeededNumbers, at: Instant): SaleErrand {
  const entry = numbers.pick(['insert', 'tap', 'tap', 'tap', 'swipe'] as const);
  const card = numbers.chance(0.03)
    ? numbers.pick(['refuser', 'blocked'] as const)
    : numbers.pick(['visa', 'visa', 'visa-debit', 'mastercard', 'amex'] as const);
  const isLarge = numbers.chance(0.03);
  return {
    kind: 'sale',
    at,
    amountMinor: isLarge ? numbers.between(100_00, 149_99) : numbers.between(1_20, 79_99),
    card,
    entry,
    tip: numbers.pick(['1', '2', '3', 'cancel', 'cancel', 'cancel'] as const),
    ends: numbers.chance(0.03) ? 'leaves' : numbers.chance(0.05) ? 'mistypes_pin' : 'pays',
  };
}

function drawnReturn(numbers: SeededNumbers, at: Instant): ReturnErrand {
  return {
    kind: 'return',
    at,
    which: numbers.unit(),
    isElsewhere: numbers.chance(0.4),
    part: numbers.chance(0.5) ? 1 : numbers.between(20, 80) / 100,
    mistypesPassword: numbers.chance(0.1),
  };
}

function drawnIncidents(
  numbers: SeededNumbers,
  day: { terminals: number; at: (time: string, days?: number) => Instant; isSmall: boolean },
): Incident[] {
  const { terminals, at, isSmall } = day;
  const opened = [at('07:10'), at('20:30')] as const;
  const some = (share: number) => Math.max(1, Math.round(terminals * share));
  const drawn = (what: Incident['what'], many: number, least: number, most: number): Incident[] =>
    Array.from({ length: many }, () => {
      const from = numbers.between(...opened);
      return { what, from, to: from + numbers.between(least, most), counter: numbers.between(0, terminals - 1) };
    });
  const night = at('03:30') + numbers.between(0, 60) * minuteMs;
  return [
    ...drawn('wifi', some(0.5), minuteMs, 60 * minuteMs),
    ...drawn('terminal', some(0.3), 5_000, 60_000),
    ...drawn('reader', some(0.3), 2_000, 2_000),
    ...drawn('bank', some(0.25), 30_000, 4 * minuteMs).map(one => ({ ...one, counter: undefined })),
    // That of a small shop is off for most of the night.
    isSmall
      ? { what: 'service', from: at('00:50'), to: at('06:45'), counter: undefined }
      : { what: 'service', from: night, to: night + numbers.between(20_000, 90_000), counter: undefined },
    { what: 'wifi', from: at(lateSale) + lateWifiMs, to: at('00:10', 1), counter: lateCounter },
  ].sort((one, other) => one.from - other.from) as Incident[];
}
