import type { ActorColumns } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';

export type WithdrawalRow = Pick<ActorColumns, 'actorKind' | 'actorId'> & {
  id: string;
  businessId: string;
  /** The node it is made from. */
  backendId: string;
  network: 'lightning' | 'onchain';
  /** BOLT11 invoice or address. */
  destination: string;
  paymentHash: string | null;
  amountSats: number;
  /** Null on chain. */
  maxFeeSats: number | null;
  satsPerVbyte: number | null;
  feeSats: number | null;
  status: 'pending' | 'completed' | 'failed' | 'unknown';
  failureReason: string | null;
  txId: string | null;
  preimage: string | null;
  clientRequestId: string | null;
  /** When the node is asked about it next; until then whoever sends it has it alone. Null once it is final. */
  nextPollAt: Instant | null;
  pollCount: number;
  polledAt: Instant | null;
  polledForMs: number;
  sentAt: Instant | null;
  /** How high the chain was before it was sent; null where that is not known. */
  chainHeight: number | null;
  createdAt: Instant;
  /** Since when the node does not list its transaction any more: it was replaced, or dropped. */
  missingSince: Instant | null;
  finalAt: Instant | null;
};
