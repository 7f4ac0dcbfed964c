import { checkoutFacts } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { terminalMode } from '@florin/shared/contracts/terminal-mode.ts';
import { terminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import { z } from 'zod';

/**
 * The catalogue of events and their payloads. An event is written in the transaction that makes it true and kept for
 * ever: a payload may gain members, but never loses or changes one.
 */
const paymentFacts = z.object({
  amountMinor: z.int(),
  currency: z.string(),
  paymentLinkId: z.string().nullable(),
  terminalId: z.string().nullable(),
  saleId: z.string().nullable(),
});
const paymentOutcome = paymentFacts.extend({ invoiceNumber: z.string() });
const refundOutcome = z.object({
  paymentId: z.string(),
  paymentLinkId: z.string().nullable(),
  /** The id that the terminal generated, as for a sale; null if no terminal requested it. */
  saleId: z.string().nullable(),
  kind: z.enum(['CANCEL', 'REFUND_SALE', 'REFUND', 'BITCOIN']),
  amountMinor: z.int(),
  currency: z.string(),
});
const refundFacts = refundOutcome.extend({ amountSats: z.int().nullable() });

const discrepancyFacts = z.object({
  discrepancyId: z.string(),
  kind: z.string(),
  paymentId: z.string(),
  refundId: z.string().nullable(),
});

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

const claimFacts = z.object({
  purpose: z.string(),
  purposeId: z.string(),
  /** The amount still to be returned. */
  amountSats: z.int(),
});

/** The subject is the payment in `payment.…` and `terminal.sale.…`, the refund in `refund.…`. */
export const catalogue = {
  'payment.started': paymentFacts,
  'payment.approved': paymentOutcome,
  'payment.declined': paymentOutcome,
  'payment.failed': paymentOutcome,
  'payment.settled': z.object({}),
  'payment.settlement_rejected': z.object({}),
  'terminal.sale.completed': z.object({
    terminalId: z.string(),
    saleId: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    invoiceNumber: z.string(),
  }),
  /** A sale that a terminal began ended without payment. */
  'terminal.sale.failed': z.object({
    terminalId: z.string(),
    saleId: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    reason: z.enum(['declined', 'failed', 'reversed', 'cancelled']),
  }),
  /** The subject is a sale that software started on a terminal. */
  'terminal_sale.changed': z.object({ terminalId: z.string(), record: terminalSaleRecord }),
  /** The subject is a terminal's sale in bitcoin whose received amount changed. */
  'terminal_sale.bitcoin_changed': z.object({ terminalId: z.string(), saleId: z.string() }),
  /** The subject is the terminal: a manager changed its name or its mode. */
  'terminal.profile_changed': z.object({ name: z.string(), mode: terminalMode }),
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
  /** The subject of these is the claim: a destination was given, the first one or one that differs from those before. */
  'bitcoin_claim.requested': claimFacts,
  'bitcoin_claim.disputed': claimFacts,
  /** The subject of these is the refund. */
  'refund.requested': refundFacts,
  'refund.recorded': refundFacts,
  'refund.approved': refundOutcome,
  'refund.declined': refundOutcome,
  'refund.failed': refundOutcome,
  /** The subject is the refund, or the payment where it is not about a refund. */
  'discrepancy.found': discrepancyFacts.extend({
    recorded: z.record(z.string(), z.unknown()),
    gateway: z.record(z.string(), z.unknown()),
  }),
  /** The subject is the endpoint. */
  'webhook.failing': webhookFacts,
  'webhook.disabled': webhookFacts,
  'discrepancy.resolved': discrepancyFacts.extend({ outcome: z.enum(['gateway_right', 'records_right']) }),
} as const satisfies Record<string, z.ZodType>;

export type EventType = keyof typeof catalogue;
export type PayloadOf<Type extends EventType> = z.infer<(typeof catalogue)[Type]>;
