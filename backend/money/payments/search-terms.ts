import type { SearchTerm } from '@florin/shared/contracts/api-v1/payments.ts';
import { exponentOf } from '@florin/shared/money.ts';
import type { Source } from './search-store.ts';

/** What a text is looked for as: the fields that it may be the value of. */
export type Term = SearchTerm & {
  readonly sources: readonly Source[];
  readonly amountMinor: number;
  readonly text: string;
};

/** All that a text which people type may mean. Each has an index, so that none is left out. */
export function termsOf(typed: string, currency: string): Term[] {
  const asText = (field: SearchTerm['field'], text: string, ...sources: Source[]): Term => ({
    field,
    value: text,
    sources,
    amountMinor: 0,
    text,
  });
  const digits = /^\d{1,12}$/.test(typed) ? typed : undefined;
  const invoice = /^INV-\d+$/i.test(typed) ? typed.toUpperCase() : digits && `INV-${digits.padStart(6, '0')}`;
  return [
    ...amountsTyped(typed, currency).map(amountMinor => ({
      field: 'amount' as const,
      value: decimal(amountMinor, currency),
      sources: ['amount', 'partApproved'] as const,
      amountMinor,
      text: '',
    })),
    ...(/^\d{4}$/.test(typed) ? [asText('card_last_four', typed, 'lastFour')] : []),
    ...(invoice ? [asText('invoice_number', invoice, 'invoice')] : []),
    ...(/^pay_\w+$/.test(typed) ? [asText('payment_id', typed, 'id')] : []),
    ...(/^sale_\w+$/.test(typed) ? [asText('sale_id', typed, 'sale')] : []),
    asText('gateway_reference', typed, 'gatewayReference'),
    asText('reference', typed, 'saleReference', 'linkReference'),
  ];
}

/**
 * The amounts that a text may mean, in the smallest unit: `12.50` and `12,50` one, `1,250.00` one, and `1250` two, because
 * some people leave out the separator and some the decimals.
 */
export function amountsTyped(typed: string, currency: string): number[] {
  const exponent = exponentOf(currency) ?? 2;
  const text = typed.replaceAll(currency, '').replace(/[\p{Sc}\p{Zs}'’]/gu, '');
  const [, whole = '', , decimals] = /^(\d[\d.,]*?)(?:([.,])(\d+))?$/.exec(text) ?? [];
  if (whole === '' || whole.length > 15) return [];
  const of = (units: string, fraction: string) => Number(`${units}${fraction.padEnd(exponent, '0')}`);
  const isWhole = /^\d+$/.test(whole);
  if (decimals === undefined) return isWhole ? [...new Set([of(whole, ''), Number(whole)])].filter(isAmount) : [];
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(whole);
  if (decimals.length <= exponent && (isWhole || isGrouped))
    return [of(whole.replace(/[.,]/g, ''), decimals)].filter(isAmount);
  if (decimals.length === 3 && (isGrouped || /^\d{1,3}$/.test(whole)))
    return [of(`${whole.replace(/[.,]/g, '')}${decimals}`, '')].filter(isAmount);
  return [];
}

function isAmount(amountMinor: number): boolean {
  return Number.isSafeInteger(amountMinor) && amountMinor > 0;
}

function decimal(amountMinor: number, currency: string): string {
  const exponent = exponentOf(currency) ?? 2;
  const digits = String(amountMinor).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
