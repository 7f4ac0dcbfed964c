import type { Instant } from '@florin/shared/ports.ts';
import { Temporal } from 'temporal-polyfill';

/** From the start of a local day to the start of the next. */
export type DaySpan = { readonly from: Instant; readonly to: Instant };

/** The local day that contains `now`: 23 or 25 hours long if the clocks change. Specification: Staff limits. */
export function businessDay(now: Instant, timeZone: string): DaySpan {
  const start = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay();
  return { from: start.epochMilliseconds, to: start.add({ days: 1 }).startOfDay().epochMilliseconds };
}

/** `businessDay`, cached per zone and day because every refund needs it. */
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
