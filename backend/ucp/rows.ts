import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';

/** A Lightning invoice that was made for a UCP checkout of a business. */
export type UcpInvoiceRow = {
  id: string;
  businessId: string;
  /** As the business names it. */
  checkoutId: string;
  /** Of the invoices of one checkout: each but the last has expired unpaid. */
  number: number;
  invoiceId: string;
  /** SAT, or ISO 4217. */
  currency: string;
  amountMinor: number;
  amountSats: number;
  /** With an API key of the business; strangers make the others. */
  isByKey: Flag;
  expiresAt: Instant;
  createdAt: Instant;
  /** When the node had been paid, exactly what was asked. */
  settledAt: Instant | null;
  /** When its preimage was first accepted as the payment of the checkout. */
  acceptedAt: Instant | null;
};
