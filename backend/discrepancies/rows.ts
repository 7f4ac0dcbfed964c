import type { DiscrepancyKind } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import type { Instant } from '@florin/shared/ports.ts';

/** A contradiction between the gateway and our final state, or an obligation nobody met: never corrected silently. */
export type DiscrepancyRow = {
  id: string;
  businessId: string;
  paymentId: string;
  refundId: string | null;
  kind: DiscrepancyKind;
  /** Names the piece of evidence, so that the same one is written once however often it arrives. */
  evidenceKey: string;
  /** What our records said, and what the gateway said. */
  recordedJson: string;
  gatewayJson: string;
  /** Held on the payment until this is resolved: part of payments.contestedMinor. */
  contestedMinor: number;
  /** What of that counts as given back since this was resolved: part of payments.creditedMinor. */
  returnedMinor: number;
  createdAt: Instant;
  resolvedAt: Instant | null;
  /** Which side was right, who decided so and on what evidence. */
  resolutionJson: string | null;
};
