import type { Instant } from './ports.ts';

/** Where a locale has only the difference to Greenwich for a zone, its name is that of the first of these that has one. */
const namingLocales = ['en-GB', 'en-US'];

/** "GMT+0", "UTC+2": not a name. */
const isDifference = (name: string) => /^(?:GMT|UTC)[+\-−]/.test(name);

/** A time of day, in a format that may have a date, with the short name of its zone: "10:05 GMT", "11:05 MEZ". */
export function formatWithZone(
  at: Instant,
  { locale, timeZone, ...parts }: Intl.DateTimeFormatOptions & { readonly locale: string; readonly timeZone: string },
): string {
  const written = (by: string) =>
    new Intl.DateTimeFormat(by, { ...parts, timeZone, timeZoneName: 'short' }).formatToParts(at);
  const zoneIn = (by: string) => written(by).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const name = [locale, ...namingLocales].map(zoneIn).find(zone => !isDifference(zone));
  return written(locale)
    .map(({ type, value }) => (type === 'timeZoneName' ? (name ?? value) : value))
    .join('');
}
