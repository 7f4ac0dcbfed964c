import type { OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import { useRead } from '../../api/use-read.ts';
import type { MoneyDay } from '../../components/day-chart.tsx';
import { useBusiness, useMay } from '../../session/session.ts';

/** The money of a day in the business's currency. */
export type TakingsDay = MoneyDay & {
  readonly count: number;
  readonly refunded: number;
  /** What was taken and voided, or refused by the bank, before it settled. */
  readonly voided: number;
};

/** The money of the last days, the newest day last. */
export type Takings = { readonly days: readonly TakingsDay[]; readonly lastWeek: TakingsDay };

const query = { days: 14 };

/** What was taken and returned on each of the last days, as the service adds it up. */
export function useTakings() {
  const may = useMay();
  return useRead('getOverview', { query }, { enabled: may('sales:read'), refetchMs: 30_000 });
}

/** The overview in the business's currency alone. */
export function useTakingsOf({ days, sameDayLastWeek }: OverviewRecord): Takings {
  const { currency } = useBusiness();
  const dayOf = (day: OverviewRecord['today']) => takingsDay(day, currency);
  return { days: days.map(dayOf).toReversed(), lastWeek: dayOf(sameDayLastWeek) };
}

function takingsDay({ day, rails }: OverviewRecord['today'], currency: string): TakingsDay {
  const own = rails.filter(each => each.currency === currency);
  const taken = { card: 0, wallet: 0, lightning: 0, onchain: 0 };
  for (const { rail, takenInCents } of own) taken[rail] += takenInCents;
  const sum = (of: (each: (typeof own)[number]) => number) => own.reduce((total, each) => total + of(each), 0);
  const refunded = sum(each => each.refundedInCents);
  const voided = sum(each => each.voidedInCents + each.rejectedInCents);
  return {
    day,
    taken,
    returned: refunded + voided,
    refunded,
    voided,
    count: sum(each => each.paymentCount),
  };
}
