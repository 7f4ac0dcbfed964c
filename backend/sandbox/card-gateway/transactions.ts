import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import type { Clock, Instant, Random } from '@florin/shared/ports.ts';
import type { MerchantAccount } from './accounts.ts';
import { openToken } from './card-block.ts';
import { codes, invalid, missing, type Refusal, responseStatus } from './codes.ts';
import type { Action, State, Store, TransactionRow } from './store.ts';
import {
  amountNamedBy,
  type Card,
  cardOf,
  outcomeOfAmount,
  outcomeOfCardPresentAmount,
  securityCodeFits,
  type TestOutcome,
} from './test-data.ts';
import { threeDSecureFlow } from './three-d-secure.ts';
import type { Fields } from './wire.ts';

export type TransactionOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Where the customer's browser finds the sandbox's own bank pages. */
  readonly acsUrl: () => string;
};

export type Transactions = ReturnType<typeof transactions>;

const newTransactionActions = new Set<string>(['SALE', 'PREAUTH', 'VERIFY', 'REFUND_SALE', 'REFUND']);
const managementActions = new Set(['CAPTURE', 'CANCEL', 'QUERY']);
const unechoed = new Set(['signature', 'cardNumber', 'cardCVV', 'paymentToken', 'merchantPwd']);

/** The life of a transaction: what each action does to it and what the gateway replies. Each call is all or nothing. */
export function transactions(options: TransactionOptions) {
  const { store, clock, random } = options;
  const fingerprintKey = store.key('card-fingerprint', () => Buffer.from(random.bytes(32)).toString('hex'));
  const tokenKey = Buffer.from(
    store.key('payment-token', () => Buffer.from(random.bytes(32)).toString('hex')),
    'hex',
  );
  const duplicates = { aheadMs: 0, afterTransactionID: 0 };
  const threeDSecure = threeDSecureFlow(options);

  /** Carries out one signed request of the Direct interface and gives the reply's fields, unsigned. */
  function perform(account: MerchantAccount, request: Fields, partlyMinor?: number): Fields {
    return store.transaction(() => {
      const action = request.get('action') ?? '';
      const reply = actionReply(account, request, partlyMinor);
      store.addRequest({
        at: clock.now(),
        merchantID: account.merchantID,
        action: request.has('threeDSRef') ? '3DS' : action,
        transactionUnique: request.get('transactionUnique') ?? null,
        xref: request.get('xref') ?? null,
        responseCode: Number(reply.get('responseCode')),
      });
      return reply;
    });
  }

  function actionReply(account: MerchantAccount, request: Fields, partlyMinor: number | undefined): Fields {
    if (request.has('threeDSRef')) return continueThreeDSecure(account, request);
    const action = request.get('action') ?? '';
    if (action === '') return refusalReply(account, request, missing('action'));
    if (newTransactionActions.has(action)) return create(account, action as Action, request, partlyMinor);
    if (managementActions.has(action)) return manage(account, action, request);
    return refusalReply(account, request, invalid('action'));
  }

  function create(account: MerchantAccount, action: Action, request: Fields, partlyMinor: number | undefined): Fields {
    const prepared = prepare(account, action, request);
    if ('code' in prepared) {
      const recordable = prepared.code !== codes.duplicate && amountOf(request) !== undefined;
      if (recordable) recordRefusal(account, action, request, prepared);
      return refusalReply(account, request, prepared);
    }
    const row = store.insert(prepared.row);
    if (action === 'SALE' && threeDSecure.isWanted(request)) {
      return threeDSecure.begin({
        row,
        request,
        securityCodeFits: prepared.securityCodeFits,
        reply: () => reply(account, row),
      });
    }
    return reply(account, decide({ row, request, securityCodeFits: prepared.securityCodeFits, partlyMinor }));
  }

  /** Checks a request for a new transaction and makes its row, still undecided. */
  function prepare(account: MerchantAccount, action: Action, request: Fields): Prepared | Refusal {
    const amountMinor = amountOf(request);
    const parent = request.has('xref') ? ownTransaction(account, request.get('xref')) : undefined;
    if (request.has('xref') && !parent) return invalid('xref');
    if (action === 'REFUND_SALE') {
      const refusal = refundRefusal(request, parent, amountMinor);
      if (refusal) return refusal;
    }
    const wholeMinor = action === 'REFUND_SALE' && !request.has('amount') ? leftOf(parent) : amountMinor;
    if (wholeMinor === undefined) return request.has('amount') ? invalid('amount') : missing('amount');
    if ((action === 'VERIFY') !== (wholeMinor === 0)) return invalid('amount');
    const currency = currencyNumber(request.get('currencyCode') ?? parent?.currencyCode ?? '');
    if (!currency) return request.has('currencyCode') ? invalid('currencyCode') : missing('currencyCode');
    if (parent && action === 'REFUND_SALE' && parent.currencyCode !== currency) {
      return { code: codes.mismatch, message: 'Currency differs from the original transaction' };
    }
    const type = request.get('type') ?? parent?.type ?? '1';
    if (!['1', '2', '9'].includes(type)) return { code: codes.malformed, message: 'Invalid request field: type' };
    const card = cardOfRequest(request, parent, { action, type });
    if ('code' in card) return card;
    const transactionUnique = request.get('transactionUnique') ?? parent?.transactionUnique ?? '';
    const row = newRow({
      account,
      action,
      amountMinor: wholeMinor,
      currency,
      type,
      transactionUnique,
      parent,
      card,
      request,
    });
    return isDuplicate(account, row, request)
      ? { code: codes.duplicate, message: 'Duplicate request' }
      : { row, securityCodeFits: card.securityCodeFits };
  }

  function refundRefusal(
    request: Fields,
    sale: TransactionRow | undefined,
    amountMinor: number | undefined,
  ): Refusal | undefined {
    if (!sale) return missing('xref');
    if (request.has('cardNumber')) return { code: codes.mismatch, message: 'A linked refund takes no card details' };
    if (sale.action !== 'SALE' || sale.state !== 'accepted') {
      return { code: codes.actionNotAllowed, message: `Can not REFUND this ${sale.action} transaction` };
    }
    const refundMinor = request.has('amount') ? amountMinor : leftOf(sale);
    if (refundMinor === undefined || refundMinor < 1 || refundMinor > (leftOf(sale) ?? 0)) return invalid('amount');
    return undefined;
  }

  function cardOfRequest(
    request: Fields,
    parent: TransactionRow | undefined,
    { action, type }: { action: Action; type: string },
  ): (Partial<Card> & { securityCodeFits: boolean }) | Refusal {
    const token = request.get('paymentToken');
    const sealed = token === undefined ? undefined : openToken(token, tokenKey);
    if (token !== undefined && !sealed)
      return { code: codes.malformed, message: 'Invalid request field: paymentToken' };
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
    // What 3-D Secure goes by, kept as the request's own field so that a token behaves as the card it stands for.
    request.set('cardExpiryMonth', expiry.cardExpiryMonth.padStart(2, '0'));
    request.set('cardExpiryYear', expiry.cardExpiryYear);
    const securityCode = sealed?.cardCVV ?? request.get('cardCVV');
    if (securityCode === undefined && type !== '9') return missing('cardCVV');
    return { ...card, securityCodeFits: securityCode === undefined || securityCodeFits(number, securityCode) };
  }

  function isDuplicate(account: MerchantAccount, row: NewRow, request: Fields): boolean {
    const asked = Number(request.get('duplicateDelay') ?? '');
    const delaySeconds = asked > 0 && asked <= 9999 ? asked : account.duplicateDelaySeconds;
    const found = store.duplicateOf({
      merchantID: row.merchantID,
      action: row.action,
      type: row.type,
      amountMinor: row.amountMinor,
      currencyCode: row.currencyCode,
      transactionUnique: row.transactionUnique,
      card: row.relatedXref ?? row.cardFingerprint ?? '',
      since: clock.now() + duplicates.aheadMs - delaySeconds * 1000,
      afterTransactionID: duplicates.afterTransactionID,
    });
    return found !== undefined;
  }

  /** The bank's answer to a prepared transaction, recorded. */
  function decide(decision: {
    row: TransactionRow;
    request: Fields;
    securityCodeFits: boolean;
    partlyMinor?: number | undefined;
    strongAuthentication?: 'done';
  }): TransactionRow {
    const { row, request } = decision;
    if (row.action === 'REFUND_SALE' || row.action === 'REFUND') return takeRefund(row);
    if (!decision.securityCodeFits) {
      return finish(row, { state: 'reversed', code: codes.doNotHonour, message: 'AVS/CV2 DECLINED' });
    }
    if (row.action === 'VERIFY') {
      return finish(row, { state: 'verified', code: codes.success, message: authMessage(row) });
    }
    const strongAuthentication =
      decision.strongAuthentication ?? (row.type === '1' && row.relatedXref === null ? 'possible' : 'not possible');
    const outcome =
      row.channel === 'cardPresent'
        ? outcomeOfCardPresentAmount(row.amountMinor)
        : outcomeOfAmount({
            amountMinor: row.testAmountMinor,
            authorisationCodeGiven: request.has('authorisationCode'),
            strongAuthentication,
          });
    return record(row, outcome, decision.partlyMinor);
  }

  function record(row: TransactionRow, outcome: TestOutcome, partlyMinor: number | undefined): TransactionRow {
    switch (outcome.kind) {
      case 'approve': {
        const approvedMinor = Math.min(partlyMinor ?? row.amountMinor, row.amountMinor);
        const captured = row.captureDelayDays === 0;
        return finish(row, {
          state: row.action === 'PREAUTH' ? 'reversed' : captured ? 'captured' : 'approved',
          code: approvedMinor < row.amountMinor ? 10 : codes.success,
          message: authMessage(row),
          changes: {
            approvedMinor,
            receivedMinor: row.action === 'PREAUTH' ? 0 : captured ? approvedMinor : 0,
          },
        });
      }
      case 'refer':
        return finish(row, { state: 'referred', code: codes.referred, message: 'CARD REFERRED' });
      case 'decline':
        return finish(row, {
          state: 'declined',
          code: outcome.code,
          message: { 4: 'CARD DECLINED - KEEP CARD', 5: 'CARD DECLINED', 65: 'SCA REQUIRED' }[outcome.code],
        });
      case 'invalid': {
        // The published table answers other amounts with this code.
        const { code } = invalid('action');
        return finish(row, { state: 'finished', code, message: 'Invalid test amount' });
      }
    }
  }

  function takeRefund(row: TransactionRow): TransactionRow {
    if (row.action === 'REFUND_SALE' && row.relatedXref !== null) {
      const sale = store.byXref(row.relatedXref);
      if (sale)
        store.update(sale.xref, { refundedMinor: sale.refundedMinor + row.amountMinor, changedAt: clock.now() });
    }
    return finish(row, {
      state: 'captured',
      code: codes.success,
      message: 'REFUNDACCEPTED',
      changes: { approvedMinor: row.amountMinor, receivedMinor: row.amountMinor },
    });
  }

  function finish(
    row: TransactionRow,
    end: { state: State; code: number; message: string; changes?: Partial<TransactionRow> },
  ): TransactionRow {
    return store.update(row.xref, {
      state: end.state,
      responseCode: end.code,
      responseMessage: end.message,
      changedAt: clock.now(),
      ...end.changes,
    });
  }

  function manage(account: MerchantAccount, action: string, request: Fields): Fields {
    if (!request.has('xref')) return refusalReply(account, request, missing('xref'));
    const row = ownTransaction(account, request.get('xref'));
    if (!row) return refusalReply(account, request, { code: codes.noDataFound, message: 'No data found' });
    if (action === 'QUERY') return managementReply(account, action, row, request);
    const changed = action === 'CANCEL' ? cancel(row) : capture(row, request);
    if ('code' in changed) return refusalReply(account, request, changed);
    return managementReply(account, action, changed, request);
  }

  function cancel(row: TransactionRow): TransactionRow | Refusal {
    if (row.state !== 'received' && row.state !== 'approved' && row.state !== 'captured') {
      return { code: codes.actionNotAllowed, message: `Can not CANCEL this ${row.action} transaction` };
    }
    if (row.action === 'REFUND_SALE' && row.relatedXref !== null) {
      const sale = store.byXref(row.relatedXref);
      if (sale)
        store.update(sale.xref, { refundedMinor: sale.refundedMinor - row.amountMinor, changedAt: clock.now() });
    }
    return finish(row, {
      state: 'canceled',
      code: codes.success,
      message: 'Transaction cancelled.',
      changes: { receivedMinor: 0 },
    });
  }

  function capture(row: TransactionRow, request: Fields): TransactionRow | Refusal {
    const amountMinor = request.has('amount') ? amountOf(request) : row.approvedMinor;
    if (row.action !== 'SALE' || (row.state !== 'approved' && row.state !== 'captured')) {
      return { code: codes.actionNotAllowed, message: `Can not CAPTURE this ${row.action} transaction` };
    }
    // Once captured, an amount can be lowered further, never raised.
    const most = row.state === 'captured' ? row.receivedMinor : row.approvedMinor;
    if (amountMinor === undefined || amountMinor < 1 || amountMinor > most) return invalid('amount');
    return finish(row, {
      state: 'captured',
      code: codes.success,
      message: 'Transaction captured.',
      changes: { receivedMinor: amountMinor, captureDelayDays: 0, testAmountMinor: amountMinor },
    });
  }

  function continueThreeDSecure(account: MerchantAccount, request: Fields): Fields {
    const step = threeDSecure.resume(request);
    if (step.kind === 'refused') return refusalReply(account, request, step.refusal);
    if (step.kind === 'challenge') return step.reply(reply(account, step.row));
    const { row } = step;
    if (step.status === 'Y' || step.status === 'A') {
      const decided = decide({
        row,
        request,
        securityCodeFits: step.securityCodeFits,
        strongAuthentication: 'done',
      });
      return reply(account, decided);
    }
    return reply(
      account,
      finish(row, {
        state: 'finished',
        code: codes.threeDSecureDeclined,
        message: step.status === 'N' || step.status === 'R' ? '3DS DECLINED' : '3DS COULD NOT BE COMPLETED',
      }),
    );
  }

  /** A card-present sale, its card already opened. Gives the recorded transaction, or an equal reference's earlier one. */
  function performCardPresent(
    account: MerchantAccount,
    sale: {
      uniqueReference: string;
      amountMinor: number;
      currency: string;
      invoiceNumber: string;
      callbackUrl: string | undefined;
      pan: string;
    },
  ): TransactionRow | undefined {
    return store.transaction(() => {
      const earlier = cardPresentByReference(account, sale.uniqueReference);
      if (earlier) return earlier;
      const card = cardOf(sale.pan, fingerprintKey);
      if (!card) return undefined;
      const request: Fields = new Map([
        ['action', 'SALE'],
        ['amount', String(sale.amountMinor)],
        ['orderRef', sale.invoiceNumber],
        ['transactionUnique', sale.uniqueReference],
        ...(sale.callbackUrl === undefined ? [] : [['callbackURL', sale.callbackUrl] as const]),
      ]);
      const row = store.insert(
        newRow({
          account,
          action: 'SALE',
          channel: 'cardPresent',
          amountMinor: sale.amountMinor,
          currency: sale.currency,
          type: '1',
          transactionUnique: sale.uniqueReference,
          parent: undefined,
          card,
          request,
        }),
      );
      return decide({ row, request, securityCodeFits: true });
    });
  }

  function cardPresentByReference(account: MerchantAccount, uniqueReference: string): TransactionRow | undefined {
    return store.byReference(account.merchantID, uniqueReference).find(row => row.channel === 'cardPresent');
  }

  function ownTransaction(account: MerchantAccount, xref: string | undefined): TransactionRow | undefined {
    const row = store.byXref(xref ?? '');
    return row?.merchantID === account.merchantID ? row : undefined;
  }

  function newRow(from: NewRowOptions): NewRow {
    const now = clock.now();
    const capture = captureDelayOf(from.request.get('captureDelay'));
    return {
      xref: newXref(now),
      merchantID: from.account.merchantID,
      action: from.action,
      channel: from.channel ?? 'online',
      type: from.type,
      state: 'received',
      amountMinor: from.amountMinor,
      currencyCode: from.currency,
      transactionUnique: from.transactionUnique,
      relatedXref: from.parent?.xref ?? null,
      cardMask: from.card.mask ?? null,
      cardScheme: from.card.scheme ?? null,
      cardType: from.card.type ?? null,
      cardTypeCode: from.card.typeCode ?? null,
      cardFingerprint: from.card.fingerprint ?? null,
      securityCodeCheck: from.card.securityCodeFits === false ? 'not matched' : 'matched',
      authorisationCode: from.request.get('authorisationCode') ?? digits(6),
      responseCode: codes.success,
      responseMessage: '',
      approvedMinor: 0,
      receivedMinor: 0,
      refundedMinor: 0,
      captureDelayDays: capture,
      testAmountMinor: amountNamedBy(from.request.get('customerName')) ?? from.amountMinor,
      echoJson: JSON.stringify([...echoOf(from.account, from.request)]),
      threeDSecureJson: null,
      createdAt: now,
      duplicateFrom: now + duplicates.aheadMs,
      changedAt: now,
    };
  }

  function recordRefusal(account: MerchantAccount, action: Action, request: Fields, refusal: Refusal): void {
    const amountMinor = amountOf(request) ?? 0;
    const parent = ownTransaction(account, request.get('xref'));
    const row = newRow({
      account,
      action,
      amountMinor,
      currency: currencyNumber(request.get('currencyCode') ?? parent?.currencyCode ?? '') ?? '',
      type: request.get('type') ?? '1',
      transactionUnique: request.get('transactionUnique') ?? '',
      parent,
      card: {},
      request,
    });
    const state: State = 'finished';
    store.insert({
      ...row,
      state,
      responseCode: refusal.code,
      responseMessage: refusal.message,
      authorisationCode: null,
    });
  }

  function refusalReply(account: MerchantAccount, request: Fields, refusal: Refusal): Fields {
    const fields: Fields = new Map([
      ['responseCode', String(refusal.code)],
      ['responseMessage', refusal.message],
      ['responseStatus', responseStatus(refusal.code)],
      ...echoOf(account, request),
      ['state', 'finished'],
      ['requestMerchantID', account.merchantID],
      ['processMerchantID', account.merchantID],
      ['timestamp', timestamp(clock.now())],
    ]);
    const known = ownTransaction(account, request.get('xref'));
    // A refused request for a new transaction gets a reference of its own; one about a transaction keeps that one's.
    if (!known || newTransactionActions.has(request.get('action') ?? '')) fields.set('xref', newXref(clock.now()));
    return fields;
  }

  function managementReply(account: MerchantAccount, action: string, row: TransactionRow, request: Fields): Fields {
    const fields = reply(account, row);
    fields.set('action', `${action}:${row.action}`);
    for (const name of ['callbackURL', 'remoteAddress', 'merchantData']) {
      const value = request.get(name);
      if (value) fields.set(name, value);
      else fields.delete(name);
    }
    return fields;
  }

  /** The whole reply about a transaction as it now is. */
  function reply(account: MerchantAccount, row: TransactionRow): Fields {
    const sale = row.action === 'REFUND_SALE' && row.relatedXref !== null ? store.byXref(row.relatedXref) : row;
    const fields: Fields = new Map(JSON.parse(row.echoJson) as [string, string][]);
    const own: Record<string, string | null> = {
      merchantID: account.merchantID,
      action: row.action,
      amount: String(row.amountMinor),
      currencyCode: row.currencyCode,
      currencyExponent: exponentText(row.currencyCode),
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
      ...threeDSecure.resultFields(row),
    };
    for (const [name, value] of Object.entries(own)) if (value !== null) fields.set(name, value);
    return fields;
  }

  /** `YYMMDDHH` and fifteen letters and digits. */
  function newXref(now: Instant): string {
    const iso = new Date(now).toISOString();
    const time = iso.slice(2, 4) + iso.slice(5, 7) + iso.slice(8, 10) + iso.slice(11, 13);
    return `${time}${letters(2)}${digits(2)}${letters(2)}${digits(2)}${letters(2)}${digits(2)}${letters(3)}`;
  }
  function letters(count: number): string {
    return [...random.bytes(count)].map(byte => String.fromCharCode(65 + (byte % 26))).join('');
  }
  function digits(count: number): string {
    return [...random.bytes(count)].map(byte => String(byte % 10)).join('');
  }
  function authMessage(row: TransactionRow): string {
    return `AUTHCODE:${row.authorisationCode ?? ''}`;
  }

  return {
    perform,
    performCardPresent,
    cardPresentByReference,
    reply,
    tokenKey,
    answerChallenge: (acsTransaction: string, answer: 'Y' | 'N' | 'U') => threeDSecure.answer(acsTransaction, answer),
    /** The account a 3-D Secure continuation belongs to when it names none. */
    accountOfThreeDSecure: (reference: string) => threeDSecure.merchantOf(reference),
    advanceDuplicates(byMs: number): void {
      duplicates.aheadMs += byMs;
    },
    resetDuplicates(): void {
      duplicates.afterTransactionID = store.lastTransactionID();
    },
  };
}

type NewRow = Omit<TransactionRow, 'transactionID'>;
type Prepared = { readonly row: NewRow; readonly securityCodeFits: boolean };
type NewRowOptions = {
  account: MerchantAccount;
  action: Action;
  channel?: TransactionRow['channel'];
  amountMinor: number;
  currency: string;
  type: string;
  transactionUnique: string;
  parent: TransactionRow | undefined;
  card: Partial<Card> & { securityCodeFits?: boolean };
  request: Fields;
};

function cardOfRow(row: TransactionRow): Partial<Card> {
  return {
    ...(row.cardMask === null ? {} : { mask: row.cardMask }),
    ...(row.cardScheme === null ? {} : { scheme: row.cardScheme }),
    ...(row.cardType === null ? {} : { type: row.cardType }),
    ...(row.cardTypeCode === null ? {} : { typeCode: row.cardTypeCode }),
    ...(row.cardFingerprint === null ? {} : { fingerprint: row.cardFingerprint }),
  };
}

/** What a linked refund may still take. */
function leftOf(sale: TransactionRow | undefined): number | undefined {
  return sale && sale.receivedMinor - sale.refundedMinor;
}

/** Whole minor units, or major units when written with a decimal point. */
function amountOf(request: Fields): number | undefined {
  const text = request.get('amount') ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const currency = currencyNumber(request.get('currencyCode') ?? '') ?? '';
  const major = /^(\d{1,10})\.(\d+)$/.exec(text);
  const exponent = Number(exponentText(currency));
  if (!major || (major[2] ?? '').length > exponent) return undefined;
  return Number(`${major[1]}${(major[2] ?? '').padEnd(exponent, '0')}`);
}

function expiryOf(request: Fields): { cardExpiryMonth: string; cardExpiryYear: string } {
  const together = request.get('cardExpiryDate') ?? '';
  return {
    cardExpiryMonth: request.get('cardExpiryMonth') ?? together.slice(0, 2),
    cardExpiryYear: request.get('cardExpiryYear') ?? together.slice(2, 4),
  };
}

function captureDelayOf(text: string | undefined): number {
  if (text === 'never' || text === '-1') return -1;
  const days = Number(text ?? 0);
  return Number.isInteger(days) && days > 0 && days <= 30 ? days : 0;
}

function echoOf(account: MerchantAccount, request: Fields): Fields {
  const echo: Fields = new Map([
    ['merchantID', account.merchantID],
    ['countryCode', account.countryCode],
  ]);
  for (const [name, value] of request) {
    if (value !== '' && !unechoed.has(name) && !name.startsWith('threeDSResponse')) echo.set(name, value);
  }
  return echo;
}

const exponents: Record<string, string> = { '392': '0', '410': '0', '704': '0', '414': '3', '048': '3', '400': '3' };

function exponentText(currencyCode: string): string {
  return exponents[currencyCode] ?? '2';
}

export function timestamp(now: Instant): string {
  return new Date(now).toISOString().slice(0, 19).replace('T', ' ');
}
