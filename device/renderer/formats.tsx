import { formatSats } from '@florin/shared/bitcoin.ts';
import { formatMoment } from '@florin/shared/moments.ts';
import { formatMoney } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { createContext, useContext, useMemo } from 'react';
import type { Header } from '../ipc/view.ts';
import { clock, useNow } from './platform/time.ts';

export type DisplayedHeader = Pick<
  Header,
  | 'businessName'
  | 'mode'
  | 'language'
  | 'locale'
  | 'currency'
  | 'timeZone'
  | 'takesBitcoin'
  | 'counter'
  | 'service'
  | 'clockAheadMs'
> & {
  readonly reader: Header['reader']['connection'] | 'needs_attention';
  readonly isCardLeft: boolean;
};

/** The part of the header that screens use. `needs_attention` replaces the state of the reader's connection. */
export function displayed({ reader, ...header }: Header): DisplayedHeader {
  const { attention, connection, isCardLeft } = reader;
  return { ...header, reader: attention === null ? connection : 'needs_attention', isCardLeft };
}

/** The language and locale of the screen, the currency and time zone of its values, and the connection state. */
export const HeaderContext = createContext<DisplayedHeader>({
  businessName: null,
  mode: 'staff',
  language: 'en',
  locale: 'en-GB',
  currency: 'GBP',
  timeZone: 'UTC',
  takesBitcoin: false,
  counter: { quickAmountsMinor: [], confirmAboveMinor: null, playsSounds: false, saleReference: 'none' },
  service: 'connecting',
  clockAheadMs: 0,
  reader: 'searching',
  isCardLeft: false,
});

/** The alerts of the header, which the status page lists. */
export const AlertsContext = createContext<Header['alerts']>([]);

/** True once the service cannot be reached; false while the first connection is attempted. */
export function useIsOffline(): boolean {
  return useContext(HeaderContext).service === 'offline';
}

export interface Formats {
  readonly currency: string;
  amount(amountMinor: number, currency: string): string;
  sats(count: number): string;
  /** A decimal such as 12.50 of the business's currency, with its sign. */
  decimal(value: string): string;
  /** 14:35, in the terminal's time zone. */
  time(instant: Instant): string;
  /** Saturday 21 November, in the terminal's time zone. */
  day(instant: Instant): string;
  /** 21 November 2026, of a day such as 2026-11-21. */
  date(day: string): string;
  moment(instant: Instant): string;
  /** The service's time, by which records are dated. */
  now(): Instant;
  isToday(instant: Instant): boolean;
}

/** Formats for the locale of the screen, in the business's time zone. */
export function useFormats(): Formats {
  const { locale, currency, timeZone, clockAheadMs } = useContext(HeaderContext);
  return useMemo(() => {
    const now = () => clock.now() - clockAheadMs;
    const time = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' });
    const day = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'long', day: 'numeric', month: 'long' });
    const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'long' });
    return {
      currency,
      date: of => date.format(Date.parse(of)),
      amount: (amountMinor, of) => formatMoney({ amountMinor, currency: of }, locale),
      decimal: value => {
        const decimals = value.split('.')[1]?.length ?? 0;
        return formatMoney({ amountMinor: Math.round(Number(value) * 10 ** decimals), currency }, locale);
      },
      sats: count => formatSats(count, locale),
      time: instant => time.format(instant),
      day: instant => day.format(instant),
      moment: instant => formatMoment(instant, { locale, timeZone }),
      now,
      isToday: instant => day.format(instant) === day.format(now()),
    };
  }, [locale, currency, timeZone, clockAheadMs]);
}

/** The service's time, updated every second while the component is mounted: for times left until a moment it set. */
export function useServiceTime(): Instant {
  return useNow(1_000) - useContext(HeaderContext).clockAheadMs;
}

/** A remaining time as 4:32 or 1:04:32. */
export function countdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
