import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import type { Clock, Random } from '@florin/shared/ports.ts';
import type { MerchantAccount } from './accounts.ts';
import { bank } from './bank.ts';
import { changes } from './changes.ts';
import { codes, invalid, malformed, missing, type Refusal } from './codes.ts';
import { duplicateWindow } from './duplicates.ts';
import { digits, managementActions, replies } from './replies.ts';
import { amountOf, captureDelayOf, cardReader, checkOnlyOf, echoOf } from './request.ts';
import type { Action, RequestRow, Store, TransactionRow } from './store.ts';
import { amountNamedBy, type Card } from './test-data.ts';
import { threeDSecureFlow } from './three-d-secure.ts';
import type { Fields } from './wire.ts';

export type TransactionOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** The public URL of the sandbox's bank pages. */
  readonly acsUrl: () => string;
};

export type Transactions = ReturnType<typeof transactions>;

const newTransactionActions = new Set<string>(['SALE', 'PREAUTH', 'VERIFY', 'REFUND_SALE', 'REFUND']);

/** The lifecycle of transactions: the effect of each action and its reply. Each call is atomic. */
export function transactions(options: TransactionOptions) {
  const { store, clock, random } = options;
  const { tokenKey, cardOfRequest, cardOfNumber } = cardReader(options);
  const { reply, managementReply, refusalReply, checkedReply, newXref } = replies(options);
  const { decide, finish } = bank(options);
  const { refusalOfCancel, refusalOfCapture, cancel, capture } = changes({ ...options, finish });
  const duplicates = duplicateWindow(options);
  const threeDSecure = threeDSecureFlow(options);

  /** Carries out a signed request of the Direct interface and returns the unsigned reply fields. */
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
    if (request.has('threeDSRef')) return continueThreeDSecure(account, request, partlyMinor);
    if (checkOnlyOf(request) === undefined) return refusalReply(account, request, malformed('checkOnly'));
    const action = request.get('action') ?? '';
    if (action === '') return refusalReply(account, request, missing('action'));
    if (newTransactionActions.has(action)) return create(account, action as Action, request, partlyMinor);
    if (managementActions.has(action)) return manage(account, action, request);
    return refusalReply(account, request, invalid('action'));
  }

  function create(account: MerchantAccount, action: Action, request: Fields, partlyMinor: number | undefined): Fields {
    const prepared = prepare(account, action, request);
    if ('code' in prepared) {
      return refusalReply(account, request, prepared, recordRefusal(account, action, request, prepared));
    }
    if (checkOnlyOf(request)) return checkedReply(account, request);
    const row = store.insert(prepared.row);
    if (action === 'SALE' && threeDSecure.isWanted(request)) {
      return threeDSecure.begin({
        row,
        request,
        securityCodeFits: prepared.securityCodeFits,
        reply: waiting => reply(account, waiting),
      });
    }
    return reply(account, decide({ row, request, securityCodeFits: prepared.securityCodeFits, partlyMinor }));
  }

  /** Validates a request for a new transaction and creates its undecided row. */
  function prepare(account: MerchantAccount, action: Action, request: Fields): Prepared | Refusal {
    const parent = request.has('xref') ? ownTransaction(account, request.get('xref')) : undefined;
    const amountMinor = amountOf(request, parent);
    if (request.has('xref') && !parent) return invalid('xref');
    if (action === 'REFUND_SALE' && !parent) return missing('xref');
    if (action === 'REFUND_SALE' && request.has('cardNumber')) {
      return { code: codes.mismatch, message: 'A linked refund takes no card details' };
    }
    const wholeMinor = parent && action === 'REFUND_SALE' && !request.has('amount') ? leftOf(parent) : amountMinor;
    if (wholeMinor === undefined) return request.has('amount') ? invalid('amount') : missing('amount');
    if ((action === 'VERIFY') !== (wholeMinor === 0)) return invalid('amount');
    const currency = currencyNumber(request.get('currencyCode') ?? parent?.currencyCode ?? '');
    if (!currency) return request.has('currencyCode') ? invalid('currencyCode') : missing('currencyCode');
    const type = request.get('type') ?? parent?.type ?? '1';
    if (!['1', '2', '9'].includes(type)) return malformed('type');
    if (captureDelayOf(request) === undefined) return malformed('captureDelay');
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
    if (duplicates.contain(account, row, request)) return { code: codes.duplicate, message: 'Duplicate request' };
    const refusal = action === 'REFUND_SALE' && parent ? refundRefusal({ sale: parent, refund: row }) : undefined;
    return refusal ?? { row, securityCodeFits: card.securityCodeFits };
  }

  function manage(account: MerchantAccount, action: string, request: Fields): Fields {
    if (!request.has('xref')) return refusalReply(account, request, missing('xref'));
    const row = ownTransaction(account, request.get('xref'));
    if (!row) return refusalReply(account, request, { code: codes.noDataFound, message: 'No data found' });
    if (action === 'QUERY') return managementReply(account, action, row, request);
    const refusal = action === 'CANCEL' ? refusalOfCancel(row) : refusalOfCapture(row, request);
    if (refusal) return refusalReply(account, request, refusal);
    if (checkOnlyOf(request)) return checkedReply(account, request);
    return managementReply(account, action, action === 'CANCEL' ? cancel(row) : capture(row, request), request);
  }

  function continueThreeDSecure(account: MerchantAccount, request: Fields, partlyMinor: number | undefined): Fields {
    const step = threeDSecure.resume(request, account.merchantID);
    if (step.kind === 'refused') return refusalReply(account, request, step.refusal);
    if (step.kind === 'challenge') return step.reply(reply(account, step.row));
    const { row } = step;
    if (step.status === 'Y' || step.status === 'A') {
      const decided = decide({
        row,
        request,
        securityCodeFits: step.securityCodeFits,
        strongAuthentication: 'done',
        partlyMinor,
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

  /**
   * A card-present sale whose card is decrypted or, with `refusal`, unusable. Returns its transaction, or the earlier
   * one of the same reference: this interface accepts a reference once.
   */
  function performCardPresent(
    account: MerchantAccount,
    sale: CardPresentTransaction,
    by: { readonly opened: { pan: string } | Refusal; readonly partlyMinor: number | undefined },
  ): TransactionRow {
    const { opened, partlyMinor } = by;
    return store.transaction(() => {
      const earlier = cardPresentByReference(account, sale.uniqueReference);
      if (earlier) return earlier;
      const card = 'pan' in opened ? (cardOfNumber(opened.pan) ?? invalid('cardNumber')) : opened;
      const request: Fields = new Map([
        ['action', 'SALE'],
        ['amount', String(sale.amountMinor)],
        ['orderRef', sale.invoiceNumber],
        ['transactionUnique', sale.uniqueReference],
        ...(sale.callbackUrl === undefined ? [] : [['callbackURL', sale.callbackUrl] as const]),
      ]);
      const row = newRow({
        account,
        action: 'SALE',
        channel: 'cardPresent',
        amountMinor: sale.amountMinor,
        currency: sale.currency,
        type: '1',
        transactionUnique: sale.uniqueReference,
        parent: undefined,
        card: 'code' in card ? {} : card,
        request,
      });
      if ('code' in card) return store.insert(refusedRow(row, card));
      return decide({ row: store.insert(row), request, securityCodeFits: true, partlyMinor });
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
      authorisationCode: from.request.get('authorisationCode') ?? digits(random, 6),
      responseCode: codes.success,
      responseMessage: '',
      approvedMinor: 0,
      receivedMinor: 0,
      refundedMinor: 0,
      captureDelayDays: captureDelayOf(from.request) ?? 0,
      testAmountMinor: amountNamedBy(from.request.get('customerName')) ?? from.amountMinor,
      echoJson: JSON.stringify([...echoOf(from.account, from.request)]),
      threeDSecureJson: null,
      createdAt: now,
      duplicateFrom: duplicates.now(),
      changedAt: now,
    };
  }

  /** Records a refused request for lookups, unless it has no identifying field. */
  function recordRefusal(
    account: MerchantAccount,
    action: Action,
    request: Fields,
    refusal: Refusal,
  ): TransactionRow | undefined {
    const parent = ownTransaction(account, request.get('xref'));
    const amountMinor = amountOf(request, parent);
    if (amountMinor === undefined || refusal.code === codes.duplicate || checkOnlyOf(request)) return undefined;
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
    return store.insert(refusedRow(row, refusal));
  }

  return {
    perform,
    /** The reply to a request that is refused unprocessed. */
    refuse: refusalReply,
    newXref,
    performCardPresent,
    cardPresentByReference,
    /** Records a message of the card-present interface that was carried out. */
    recordCardPresent: (request: Omit<RequestRow, 'id' | 'at'>) => store.addRequest({ at: clock.now(), ...request }),
    reply,
    tokenKey,
    challenged: (acsTransaction: string) => threeDSecure.challenged(acsTransaction),
    answerChallenge: (acsTransaction: string, answer: 'Y' | 'N' | 'U') => threeDSecure.answer(acsTransaction, answer),
    /** The account of a 3-D Secure continuation that names none. */
    accountOfThreeDSecure: (reference: string) => threeDSecure.merchantOf(reference),
    duplicates,
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

export type CardPresentTransaction = {
  readonly uniqueReference: string;
  readonly amountMinor: number;
  /** Three digits. */
  readonly currency: string;
  readonly invoiceNumber: string;
  readonly callbackUrl: string | undefined;
};

/** A request refused by the gateway itself. */
function refusedRow(row: NewRow, refusal: Refusal): NewRow {
  return {
    ...row,
    state: 'finished',
    responseCode: refusal.code,
    responseMessage: refusal.message,
    authorisationCode: null,
  };
}

function refundRefusal({ sale, refund }: { sale: TransactionRow; refund: NewRow }): Refusal | undefined {
  if (sale.currencyCode !== refund.currencyCode) {
    return { code: codes.mismatch, message: 'Currency differs from the original transaction' };
  }
  if (sale.action !== 'SALE' || sale.state !== 'accepted') {
    return { code: codes.actionNotAllowed, message: `Can not REFUND this ${sale.action} transaction` };
  }
  return refund.amountMinor > leftOf(sale) ? invalid('amount') : undefined;
}

/** The amount of a sale that linked refunds may still return. */
function leftOf(sale: TransactionRow): number {
  return sale.receivedMinor - sale.refundedMinor;
}
