import type { Clock } from '@florin/shared/ports.ts';
import type { TestCard } from '../../cards/wallet.ts';
import { applicationIdOf, type Entry, type Verification } from '../dialogue.ts';
import { bcd, bmp, tlv, varBmp } from './wire.ts';

/** What the reader says about transactions: the status information and receipts. */

/** Made-up, like a reader's terminal id. */
const contract = '455600123456   ';

export type UsedCard = { readonly card: TestCard; readonly entry: Entry; readonly verification: Verification };

/** The protocol's numbers of card types. */
const cardTypes: Readonly<Record<TestCard['scheme'], number>> = { mastercard: 6, amex: 8, visa: 10 };
const technologies: Readonly<Record<Entry, number>> = { swipe: 0, chip: 1, contactless: 2 };
const verifications: Readonly<Record<Verification, number>> = { none: 0, signature: 1, pin: 2, device: 0 };
const brands: Readonly<Record<TestCard['scheme'], string>> = {
  mastercard: 'Mastercard',
  amex: 'American Express',
  visa: 'VISA',
};

export type StatusOf = {
  readonly result: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly receipt: number;
  readonly trace: number;
  readonly originalTrace?: number;
  readonly authorisationCode?: string;
  readonly text?: string;
  readonly used: UsedCard | undefined;
  /** Eight digits, which tell the reader from all others of the merchant. */
  readonly terminalId: string;
  readonly clock: Clock;
};

/** The body of a status information about a transaction that reached the processor, in the documentation's order. */
export function statusBody(of: StatusOf): Buffer {
  const time = new Date(of.clock.now()).toISOString();
  const { used } = of;
  return Buffer.concat([
    bmp('27', of.result),
    bmp('04', bcd(of.amountMinor, 6)),
    bmp('0b', bcd(of.trace, 3)),
    ...(of.originalTrace === undefined ? [] : [bmp('37', bcd(of.originalTrace, 3))]),
    bmp('0c', time.slice(11, 19).replaceAll(':', '')),
    bmp('0d', time.slice(5, 10).replace('-', '')),
    ...(used === undefined ? [] : [bmp('19', used.verification === 'pin' ? '70' : '60'), panOf(used.card)]),
    bmp('29', of.terminalId),
    bmp('2a', Buffer.from(contract, 'latin1')),
    ...(of.authorisationCode === undefined
      ? []
      : [bmp('3b', Buffer.from(of.authorisationCode.padEnd(8, '\0'), 'latin1'))]),
    ...(of.text === undefined ? [] : [varBmp('3c', Buffer.from(of.text, 'latin1'), 3)]),
    bmp('49', `0${of.currency}`),
    bmp('87', bcd(of.receipt, 2)),
    ...(used === undefined ? [] : cardFields(used)),
  ]);
}

/** The body about one that ended before it reached the processor. */
export function shortStatusBody({
  result,
  currency,
  terminalId,
}: Pick<StatusOf, 'result' | 'currency' | 'terminalId'>): Buffer {
  return Buffer.concat([bmp('27', result), bmp('29', terminalId), bmp('49', `0${currency}`)]);
}

/** The number with its middle masked; an odd number of digits is filled up. */
function panOf(card: TestCard): Buffer {
  const masked = `${card.number.slice(0, 6)}${'E'.repeat(card.number.length - 10)}${card.number.slice(-4)}`;
  return varBmp('22', Buffer.from(masked.length % 2 === 0 ? masked : `${masked}F`, 'hex'), 2);
}

function cardFields({ card, entry, verification }: UsedCard): readonly Buffer[] {
  const payment = tlv(
    '2f',
    tlv('1f10', Buffer.from([verifications[verification]])),
    tlv('1f11', Buffer.from([1])),
    tlv('1f12', Buffer.from([technologies[entry]])),
  );
  const id = applicationIdOf(card, entry);
  const application = id === undefined ? [] : [tlv('60', tlv('43', Buffer.from(id.replace('.', ''), 'hex')))];
  return [
    bmp('8a', Buffer.from([cardTypes[card.scheme]])),
    varBmp('8b', Buffer.from(`${brands[card.scheme]}\0`, 'latin1'), 2),
    tlv('06', payment, ...application),
  ];
}

const width = 32;

/** A receipt of one copy, line by line. */
export function receiptLines(copy: 'merchant' | 'customer', title: string, of: StatusOf): readonly string[] {
  const { used } = of;
  const number = used === undefined ? [] : [pair('Karte', `############${used.card.number.slice(-4)}`)];
  return [
    centred(copy === 'merchant' ? 'Händlerbeleg' : 'Kundenbeleg'),
    '',
    centred(title),
    pair('Betrag', euros(of)),
    ...(used === undefined ? [] : [pair(brands[used.card.scheme], used.entry === 'contactless' ? 'kontaktlos' : '')]),
    ...number,
    pair('Terminal-ID', of.terminalId),
    pair('TA-Nr.', String(of.trace).padStart(6, '0')),
    pair('Beleg-Nr.', String(of.receipt).padStart(4, '0')),
    ...(of.authorisationCode === undefined ? [] : [pair('Genehmigung', of.authorisationCode)]),
    '',
    centred(of.result === '00' ? 'Zahlung erfolgt' : 'Vorgang nicht möglich'),
  ];
}

/** A line with a text at each end. */
export function pair(left: string, right: string): string {
  return `${left.padEnd(width - right.length)}${right}`.slice(0, width);
}

/** A line with its text in the middle. */
export function centred(text: string): string {
  return text.padStart((width + text.length) >> 1);
}

/** An amount as receipts show it. */
export function euros({ amountMinor, currency }: Pick<StatusOf, 'amountMinor' | 'currency'>): string {
  const digits = String(Math.abs(amountMinor)).padStart(3, '0');
  const symbol = currency === '978' ? 'EUR' : currency === '826' ? 'GBP' : currency;
  return `${amountMinor < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)} ${symbol}`;
}

const umlauts: Readonly<Record<string, number>> = { ä: 0x84, ö: 0x94, ü: 0x81, Ä: 0x8e, Ö: 0x99, Ü: 0x9a, ß: 0xe1 };

/** Text in the protocol's usual character set, code page 437. */
export function text437(text: string): Buffer {
  return Buffer.from(Array.from(text, character => umlauts[character] ?? character.charCodeAt(0) & 0x7f));
}
