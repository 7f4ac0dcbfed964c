import { cardNameOf } from '@florin/shared/card-schemes.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { formatMoment } from '@florin/shared/moments.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { unreachable } from '@florin/shared/result.ts';
import { supportCodeOf } from '@florin/shared/signing/support-code.ts';
import type { Notice, UnchargedSale } from '../../ipc/view.ts';
import type { CoreWords, ReceiptSettings } from '../words.ts';
import { reversalProgress, type SaleContext, type SaleOutcome } from './context.ts';
import { mayCancelUnanswered } from './decision.ts';
import { isMoneyBack, type ReversalProgress } from './reversal.ts';

/** The text of a result, and whether its main action is to charge the same amount again. */
export type ResultWords = Notice & { readonly asksAgain: boolean };

/** What must be done before the payment is taken again. */
type AskAgain = keyof CoreWords['again']['here'];
type Result = Notice & { readonly askAgain?: AskAgain };

const doneOnceReaderIsReady: ReadonlySet<AskAgain> = new Set(['cable', 'cable_and_power']);

/** The text of a result for the cashier: what happened, what it means for the customer, what to do next. */
export function saleNotice(options: {
  context: SaleContext;
  outcome: SaleOutcome;
  /** The software that started the sale and has to start it again; null if it was keyed in on this terminal. */
  requestedBy: string | null;
  isReaderReady: boolean;
  words: CoreWords;
  locale: string;
}): ResultWords {
  const { context, requestedBy, isReaderReady, words, locale } = options;
  const amount = formatMoney({ amountMinor: context.amountMinor, currency: context.currency }, locale);
  const { message, detail, askAgain } = resultWords(options, amount);
  if (askAgain === undefined) return { message, detail, asksAgain: false };
  const first = isReaderReady && doneOnceReaderIsReady.has(askAgain) ? 'now' : askAgain;
  const next = requestedBy === null ? words.again.here[first] : words.again.from[first](requestedBy);
  return { message, detail: detail === null ? next : `${detail} ${next}`, asksAgain: true };
}

function resultWords(
  { context, outcome, words }: { context: SaleContext; outcome: SaleOutcome; words: CoreWords },
  amount: string,
): Result {
  const progress = reversalProgress(context);
  if (progress) return reversedNotice({ context, outcome, words }, progress, amount);
  const { results } = words;
  switch (outcome.why) {
    case 'reader_confirmed':
      return context.cancelRequested ? results.approvedDespiteCancel : results.approved;
    case 'reader_gone':
      return about(results.approvedWithoutReader, amount);
    case 'bank_declined':
      return { ...results.declined, askAgain: 'other_card' };
    case 'bank_failed':
      return { ...results.bankFailed, askAgain: 'now' };
    case 'card_refused':
      return { ...results.cardRefused, askAgain: 'other_card' };
    case 'customer':
      return context.card ? { ...results.cardRemoved, askAgain: 'now' } : results.cancelledByCustomer;
    case 'staff':
      return results.cancelledByStaff;
    case 'bank_timeout':
      return { ...results.cancelledUnanswered, askAgain: 'now' };
    case 'no_card':
      return { ...results.noCard, askAgain: 'now' };
    case 'reader_not_found':
      return { ...results.noReader, askAgain: 'cable_and_power' };
    case 'reader_not_available':
      return readerNotAvailable(context.readerDetail ?? '', words);
    case 'service_not_reached':
      return { ...results.notReached, askAgain: 'network' };
    case 'service_refused':
      return {
        message: results.refused.message,
        detail: `${context.refusal ? `${sentence(context.refusal)} ` : ''}${results.refused.detail}`,
      };
    case 'interrupted':
      return context.checkingBecause === 'restart'
        ? { ...results.restarted, askAgain: 'now' }
        : { ...results.readerDisconnected, askAgain: 'cable' };
    case 'voided':
      return { ...about(results.voided, amount), askAgain: 'now' };
    case 'reader_forgot':
      return about(results.readerForgot, supportCodeOf(context.saleId));
    case 'disagree':
      return about(results.disagree, supportCodeOf(context.saleId));
    default:
      return unreachable(outcome.why);
  }
}

function about({ message, detail }: { message: string; detail: (fact: string) => string }, fact: string): Notice {
  return { message, detail: detail(fact) };
}

/** For a reversed sale, the text about the money follows the service's record, whatever ended the sale. */
function reversedNotice(
  { context, outcome, words }: { context: SaleContext; outcome: SaleOutcome; words: CoreWords },
  progress: ReversalProgress,
  amount: string,
): Result {
  const isPart = context.record?.reversal?.reason === 'partial_approval';
  const reversal = words.reversals[progress];
  const why = whyReversed(outcome, isPart, words.reversed, amount);
  const result = {
    message: reversal.message ?? why.message,
    detail: `${why.detail} ${reversal.detail(isPart ? null : amount)}`,
  };
  if (!isMoneyBack(progress)) return result;
  return { ...result, askAgain: isPart || outcome.kind === 'declined' ? 'other_card' : 'now' };
}

function whyReversed(
  { kind, why }: SaleOutcome,
  isPart: boolean,
  words: CoreWords['reversed'],
  amount: string,
): { message: string; detail: string } {
  if (isPart) return { message: words.partly.message, detail: words.partly.detail(amount) };
  if (why === 'bank_timeout') return words.unanswered;
  return words[kind === 'approved' ? 'failed' : kind];
}

/**
 * A note on a past sale; null if its listed facts are enough. `isReversalUnsent`: this terminal reversed it, and the
 * service has not acknowledged that.
 */
export function saleRecordNotice(
  record: SaleRecord,
  options: { readonly words: CoreWords; readonly locale: string; readonly isReversalUnsent: boolean },
): Notice | null {
  const { words, locale, isReversalUnsent } = options;
  const { reason, status } = record.reversal ?? { reason: null, status: isReversalUnsent ? 'not_acknowledged' : null };
  if (status === null) return null;
  const amount = formatMoney({ amountMinor: record.amountInCents, currency: record.currency }, locale);
  const { message, detail } = words.reversals[status];
  return { message: message ?? words.notCompleted, detail: detail(reason === 'partial_approval' ? null : amount) };
}

function readerNotAvailable(code: string, { results }: CoreWords): Result {
  switch (code) {
    case 'TAMPER':
      return results.readerOpened;
    case 'BATTERY':
      return { ...results.readerEmpty, askAgain: 'battery' };
    case 'unplugged':
    case 'not_connected':
      return { ...results.readerDisconnected, askAgain: 'cable' };
    case 'busy':
    case 'BUSY':
    case 'pending':
    case 'PENDING':
      return { ...results.readerBusy, askAgain: 'moment' };
    default:
      return { ...results.readerNotAvailable, askAgain: 'moment' };
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** What became of a sale that ended before any money was asked for, and what to do if its customer comes back. */
export function unchargedNotice({ why }: UnchargedSale, { uncharged }: CoreWords): Notice {
  const message = why.startsWith('bitcoin_') ? uncharged.inBitcoin : uncharged.byCard;
  return { message, detail: `${uncharged.why[why]} ${uncharged.next}` };
}

/** The lines of a receipt, on the screen and in print. */
export function saleReceipt(
  options: ReceiptSettings & {
    context: Pick<
      SaleContext,
      'record' | 'card' | 'amountMinor' | 'tipMinor' | 'currency' | 'reference' | 'startedAt' | 'authorisationCode'
    >;
  },
): { label: string; value: string }[] {
  const { context, locale } = options;
  const { receipt } = options.words;
  const { record, card } = context;
  const at = record?.takenAt ?? record?.createdAt;
  const scheme = record?.cardScheme ?? card?.scheme;
  const lastFour = record?.cardLastFour ?? card?.lastFour;
  const entryMode = record?.entryMode ?? card?.entryMode;
  const code = record?.authorisationCode ?? context.authorisationCode;
  const { amountMinor, tipMinor = 0, currency } = context;
  const amount = formatMoney({ amountMinor, currency }, locale);
  const tip = formatMoney({ amountMinor: tipMinor, currency }, locale);
  return [
    { label: receipt.business, value: options.businessName },
    ...(options.terminalName === null ? [] : [{ label: receipt.terminal, value: options.terminalName }]),
    { label: receipt.date, value: formatMoment(at ? Date.parse(at) : context.startedAt, options) },
    ...(record ? [{ label: receipt.invoice, value: record.invoiceNumber }] : []),
    { label: receipt.amount, value: amount },
    ...(tipMinor === 0 ? [] : [{ label: receipt.tip, value: tip }]),
    ...(lastFour ? [{ label: receipt.card, value: `${cardNameOf(scheme)} •••• ${lastFour}` }] : []),
    ...(entryMode ? [{ label: receipt.entry, value: receipt.entryModes[entryMode] ?? entryMode }] : []),
    ...(code ? [{ label: receipt.authorisation, value: code }] : []),
    ...(context.reference === undefined ? [] : [{ label: receipt.reference, value: context.reference }]),
  ];
}

/** Why a sale cannot be cancelled now; null if it can. */
export function whyNotCancellable(state: string, context: SaleContext, words: CoreWords): string | null {
  const { notCancellable } = words;
  switch (state) {
    case 'starting':
    case 'waitingForReader':
    case 'announcing':
      return null;
    case 'takingCard':
      return context.cancelRequested ? notCancellable.cancelling : null;
    case 'authorising':
      return notCancellable.authorising;
    case 'finishing':
      return notCancellable[finishing(context)];
    case 'reversing':
      return notCancellable.reversing;
    default:
      return notCancellable[whyChecking(context)];
  }
}

function whyChecking(context: SaleContext): keyof CoreWords['notCancellable'] {
  if (context.bank === 'approved') return 'approved';
  if (mayCancelUnanswered(context)) return 'unanswered';
  if (context.bank !== 'pending' && context.bank !== 'unknown') return 'checking';
  // After ten minutes without a record, the service concludes that the bank has none.
  return context.authorisation === 'reader' ? 'maybeChargedByReader' : 'maybeCharged';
}

function finishing({ bank }: SaleContext): keyof CoreWords['notCancellable'] {
  if (bank === 'pending') return 'endingUnanswered';
  return bank === 'not_asked' || bank === 'unknown' ? 'connectionLost' : 'answered';
}
