import { z } from 'zod';

/**
 * Money is an integer in the smallest unit of its currency. Exponents come from ISO 4217, never from Intl (whose
 * display digits differ for HUF, LAK, IQD …) and never from an assumption of two decimals.
 */
export type CurrencyCode = string;
export type Money = { readonly amountMinor: number; readonly currency: CurrencyCode };

/** ISO 4217 currencies in use by number of decimals, without funds codes and metals. */
const codesByExponent: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC
      CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
      KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR
      NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT
      TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const exponents = new Map(
  Object.entries(codesByExponent).flatMap(([exponent, codes]) =>
    codes.split(/\s+/).map(code => [code, Number(exponent)] as const),
  ),
);

/** Decimals of a currency; undefined if ISO 4217 does not list it. */
export function exponentOf(currency: CurrencyCode): number | undefined {
  return exponents.get(currency);
}

/** The maximum amount: the exact range of a double. */
const maxAmountMinor = Number.MAX_SAFE_INTEGER;
const outOfRange = `must be from 1 to ${maxAmountMinor}`;

function amountProblem(input: unknown, unit: string): string {
  if (input === undefined) return 'is required';
  return Number.isInteger(input) ? outOfRange : `must be a whole number of ${unit}`;
}

export const currencyCode = z
  .string()
  .refine(code => exponents.has(code), { error: 'must be a three-letter ISO 4217 currency code, such as GBP' })
  .meta({ description: 'ISO 4217 currency code', example: 'GBP' });

/** An amount in the smallest unit of its currency; `tooLarge` tells the caller why more than `maximum` is refused. */
export function amountMinorUpTo(maximum: number, tooLarge: string) {
  return z
    .int({
      error: ({ input }) =>
        Number.isInteger(input) && Number(input) > 0 ? tooLarge : amountProblem(input, 'the smallest currency unit'),
      abort: true,
    })
    .min(1, { error: 'must be at least 1' })
    .max(maximum, { error: tooLarge })
    .meta({ description: 'Amount in the smallest unit of the currency (pence, cents, yen)', example: 1250 });
}

export const amountMinor = amountMinorUpTo(maxAmountMinor, outOfRange);

export const amountSats = z
  .int({ error: ({ input }) => amountProblem(input, 'satoshis'), abort: true })
  .min(1, { error: 'must be at least 1' })
  .max(maxAmountMinor, { error: outOfRange })
  .meta({ description: 'Amount in satoshis', example: 25000 });

/** Checks neither the amount nor the currency: callers have validated them. */
export function money(amountMinorValue: number, currency: CurrencyCode): Money {
  return { amountMinor: amountMinorValue, currency };
}

/** Whether `part` is at most `whole`; amounts of different currencies never fit. */
export function fitsWithin(options: { part: Money; whole: Money }): boolean {
  return options.part.currency === options.whole.currency && options.part.amountMinor <= options.whole.amountMinor;
}

/** Formats an amount for `locale`, with ISO 4217's decimals. */
export function formatMoney(value: Money, locale: string): string {
  const exponent = exponentOf(value.currency) ?? 2;
  const digits = String(Math.abs(value.amountMinor)).padStart(exponent + 1, '0');
  const decimal = exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: value.currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  });
  // A decimal string keeps every digit; a number would round above 2^53 / 10^exponent.
  const written = format.format(`${value.amountMinor < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral);
  // Japanese uses the full-width sign, which is missing in most fonts.
  return written.replace('￥', '¥');
}
