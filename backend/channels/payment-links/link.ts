import type {
  CountedLinkPayment,
  PaymentLink,
  PaymentLinkStatus,
} from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { InvoiceProgress } from '../../bitcoin/invoices/progress.ts';
import {
  isBitcoin,
  linkPaymentOf,
  takenMinor,
  timestamp,
  timestampOf,
  tookMoney,
} from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { PaymentLinkRow } from './rows.ts';

/** The bitcoin requests of a link and their payments. */
export type BitcoinOnLink = {
  readonly dueSats: number;
  /** Counted invoices, each with its payments, oldest first. */
  readonly paidBy: readonly { readonly amountMinor: number; readonly paymentIds: readonly string[] }[];
  /** The open request, if any. */
  readonly request:
    | ({ readonly amountSats: number; readonly expiresAt: Instant } & Pick<
        InvoiceProgress,
        'confirmedSats' | 'seenSats'
      >)
    | null;
};

export const noBitcoin: BitcoinOnLink = { dueSats: 0, request: null, paidBy: [] };

/** Expired takes priority, even over paid. Specification: Payment link status. */
export function linkStatusOf(link: PaymentLinkRow, now: Instant): PaymentLinkStatus {
  if (now >= link.expiresAt) return 'EXPIRED';
  if (link.paidAt !== null) return 'PAID';
  return link.amountPaidMinor > 0 ? 'PARTIALLY_PAID' : 'ACTIVE';
}

/** The payments of a link with the part of each that counts towards it; the parts add up to the paid amount. */
export function countedPaymentsOf(payments: readonly PaymentRow[], { paidBy }: BitcoinOnLink): CountedLinkPayment[] {
  const inBitcoin = new Map(paidBy.flatMap(paid => countedInBitcoin(payments, paid)));
  return payments.map(payment => {
    const byCard = tookMoney(payment) ? takenMinor(payment) : 0;
    const countedInCents = isBitcoin(payment.method) ? (inBitcoin.get(payment.id) ?? 0) : byCard;
    return { ...linkPaymentOf(payment), countedInCents };
  });
}

/** The last payment counts for the remainder. */
function countedInBitcoin(
  payments: readonly PaymentRow[],
  { amountMinor, paymentIds }: BitcoinOnLink['paidBy'][number],
) {
  let leftMinor = amountMinor;
  return paymentIds.map((id, at): [string, number] => {
    const worthMinor = payments.find(payment => payment.id === id)?.amountMinor ?? 0;
    const counted = at === paymentIds.length - 1 ? leftMinor : Math.min(leftMinor, worthMinor);
    leftMinor -= counted;
    return [id, counted];
  });
}

/** A link as the API shows it. `balanceInCents` still contains pending payments, and is 0 once the link is paid. */
export function linkRecordOf(
  link: PaymentLinkRow,
  payments: readonly PaymentRow[],
  bitcoin: BitcoinOnLink,
  context: { readonly now: Instant; readonly publicUrl: string },
): PaymentLink {
  const { request, dueSats } = bitcoin;
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
    balanceInCents: link.paidAt === null ? Math.max(0, link.amountMinor - link.amountPaidMinor) : 0,
    bitcoinRequest: request && { ...request, expiresAt: timestamp(request.expiresAt) },
    dueSats,
    externalReference: link.externalReference,
    successUrl: link.successUrl,
    createdAt: timestamp(link.createdAt),
    deletedAt: timestampOf(link.deletedAt),
    payments: countedPaymentsOf(payments, bitcoin),
  };
}
