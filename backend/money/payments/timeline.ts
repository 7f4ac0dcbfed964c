import type { TimelineKind } from '@florin/shared/contracts/api-v1/payments.ts';
import type { refundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import { exponentOf, formatMoney, money } from '@florin/shared/money.ts';
import type { z } from 'zod';
import type { PaymentEventType } from '../../foundation/events/catalogue.ts';

/** How the API names the events of a payment. */
export const timelineKinds: Readonly<Record<PaymentEventType, TimelineKind>> = {
  'payment.started': 'payment_started',
  'payment.confirmation_requested': 'customer_asked_to_confirm',
  'payment.recorded': 'payment_recorded',
  'payment.approved': 'payment_approved',
  'payment.declined': 'payment_declined',
  'payment.failed': 'payment_failed',
  'payment.unknown': 'payment_unknown',
  'payment.resolved': 'payment_resolved',
  'payment.settling': 'payment_settling',
  'payment.unsettled': 'payment_unsettled',
  'payment.settled': 'payment_settled',
  'payment.voided_elsewhere': 'payment_voided_elsewhere',
  'payment.settlement_rejected': 'settlement_rejected',
  'bitcoin.received': 'bitcoin_received',
  'bitcoin_claim.requested': 'bitcoin_claim_requested',
  'bitcoin_claim.disputed': 'bitcoin_claim_disputed',
  'terminal.sale.completed': 'sale_completed',
  'terminal.sale.reversed': 'sale_reversed',
  'refund.requested': 'refund_requested',
  'refund.recorded': 'refund_recorded',
  'refund.unknown': 'refund_unknown',
  'refund.approved': 'refund_approved',
  'refund.declined': 'refund_declined',
  'refund.failed': 'refund_failed',
  'discrepancy.found': 'discrepancy_found',
  'discrepancy.resolved': 'discrepancy_resolved',
};

type Detail = Readonly<Record<string, unknown>>;

/** The text of a timeline entry. */
export function timelineMessage(kind: TimelineKind, detail: Detail): string {
  const words = messages[kind];
  return typeof words === 'string' ? words : words(detail);
}

const messages: Readonly<Record<TimelineKind, string | ((detail: Detail) => string)>> = {
  payment_started: detail => `A payment${amountIn(detail)} was started${unsignedIn(detail)}`,
  customer_asked_to_confirm: 'The customer’s bank asks the customer to confirm the payment',
  payment_recorded: detail => `The terminal’s reader took a payment${amountIn(detail)} by itself${unsignedIn(detail)}`,
  payment_approved: detail =>
    isByHand(detail) ? 'A person decided that the bank approved the payment' : 'The bank approved the payment',
  payment_declined: detail => `The payment was declined${reasonIn(detail)}`,
  payment_failed: detail => `The payment failed and took no money${reasonIn(detail)}`,
  payment_unknown: 'The gateway did not report the outcome of the payment; the service is looking it up',
  payment_resolved: 'A person recorded the outcome of the payment, on evidence',
  bitcoin_received: detail => `${String(detail.amountSats)} satoshis arrived`,
  bitcoin_claim_requested: detail => `The customer said where to return ${String(detail.amountSats)} satoshis`,
  bitcoin_claim_disputed: detail =>
    `Another destination was given for the ${String(detail.amountSats)} satoshis to return: they are disputed`,
  payment_settling: 'The gateway handed the payment to the bank',
  payment_unsettled: 'The gateway took the payment back from the bank; it has not settled',
  payment_settled: 'The payment settled',
  payment_voided_elsewhere: 'The payment was voided at the gateway itself, not through this service',
  settlement_rejected: 'The bank rejected the settlement and paid nothing',
  sale_completed: 'The terminal completed the sale',
  sale_reversed: 'The sale was reversed; whatever the bank approved is returned',
  refund_requested: detail => `${refundOf(detail)} was asked for`,
  refund_recorded: detail => `${refundOf(detail)} was recorded; the merchant returns the funds`,
  refund_unknown: 'The gateway did not report the outcome of the refund; the service is looking it up',
  refund_approved: detail =>
    `${isByHand(detail) ? 'A person decided that the gateway' : 'The gateway'} approved the ${nounOf(detail)}`,
  refund_declined: detail => `The gateway declined the ${nounOf(detail)}${reasonIn(detail)}`,
  refund_failed: detail => `The ${nounOf(detail)} failed and returned nothing${reasonIn(detail)}`,
  discrepancy_found: 'The gateway and our records disagree; a person has to decide',
  discrepancy_resolved: 'A disagreement with the gateway was decided',
};

const refundNames: Readonly<Record<z.infer<typeof refundRecord>['kind'], string>> = {
  CANCEL: 'A void',
  REFUND_SALE: 'A refund',
  REFUND: 'A refund that the payment does not cap',
  BITCOIN: 'A bitcoin refund',
};

const nounOf = ({ kind }: Detail) => (kind === 'CANCEL' ? 'void' : 'refund');

function refundOf(detail: Detail): string {
  const kind = detail.kind as keyof typeof refundNames;
  return `${refundNames[kind]}${amountIn(detail)}`;
}

function amountIn({ amountMinor, amountSats, currency }: Detail): string {
  if (typeof amountSats === 'number') return ` of ${amountSats} satoshis`;
  if (typeof amountMinor !== 'number' || typeof currency !== 'string') return '';
  return exponentOf(currency) === undefined ? '' : ` of ${formatMoney(money(amountMinor, currency), 'en-GB')}`;
}

function unsignedIn({ signature }: Detail): string {
  return signature === 'not_taken' ? '; its reader asked for a signature, and no staff were there to take it' : '';
}

function isByHand({ knownBy }: Detail): boolean {
  return knownBy === 'manager';
}

function reasonIn({ message }: Detail): string {
  return typeof message === 'string' && message !== '' ? `: ${message}` : '';
}
