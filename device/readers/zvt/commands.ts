import type { Money } from '@florin/shared/money.ts';
import { numericCurrency } from '@florin/shared/reader-line/currencies.ts';
import type { Apdu } from './apdu.ts';
import { containerField, packedDigits, taggedBytes } from './fields.ts';
import { printBlock } from './messages.ts';

/**
 * Reader settings: this terminal prints the receipts of payments and of administration, from lines that the reader sends;
 * it wants progress; and amounts and administration are entered here only, so that no other sale can come in between.
 */
const settings = 0x02 | 0x04 | 0x80 | 0x08 | 0x10 | 0x20;
const largestApduBytes = 4096;
const permittedCommand = 0x0a;

/** The largest amount that fits into twelve digits. */
export const maxAmountMinor = 999_999_999_999;

/** Registers this terminal with the reader. `password` has six digits. */
export function registration(password: string, currency: string): Apdu {
  const permitted = taggedBytes(0x26, taggedBytes(permittedCommand, word(printBlock)));
  const capacity = taggedBytes(0x1a, word(largestApduBytes));
  const data = [packedDigits(password, 3), Buffer.from([settings]), currencyDigits(currency)];
  return { control: 0x0600, data: Buffer.concat([...data, containerField(permitted, capacity)]) };
}

/** Asks for a payment. `lastReceipt` is that of the reader's last transaction known here. */
export function payment(amount: Money, lastReceipt: string | undefined): Apdu {
  return { control: 0x0601, data: Buffer.concat([...amountFields(amount), synchronised(lastReceipt)]) };
}

/** Cancels the transaction of this receipt in full. */
export function reversal(given: {
  password: string;
  receipt: string;
  amount: Money;
  lastReceipt: string | undefined;
}): Apdu {
  const receipt = Buffer.concat([Buffer.from([0x87]), packedDigits(given.receipt, 2)]);
  const fields = [packedDigits(given.password, 3), receipt, ...amountFields(given.amount)];
  return { control: 0x0630, data: Buffer.concat([...fields, synchronised(given.lastReceipt)]) };
}

/** Gives money to a card. */
export function refund(password: string, amount: Money, lastReceipt: string | undefined): Apdu {
  const fields = [packedDigits(password, 3), ...amountFields(amount), synchronised(lastReceipt)];
  return { control: 0x0631, data: Buffer.concat(fields) };
}

/** Asks for the result of the last transaction, without printing it. */
export function repeatReceipt(password: string): Apdu {
  return { control: 0x0620, data: Buffer.from([...packedDigits(password, 3), 0x03, 0x03]) };
}

/** Has the reader hand its transactions to its processor, and begin a new day. */
export function endOfDay(password: string): Apdu {
  return { control: 0x0650, data: packedDigits(password, 3) };
}

/** Asks for the state of the reader, with the version of its program. */
export function statusEnquiry(password: string): Apdu {
  return { control: 0x0501, data: Buffer.from([...packedDigits(password, 3), 0x03, 0x04]) };
}

/** Has the reader connect to its processor for the first time. */
export function initialisation(password: string): Apdu {
  return { control: 0x0693, data: packedDigits(password, 3) };
}

export const diagnosis: Apdu = { control: 0x0670, data: Buffer.alloc(0) };
/** Asks the reader to stop. */
export const stop: Apdu = { control: 0x06b0, data: Buffer.alloc(0) };

function amountFields({ amountMinor, currency }: Money): readonly Buffer[] {
  return [Buffer.from([0x04]), packedDigits(amountMinor, 6), Buffer.from([0x49]), currencyDigits(currency)];
}

/** Four digits; the caller has checked that the currency has a number. */
function currencyDigits(currency: string): Buffer {
  return packedDigits(numericCurrency(currency) ?? '', 2);
}

/**
 * Tells the reader which transaction it shares with this terminal. A reader that supports it then leaves an
 * unacknowledged payment to be asked about instead of reversing it. Without a receipt the value is empty: 0 would make a
 * reader reverse receipt 1.
 */
function synchronised(lastReceipt: string | undefined): Buffer {
  const value = lastReceipt === undefined ? Buffer.alloc(0) : packedDigits(lastReceipt, 2);
  return containerField(taggedBytes(0x1f1f, value));
}

function word(value: number): Buffer {
  return Buffer.from([value >>> 8, value & 0xff]);
}
