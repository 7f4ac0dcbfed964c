import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';

export type PaymentLinkRow = {
  id: string;
  businessId: string;
  description: string;
  amountMinor: number;
  currency: string;
  allowPartPayment: Flag;
  minimumAmountMinor: number | null;
  /** By payments that took money. */
  amountPaidMinor: number;
  /** When the full amount was received. A void later does not open the link again. */
  paidAt: Instant | null;
  externalReference: string | null;
  successUrl: string | null;
  expiresAt: Instant;
  createdAt: Instant;
  deletedAt: Instant | null;
};

/** A request for the amount of a link in bitcoin. */
export type LinkInvoiceRow = {
  invoiceId: string;
  businessId: string;
  paymentLinkId: string;
  /** `open`: the amount of the link is reserved for it. `paid`: it paid the link. `ended`: whatever arrives now is owed. */
  status: 'open' | 'paid' | 'ended';
  /** That somebody began to pay it. */
  isAnnounced: Flag;
  /** What arrived and does not pay the link. */
  owedSats: number;
  createdAt: Instant;
};
