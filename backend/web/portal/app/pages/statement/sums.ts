import type { OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';

type Day = OverviewRecord['days'][number];
/** What was taken and returned in one currency. */
export type Sums = Day['totals'][number];
/** The same by how customers paid. */
export type RailSums = Day['rails'][number];

const amounts = [
  'takenInCents',
  'voidedInCents',
  'rejectedInCents',
  'refundedInCents',
  'netInCents',
  'paymentCount',
  'voidCount',
  'rejectedCount',
  'refundCount',
  'tipInCents',
  'tipCount',
] as const satisfies readonly (keyof Sums)[];

function plus<Row extends Sums>(one: Row, other: Row): Row {
  return { ...one, ...Object.fromEntries(amounts.map(name => [name, one[name] + other[name]])) };
}

/** Adds up what has the same key, in the order in which each key comes first. */
function addUp<Row extends Sums>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const known = sums.get(keyOf(row));
    sums.set(keyOf(row), known === undefined ? row : plus(known, row));
  }
  return [...sums.values()];
}

/** The sums of days by how customers paid, and for each currency. */
export function sumsOf(days: readonly Day[]) {
  return {
    rails: addUp(
      days.flatMap(({ rails }) => rails),
      ({ rail, currency }) => `${rail} ${currency}`,
    ),
    totals: addUp(
      days.flatMap(({ totals }) => totals),
      ({ currency }) => currency,
    ),
  };
}
