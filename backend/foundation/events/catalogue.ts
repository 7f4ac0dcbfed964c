import { checkoutFacts } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { discrepancyKinds } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { terminalMode } from '@florin/shared/contracts/terminal-mode.ts';
import { terminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import { z } from 'zod';

/**
 * The catalogue of events and their payloads. An event is written in the transaction that makes it true, and nothing else
 * records it. Those of payments are kept for ever: a payload may gain members, but never loses or changes one.
 */
const terminalSale = z.object({
  terminalId: z.string(),
  saleId: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
});
const paymentFacts = z.object({
  amountMinor: z.int(),
  currency: z.string(),
  paymentLinkId: z.string().nullable(),
  terminalId: z.string().nullable(),
  saleId: z.string().nullable(),
});
const startedFacts = paymentFacts.extend({
  /** The reader asked for a signature at a terminal without staff. */
  signature: z.enum(['not_taken']).optional(),
});
const paymentOutcome = paymentFacts.extend({
  invoiceNumber: z.string(),
  /** How the outcome became known: by a reply, a lookup, a callback or a manager. */
  knownBy: z.string(),
  gatewayReference: z.string().nullable(),
  message: z.string().nullable(),
  /** Whether a sale that a terminal began ended with it, without the customer's money. */
  endsSale: z.boolean(),
});
const unknownOutcome = z.object({ cause: z.string() });
const nothingMore = z.object({});

const refundFacts = z.object({
  paymentId: z.string(),
  paymentLinkId: z.string().nullable(),
  /** The id that the terminal generated, as for a sale; null if no terminal requested it. */
  saleId: z.string().nullable(),
  kind: z.enum(['CANCEL', 'REFUND_SALE', 'REFUND', 'BITCOIN']),
  amountMinor: z.int(),
  currency: z.string(),
});
const refundRequest = refundFacts.extend({ amountSats: z.int().nullable(), reason: z.string().nullable() });
const refundOutcome = refundFacts.extend({
  knownBy: z.string(),
  gatewayReference: z.string().nullable(),
  message: z.string().nullable(),
  failureCause: z.string().nullable(),
  /** What a person decided it on. */
  evidence: z.string().nullable(),
});

const discrepancyFacts = z.object({
  discrepancyId: z.string(),
  kind: z.enum(discrepancyKinds),
  /** Null where it is of no payment. */
  paymentId: z.string().nullable(),
  refundId: z.string().nullable(),
});

const claimFacts = z.object({
  claimId: z.string(),
  purpose: z.string(),
  purposeId: z.string(),
  /** The amount still to be returned. */
  amountSats: z.int(),
  destination: z.string(),
});

/**
 * What happens to a payment: these events are its timeline. The subject is the refund in `refund.…`, the refund or payment in
 * `discrepancy.…` (itself where it is of neither), the claim in `bitcoin_claim.…` and otherwise the payment.
 */
export const paymentEvents = {
  'payment.started': startedFacts,
  /** The customer's bank asks the customer to confirm it (3-D Secure). */
  'payment.confirmation_requested': nothingMore,
  /** The processor of a terminal's reader took it: the money had moved before the service knew of it. */
  'payment.recorded': startedFacts.extend({ invoiceNumber: z.string(), processorReference: z.string().nullable() }),
  'payment.approved': paymentOutcome,
  'payment.declined': paymentOutcome,
  'payment.failed': paymentOutcome,
  'payment.unknown': unknownOutcome,
  'payment.resolved': z.object({ outcome: z.string(), evidence: z.string(), gatewayReference: z.string().nullable() }),
  'payment.settling': nothingMore,
  'payment.unsettled': nothingMore,
  'payment.settled': nothingMore,
  'payment.voided_elsewhere': nothingMore,
  'payment.settlement_rejected': nothingMore,
  'bitcoin.received': z.object({
    network: z.string(),
    txId: z.string(),
    amountSats: z.int(),
    amountMinor: z.int(),
    currency: z.string(),
    purpose: z.string(),
    purposeId: z.string(),
  }),
  /** A destination was given, the first one or one that differs from those before. */
  'bitcoin_claim.requested': claimFacts,
  'bitcoin_claim.disputed': claimFacts,
  'terminal.sale.completed': terminalSale.extend({ invoiceNumber: z.string() }),
  /** Whatever the bank approved is returned. `endsSale` is false if the sale had ended without payment before. */
  'terminal.sale.reversed': terminalSale.extend({
    reason: z.string(),
    approvedMinor: z.int().optional(),
    endsSale: z.boolean(),
  }),
  'refund.requested': refundRequest,
  'refund.recorded': refundRequest,
  'refund.unknown': unknownOutcome,
  'refund.approved': refundOutcome,
  'refund.declined': refundOutcome,
  'refund.failed': refundOutcome,
  'discrepancy.found': discrepancyFacts.extend({
    recorded: z.record(z.string(), z.unknown()),
    gateway: z.record(z.string(), z.unknown()),
  }),
  'discrepancy.resolved': discrepancyFacts.extend({
    outcome: z.enum(['gateway_right', 'records_right']),
    evidence: z.string(),
  }),
} as const satisfies Record<string, z.ZodType>;

export type PaymentEventType = keyof typeof paymentEvents;

const webhookFacts = z.object({ url: z.string(), eventType: z.string(), failedInARow: z.int() });

const linkBitcoin = z.object({
  paymentLinkId: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
  network: z.string().nullable(),
  txIds: z.array(z.string()),
});

const checkoutPayment = z.object({
  record: checkoutFacts,
  network: z.string().nullable(),
  txIds: z.array(z.string()),
});

export const catalogue = {
  ...paymentEvents,
  /** The subject is a sale that software started on a terminal. */
  'terminal_sale.changed': z.object({ terminalId: z.string(), record: terminalSaleRecord }),
  /** The subject is a terminal's sale in bitcoin whose received amount changed. */
  'terminal_sale.bitcoin_changed': z.object({ terminalId: z.string(), saleId: z.string() }),
  /**
   * The subject is the terminal whose name or mode a manager changed, or whose token is no longer valid, or the business
   * whose settings or staff changed, for all its terminals. That has no type of its own, because released versions that run
   * beside this one stop at types they do not know.
   */
  'terminal.profile_changed': z.object({ name: z.string(), mode: terminalMode }),
  /** The subject is the staff member: too many wrong passwords were entered for them on this terminal. */
  'staff.locked': z.object({
    name: z.string(),
    staffNumber: z.string(),
    terminalId: z.string(),
    terminalName: z.string(),
    lockedUntil: z.int(),
  }),
  /** The subject is the command. */
  'terminal.command_given': z.object({ terminalId: z.string(), saleId: z.string(), kind: z.string() }),
  /** The subject of these is the payment link. */
  'payment_link.bitcoin_started': linkBitcoin,
  'payment_link.bitcoin_completed': linkBitcoin,
  /** The subject of these is the checkout. */
  'checkout.changed': z.object({ record: checkoutFacts }),
  'checkout.payment_started': checkoutPayment,
  'checkout.payment_completed': checkoutPayment,
  'checkout.cancelled': z.object({ record: checkoutFacts }),
  /** The subject is the endpoint. */
  'webhook.failing': webhookFacts,
  'webhook.disabled': webhookFacts,
} as const satisfies Record<string, z.ZodType>;

export type EventType = keyof typeof catalogue;
export type PayloadOf<Type extends EventType> = z.infer<(typeof catalogue)[Type]>;

/** Events that are written to the log as warnings. */
export const warnings: Readonly<Partial<Record<EventType, string>>> = {
  'payment.unknown': 'the outcome of an authorisation is unknown; the gateway is polled for it',
  'refund.unknown': 'the outcome of a refund is unknown; the gateway is polled for it',
  'payment.failed': 'an authorisation failed',
  'refund.failed': 'a refund failed',
  'discrepancy.found': 'a discrepancy was found; manual review is required',
};
