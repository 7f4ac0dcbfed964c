import { z } from 'zod';
import { type CurrencyCode, exponentOf, type Money } from './amounts.ts';

export { type CurrencyCode, exponentOf, formatMoney, type Money } from './amounts.ts';

/** The maximum amount: the exact range of a double. */
const maxAmountMinor = Number.MAX_SAFE_INTEGER;
const outOfRange = `must be from 1 to ${maxAmountMinor}`;

function amountProblem(input: unknown, unit: string): string {
  if (input === undefined) return 'is required';
  return Number.isInteger(input) ? outOfRange : `must be a whole number of ${unit}`;
}

export const currencyCode = z
  .string()
  .refine(code => exponentOf(code) !== undefined, {
    error: 'must be a three-letter ISO 4217 currency code, such as GBP',
  })
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
