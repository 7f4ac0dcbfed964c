import { passesLuhn } from './reader-line/pan.ts';

/**
 * Card numbers as the schemes issue them. Not the 13 digits of Visa's first cards: none is valid any more, and the numbers of
 * goods (EAN-13) have as many.
 */
const issued: readonly RegExp[] = [
  // Visa
  /^4(?:\d{15}|\d{18})$/,
  // Mastercard
  /^(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}$/,
  // American Express
  /^3[47]\d{13}$/,
  // Diners Club
  /^3(?:0[0-5]|[689]\d)\d{11}$/,
  // Discover
  /^(?:6011|64[4-9]\d|65\d{2})(?:\d{12}|\d{15})$/,
  // JCB
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  // UnionPay
  /^62\d{14,17}$/,
  // Maestro
  /^(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{8,15}$/,
];

/**
 * Groups of digits with one separator between them, which touch no letter and no other digit, and are not the rest of an
 * IBAN (`DE89 3704 …`).
 */
const groups = /(?<![\p{L}\p{N}])(?<!\b[A-Z]{2}\d{2} )\d+(?:[ .\-/]\d+)*(?![\p{L}\p{N}])/gu;

/**
 * Whether text has a card number in it, also in groups and beside an expiry date: a number of a scheme's length and first digits
 * whose check digit is right. One in ten other numbers of such a length and beginning is taken for one, too.
 */
export function hasCardNumber(text: string): boolean {
  for (const [run] of text.normalize('NFKC').matchAll(groups)) if (hasCardNumberInGroups(run.split(/\D/))) return true;
  return false;
}

const maxDigits = 19;

function hasCardNumberInGroups(parts: readonly string[]): boolean {
  return parts.some((_, start) => {
    let digits = '';
    for (const part of parts.slice(start)) {
      digits += part;
      if (digits.length > maxDigits) return false;
      if (issued.some(numbers => numbers.test(digits)) && passesLuhn(digits)) return true;
    }
    return false;
  });
}
