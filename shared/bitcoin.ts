import { z } from 'zod';
import { type CurrencyCode, exponentOf, formatMoney, formatSats, type Money } from './amounts.ts';
import { currencyCode } from './money.ts';

export { formatSats } from './amounts.ts';

/** The currency code of amounts in satoshis, which ISO 4217 does not list. */
export const bitcoin = 'BTC';
const satsPerBitcoin = 100_000_000n;

/** ISO 4217, or BTC with amounts in satoshis. */
export const currencyOrBitcoin = z
  .union([z.literal(bitcoin), currencyCode], {
    error: ({ input }) =>
      input === undefined
        ? 'is required'
        : 'must be a three-letter ISO 4217 currency code, such as GBP, or BTC for satoshis',
  })
  .meta({ description: 'ISO 4217 currency code, or BTC for an amount in satoshis', example: 'GBP' });

/** A decimal number, exact where floating point would round. */
type Decimal = { readonly digits: bigint; readonly scale: number };

const decimalPattern = /^(\d{1,18})(?:\.(\d{1,18}))?$/;

/** Parses a positive decimal number; undefined for anything else (signs, exponents, zero). */
export function decimalOf(text: string): Decimal | undefined {
  const [, whole, fraction = ''] = decimalPattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  return digits > 0n ? { digits, scale: fraction.length } : undefined;
}

/** Compares two prices: negative where the first is lower. */
export function compareDecimals(first: Decimal, second: Decimal): number {
  const [a, b] = [first.digits * 10n ** BigInt(second.scale), second.digits * 10n ** BigInt(first.scale)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Converts an amount to satoshis at this price of one bitcoin, rounded up so that the merchant never receives less.
 * Undefined for an invalid currency or price, or a result out of range.
 */
export function satsOf(amount: Money, price: string): number | undefined {
  const exponent = exponentOf(amount.currency);
  const decimal = decimalOf(price);
  if (exponent === undefined || decimal === undefined) return undefined;
  const dividend = BigInt(amount.amountMinor) * satsPerBitcoin * 10n ** BigInt(decimal.scale);
  const divisor = 10n ** BigInt(exponent) * decimal.digits;
  const sats = (dividend + divisor - 1n) / divisor;
  return sats <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sats) : undefined;
}

/** The share of an amount that these satoshis are of `wholeSats`, rounded down. */
export function minorOfSats(options: { sats: number; wholeSats: number; wholeMinor: number }): number {
  const { sats, wholeSats, wholeMinor } = options;
  const minor = (BigInt(sats) * BigInt(wholeMinor)) / BigInt(wholeSats);
  return minor <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(minor) : Number.MAX_SAFE_INTEGER;
}

/** Satoshis as decimal bitcoin without trailing zeros, as in payment URIs. */
export function bitcoinText(sats: number): string {
  const digits = String(sats).padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '');
}

/** Formats an amount for `locale`, including satoshis. */
export function formatAmount(amountMinor: number, currency: CurrencyCode, locale: string): string {
  if (currency === bitcoin) return formatSats(amountMinor, locale);
  return formatMoney({ amountMinor, currency }, locale);
}
