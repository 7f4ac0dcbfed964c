import type { Measured } from './measure.ts';

/** The goal of a ratio: at least, or at most, this multiple of the ceiling. */
export type Goal = { readonly sign: '≥' | '≤'; readonly value: number };

/** One line of the table. */
export type Reading = {
  /** The bar's number, if any, and what was measured. */
  readonly bar: string;
  /** Without a goal the figure is shown and not judged. */
  readonly goal: Goal | undefined;
  /** The median over the rounds of product to ceiling. */
  readonly ratio: number;
  readonly measured: string;
  readonly ceiling: string;
  readonly note?: string;
};

export type Scale = {
  readonly quick: boolean;
  readonly large: boolean;
  /** How often each bar is measured, in turn with its ceiling. */
  readonly rounds: number;
  /** The number of repetitions, fewer with `--quick`. */
  readonly times: (usual: number) => number;
  readonly print: (text: string) => void;
};

export type Bench = {
  readonly name: string;
  readonly about: string;
  readonly run: (scale: Scale) => Promise<readonly Reading[]>;
};

/** Three rounds, for bars of which one takes long. */
export function fewRounds(scale: Scale): Scale {
  return { ...scale, rounds: Math.min(scale.rounds, 3) };
}

/** Runs the rounds one after the other, so that product and ceiling are measured under the same load. */
export async function inRounds<Value>(scale: Scale, round: (index: number) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let index = 0; index < scale.rounds; index += 1) {
    scale.print(`round ${index + 1} of ${scale.rounds}`);
    values.push(await round(index));
  }
  return values;
}

/** The middle value. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

/** Throughput of the product against its ceiling's. */
export function throughput(
  about: { readonly bar: string; readonly goal: Goal | undefined; readonly unit: string; readonly note?: string },
  pairs: readonly { readonly product: Measured; readonly ceiling: Measured }[],
): Reading {
  const { bar, goal, unit, note } = about;
  const perSecond = (of: readonly Measured[]) => `${whole(middle(of.map(run => run.perSecond)))} ${unit}`;
  return {
    bar,
    goal,
    ratio: middle(pairs.map(({ product, ceiling }) => product.perSecond / ceiling.perSecond)),
    measured: perSecond(pairs.map(({ product }) => product)),
    ceiling: perSecond(pairs.map(({ ceiling }) => ceiling)),
    ...(note === undefined ? {} : { note }),
  };
}

/** A percentile of the product's times against the ceiling's. */
export function latency(
  about: { readonly bar: string; readonly goal: Goal | undefined; readonly percentile: 'p50Ms' | 'p99Ms' },
  pairs: readonly { readonly product: Measured; readonly ceiling: Measured }[],
): Reading {
  const { bar, goal, percentile } = about;
  const inMs = (of: readonly Measured[]) => `${middle(of.map(run => run[percentile])).toFixed(3)} ms`;
  return {
    bar,
    goal,
    ratio: middle(pairs.map(({ product, ceiling }) => product[percentile] / ceiling[percentile])),
    measured: inMs(pairs.map(({ product }) => product)),
    ceiling: inMs(pairs.map(({ ceiling }) => ceiling)),
  };
}

/** A time that must stay below a limit, whatever the machine. */
export function withinLimit(bar: string, measuredMs: number, limitMs: number): Reading {
  const goal = { sign: '≤', value: 1 } as const;
  const ratio = measuredMs / limitMs;
  return { bar, goal, ratio, measured: `${measuredMs.toFixed(1)} ms`, ceiling: `${limitMs} ms` };
}

export function isMet({ goal, ratio }: Reading): boolean | undefined {
  if (!goal) return undefined;
  return goal.sign === '≥' ? ratio >= goal.value : ratio <= goal.value;
}

export function whole(value: number): string {
  return Math.round(value).toString();
}
