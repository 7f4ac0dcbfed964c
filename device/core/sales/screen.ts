import type { Instant } from '@florin/shared/ports.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { CustomerOutcome, SaleStage, Screen } from '../../ipc/view.ts';
import type { ReaderStage } from '../../readers/reader.ts';
import type { DisplaySettings } from '../words.ts';
import { reversalProgress, type SaleContext, type SaleOutcome } from './context.ts';
import { isMoneyBack, isReversalFailed } from './reversal.ts';
import { saleNotice, saleReceipt, whyNotCancellable } from './words.ts';

/** The screen of a card sale in each of its states. */
export function saleScreen(options: {
  readonly state: string;
  readonly context: SaleContext;
  readonly readerStage: ReaderStage | undefined;
  readonly since: Instant;
  /** When the authorisation or its lookup started; null before. */
  readonly bankSince: Instant | null;
  readonly displaySettings: DisplaySettings;
  /** The software that started the sale; null if it was keyed in on this terminal. */
  readonly requestedBy: string | null;
  /** Whether staff may cancel although the bank has not answered. */
  readonly mayStopWaiting: boolean;
  readonly isReaderReady: boolean;
  /** Whether what the customer signs is printed. */
  readonly hasPrinter: boolean;
}): Screen {
  const { state, context, readerStage, since, bankSince, displaySettings, requestedBy, mayStopWaiting } = options;
  const { amountMinor, tipMinor, currency, outcome } = context;
  const amount = { amountMinor, currency };
  if (state === 'done' && outcome) {
    const progress = reversalProgress(context);
    const { isReaderReady } = options;
    const { words, locale } = displaySettings;
    const { asksAgain, ...result } = saleNotice({ context, outcome, requestedBy, isReaderReady, words, locale });
    const asksSignature = outcome.kind === 'approved' && context.card?.asksSignature === true;
    const { onPaper, elsewhere, compare } = words.asksSignature;
    const signature = asksSignature ? `${options.hasPrinter ? onPaper : elsewhere} ${compare}` : null;
    const details = [result.detail, signature].filter(detail => detail !== null);
    const notice = { ...result, detail: details.length === 0 ? null : details.join(' ') };
    return {
      name: 'sale_result',
      rail: 'card',
      outcome: progress && isReversalFailed(progress) ? 'failed' : outcome.kind,
      customerOutcome: customerOutcomeOf(context, outcome),
      amount,
      notice,
      sale: context.record,
      reference: context.reference ?? null,
      tipMinor,
      again: !mayTryAgain(context, outcome) ? 'no' : asksAgain ? 'suggested' : 'possible',
      asksSignature,
      isEndedBySoftware: false,
      requestedBy: null,
      receipt: outcome.kind === 'approved' ? saleReceipt({ context, ...displaySettings }) : [],
    };
  }
  const stage = stageOf(state, readerStage);
  // The reader may report the authorisation before this program does.
  const why = mayStopWaiting
    ? null
    : whyNotCancellable(stage === 'authorising' ? 'authorising' : state, context, displaySettings.words);
  return {
    name: 'sale',
    amount,
    tipMinor,
    stage,
    since,
    bankSince,
    cancellable: why === null,
    whyNotCancellable: why,
    cancelling: context.cancelRequested,
    mayUseBitcoin: false,
    requestedBy: null,
  };
}

function mayTryAgain(context: SaleContext, outcome: SaleOutcome): boolean {
  const progress = reversalProgress(context);
  if (progress && !isMoneyBack(progress)) return false;
  return outcome.kind !== 'approved' && outcome.why !== 'disagree' && outcome.why !== 'reader_forgot';
}

function stageOf(state: string, readerStage: ReaderStage | undefined): SaleStage {
  switch (state) {
    case 'starting':
      return 'starting';
    case 'waitingForReader':
    case 'announcing':
      return 'waiting_for_reader';
    case 'takingCard':
      return readerStage === 'remove_card' ? 'remove_previous_card' : (readerStage ?? 'starting');
    case 'authorising':
      return 'authorising';
    case 'finishing':
      return readerStage === 'remove_card' ? 'remove_card' : 'finishing';
    case 'reversing':
      return 'reversing';
    default:
      return 'checking';
  }
}

/** What the end of a sale means for the customer at a terminal without staff. */
function customerOutcomeOf(context: SaleContext, { kind, why }: SaleOutcome): CustomerOutcome {
  const progress = reversalProgress(context);
  if (progress && isReversalFailed(progress)) return 'ask_staff';
  if (progress && !isMoneyBack(progress)) return 'being_returned';
  switch (why) {
    case 'reader_confirmed':
    case 'reader_gone':
      return 'approved';
    case 'bank_declined':
    case 'card_refused':
      return 'declined';
    case 'customer':
    case 'staff':
      return 'cancelled';
    case 'no_card':
      return 'no_card';
    case 'voided':
      return kind === 'declined' ? 'declined' : 'not_charged';
    case 'bank_failed':
    case 'bank_timeout':
    case 'reader_not_found':
    case 'reader_not_available':
    case 'service_not_reached':
    case 'service_refused':
    case 'interrupted':
      return 'not_charged';
    case 'reader_forgot':
    case 'disagree':
      return 'ask_staff';
    default:
      return unreachable(why);
  }
}
