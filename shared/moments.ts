import type { Instant } from './ports.ts';

let last: { readonly key: string; readonly format: Intl.DateTimeFormat } | undefined;

/** The last one again where it serves: making one takes many times as long as using it. */
function formatOf(locale: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`;
  if (last?.key !== key)
    last = {
      key,
      format: new Intl.DateTimeFormat(locale, {
        timeZone,
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
      }),
    };
  return last.format;
}

/** A date and time of day as people write them in that locale, on the clock of that time zone: "23 Nov 2026, 14:05". */
export function formatMoment(at: Instant, { locale, timeZone }: { locale: string; timeZone: string }): string {
  return formatOf(locale, timeZone).format(at);
}
