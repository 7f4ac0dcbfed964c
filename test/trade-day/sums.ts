import type { Screen } from '@florin/device/ipc/view.ts';
import type { DayTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';

/** What moved, by kind: how often, and how much. */
export type Sums = {
  readonly sales: number;
  readonly salesMinor: number;
  readonly voids: number;
  readonly voidsMinor: number;
  readonly refunds: number;
  readonly refundsMinor: number;
  readonly tips: number;
  readonly tipsMinor: number;
};

const noSums: Sums = {
  sales: 0,
  salesMinor: 0,
  voids: 0,
  voidsMinor: 0,
  refunds: 0,
  refundsMinor: 0,
  tips: 0,
  tipsMinor: 0,
};
const names = Object.keys(noSums) as (keyof Sums)[];

/** The sums of several added up. */
export function together(all: readonly Partial<Sums>[]): Sums {
  return all.reduce<Sums>(
    (sum, one) => Object.fromEntries(names.map(name => [name, sum[name] + (one[name] ?? 0)])) as Sums,
    noSums,
  );
}

type Rail = DayTotals['business']['rails'][number];

/** The card rail of the service's totals, which is the only one here. @throws Error if there is another. */
export function sumsOfRails(rails: readonly Omit<Rail, 'takenSats' | 'refundedSats'>[]): Sums {
  const [card, ...others] = rails;
  if (others.length > 0 || (card && card.rail !== 'card')) throw new Error('a rail other than that of cards');
  if (!card) return noSums;
  return {
    sales: card.paymentCount,
    salesMinor: card.takenInCents,
    voids: card.voidCount,
    voidsMinor: card.voidedInCents,
    refunds: card.refundCount,
    refundsMinor: card.refundedInCents,
    tips: card.tipCount,
    tipsMinor: card.tipInCents,
  };
}

const labels: readonly (readonly [RegExp, 'sales' | 'voids' | 'refunds' | 'tips'])[] = [
  [/^(\d+) sales?$/, 'sales'],
  [/^(\d+) voids?$/, 'voids'],
  [/^(\d+) refunds?$/, 'refunds'],
  [/^Of which tips \((-?\d+)\)$/, 'tips'],
];

/** What a minus means: all amounts of these are negative in the report, and tips are where more were given back. */
const signOf = { sales: 1, voids: 1, refunds: 1, tips: -1 } as const;

/** What the terminal's end-of-day report says, read as a person reads it. @throws Error if its net does not add up. */
export function sumsOfReport({ sections }: Extract<Screen, { name: 'day_report' }>): Sums {
  const lines = sections.find(({ title }) => title === 'Card')?.lines ?? [];
  const minorOf = (value: string) => Math.round(Number(value.replace(/[^\d.]/g, '')) * 100);
  const read = lines.flatMap(({ label, value }): Partial<Sums>[] => {
    for (const [pattern, name] of labels) {
      const [, count] = pattern.exec(label) ?? [];
      if (count !== undefined)
        return [{ [name]: Number(count), [`${name}Minor`]: minorOf(value) * (/^[-−]/.test(value) ? signOf[name] : 1) }];
    }
    return [];
  });
  const sums = together(read);
  const net = lines.find(({ label }) => label === 'Net')?.value ?? '0';
  const netMinor = sums.salesMinor - sums.voidsMinor - sums.refundsMinor;
  if (minorOf(net) !== Math.abs(netMinor)) throw new Error(`the report's net is ${net} and not ${netMinor}`);
  return sums;
}

/** Which of two sums differ, of those that the second has; empty if they agree. */
export function differences(one: Sums, other: Partial<Sums>): string[] {
  return names.flatMap(name => {
    const value = other[name];
    return value === undefined || value === one[name] ? [] : [`${name} ${one[name]} and ${value}`];
  });
}
