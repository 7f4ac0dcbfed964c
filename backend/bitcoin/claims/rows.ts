import type { ActorKind } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { InvoiceNetwork } from '../invoices/rows.ts';

/** A return that the merchant recorded for a claim. */
export type BitcoinReturnRow = {
  id: string;
  claimId: string;
  businessId: string;
  network: InvoiceNetwork;
  /** The transaction id; over Lightning the payment hash. */
  txId: string;
  amountSats: number;
  /** The given destination that was paid; null if none was given. */
  destination: string | null;
  note: string | null;
  actorKind: ActorKind;
  actorId: string | null;
  createdAt: Instant;
};
