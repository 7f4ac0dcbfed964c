import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { Store } from '../store/store.ts';

/**
 * Time for lockouts and "today". The terminal's own clock may be wrong or be set by hand: from the moment the service was
 * heard, its time rules and runs on by this program's own measure. Until then the clock is believed as it stood when the
 * program began, never earlier than it was known to be before.
 */
export interface TrustedTime {
  now(): Instant;
  /** Whether the service has said what time it is since this program began. */
  isSynchronised(): boolean;
  /** How long this terminal's programs have run in all, which no clock changes. */
  measuredMs(): number;
  /** How far the clock was moved by hand since this program began, or since the service was last reached. */
  clockMovedMs(): number;
  /** The service said what time it is. */
  learn(serverTime: Instant): void;
  /** Stores how far time has come. */
  keep(): void;
}

export function createTrustedTime(options: {
  clock: Clock;
  /** Monotonic time from an arbitrary start. */
  uptime: Clock;
  store: Store;
}): TrustedTime {
  const { clock, uptime, store } = options;
  const startedAt = uptime.now();
  const measuredBefore = store.measuredMs();
  let offsetMs = store.serverOffsetMs();
  let isSynchronised = false;
  let anchor = { at: Math.max(store.highestTime(), clock.now() + offsetMs), uptime: startedAt, clock: clock.now() };

  const now = () => Math.round(anchor.at + (uptime.now() - anchor.uptime));
  const measuredMs = () => Math.round(measuredBefore + (uptime.now() - startedAt));
  const keep = () => {
    store.saveTime({ highestTime: now(), serverOffsetMs: offsetMs });
    store.saveMeasured(measuredMs());
  };
  return {
    now,
    isSynchronised: () => isSynchronised,
    measuredMs,
    clockMovedMs: () => clock.now() - anchor.clock - (uptime.now() - anchor.uptime),
    learn(serverTime) {
      offsetMs = serverTime - clock.now();
      anchor = { at: serverTime, uptime: uptime.now(), clock: clock.now() };
      isSynchronised = true;
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
