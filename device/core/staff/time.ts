import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { Store } from '../store/store.ts';

/**
 * The time used for lockouts and for "today". The terminal's clock may be wrong or changed by hand: once the service
 * has responded, its time is used and advanced by the monotonic clock. Until then the system clock is used, but never a
 * time earlier than one already known.
 */
export interface TrustedTime {
  now(): Instant;
  /** Whether the service has sent its time since this program started. */
  isSynchronised(): boolean;
  /** The total running time of this terminal's programs, which no clock change affects. */
  measuredMs(): number;
  /** How far the clock was changed since this program started, or since the service was last reached. */
  clockMovedMs(): number;
  /** Takes over the service's time. */
  learn(serverTime: Instant): void;
  /** Stores the current time. */
  keep(): void;
}

/** Starts from the highest time stored, if that is later than the clock. Only `learn` and `keep` write to the store. */
export function createTrustedTime(options: {
  clock: Clock;
  /** Monotonic time with an arbitrary start. */
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

/** The calendar day at the business, as YYYY-MM-DD. */
export function businessDay(instant: Instant, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );
}

/** A time formatted for people at the business; with the date if it is not today. */
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
