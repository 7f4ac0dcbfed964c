import type { Search } from '../../shell/page-link.tsx';

/** The days of a statement: one, or a month. */
export type Period = {
  readonly kind: 'day' | 'month';
  /** The first and last day, such as 2026-11-24; the last one may be yet to come. */
  readonly from: string;
  readonly to: string;
  /** How many days the service has to read, from the first one until today. */
  readonly readDays: number;
};

/** The service adds up this many days, with today. */
const mostDays = 92;
const dayMs = 86_400_000;

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** The first day that a statement can have. */
export const firstDay = (today: string) => dayAt(at(today) - (mostDays - 1) * dayMs);

/** The months that can be had in full so far, newest first, each as its first day. */
export function monthsUntil(today: string): readonly string[] {
  const months: string[] = [];
  for (let month = monthOf(today); month >= firstDay(today); month = monthOf(dayAt(at(month) - dayMs)))
    months.push(month);
  return months;
}

const monthOf = (day: string) => `${day.slice(0, 7)}-01`;

function lastOfMonth(first: string): string {
  const next = new Date(at(first));
  next.setUTCMonth(next.getUTCMonth() + 1);
  return dayAt(next.getTime() - dayMs);
}

/** The period that an address names; today, if it names none that can be had. */
export function periodOf({ day, month }: Search, today: string): Period {
  const isMonth = month !== undefined && monthsUntil(today).includes(month);
  const isDay = day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) && day >= firstDay(today) && day <= today;
  const from = isMonth ? month : isDay ? day : today;
  return {
    kind: isMonth ? 'month' : 'day',
    from,
    to: isMonth ? lastOfMonth(from) : from,
    readDays: Math.round((at(today) - at(from)) / dayMs) + 1,
  };
}
