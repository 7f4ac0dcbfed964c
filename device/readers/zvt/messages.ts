import { type CardScheme, cardSchemeOf } from '@florin/shared/card-schemes.ts';
import { currencyOfNumeric } from '@florin/shared/reader-line/currencies.ts';
import { holdsPan } from '@florin/shared/reader-line/pan.ts';
import { z } from 'zod';
import type { ReaderTotals } from '../reader.ts';
import type { Apdu } from './apdu.ts';
import { countedExtent, digitsOf, type Fields, readFields, type Tagged, taggedValue, textOf } from './fields.ts';

/** What the reader sends of its own accord while it carries out a command. */
export type ReaderMessage =
  | {
      readonly kind: 'status';
      readonly facts: StatusFacts;
      readonly holdsCardNumber: boolean;
      /** Only at the end of a day. */
      readonly dayTotals: DayTotals | undefined;
    }
  | { readonly kind: 'progress'; readonly code: number; readonly minutes: number | undefined; readonly texts: string[] }
  | {
      readonly kind: 'print';
      readonly lines: readonly string[];
      readonly copy: Copy | undefined;
      readonly isLast: boolean;
    }
  | { readonly kind: 'clock' }
  | { readonly kind: 'completion'; readonly data: Buffer }
  | { readonly kind: 'abort'; readonly code: number };

/** Whom a printed receipt is for. */
export type Copy = 'merchant' | 'customer' | 'administration';

export const control = { ok: 0x8000, refusal: 0x84, status: 0x040f, progress: 0x04ff, clock: 0x0401 } as const;
const printLine = 0x06d1;
export const printBlock = 0x06d3;
const completion = 0x060f;
const abort = 0x061e;

/** What a reader says of one transaction. Of the card number only the last four digits are kept. */
export const statusFacts = z.object({
  /** 00 for success; undefined if the reader did not say. */
  result: z.int().optional(),
  amountMinor: z.int().optional(),
  currency: z.string().optional(),
  /** The number of this transaction in the reader's log. */
  trace: z.string().optional(),
  /** Of the transaction that this one reversed. */
  originalTrace: z.string().optional(),
  receipt: z.string().optional(),
  terminalId: z.string().optional(),
  authorisationCode: z.string().optional(),
  lastFour: z.string().optional(),
  cardType: z.int().optional(),
  cardName: z.string().optional(),
  technology: z.int().optional(),
  verification: z.int().optional(),
  applicationId: z.string().optional(),
  text: z.string().optional(),
});
export type StatusFacts = z.output<typeof statusFacts>;

/** The individual totals of a day. */
export type DayTotals = Pick<ReaderTotals, 'receipts' | 'cardTypes'>;

/** Undefined for a command that is none of a reader's. */
export function readMessage({ control: command, data }: Apdu): ReaderMessage | undefined {
  switch (command) {
    case control.status:
      return statusOf(readFields(data));
    case control.progress:
      return progressOf(data);
    case printLine:
      return lineOf(data);
    case printBlock:
      return blockOf(readFields(data));
    case control.clock:
      return { kind: 'clock' };
    case completion:
      return { kind: 'completion', data };
    case abort:
      return { kind: 'abort', code: data[0] ?? 0xff };
    default:
      return undefined;
  }
}

function statusOf({ values, tagged }: Fields): Extract<ReaderMessage, { kind: 'status' }> {
  const digits = (field: number) => digitsOf(values.get(field));
  const amount = digits(0x04);
  const number = values.get(0x22)?.toString('hex').toUpperCase().replace(/F$/, '');
  const long = digitsOf(taggedValue(tagged, 0x1f2b));
  const short = digits(0x0b);
  const facts = {
    result: values.get(0x27)?.[0],
    amountMinor: amount === undefined ? undefined : Number(amount),
    currency: currencyOfNumeric(digits(0x49)?.slice(1) ?? ''),
    trace: short === undefined || /^0+$/.test(short) ? (long ?? short) : short,
    originalTrace: digits(0x37),
    receipt: digits(0x87),
    terminalId: digits(0x29),
    authorisationCode: printable(values.get(0x3b)),
    lastFour: /(\d{4})$/.exec(number ?? '')?.[1],
    cardType: cardTypeOf(values.get(0x8a), taggedValue(tagged, 0x41)),
    cardName: printable(values.get(0x8b)),
    technology: taggedValue(tagged, 0x1f12)?.[0],
    verification: taggedValue(tagged, 0x1f10)?.[0],
    applicationId: taggedValue(tagged, 0x43)?.toString('hex').toUpperCase(),
    text: printable(values.get(0x3c)),
  };
  const given = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  return {
    kind: 'status',
    facts: statusFacts.parse(Object.fromEntries(given)),
    holdsCardNumber: holdsPan(number ?? ''),
    dayTotals: dayTotalsOf(values.get(0x60)),
  };
}

/** Two receipt numbers, then a count of one byte and an amount for each of these, in this order. */
const totalledCards = ['girocard', 'JCB', 'Mastercard', 'American Express', 'Visa', 'Diners Club', 'Other'];
const amountBytes = 6;

/** Undefined if the field is missing or cannot be read. Cards that were not used are left out. */
function dayTotalsOf(field: Buffer | undefined): DayTotals | undefined {
  const [first, last] = [digitsOf(field?.subarray(0, 2)), digitsOf(field?.subarray(2, 4))];
  if (field === undefined || first === undefined || last === undefined) return undefined;
  const cardTypes: { name: string; count: number; amountMinor: number }[] = [];
  for (const [index, name] of totalledCards.entries()) {
    const at = 4 + index * (1 + amountBytes);
    const amount = digitsOf(field.subarray(at + 1, at + 1 + amountBytes));
    if (amount?.length !== amountBytes * 2) return undefined;
    const count = field[at] ?? 0;
    if (count > 0) cardTypes.push({ name, count, amountMinor: Number(amount) });
  }
  const hasReceipts = Number(first) > 0 || Number(last) > 0;
  return { cardTypes, ...(hasReceipts ? { receipts: { first, last } } : {}) };
}

/** A number above 254 does not fit into the field and is in the container instead. */
function cardTypeOf(short: Buffer | undefined, long: Buffer | undefined): number | undefined {
  if (short?.[0] !== undefined && short[0] !== 0xff) return short[0];
  return long === undefined || long.length === 0 || long.length > 4 ? undefined : long.readUIntBE(0, long.length);
}

/** Text without its filling, and without anything that may be a card number. */
function printable(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const text = textOf(bytes).trim();
  return holdsPan(text) ? undefined : text;
}

function progressOf(data: Buffer): ReaderMessage {
  const [code = 0xff, minutes] = data;
  const { tagged } = readFields(data.subarray(2));
  const digits = minutes === undefined ? undefined : digitsOf(Buffer.from([minutes]));
  return { kind: 'progress', code, minutes: digits === undefined ? undefined : Number(digits), texts: textsIn(tagged) };
}

function textsIn(tagged: readonly Tagged[]): string[] {
  return tagged.flatMap(({ tag, value, inner }) => (tag === 0x07 ? [printable(value) ?? ''] : textsIn(inner)));
}

/** An attribute and a text. FF feeds lines instead; any other with its highest bit ends the receipt, except 80. */
function lineOf(data: Buffer): ReaderMessage {
  const [attribute = 0] = data;
  const isFeed = attribute === 0xff;
  const lines = isFeed ? Array<string>(Math.min(data[1] ?? 1, 20)).fill('') : [printable(data.subarray(1)) ?? ''];
  return { kind: 'print', lines, copy: undefined, isLast: endsReceipt(attribute) };
}

function endsReceipt(attribute: number): boolean {
  return attribute > 0x80 && attribute !== 0xff;
}

function blockOf({ tagged }: Fields): ReaderMessage {
  const texts = tagged.find(({ tag }) => tag === 0x25)?.inner ?? [];
  const attributes = texts.filter(({ tag }) => tag === 0x09).map(({ value }) => value[0] ?? 0);
  return { kind: 'print', lines: textsIn(texts), copy: copyOf(tagged), isLast: attributes.some(endsReceipt) };
}

function copyOf(tagged: readonly Tagged[]): Copy | undefined {
  const kind = taggedValue(tagged, 0x1f07)?.[0];
  return kind === 1 ? 'merchant' : kind === 2 ? 'customer' : kind === 3 ? 'administration' : undefined;
}

/** The version of the reader's program and its state, from the completion of a status enquiry. */
export function readState(data: Buffer): { readonly firmware: string | undefined; readonly code: number } {
  const version = countedExtent(data, 0, 3);
  const code = data[version?.end ?? 0] ?? 0;
  const { tagged } = readFields(data.subarray((version?.end ?? 0) + 1));
  const text = version && printable(data.subarray(version.start, version.end));
  return { firmware: text ?? printable(taggedValue(tagged, 0x1f41)), code };
}

/** What the completion of a registration says: the reader's number, and what it needs first. */
export function readRegistration(data: Buffer): { readonly terminalId: string | undefined; readonly needs: number } {
  const { values } = readFields(data);
  return { terminalId: digitsOf(values.get(0x29)), needs: values.get(0x19)?.[0] ?? 0 };
}

/** The reader's own currency, if it refused another. */
export function refusedCurrency(data: Buffer): string | undefined {
  return data[0] === 0x6f ? currencyOfNumeric(digitsOf(data.subarray(1, 3))?.slice(1) ?? '') : undefined;
}

/** The scheme of a card by the protocol's numbers of card types, or by the name on the receipt. */
export function schemeOf({ cardType, cardName = '' }: StatusFacts): CardScheme | null {
  return (cardType === undefined ? undefined : schemes[cardType]) ?? cardSchemeOf(cardName);
}

const schemes: Readonly<Record<number, CardScheme>> = {
  5: 'Other',
  6: 'Mastercard',
  8: 'American Express',
  10: 'Visa',
  11: 'Visa',
  12: 'Diners Club',
  13: 'Visa',
  14: 'JCB',
  46: 'Maestro',
  198: 'UnionPay',
  232: 'Discover',
};
