import type { SettlementRecord } from '@florin/shared/contracts/api-v1/settlements.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { Temporal } from 'temporal-polyfill';
import { timestamp } from '../payments/payment.ts';

/** The summed movements of a day, gateway account and currency. */
export type SettlementSums = {
  /** Days since 1970-01-01 in the business's time zone; `awaitingDay` if not settled. */
  readonly day: number;
  readonly accountId: string;
  readonly accountName: string;
  readonly currency: string;
  readonly grossMinor: number;
  readonly voidedMinor: number;
  readonly rejectedMinor: number;
  readonly refundedMinor: number;
  readonly paymentCount: number;
  readonly voidCount: number;
  readonly rejectedCount: number;
  readonly refundCount: number;
};

/** The facts that a settlement's id encodes. */
export type SettlementKey = Pick<SettlementSums, 'day' | 'accountId' | 'currency'>;

/** The day of movements that are not settled, above all others. */
export const awaitingDay = 99_999_999;

const dayMs = 86_400_000;

/** A period with a constant offset of local time from UTC. */
export type ZonePeriod = { readonly from: Instant; readonly to: Instant; readonly offsetMs: number };

/** The UTC offsets of a time zone from `from` to `to`, because databases have no or different time zone data. */
export function zonePeriods(timeZone: string, from: Instant, to: Instant): ZonePeriod[] {
  const periods: ZonePeriod[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  while (at.epochMilliseconds < to) {
    const next = at.getTimeZoneTransition('next');
    const end = Math.min(to, next?.epochMilliseconds ?? to);
    periods.push({ from: at.epochMilliseconds, to: end, offsetMs: at.offsetNanoseconds / 1e6 });
    if (!next) break;
    at = next;
  }
  return periods;
}

/** The calendar date of a `SettlementSums.day`, which counts days since 1970-01-01; not defined for `awaitingDay`. */
export function dateOfDay(day: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(day * dayMs)
    .toZonedDateTimeISO('UTC')
    .toPlainDate();
}

/** The inverse of `dateOfDay`: days since 1970-01-01, independent of any time zone. */
export function dayOfDate(date: Temporal.PlainDate): number {
  return date.toZonedDateTime('UTC').epochMilliseconds / dayMs;
}

/** The first instant of the date in this time zone; not midnight where a change of the clocks skips it. */
export function startOfDate(date: Temporal.PlainDate, timeZone: string): Instant {
  return date.toZonedDateTime(timeZone).epochMilliseconds;
}

/** The calendar date in this time zone, for example a business's today. */
export function dateAt(now: Instant, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** `set_`, the date (zeros if awaiting), the currency and the account's id. */
export function settlementId({ day, accountId, currency }: SettlementKey): string {
  const date = day === awaitingDay ? '00000000' : dateOfDay(day).toString().replaceAll('-', '');
  return `set_${date}${currency}${accountId.slice('gwa_'.length)}`;
}

const idPattern = /^set_(\d{4})(\d\d)(\d\d)([A-Z]{3})([0-9A-Za-z]+)$/;

/** Undefined if the id is invalid. */
export function settlementKey(id: string): SettlementKey | undefined {
  const [, year, month, dayOfMonth, currency = '', account = ''] = idPattern.exec(id) ?? [];
  if (year === undefined) return undefined;
  const key = { accountId: `gwa_${account}`, currency };
  if (`${year}${month}${dayOfMonth}` === '00000000') return { ...key, day: awaitingDay };
  try {
    return { ...key, day: dayOfDate(Temporal.PlainDate.from(`${year}-${month}-${dayOfMonth}`)) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The start of a settlement's day and of the next; null if awaiting. */
export function spanOf({ day }: Pick<SettlementKey, 'day'>, timeZone: string) {
  if (day === awaitingDay) return null;
  const date = dateOfDay(day);
  return { from: startOfDate(date, timeZone), to: startOfDate(date.add({ days: 1 }), timeZone) };
}

/**
 * A settlement as the API shows it: `current` until its day has ended in the time zone, then `closed`. The net amount
 * may be negative.
 */
export function settlementRecordOf(
  sums: SettlementSums,
  { now, timeZone }: { readonly now: Instant; readonly timeZone: string },
): SettlementRecord {
  const { day, grossMinor, voidedMinor, rejectedMinor, refundedMinor, paymentCount } = sums;
  const span = spanOf(sums, timeZone);
  return {
    id: settlementId(sums),
    status: span === null ? 'awaiting' : now < span.to ? 'current' : 'closed',
    day: span && dateOfDay(day).toString(),
    gatewayAccount: { id: sums.accountId, name: sums.accountName },
    currency: sums.currency,
    grossInCents: grossMinor,
    voidedInCents: voidedMinor,
    rejectedInCents: rejectedMinor,
    refundedInCents: refundedMinor,
    netInCents: grossMinor - voidedMinor - rejectedMinor - refundedMinor,
    paymentCount,
    voidCount: sums.voidCount,
    rejectedCount: sums.rejectedCount,
    refundCount: sums.refundCount,
    from: span && timestamp(span.from),
    to: span && timestamp(span.to),
  };
}
