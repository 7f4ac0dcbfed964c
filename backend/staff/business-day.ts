import type { Instant } from '@florin/shared/ports.ts';
import { Temporal } from 'temporal-polyfill';

/** From the first instant of a local day up to the first of the next. */
export type DaySpan = { readonly from: Instant; readonly to: Instant };

/** The day of a business that `now` falls on: 23 or 25 hours long where its clocks change. Specification: Staff limits. */
export function businessDay(now: Instant, timeZone: string): DaySpan {
  const start = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay();
  return { from: start.epochMilliseconds, to: start.add({ days: 1 }).startOfDay().epochMilliseconds };
}

/** `businessDay`, computed once per zone and day: it is asked at every refund. */
export function businessDays(): (now: Instant, timeZone: string) => DaySpan {
  const current = new Map<string, DaySpan>();
  return (now, timeZone) => {
    const known = current.get(timeZone);
    if (known && known.from <= now && now < known.to) return known;
    const day = businessDay(now, timeZone);
    current.set(timeZone, day);
    return day;
  };
}
