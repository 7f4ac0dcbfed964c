import type { ActorKind } from '@florin/shared/actor.ts';
import type { CheckoutStatus } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { InvoiceNetwork } from '../bitcoin-invoices/rows.ts';

export type CheckoutRow = {
  id: string;
  businessId: string;
  /** What the customer is asked for. */
  invoiceId: string;
  status: CheckoutStatus;
  /** One more with every change. */
  sequence: number;
  /** Satoshis where the currency is BTC. */
  amountMinor: number;
  currency: string;
  amountSats: number;
  rate: string | null;
  orderId: string;
  externalReference: string | null;
  successUrl: string | null;
  webhookUrl: string | null;
  cancelTokenHash: string;
  /** What was paid, as the record shows it. */
  paidJson: string;
  /** Over which network the last payment came. */
  network: InvoiceNetwork | null;
  /** Who made it; an operator's `system` stands for nobody known. */
  actorKind: ActorKind;
  actorId: string | null;
  expiresAt: Instant;
  createdAt: Instant;
  endedAt: Instant | null;
};

/** How a business's checkouts sign what they say, and who may show them. */
export type CheckoutSettingsRow = {
  businessId: string;
  /** The checkout signing key, encrypted. */
  sealedSigningKey: string;
  /** Origins whose pages may embed the hosted page. */
  frameOriginsJson: string;
  updatedAt: Instant;
};
