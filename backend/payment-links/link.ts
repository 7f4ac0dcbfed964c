import type { LinkPayment, PaymentLink, PaymentLinkStatus } from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Standing } from '../bitcoin-invoices/standing.ts';
import { isBitcoin, paymentStatusOf, takenMinor, timestamp, timestampOf } from '../payments/payment.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { PaymentLinkRow } from './rows.ts';

/** What of the bitcoin of a link is not counted as paid. */
export type UncountedBitcoin = {
  readonly owedSats: number;
  /** The open request; null where there is none. */
  readonly request:
    | ({ readonly amountSats: number; readonly expiresAt: Instant } & Pick<Standing, 'confirmedSats' | 'seenSats'>)
    | null;
};

export const noBitcoin: UncountedBitcoin = { owedSats: 0, request: null };

/** Expired takes priority, even over paid. Specification: Payment link status. */
export function linkStatusOf(link: PaymentLinkRow, now: Instant): PaymentLinkStatus {
  if (now >= link.expiresAt) return 'EXPIRED';
  if (link.amountPaidMinor >= link.amountMinor) return 'PAID';
  return link.amountPaidMinor > 0 ? 'PARTIALLY_PAID' : 'ACTIVE';
}

export function linkPaymentOf(payment: PaymentRow): LinkPayment {
  return {
    id: payment.id,
    invoiceNumber: payment.invoiceNumber,
    method: payment.method,
    amountInCents: takenMinor(payment),
    currency: payment.currency,
    amountSats: payment.amountSats,
    status: paymentStatusOf(payment),
    cardScheme: payment.cardScheme,
    cardLastFour: payment.cardLastFour,
    gatewayReference: payment.gatewayReference,
    declineMessage: payment.declineMessage,
    takenAt: timestampOf(payment.takenAt),
    settledAt: timestampOf(payment.settledAt),
    badges: badgesOf(payment),
  };
}

/** Specification: Bitcoin refund. */
function badgesOf(payment: PaymentRow): string[] {
  return isBitcoin(payment.method) && payment.refundedSats > 0 ? ['manual refund, funds returned out of band'] : [];
}

export function linkRecordOf(
  link: PaymentLinkRow,
  payments: readonly PaymentRow[],
  { request, owedSats }: UncountedBitcoin,
  context: { readonly now: Instant; readonly publicUrl: string },
): PaymentLink {
  return {
    id: link.id,
    url: `${context.publicUrl}/pay/${link.id}`,
    description: link.description,
    amountInCents: link.amountMinor,
    currency: link.currency,
    allowPartPayment: link.allowPartPayment === 1,
    minimumAmountInCents: link.minimumAmountMinor,
    expiresAt: timestamp(link.expiresAt),
    status: linkStatusOf(link, context.now),
    amountPaidInCents: link.amountPaidMinor,
    balanceInCents: Math.max(0, link.amountMinor - link.amountPaidMinor),
    bitcoinRequest: request && { ...request, expiresAt: timestamp(request.expiresAt) },
    owedSats,
    externalReference: link.externalReference,
    successUrl: link.successUrl,
    createdAt: timestamp(link.createdAt),
    deletedAt: timestampOf(link.deletedAt),
    payments: payments.map(linkPaymentOf),
  };
}
