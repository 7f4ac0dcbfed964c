import { formatSats } from '@florin/shared/bitcoin.ts';
import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import { formatMoment } from '@florin/shared/moments.ts';
import { formatMoney } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { BitcoinStage, CustomerOutcome, Notice, Screen } from '../../ipc/view.ts';
import type { DisplaySettings, ReceiptSettings } from '../words.ts';
import type { BitcoinContext, BitcoinOutcome } from './machine.ts';

/** The screen of a sale in bitcoin in each of its states. */
export function bitcoinScreen(options: {
  readonly state: string;
  readonly context: BitcoinContext;
  readonly since: Instant;
  readonly isOffline: boolean;
  readonly displaySettings: DisplaySettings;
}): Screen {
  const { state, context, since, isOffline, displaySettings } = options;
  const { amountMinor, currency, sale, outcome, mayUseCard } = context;
  const amount = { amountMinor, currency };
  if (state === 'done' && outcome) return resultScreen(context, outcome, displaySettings);
  const stage = stageOf(state, sale);
  const isOpen = stage === 'requesting' || stage === 'waiting';
  return {
    name: 'bitcoin_sale',
    amount,
    stage,
    since,
    amountSats: sale?.amountSats ?? null,
    receivedSats: sale?.receivedSats ?? 0,
    processingSats: sale?.processingSats ?? 0,
    // No payment code is shown while offline, because the terminal could not learn of the payment.
    paymentUri: stage === 'waiting' && !isOffline ? (sale?.paymentUri ?? null) : null,
    expiresAt: sale && stage === 'waiting' ? Date.parse(sale.expiresAt) : null,
    problem: isOffline ? 'not_reached' : isOpen ? context.problem : null,
    notWithdrawn: context.notWithdrawn,
    mayCancel: isOpen,
    mayUseCard: isOpen && mayUseCard && (sale?.receivedSats ?? 0) === 0,
    mayLeave: stage === 'seen' || stage === 'seen_part' || stage === 'checking',
    requestedBy: null,
  };
}

function stageOf(state: string, sale: BitcoinContext['sale']): BitcoinStage {
  switch (state) {
    case 'showing':
      if (sale?.state === 'seen')
        return sale.receivedSats + sale.processingSats < sale.amountSats ? 'seen_part' : 'seen';
      return sale?.state === 'checking' ? 'checking' : 'waiting';
    case 'cancelling':
      return 'cancelling';
    case 'leavingForCard':
    case 'toCard':
      return 'leaving';
    default:
      return 'requesting';
  }
}

function resultScreen(context: BitcoinContext, outcome: BitcoinOutcome, displaySettings: DisplaySettings): Screen {
  const { amountMinor, currency, sale } = context;
  return {
    name: 'sale_result',
    rail: 'bitcoin',
    outcome: outcome.kind,
    customerOutcome: customerOutcomeOf(outcome),
    amount: { amountMinor, currency },
    notice: noticeOf(context, outcome, displaySettings),
    sale: sale?.sale ?? null,
    reference: context.reference ?? null,
    again: outcome.why === 'bitcoin_paid' || outcome.why === 'bitcoin_underpaid' ? 'no' : 'possible',
    asksSignature: false,
    isEndedBySoftware: false,
    requestedBy: null,
    receipt: outcome.kind === 'approved' ? bitcoinReceipt(context, displaySettings) : [],
  };
}

function customerOutcomeOf({ why }: BitcoinOutcome): CustomerOutcome {
  switch (why) {
    case 'bitcoin_paid':
      return 'approved';
    case 'bitcoin_expired':
      return 'not_paid';
    case 'bitcoin_underpaid':
      return 'underpaid';
    case 'bitcoin_cancelled':
    case 'bitcoin_withdrawn':
      return 'cancelled';
    case 'bitcoin_refused':
      return 'not_charged';
    default:
      return unreachable(why);
  }
}

function noticeOf({ sale, refusal }: BitcoinContext, { why }: BitcoinOutcome, settings: DisplaySettings): Notice {
  const { bitcoinResults: words } = settings.words;
  const sats = (count: number) => formatSats(count, settings.locale);
  const receivedSats = sale?.receivedSats ?? 0;
  const askedSats = sale?.amountSats ?? 0;
  switch (why) {
    case 'bitcoin_paid': {
      const { message, detail } = words.paidTooMuch;
      return receivedSats > askedSats ? { message, detail: detail(sats(receivedSats - askedSats)) } : words.paid;
    }
    case 'bitcoin_expired':
      return words.expired;
    case 'bitcoin_underpaid':
      return {
        message: words.underpaid.message,
        detail: words.underpaid.detail(sats(receivedSats), sats(askedSats)),
      };
    case 'bitcoin_cancelled':
      return words.cancelled;
    case 'bitcoin_withdrawn':
      return words.withdrawn;
    case 'bitcoin_refused':
      return { message: words.refused.message, detail: words.refused.detail(refusal) };
    default:
      return unreachable(why);
  }
}

/** The lines of the receipt, in the same form as for a card sale. */
export function bitcoinReceipt(
  context: Pick<BitcoinContext, 'amountMinor' | 'currency' | 'reference' | 'startedAt'> & {
    readonly sale: Pick<BitcoinSale, 'sale' | 'receivedSats'> | null;
  },
  displaySettings: ReceiptSettings,
) {
  const { amountMinor, currency, sale, startedAt } = context;
  const { businessName, terminalName, locale } = displaySettings;
  const { receipt } = displaySettings.words;
  const record = sale?.sale;
  const at = record?.takenAt ? Date.parse(record.takenAt) : startedAt;
  return [
    { label: receipt.business, value: businessName },
    ...(terminalName === null ? [] : [{ label: receipt.terminal, value: terminalName }]),
    { label: receipt.date, value: formatMoment(at, displaySettings) },
    ...(record ? [{ label: receipt.invoice, value: record.invoiceNumber }] : []),
    { label: receipt.amount, value: formatMoney({ amountMinor, currency }, locale) },
    ...(record ? [{ label: receipt.paidWith, value: receipt.methods[record.method] }] : []),
    ...(sale ? [{ label: receipt.bitcoin, value: formatSats(sale.receivedSats, locale) }] : []),
    ...(context.reference === undefined ? [] : [{ label: receipt.reference, value: context.reference }]),
  ];
}
