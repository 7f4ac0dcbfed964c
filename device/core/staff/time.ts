import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { Store } from '../store/store.ts';

/**
 * Time for lockouts and "today". The terminal's own clock may be wrong or be set by hand: the service's time rules
 * whenever it was heard, and offline time never runs backwards, across restarts too, so that setting the clock back
 * unlocks nobody.
 */
export interface TrustedTime {
  now(): Instant;
  /** The service said what time it is. */
  learn(serverTime: Instant): void;
  /** Stores how far time has come. */
  keep(): void;
}

export function createTrustedTime(options: { clock: Clock; store: Store }): TrustedTime {
  const { clock, store } = options;
  let highest = store.highestTime();
  let offsetMs = store.serverOffsetMs();
  const keep = () => store.saveTime({ highestTime: highest, serverOffsetMs: offsetMs });
  return {
    now() {
      highest = Math.max(highest, clock.now() + offsetMs);
      return highest;
    },
    learn(serverTime) {
      offsetMs = serverTime - clock.now();
      highest = serverTime;
      keep();
    },
    keep,
  };
}

/** The calendar day it is at the business, as YYYY-MM-DD. */
export function businessDay(instant: Instant, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );
}

/** A time as people at the business read it; with the date when it is not today. */
export function timeAtBusiness(options: { at: Instant; now: Instant; timeZone: string; locale: string }): string {
  const { at, now, timeZone, locale } = options;
  const isToday = businessDay(at, timeZone) === businessDay(now, timeZone);
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(isToday ? {} : { day: 'numeric', month: 'short' }),
  }).format(at);
}
