import { exponentOfNumber } from '@florin/shared/currency-numbers.ts';
import type { Clock, Instant, Random } from '@florin/shared/ports.ts';
import type { MerchantAccount } from './accounts.ts';
import { codes, type Refusal, responseStatus } from './codes.ts';
import { echoOf } from './request.ts';
import type { Store, TransactionRow } from './store.ts';
import { threeDSecureResult } from './three-d-secure.ts';
import type { Fields } from './wire.ts';

export const managementActions: ReadonlySet<string> = new Set(['CAPTURE', 'CANCEL', 'QUERY']);
const managementEchoes = ['callbackURL', 'remoteAddress', 'merchantData'];

/** The fields of each kind of reply, before signing. */
export function replies({ store, clock, random }: { store: Store; clock: Clock; random: Random }) {
  /** The full reply about a transaction in its current state. */
  function reply(account: MerchantAccount, row: TransactionRow): Fields {
    const sale = row.action === 'REFUND_SALE' && row.relatedXref !== null ? store.byXref(row.relatedXref) : row;
    const fields: Fields = new Map(JSON.parse(row.echoJson) as [string, string][]);
    const own: Record<string, string | null> = {
      merchantID: account.merchantID,
      action: row.action,
      amount: String(row.amountMinor),
      currencyCode: row.currencyCode,
      currencyExponent: String(exponentOfNumber(row.currencyCode) ?? 2),
      type: row.type,
      transactionUnique: row.transactionUnique || null,
      responseCode: String(row.responseCode),
      responseMessage: row.responseMessage,
      responseStatus: row.responseCode === 10 ? '0' : responseStatus(row.responseCode),
      state: row.state,
      xref: row.xref,
      transactionID: String(row.transactionID),
      timestamp: timestamp(row.changedAt),
      amountApproved: String(row.approvedMinor),
      amountReceived: String(row.receivedMinor),
      amountRetained: String(row.action === 'SALE' ? Math.max(0, row.receivedMinor - row.refundedMinor) : 0),
      amountRefunded: String(sale?.refundedMinor ?? 0),
      authorisationCode: row.responseCode === 0 || row.responseCode === 10 ? row.authorisationCode : null,
      cardNumberMask: row.cardMask,
      cardScheme: row.cardScheme,
      cardType: row.cardType,
      cardTypeCode: row.cardTypeCode,
      cv2Check: row.channel === 'online' ? row.securityCodeCheck : null,
      requestMerchantID: account.merchantID,
      processMerchantID: account.merchantID,
      ...threeDSecureResult(row),
    };
    for (const [name, value] of Object.entries(own)) if (value !== null) fields.set(name, value);
    return fields;
  }

  function managementReply(account: MerchantAccount, action: string, row: TransactionRow, request: Fields): Fields {
    const fields = reply(account, row);
    fields.set('action', `${action}:${row.action}`);
    for (const name of managementEchoes) {
      const value = request.get(name);
      if (value) fields.set(name, value);
      else fields.delete(name);
    }
    return fields;
  }

  /** `row` is the record of the refused request, if one was created. */
  function refusalReply(account: MerchantAccount, request: Fields, refusal: Refusal, row?: TransactionRow): Fields {
    const fields: Fields = new Map([
      ['responseCode', String(refusal.code)],
      ['responseMessage', refusal.message],
      ['responseStatus', responseStatus(refusal.code)],
      ...echoOf(account, request),
      ['state', refusal.code < 65536 ? 'declined' : 'finished'],
      ['requestMerchantID', account.merchantID],
      ['processMerchantID', account.merchantID],
      ['timestamp', timestamp(clock.now())],
    ]);
    // A refused request about a transaction keeps that transaction's reference; any other gets its own.
    const about = managementActions.has(request.get('action') ?? '')
      ? store.byXref(request.get('xref') ?? '')
      : undefined;
    if (about?.merchantID !== account.merchantID) fields.set('xref', row?.xref ?? newXref(clock.now()));
    if (row) fields.set('transactionID', String(row.transactionID));
    return fields;
  }

  /** The reply to a check-only request. */
  function checkedReply(account: MerchantAccount, request: Fields): Fields {
    return new Map([
      ...refusalReply(account, request, { code: codes.success, message: 'CHECK ONLY' }),
      ['state', 'finished'],
    ]);
  }

  /** `YYMMDDHH` and fifteen letters and digits. */
  function newXref(now: Instant): string {
    const iso = new Date(now).toISOString();
    const time = iso.slice(2, 4) + iso.slice(5, 7) + iso.slice(8, 10) + iso.slice(11, 13);
    return `${time}${letters(random, 2)}${digits(random, 2)}${letters(random, 2)}${digits(random, 2)}${letters(random, 2)}${digits(random, 2)}${letters(random, 3)}`;
  }

  return { reply, managementReply, refusalReply, checkedReply, newXref };
}

function letters(random: Random, count: number): string {
  return Array.from(random.bytes(count), byte => String.fromCharCode(65 + (byte % 26))).join('');
}

/** Random decimal digits as text, for references and authorisation codes; the first may be zero. */
export function digits(random: Random, count: number): string {
  return Array.from(random.bytes(count), byte => String(byte % 10)).join('');
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, as in replies and reports. */
export function timestamp(now: Instant): string {
  return new Date(now).toISOString().slice(0, 19).replace('T', ' ');
}
