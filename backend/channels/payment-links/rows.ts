import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type PaymentLinkRow = {
  id: string;
  businessId: string;
  description: string;
  amountMinor: number;
  currency: string;
  allowPartPayment: Flag;
  minimumAmountMinor: number | null;
  /** The total of payments that took money. */
  amountPaidMinor: number;
  /** When the full amount was received. A later void does not reopen the link. */
  paidAt: Instant | null;
  externalReference: string | null;
  successUrl: string | null;
  expiresAt: Instant;
  createdAt: Instant;
  deletedAt: Instant | null;
};

/** A request for a link's amount in bitcoin. */
export type LinkInvoiceRow = {
  invoiceId: string;
  businessId: string;
  paymentLinkId: string;
  /**
   * `open`: the link's amount is reserved for it. `paid`: it paid the link. `ended`: later payments are to be returned.
   */
  status: 'open' | 'paid' | 'ended';
  /** Whether the start of a payment was announced. */
  isAnnounced: Flag;
  /** The amount that arrived and did not pay the link. */
  dueSats: number;
  createdAt: Instant;
};
