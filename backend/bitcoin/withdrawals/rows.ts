import type { ActorColumns } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';

export type WithdrawalRow = Pick<ActorColumns, 'actorKind' | 'actorId'> & {
  id: string;
  businessId: string;
  /** The node that sends it. */
  backendId: string;
  network: 'lightning' | 'onchain';
  /** BOLT11 invoice or address. */
  destination: string;
  paymentHash: string | null;
  amountSats: number;
  /** Null for on-chain withdrawals. */
  maxFeeSats: number | null;
  satsPerVbyte: number | null;
  feeSats: number | null;
  status: 'pending' | 'completed' | 'failed' | 'unknown';
  failureReason: string | null;
  txId: string | null;
  preimage: string | null;
  clientRequestId: string | null;
  /** When the node is polled next; until then the sending process has it exclusively. Null once it is final. */
  nextPollAt: Instant | null;
  pollCount: number;
  polledAt: Instant | null;
  polledForMs: number;
  sentAt: Instant | null;
  /** The chain's height before it was sent; null if unknown. */
  chainHeight: number | null;
  createdAt: Instant;
  /** Since when the node no longer lists its transaction, which was replaced or dropped. */
  missingSince: Instant | null;
  finalAt: Instant | null;
};
