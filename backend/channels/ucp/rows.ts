import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

/** A Lightning invoice for a UCP checkout of a business. */
export type UcpInvoiceRow = {
  id: string;
  businessId: string;
  /** The business's own id of the checkout. */
  checkoutId: string;
  /** Its number among the checkout's invoices; all but the last have expired unpaid. */
  number: number;
  invoiceId: string;
  /** SAT, or ISO 4217. */
  currency: string;
  amountMinor: number;
  amountSats: number;
  /** Whether it was created with an API key of the business. */
  isByKey: Flag;
  expiresAt: Instant;
  createdAt: Instant;
  /** When exactly the requested amount was paid. */
  settledAt: Instant | null;
  /** When its preimage was first accepted as proof of payment. */
  acceptedAt: Instant | null;
};
