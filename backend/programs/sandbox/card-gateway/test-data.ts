import { createHmac } from 'node:crypto';

/** The gateway's published test amounts and test cards. README.md has both as tables. */
export type TestOutcome =
  | { readonly kind: 'approve' }
  | { readonly kind: 'refer' }
  | { readonly kind: 'decline'; readonly code: 4 | 5 | 65 }
  | { readonly kind: 'invalid' };

/** The bank's decision for an online payment of this amount. */
export function outcomeOfAmount(options: {
  amountMinor: number;
  authorisationCodeGiven: boolean;
  /** Whether 3-D Secure was possible, done or not possible. */
  strongAuthentication: 'possible' | 'done' | 'not possible';
}): TestOutcome {
  const { amountMinor: amount, strongAuthentication } = options;
  if (amount >= 100 && amount <= 4999) return { kind: 'approve' };
  if (amount >= 5000 && amount <= 9999) return options.authorisationCodeGiven ? { kind: 'approve' } : { kind: 'refer' };
  if (amount >= 10000 && amount <= 14999) return { kind: 'decline', code: 5 };
  if (amount >= 15000 && amount <= 19999) return { kind: 'decline', code: 4 };
  if (amount >= 20000 && amount <= 29999) {
    if (strongAuthentication === 'possible') return { kind: 'decline', code: 65 };
    return amount <= 24999 ? { kind: 'approve' } : { kind: 'decline', code: 5 };
  }
  return { kind: 'invalid' };
}

/** Card-present payments have no published test amounts: two ranges decline as online, everything else is approved. */
export function outcomeOfCardPresentAmount(amountMinor: number): TestOutcome {
  if (amountMinor >= 10000 && amountMinor <= 14999) return { kind: 'decline', code: 5 };
  if (amountMinor >= 15000 && amountMinor <= 19999) return { kind: 'decline', code: 4 };
  return { kind: 'approve' };
}

/** The settlement outcome of an online payment, by captured amount. */
export function settlementOf(amountMinor: number): 'accepted' | 'rejected' {
  const rejected = (amountMinor >= 2500 && amountMinor <= 4999) || (amountMinor >= 7500 && amountMinor <= 9999);
  return rejected ? 'rejected' : 'accepted';
}

/** A customer named `Test [2600]` gets the outcome of that amount, whatever the payment's amount. */
export function amountNamedBy(customerName: string | undefined): number | undefined {
  const named = /^Test \[(\d{1,9})\]$/.exec(customerName ?? '')?.[1];
  return named === undefined ? undefined : Number(named);
}

/** Security codes of the published test cards. Other valid numbers are accepted without a security code check. */
const securityCodes: ReadonlyMap<string, string> = new Map([
  ['4929421234600821', '356'],
  ['4539791001730106', '289'],
  ['5301250070000191', '419'],
  ['5573471234567898', '159'],
  ['374245455400001', '4887'],
]);

/** The stored facts of a card, without its number. */
export type Card = {
  readonly mask: string;
  readonly scheme: string;
  readonly type: string;
  readonly typeCode: string;
  /** A hash of the number, keyed with this sandbox's key, to recognise the same card. */
  readonly fingerprint: string;
};

/** Parses a card number, with or without spaces; undefined if invalid. */
export function cardOf(number: string, hashKey: string): Card | undefined {
  const digits = number.replace(/[ -]/g, '');
  if (!/^\d{13,19}$/.test(digits) || !passesLuhn(digits)) return undefined;
  const { scheme, type, typeCode } = brandOf(digits);
  return {
    mask: digits.slice(0, 6) + '*'.repeat(digits.length - 10) + digits.slice(-4),
    scheme,
    type,
    typeCode,
    fingerprint: createHmac('sha256', hashKey).update(digits).digest('hex'),
  };
}

/** Whether the security code matches; always true for cards that are not published test cards. */
export function securityCodeFits(number: string, securityCode: string): boolean {
  const expected = securityCodes.get(number.replace(/[ -]/g, ''));
  return expected === undefined || expected === securityCode;
}

export type ThreeDSecureStatus = 'Y' | 'N' | 'U' | 'A' | 'D' | 'R' | 'E' | 'I';

/** The 3-D Secure result of a test card, by expiry month; `challenge` shows the customer a page. */
export function threeDSecureOf(expiryMonth: number): ThreeDSecureStatus | 'challenge' {
  const byMonth: Record<number, ThreeDSecureStatus | 'challenge'> = {
    1: 'Y',
    2: 'N',
    3: 'U',
    4: 'A',
    5: 'D',
    6: 'R',
    7: 'E',
    8: 'E',
    9: 'E',
    10: 'I',
    11: 'U',
    12: 'challenge',
  };
  return byMonth[expiryMonth] ?? 'E';
}

const debitCards = new Set(['453979', '557347']);

function brandOf(digits: string): { scheme: string; type: string; typeCode: string } {
  const debit = debitCards.has(digits.slice(0, 6));
  if (digits.startsWith('4')) {
    return debit
      ? { scheme: 'Visa', type: 'Visa Debit', typeCode: 'VD' }
      : { scheme: 'Visa', type: 'Visa Credit', typeCode: 'VC' };
  }
  if (/^(5[1-5]|2[2-7])/.test(digits)) {
    return debit
      ? { scheme: 'Mastercard', type: 'Mastercard Debit', typeCode: 'MD' }
      : { scheme: 'Mastercard', type: 'Mastercard', typeCode: 'MC' };
  }
  if (/^3[47]/.test(digits)) return { scheme: 'American Express', type: 'American Express', typeCode: 'AM' };
  return { scheme: 'Other', type: 'Other', typeCode: 'OT' };
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}
