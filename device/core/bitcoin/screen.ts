import { formatSats } from '@florin/shared/bitcoin.ts';
import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
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
    problem: isOffline ? 'not_reached' : context.problem,
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
    notice: noticeOf(context, outcome, displaySettings.locale),
    sale: sale?.sale ?? null,
    again: outcome.why === 'bitcoin_paid' || outcome.why === 'bitcoin_underpaid' ? 'no' : 'possible',
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

function noticeOf({ sale, refusal }: BitcoinContext, { why }: BitcoinOutcome, locale: string): Notice {
  const sats = (count: number) => formatSats(count, locale);
  switch (why) {
    case 'bitcoin_paid': {
      const excess = (sale?.receivedSats ?? 0) - (sale?.amountSats ?? 0);
      const detail =
        excess > 0
          ? `The bitcoin has arrived, ${sats(excess)} more than asked. What is too much is to be returned: tell a manager.`
          : 'The bitcoin has arrived.';
      return { message: 'Approved', detail };
    }
    case 'bitcoin_expired':
      return {
        message: 'Timed out',
        detail:
          'No payment arrived in time. Should one come later, it is kept for the customer: tell a manager if they ask.',
      };
    case 'bitcoin_underpaid':
      return {
        message: 'Not paid in full',
        detail: `Only ${sats(sale?.receivedSats ?? 0)} of ${sats(sale?.amountSats ?? 0)} arrived in time. Do not hand over the goods for it: it is to be returned: tell a manager.`,
      };
    case 'bitcoin_cancelled':
      return { message: 'Cancelled', detail: 'The sale was cancelled. Nothing was paid.' };
    case 'bitcoin_withdrawn':
      return { message: 'Cancelled', detail: 'The sale was ended elsewhere. Nothing was paid.' };
    case 'bitcoin_refused':
      return {
        message: 'Bitcoin is not possible',
        detail: `${refusal ?? 'The service refused it'}. Nothing was paid.`,
      };
    default:
      return unreachable(why);
  }
}

const networks = { lightning: 'Bitcoin, Lightning', onchain: 'Bitcoin, on chain', card: 'Card' } as const;

/** The lines of the receipt, in the same form as for a card sale. */
export function bitcoinReceipt(
  context: Pick<BitcoinContext, 'amountMinor' | 'currency' | 'startedAt'> & {
    readonly sale: Pick<BitcoinSale, 'sale' | 'receivedSats'> | null;
  },
  displaySettings: ReceiptSettings,
) {
  const { amountMinor, currency, sale, startedAt } = context;
  const { businessName, terminalName, locale, timeZone } = displaySettings;
  const record = sale?.sale;
  const at = record?.takenAt ? Date.parse(record.takenAt) : startedAt;
  const when = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(at);
  return [
    { label: 'Business', value: businessName },
    ...(terminalName === null ? [] : [{ label: 'Terminal', value: terminalName }]),
    { label: 'Date', value: when },
    ...(record ? [{ label: 'Invoice', value: record.invoiceNumber }] : []),
    { label: 'Amount', value: formatMoney({ amountMinor, currency }, locale) },
    ...(record ? [{ label: 'Paid with', value: networks[record.method] }] : []),
    ...(sale ? [{ label: 'Bitcoin', value: formatSats(sale.receivedSats, locale) }] : []),
  ];
}
