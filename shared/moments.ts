import type { Instant } from './ports.ts';

/** A date and time of day as people write them in that locale, on the clock of that time zone: "23 Nov 2026, 14:05". */
export function formatMoment(at: Instant, { locale, timeZone }: { locale: string; timeZone: string }): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);
}
