import type { ActorKind } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { InvoiceNetwork } from '../bitcoin-invoices/rows.ts';

/** Something that a merchant says they returned of a claim. */
export type BitcoinReturnRow = {
  id: string;
  claimId: string;
  businessId: string;
  network: InvoiceNetwork;
  /** The transaction; over Lightning the payment hash. */
  txId: string;
  amountSats: number;
  /** Which of the destinations that were given was paid; null where none was given. */
  destination: string | null;
  note: string | null;
  actorKind: ActorKind;
  actorId: string | null;
  createdAt: Instant;
};
