import type { ReadCard, ReaderOutcome, ReaderStage } from '../reader.ts';
import type { Entry } from './journal.ts';
import { type StatusFacts, schemeOf } from './messages.ts';

/** Wire values mapped to those of the port. */

/** Who asked the reader to stop, if this terminal did. */
export type StoppedBy = 'staff' | 'timeout' | undefined;

/** What the reference of a transaction says: a reader is told the receipt and, so that it hits no other, the amount. */
export type Reference = {
  readonly terminalId: string;
  readonly receipt: string;
  readonly trace: string;
  readonly amountMinor: number;
  readonly currency: string;
};

const lastHostCode = 0x63;
const stoppedCode = 0x6c;
const cannotBeReversed = 0xb5;
/** Codes with which the card, rather than the reader, stands in the way. */
const cardCodes: ReadonlySet<number> = new Set([
  0x64, 0x65, 0x67, 0x68, 0x71, 0x72, 0x73, 0x75, 0x76, 0x78, 0x79, 0x7a, 0x7b, 0x7c, 0x7e, 0xd2, 0xea, 0xf1,
]);

/** Whether a success is that of this transaction: its amount and currency, and numbers by which it can be found again. */
export function isSuccessOf(entry: Entry, facts: StatusFacts): boolean {
  if (facts.result !== 0 || (facts.trace ?? facts.receipt) === undefined) return false;
  if (facts.amountMinor !== undefined && facts.amountMinor !== entry.amountMinor) return false;
  if (facts.currency !== undefined && facts.currency !== entry.currency) return false;
  if (facts.terminalId !== undefined && facts.terminalId !== entry.terminalId) return false;
  if (facts.originalTrace === undefined) return true;
  const sold = entry.saleReference === undefined ? undefined : parseReference(entry.saleReference);
  return entry.kind === 'void' && sold?.trace === facts.originalTrace;
}

/** The approval that the facts of a success report. */
export function approvalOf(entry: Entry, facts: StatusFacts): ReaderOutcome {
  const { terminalId, amountMinor, currency, receipts } = entry;
  return {
    kind: 'approved',
    card: cardOf(facts),
    authorisationCode: facts.authorisationCode ?? '',
    readerSerial: terminalId,
    processorReference: [terminalId, facts.receipt ?? '0000', facts.trace ?? '000000', amountMinor, currency].join('-'),
    ...(receipts.length === 0 ? {} : { receipts }),
  };
}

/** The outcome of a transaction that the reader ended with this code, which is not 00. */
export function failureOf(entry: Entry, code: number, stoppedBy: StoppedBy): ReaderOutcome {
  const shown = code.toString(16).toUpperCase().padStart(2, '0');
  if (code <= lastHostCode) return { kind: 'declined', by: 'host', code: shown };
  if (code === stoppedCode) {
    if (stoppedBy === 'timeout') return { kind: 'timed_out' };
    return { kind: 'cancelled', by: stoppedBy ?? 'customer' };
  }
  // The sale is no longer in the reader's own records: it was handed to the bank.
  if (code === cannotBeReversed && entry.kind === 'void') return { kind: 'not_available', reason: 'settled' };
  return { kind: 'declined', by: cardCodes.has(code) ? 'card' : 'reader', code: shown };
}

/** Undefined for a text that this driver did not make. */
export function parseReference(text: string): Reference | undefined {
  const parts = /^(\d{8})-(\d{4})-(\d+)-(\d{1,12})-([A-Z]{3})$/.exec(text);
  const [, terminalId = '', receipt = '', trace = '', amount = '', currency = ''] = parts ?? [];
  return parts ? { terminalId, receipt, trace, amountMinor: Number(amount), currency } : undefined;
}

function cardOf(facts: StatusFacts): ReadCard {
  const verification = verifications[facts.verification ?? 0xff];
  return {
    encryptedBlock: '',
    keySerialNumber: '',
    entryMode: facts.technology === 0 ? 'swipe' : facts.technology === 2 ? 'contactless' : 'chip',
    scheme: schemeOf(facts),
    lastFour: facts.lastFour ?? null,
    ...(facts.applicationId === undefined ? {} : { applicationId: facts.applicationId }),
    ...(verification === undefined ? {} : { cardholderVerification: verification }),
  };
}

const verifications: readonly ReadCard['cardholderVerification'][] = [
  'none',
  'signature',
  'pin',
  'pin',
  'pin',
  'pin',
  'pin',
  'pin',
];

/** Above this the number is that of the same state, with the request to remove the card. */
const removal = { first: 0x41, last: 0x5d };
const stages: ReadonlyMap<number, ReaderStage> = new Map([
  [0x01, 'enter_pin'],
  [0x02, 'enter_pin'],
  [0x04, 'authorising'],
  [0x0a, 'present_card'],
  [0x0b, 'remove_card'],
  [0x15, 'wrong_pin'],
  [0x2a, 'present_card'],
  [0x2c, 'choose_application'],
  [0x68, 'card_inserted'],
  [0xd2, 'authorising'],
  [0xd3, 'authorising'],
  [0xe0, 'choose_application'],
]);
const pleaseWait: ReadonlySet<number> = new Set([0x0e, 0x17]);

/** The stage that a progress code stands for, after `before`; undefined if it changes nothing. */
export function stageOf(code: number, before: ReaderStage | undefined): ReaderStage | undefined {
  if (code >= removal.first && code <= removal.last) return 'remove_card';
  // "Please wait" precedes the request for a card as well.
  if (pleaseWait.has(code)) return before === undefined ? undefined : 'authorising';
  return stages.get(code);
}
