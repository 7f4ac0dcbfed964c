import type { DiscrepancyKind } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import type { Instant } from '@florin/shared/ports.ts';

/** A contradiction between the gateway and our final state, or an overdue obligation: never corrected silently. */
export type DiscrepancyRow = {
  id: string;
  businessId: string;
  /** Null where it is of no payment. */
  paymentId: string | null;
  refundId: string | null;
  kind: DiscrepancyKind;
  /** Identifies the evidence, so that it is recorded once however often it arrives. */
  evidenceKey: string;
  /** Our records' state and the gateway's. */
  recordedJson: string;
  gatewayJson: string;
  /** Held on the payment until this is resolved: part of payments.contestedMinor. */
  contestedMinor: number;
  /** The part that counts as returned since the resolution: part of payments.creditedMinor. */
  returnedMinor: number;
  createdAt: Instant;
  resolvedAt: Instant | null;
  /** Which side was right, who decided it and on what evidence. */
  resolutionJson: string | null;
};
