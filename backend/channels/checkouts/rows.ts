import type { ActorKind } from '@florin/shared/actor.ts';
import type { CheckoutStatus } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { InvoiceNetwork } from '../../bitcoin/invoices/rows.ts';

export type CheckoutRow = {
  id: string;
  businessId: string;
  /** The bitcoin invoice the customer pays. */
  invoiceId: string;
  status: CheckoutStatus;
  /** Incremented with every change. */
  sequence: number;
  /** In satoshis if the currency is BTC. */
  amountMinor: number;
  currency: string;
  amountSats: number;
  rate: string | null;
  orderId: string;
  externalReference: string | null;
  successUrl: string | null;
  webhookUrl: string | null;
  cancelTokenHash: string;
  /** What was paid, as the API shows it. */
  paidJson: string;
  /** The network of the last payment. */
  network: InvoiceNetwork | null;
  /** The creator; `system` if no key was used. */
  actorKind: ActorKind;
  actorId: string | null;
  expiresAt: Instant;
  createdAt: Instant;
  endedAt: Instant | null;
};

/** A business's checkout settings: signing key and allowed embedding origins. */
export type CheckoutSettingsRow = {
  businessId: string;
  /** The checkout signing key, encrypted. */
  sealedSigningKey: string;
  /** Origins whose pages may embed the hosted page. */
  frameOriginsJson: string;
  updatedAt: Instant;
};
