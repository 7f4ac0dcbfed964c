import { formatMoney, formatSats } from '@florin/shared/amounts.ts';
import type { InLanguages, Language } from '@florin/shared/languages.ts';
import { useMemo } from 'react';
import { useBusinessIfAny } from '../session/session.ts';
import { useLanguage } from './texts.ts';

const regions: InLanguages<string> = { en: 'en-GB', de: 'de-DE' };

/** Amounts, times and numbers in the language of the words, with the business's region and time zone. */
export type Formats = ReturnType<typeof formatsFor>;

/** The formats of a language for a business's place. */
export function formatsFor(
  language: Language,
  place: { readonly locale: string; readonly timeZone: string } | undefined,
) {
  const locale = place?.locale.startsWith(language) ? place.locale : regions[language];
  const timeZone = place?.timeZone;
  const written = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === undefined ? {} : { timeZone }) });
    return (at: string | number) => format.format(new Date(at));
  };
  const isoDay = new Intl.DateTimeFormat('en-CA', timeZone === undefined ? {} : { timeZone });
  const dayFormat = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (day: string) => format.format(new Date(`${day}T00:00:00Z`));
  };
  const number = new Intl.NumberFormat(locale);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    locale,
    timeZone,
    /** Of an amount in the smallest unit; bitcoin is counted in satoshis. */
    money: (amountMinor: number, currency: string) =>
      currency === 'BTC' ? formatSats(amountMinor, locale) : formatMoney({ amountMinor, currency }, locale),
    sats: (sats: number) => formatSats(sats, locale),
    number: (value: number) => number.format(value),
    time: written({ hour: '2-digit', minute: '2-digit' }),
    date: written({ day: 'numeric', month: 'short', year: 'numeric' }),
    dateTime: written({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }),
    toTheSecond: written({
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
    exact: written({ dateStyle: 'full', timeStyle: 'long' }),
    /** Of a day such as 2026-11-24. */
    weekday: dayFormat({ weekday: 'short' }),
    mediumDay: dayFormat({ day: 'numeric', month: 'long', year: 'numeric' }),
    month: dayFormat({ month: 'long', year: 'numeric' }),
    longDay: dayFormat({ weekday: 'long', day: 'numeric', month: 'long' }),
    shortDay: dayFormat({ day: 'numeric', month: 'short' }),
    /** The day of an instant in the business's zone, as 2026-11-24. */
    dayOf: (at: string | number) => isoDay.format(new Date(at)),
    ago: (at: string, now: number) => {
      const minutes = Math.round((Date.parse(at) - now) / 60_000);
      if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
      if (Math.abs(minutes) < 1_440) return relative.format(Math.round(minutes / 60), 'hour');
      return relative.format(Math.round(minutes / 1_440), 'day');
    },
  };
}

/** The formats of the user's language and the business on screen. */
export function useFormats(): Formats {
  const language = useLanguage();
  const business = useBusinessIfAny();
  const { locale, timeZone } = business ?? {};
  return useMemo(
    () => formatsFor(language, locale === undefined || timeZone === undefined ? undefined : { locale, timeZone }),
    [language, locale, timeZone],
  );
}
