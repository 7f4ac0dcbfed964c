import { matchingReferences, type SearchTerm } from '@florin/shared/contracts/payment-search.ts';
import { receiptTokenIn } from '@florin/shared/contracts/receipts.ts';
import { exponentOf } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Temporal } from 'temporal-polyfill';
import { secretHash } from '../../foundation/secret.ts';
import { dateAt } from '../settlements/settlement.ts';
import { dayTyped } from './search-days.ts';
import type { Source } from './search-store.ts';

/** What a text is looked for as: the fields that it may be the value of. */
export type Term = SearchTerm & {
  readonly sources: readonly Source[];
  readonly amountMinor: number;
  readonly text: string;
  /** The last of the references that match, of which `text` is the first. */
  readonly textEnd: string;
  /** Of a day: every payment in it is meant. */
  readonly period: Period | null;
};

type Period = { readonly from: Instant; readonly to: Instant };

/** What the meaning of a text depends on: the business it is typed at, and when. */
export type Typist = {
  readonly currency: string;
  readonly locale: string;
  readonly timeZone: string;
  readonly now: Instant;
};

/** All that a text which people type may mean. Each has an index, so that none is left out. */
export function termsOf(typed: string, typist: Typist): Term[] {
  const { currency, locale, timeZone, now } = typist;
  const asText = (field: SearchTerm['field'], text: string, ...sources: Source[]): Term => ({
    field,
    value: text,
    sources,
    amountMinor: 0,
    text,
    textEnd: '',
    period: null,
  });
  const references = matchingReferences(typed);
  const digits = /^\d{1,12}$/.test(typed) ? typed : undefined;
  const time = timeTyped(typed);
  const day = dayTyped(typed, { today: dateAt(now, timeZone), locale });
  const token = receiptTokenIn(typed);
  const invoice = /^INV-\d+$/i.test(typed) ? typed.toUpperCase() : digits && `INV-${digits.padStart(6, '0')}`;
  return [
    ...amountsTyped(typed, currency).map(amountMinor => ({
      field: 'amount' as const,
      value: decimal(amountMinor, currency),
      sources: ['amount', 'partApproved'] as const,
      amountMinor,
      text: '',
      textEnd: '',
      period: null,
    })),
    ...(/^\d{4}$/.test(typed) ? [asText('card_last_four', typed, 'lastFour')] : []),
    ...(invoice ? [asText('invoice_number', invoice, 'invoice')] : []),
    ...(/^pay_\w+$/.test(typed) ? [asText('payment_id', typed, 'id')] : []),
    ...(/^sale_\w+$/.test(typed) ? [asText('sale_id', typed, 'sale')] : []),
    ...(time ? [{ ...asText('time', clockText(time), 'time'), text: periodsJson(time, typist) }] : []),
    ...(day ? [{ ...asText('day', day.toString()), period: periodOf(day, timeZone) }] : []),
    ...(token ? [{ ...asText('receipt', token, 'receipt'), text: secretHash(token) }] : []),
    asText('gateway_reference', typed, 'gatewayReference'),
    {
      ...asText('reference', typed, 'ownReference', 'saleReference', 'linkReference'),
      text: references.first,
      textEnd: references.last,
    },
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

type TimeOfDay = { readonly hour: number; readonly minute: number };

/** The time of day that a text may mean: `14:35`, `2:35 pm`, `14h35`; undefined for any other text. */
export function timeTyped(typed: string): TimeOfDay | undefined {
  const [, hours, minutes, half] = /^(\d{1,2})\s?[:hH]\s?(\d{2})(?:\s?([ap])\.?m\.?)?$/i.exec(typed) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const [given, minute] = [Number(hours), Number(minutes)];
  if (half !== undefined && (given < 1 || given > 12)) return undefined;
  const hour = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return hour < 24 && minute < 60 ? { hour, minute } : undefined;
}

function clockText({ hour, minute }: TimeOfDay): string {
  return `${hour}:${String(minute).padStart(2, '0')}`;
}

const daysLookedThrough = 7;
/** People remember a time roughly. */
const toleranceMs = 5 * 60_000;
const minuteMs = 60_000;

/** The minutes around this time of today and of the days before; one that the clocks skip is taken an hour later. */
function periodsJson(time: TimeOfDay, { timeZone, now }: Typist): string {
  const today = dateAt(now, timeZone);
  const periods = Array.from({ length: daysLookedThrough }, (_, back) => {
    const at = today.subtract({ days: back }).toPlainDateTime(time).toZonedDateTime(timeZone).epochMilliseconds;
    return { from: at - toleranceMs, to: at + minuteMs + toleranceMs };
  });
  return JSON.stringify(periods);
}

function periodOf(day: Temporal.PlainDate, timeZone: string): Period {
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
  return { from: startOf(day), to: startOf(day.add({ days: 1 })) };
}

function isAmount(amountMinor: number): boolean {
  return Number.isSafeInteger(amountMinor) && amountMinor > 0;
}

function decimal(amountMinor: number, currency: string): string {
  const exponent = exponentOf(currency) ?? 2;
  const digits = String(amountMinor).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
