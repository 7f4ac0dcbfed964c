import { currencyNumber, exponentOfNumber } from '@florin/shared/currency-numbers.ts';
import type { Random } from '@florin/shared/ports.ts';
import type { MerchantAccount } from './accounts.ts';
import { openToken } from './card-block.ts';
import { invalid, malformed, missing, type Refusal } from './codes.ts';
import type { Action, Store, TransactionRow } from './store.ts';
import { type Card, cardOf, securityCodeFits } from './test-data.ts';
import type { Fields } from './wire.ts';

/** Reads the card of a request, by number, payment token or earlier transaction, without storing its number. */
export function cardReader({ store, random }: { store: Store; random: Random }) {
  const randomKey = () => Buffer.from(random.bytes(32)).toString('hex');
  const fingerprintKey = store.key('card-fingerprint', randomKey);
  const tokenKey = Buffer.from(store.key('payment-token', randomKey), 'hex');

  function cardOfRequest(
    request: Fields,
    parent: TransactionRow | undefined,
    { action, type }: { action: Action; type: string },
  ): (Partial<Card> & { securityCodeFits: boolean }) | Refusal {
    const token = request.get('paymentToken');
    const sealed = token === undefined ? undefined : openToken(token, tokenKey);
    if (token !== undefined && !sealed) return malformed('paymentToken');
    const number = sealed?.cardNumber ?? request.get('cardNumber');
    if (number === undefined) {
      if (!parent) return missing('cardNumber');
      const securityCodeNeeded = type !== '9' && (action === 'SALE' || action === 'PREAUTH' || action === 'VERIFY');
      const resubmitsReferral = parent.state === 'referred' && request.has('authorisationCode');
      if (securityCodeNeeded && !resubmitsReferral && !request.has('cardCVV')) return missing('cardCVV');
      return { ...cardOfRow(parent), securityCodeFits: true };
    }
    const card = cardOf(number, fingerprintKey);
    if (!card) return invalid('cardNumber');
    if (action === 'REFUND') return { ...card, securityCodeFits: true };
    const expiry = sealed ?? expiryOf(request);
    if (!/^(0[1-9]|1[0-2]|[1-9])$/.test(expiry.cardExpiryMonth)) {
      return expiry.cardExpiryMonth === '' ? missing('cardExpiryMonth') : invalid('cardExpiryMonth');
    }
    if (!/^\d{2}(\d{2})?$/.test(expiry.cardExpiryYear)) {
      return expiry.cardExpiryYear === '' ? missing('cardExpiryYear') : invalid('cardExpiryYear');
    }
    // The expiry that 3-D Secure uses, stored as a request field so that a token behaves like its card.
    request.set('cardExpiryMonth', expiry.cardExpiryMonth.padStart(2, '0'));
    request.set('cardExpiryYear', expiry.cardExpiryYear);
    const securityCode = sealed?.cardCVV ?? request.get('cardCVV');
    if (securityCode === undefined && type !== '9') return missing('cardCVV');
    return { ...card, securityCodeFits: securityCode === undefined || securityCodeFits(number, securityCode) };
  }

  return { tokenKey, cardOfRequest, cardOfNumber: (number: string) => cardOf(number, fingerprintKey) };
}

/**
 * Whole minor units, or major units if written with a decimal point; `about` is the referenced transaction, whose
 * currency is the default.
 */
export function amountOf(request: Fields, about?: Pick<TransactionRow, 'currencyCode'>): number | undefined {
  const text = request.get('amount') ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const currency = currencyNumber(request.get('currencyCode') ?? about?.currencyCode ?? '') ?? '';
  const major = /^(\d{1,10})\.(\d+)$/.exec(text);
  const exponent = exponentOfNumber(currency) ?? 2;
  if (!major || (major[2] ?? '').length > exponent) return undefined;
  return Number(`${major[1]}${(major[2] ?? '').padEnd(exponent, '0')}`);
}

/** Days until capture, -1 for never; undefined if invalid. */
export function captureDelayOf(request: Fields): number | undefined {
  const text = request.get('captureDelay') || '0';
  if (text === 'never' || text === '-1') return -1;
  return /^([12]?\d|30)$/.test(text) ? Number(text) : undefined;
}

/** Whether the request is check-only; undefined if the value is invalid. */
export function checkOnlyOf(request: Fields): boolean | undefined {
  const text = request.get('checkOnly') || 'N';
  if (['Y', '1', 'true'].includes(text)) return true;
  return ['N', '0', 'false'].includes(text) ? false : undefined;
}

const unechoed = new Set(['signature', 'cardNumber', 'cardCVV', 'paymentToken', 'merchantPwd']);

/** The request fields that a reply echoes: all except blanks, card data and credentials. */
export function echoOf(account: MerchantAccount, request: Fields): Fields {
  const echo: Fields = new Map([
    ['merchantID', account.merchantID],
    ['countryCode', account.countryCode],
  ]);
  for (const [name, value] of request) {
    if (value !== '' && !unechoed.has(name) && !name.startsWith('threeDSResponse')) echo.set(name, value);
  }
  return echo;
}

function expiryOf(request: Fields): { cardExpiryMonth: string; cardExpiryYear: string } {
  const together = request.get('cardExpiryDate') ?? '';
  return {
    cardExpiryMonth: request.get('cardExpiryMonth') ?? together.slice(0, 2),
    cardExpiryYear: request.get('cardExpiryYear') ?? together.slice(2, 4),
  };
}

function cardOfRow(row: TransactionRow): Partial<Card> {
  return {
    ...(row.cardMask === null ? {} : { mask: row.cardMask }),
    ...(row.cardScheme === null ? {} : { scheme: row.cardScheme }),
    ...(row.cardType === null ? {} : { type: row.cardType }),
    ...(row.cardTypeCode === null ? {} : { typeCode: row.cardTypeCode }),
    ...(row.cardFingerprint === null ? {} : { fingerprint: row.cardFingerprint }),
  };
}
