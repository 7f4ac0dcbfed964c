import { cardNameOf } from '@florin/shared/card-schemes.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { Notice } from '../../ipc/view.ts';
import type { ReceiptSettings } from '../words.ts';
import { reversalProgress, type SaleContext, type SaleOutcome } from './context.ts';
import { mayCancelUnanswered } from './decision.ts';
import { capitalised, isMoneyBack, type ReversalProgress, reversalWords } from './reversal.ts';

/** The text of a result, and whether its main action is to charge the same amount again. */
export type ResultWords = Notice & { readonly asksAgain: boolean };

/** The text of a result for the cashier: what happened, what it means for the customer, what to do next. */
export function saleNotice(options: {
  context: SaleContext;
  outcome: SaleOutcome;
  /** The software that started the sale and has to start it again; null if it was keyed in on this terminal. */
  requestedBy: string | null;
  isReaderReady: boolean;
  locale: string;
}): ResultWords {
  const { context, isReaderReady, locale } = options;
  const amount = formatMoney({ amountMinor: context.amountMinor, currency: context.currency }, locale);
  const words = resultWords(options, amount);
  const isDone = isReaderReady && doneOnceReaderIsReady.has(words.askAgain);
  const next = words.askAgain === undefined ? [] : [askAgain(isDone ? '' : words.askAgain, options.requestedBy)];
  const detail = [...(words.detail === null ? [] : [words.detail]), ...next].join(' ');
  return {
    message: words.message,
    detail: detail === '' ? null : detail,
    asksAgain: next.length > 0,
  };
}

/** What must be done before the payment is taken again, if anything. */
type AskAgain =
  | ''
  | 'Ask for another card'
  | 'Check the cable'
  | 'Check its cable and power'
  | 'Check the network'
  | 'Charge the reader'
  | 'Wait a moment';
type Result = Notice & { readonly askAgain?: AskAgain };

const doneOnceReaderIsReady: ReadonlySet<AskAgain | undefined> = new Set([
  'Check the cable',
  'Check its cable and power',
]);

const declined = { message: 'Declined', askAgain: 'Ask for another card' } as const;

function askAgain(first: AskAgain, requestedBy: string | null): string {
  const again = requestedBy === null ? 'try again' : `start the sale again from ${requestedBy}`;
  return first === '' ? sentence(capitalised(again)) : `${first}, then ${again}.`;
}

function resultWords({ context, outcome }: { context: SaleContext; outcome: SaleOutcome }, amount: string): Result {
  const progress = reversalProgress(context);
  if (progress) return reversedNotice(context, outcome, progress, amount);
  switch (outcome.why) {
    case 'reader_confirmed':
      return { message: 'Approved', detail: context.cancelRequested ? `${cancelledTooLate} ${giveBack}` : null };
    case 'reader_gone':
      return {
        message: 'Approved',
        detail: `The card was charged: hand over the goods. The reader did not confirm it, so do not charge ${amount} again; if the customer disagrees, void this sale.`,
      };
    case 'bank_declined':
      return { ...declined, detail: 'The bank declined the card. Nothing was charged.' };
    case 'bank_failed':
      return {
        message: 'Payment failed',
        detail: 'The bank could not handle the payment. Nothing was charged.',
        askAgain: '',
      };
    case 'card_refused':
      return { ...declined, detail: 'The card was not accepted. Nothing was charged.' };
    case 'customer':
      return context.card
        ? { message: 'Cancelled', detail: 'Card removed too soon. Nothing was charged.', askAgain: '' }
        : { message: 'Cancelled', detail: 'The customer cancelled, or took the card out. Nothing was charged.' };
    case 'staff':
      return { message: 'Cancelled', detail: 'You cancelled the sale. Nothing was charged.' };
    case 'bank_timeout':
      return { message: 'Not paid', detail: `${endedUnanswered} Nothing was charged.`, askAgain: '' };
    case 'no_card':
      return { message: 'Timed out', detail: 'No card, or no PIN, in time. Nothing was charged.', askAgain: '' };
    case 'reader_not_found':
      return {
        message: 'No card reader',
        detail: 'The reader did not answer. Nothing was charged.',
        askAgain: 'Check its cable and power',
      };
    case 'reader_not_available':
      return readerNotAvailable(context.readerDetail ?? '');
    case 'service_not_reached':
      return {
        message: 'Could not reach the server!',
        detail: 'The bank was not asked and nothing was charged.',
        askAgain: 'Check the network',
      };
    case 'service_refused':
      return {
        message: 'Payment refused',
        detail: `${context.refusal ? `${sentence(context.refusal)} ` : ''}The bank was not asked and nothing was charged.`,
      };
    case 'interrupted':
      return context.checkingBecause === 'restart'
        ? { message: 'Interrupted', detail: 'The terminal restarted. Nothing was charged.', askAgain: '' }
        : { message: 'Reader disconnected', detail: 'Nothing was charged.', askAgain: 'Check the cable' };
    case 'voided':
      return { message: 'Not charged', detail: `${amount} was voided. The customer does not pay.`, askAgain: '' };
    case 'reader_forgot':
      return {
        message: "Wait: don't charge again",
        detail: `The reader restarted and no longer knows this payment. The card may have been charged. Call support and give the code ${supportCode(context)}.`,
      };
    case 'disagree':
      return {
        message: 'Do not hand over the goods yet',
        detail: `The reader says approved, but the service does not know this sale. Do not take the payment again. Call support and give the code ${supportCode(context)}.`,
      };
    default:
      return unreachable(outcome.why);
  }
}

const cancelledTooLate = 'The card was charged before the sale could be cancelled.';
const giveBack = 'To give the money back, void or refund the sale under Recent sales.';
const approvedPart = 'the part that the bank approved';
const endedUnanswered = 'The sale was cancelled before the bank answered.';

/** For a reversed sale, the text about the money follows the service's record, whatever ended the sale. */
function reversedNotice(
  context: SaleContext,
  outcome: SaleOutcome,
  progress: ReversalProgress,
  amount: string,
): Result {
  const isPart = context.record?.reversal?.reason === 'partial_approval';
  const reversal = reversalWords(progress, isPart ? approvedPart : amount);
  const [message, reason] = whyReversed(outcome, isPart, amount);
  const words = { message: reversal.message ?? message, detail: `${reason} ${reversal.detail}` };
  if (!isMoneyBack(progress)) return words;
  return { ...words, askAgain: isPart || outcome.kind === 'declined' ? 'Ask for another card' : '' };
}

function whyReversed(outcome: SaleOutcome, isPart: boolean, amount: string): readonly [string, string] {
  if (isPart) return ['Declined', `The bank would not pay all of ${amount} with this card.`];
  if (outcome.why === 'bank_timeout') return ['Not paid', endedUnanswered];
  switch (outcome.kind) {
    case 'declined':
      return ['Declined', 'The card refused after the bank had approved.'];
    case 'cancelled':
      return ['Cancelled', 'The payment was cancelled after the bank had approved.'];
    case 'timed_out':
      return ['Timed out', 'The reader gave up after the bank had approved.'];
    case 'approved':
    case 'failed':
      return ['Not completed', 'The payment was not completed.'];
  }
}

/**
 * A note on a past sale; null if its listed facts are enough. `isReversalUnsent`: this terminal reversed it, and the
 * service has not acknowledged that.
 */
export function saleRecordNotice(
  record: SaleRecord,
  { locale, isReversalUnsent }: { readonly locale: string; readonly isReversalUnsent: boolean },
): Notice | null {
  const { reason, status } = record.reversal ?? { reason: null, status: isReversalUnsent ? 'not_acknowledged' : null };
  if (status === null) return null;
  const amount = formatMoney({ amountMinor: record.amountInCents, currency: record.currency }, locale);
  const { message, detail } = reversalWords(status, reason === 'partial_approval' ? approvedPart : amount);
  return { message: message ?? 'Not completed', detail };
}

/** The reference a cashier reads out to support: the invoice number, or the last six characters of the sale's id. */
function supportCode(context: SaleContext): string {
  return context.record?.invoiceNumber ?? context.saleId.slice(-6).toUpperCase();
}

function readerNotAvailable(code: string): Result {
  const detail = 'Nothing was charged.';
  switch (code) {
    case 'TAMPER':
      return { message: "Reader opened: don't use it", detail: `${detail} Call support.` };
    case 'BATTERY':
      return { message: 'Reader battery is empty', detail, askAgain: 'Charge the reader' };
    case 'unplugged':
    case 'not_connected':
      return { message: 'Reader disconnected', detail, askAgain: 'Check the cable' };
    case 'busy':
    case 'BUSY':
    case 'pending':
    case 'PENDING':
      return { message: 'The reader is busy', detail, askAgain: 'Wait a moment' };
    default:
      return { message: 'The reader is not available', detail, askAgain: 'Wait a moment' };
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const entryModes: Record<string, string> = { chip: 'Chip', contactless: 'Contactless', swipe: 'Magnetic stripe' };

/** The lines of a receipt, on the screen and in print. */
export function saleReceipt(
  options: ReceiptSettings & {
    context: Pick<SaleContext, 'record' | 'card' | 'amountMinor' | 'currency' | 'startedAt' | 'authorisationCode'>;
  },
): { label: string; value: string }[] {
  const { context, locale, timeZone } = options;
  const { record, card } = context;
  const at = record?.takenAt ?? record?.createdAt;
  const when = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(
    at ? Date.parse(at) : context.startedAt,
  );
  const scheme = record?.cardScheme ?? card?.scheme;
  const lastFour = record?.cardLastFour ?? card?.lastFour;
  const entryMode = record?.entryMode ?? card?.entryMode;
  const code = record?.authorisationCode ?? context.authorisationCode;
  return [
    { label: 'Business', value: options.businessName },
    ...(options.terminalName === null ? [] : [{ label: 'Terminal', value: options.terminalName }]),
    { label: 'Date', value: when },
    ...(record ? [{ label: 'Invoice', value: record.invoiceNumber }] : []),
    { label: 'Amount', value: formatMoney({ amountMinor: context.amountMinor, currency: context.currency }, locale) },
    ...(lastFour ? [{ label: 'Card', value: `${cardNameOf(scheme)} •••• ${lastFour}` }] : []),
    ...(entryMode ? [{ label: 'Entry', value: entryModes[entryMode] ?? entryMode }] : []),
    ...(code ? [{ label: 'Authorisation', value: code }] : []),
  ];
}

/** Why a sale cannot be cancelled now; null if it can. */
export function whyNotCancellable(state: string, context: SaleContext): string | null {
  switch (state) {
    case 'starting':
    case 'waitingForReader':
    case 'announcing':
      return null;
    case 'takingCard':
      return context.cancelRequested ? 'Cancelling: the reader is being told.' : null;
    case 'authorising':
      return 'The payment is being authorised, so the sale can no longer be cancelled.';
    case 'finishing':
      return finishing(context);
    case 'reversing':
      return 'The approval is being taken back.';
    default:
      return whyChecking(context);
  }
}

function whyChecking(context: SaleContext): string {
  if (context.bank === 'approved') {
    return 'The bank approved. The terminal is waiting for the reader: check its cable if it does not respond. Do not take the payment again.';
  }
  if (mayCancelUnanswered(context)) return 'The bank has not answered yet. One moment.';
  if (context.bank === 'pending' || context.bank === 'unknown') {
    // After ten minutes without a record, the service concludes that the bank has none.
    const howLong =
      context.authorisation === 'reader'
        ? 'The terminal keeps asking until it knows.'
        : 'It can take about ten minutes, or longer while the bank cannot be reached.';
    return `The card may have been charged. ${howLong} The customer can wait or leave contact details. Do not take the payment again.`;
  }
  return 'The terminal is finding out the result of this sale.';
}

function finishing({ bank }: SaleContext): string {
  if (bank === 'pending') return 'The bank has not answered yet, so the reader is ending without it.';
  return bank === 'not_asked' || bank === 'unknown'
    ? 'The connection was lost, so the sale can no longer be cancelled.'
    : 'The bank has answered, so the sale can no longer be cancelled.';
}
