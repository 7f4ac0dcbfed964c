/**
 * Money is an integer in the smallest unit of its currency. Exponents come from ISO 4217, never from Intl (whose
 * display digits differ for HUF, LAK, IQD …) and never from an assumption of two decimals. Imports nothing, so that a page
 * that only writes amounts stays small.
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

/** Their sign means them in every language; a sign of several currencies, such as $ or ¥, is told apart by the language. */
const ownSigns: ReadonlySet<CurrencyCode> = new Set(['GBP', 'INR', 'ILS', 'KRW', 'PHP', 'BRL']);

/** £12.50 and 12,50 £, also where the language would write £GB or GBP. */
export function currencyDisplayOf(currency: CurrencyCode): 'narrowSymbol' | 'symbol' {
  return ownSigns.has(currency) ? 'narrowSymbol' : 'symbol';
}

let last: { readonly key: string; readonly format: Intl.NumberFormat } | undefined;

/** The last one again where it serves, as it does for all amounts of a page: making one takes twenty times as long as using it. */
function formatOf(currency: CurrencyCode, locale: string, exponent: number): Intl.NumberFormat {
  const key = locale + currency;
  if (last?.key !== key)
    last = {
      key,
      format: new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: currencyDisplayOf(currency),
        minimumFractionDigits: exponent,
        maximumFractionDigits: exponent,
      }),
    };
  return last.format;
}

/** Formats an amount for `locale`, with ISO 4217's decimals. */
export function formatMoney(value: Money, locale: string): string {
  const exponent = exponentOf(value.currency) ?? 2;
  const digits = String(Math.abs(value.amountMinor)).padStart(exponent + 1, '0');
  const decimal = exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
  // A decimal string keeps every digit; a number would round above 2^53 / 10^exponent.
  const written = formatOf(value.currency, locale, exponent).format(
    `${value.amountMinor < 0 ? '-' : ''}${decimal}` as Intl.StringNumericLiteral,
  );
  // Japanese uses the full-width sign, which is missing in most fonts. A hyphen is narrower than the sign of other amounts.
  return written.replace('￥', '¥').replace('-', '−');
}

/** The number is grouped for `locale`; the unit is the same in every language. */
export function formatSats(sats: number, locale: string): string {
  return `${new Intl.NumberFormat(locale).format(sats)} ${sats === 1 ? 'sat' : 'sats'}`;
}

/** What was taken back of a payment, beside what it took: on its receipt, on paper and on every screen that lists both. */
export function takenBack(amount: string): string {
  return `−${amount}`;
}
