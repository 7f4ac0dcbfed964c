import type { ActorColumns } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type RefundKind = 'CANCEL' | 'REFUND_SALE' | 'REFUND' | 'BITCOIN';

export type RefundStatus = 'pending' | 'approved' | 'declined' | 'failed' | 'recorded';

/** Who may request a refund; a terminal without staff only if the business requires no password, and for a reversal. */
export type RefundActorKind = 'staff' | 'portal_user' | 'api_key' | 'terminal';

export type RefundRow = ActorColumns<RefundActorKind> & {
  id: string;
  businessId: string;
  paymentId: string;
  paymentLinkId: string | null;
  /** That of its payment. */
  gatewayAccountId: string | null;
  kind: RefundKind;
  status: RefundStatus;
  /** Of a CANCEL: what the payment took. Of bitcoin: the share of the payment that amountSats are, possibly zero. */
  amountMinor: number;
  amountSats: number | null;
  currency: string;
  /** The staff member who requested it, if the actor is another one who approved it. */
  requestedByStaffId: string | null;
  /** The reversal of a terminal's sale, which needs no authorisation. */
  isReversal: Flag;
  reason: string | null;
  /** The caller's own id of the request, unique in the business: the same request never makes a second refund. */
  clientRequestId: string | null;
  /** Sent to the gateway as the operation's own reference: the refund's id; null for bitcoin. */
  uniqueReference: string | null;
  gatewayReference: string | null;
  gatewayCode: string | null;
  gatewayMessage: string | null;
  failureCause: 'gateway_unreachable' | 'never_arrived' | 'resolved_by_hand' | null;
  /** When the gateway is polled next. Until the first poll only the sender acts on the refund. */
  nextPollAt: Instant | null;
  pollCount: number;
  polledAt: Instant | null;
  /** How long it was polled for: see jobs/polling.ts. */
  polledForMs: number;
  /** The time from which a person's evidence is accepted, once a person has asked; see jobs/polling.ts. */
  evidenceFrom: Instant | null;
  sentAt: Instant | null;
  outcomeAt: Instant | null;
  /** How a manager's evidence decided it, when the gateway could not. */
  resolutionJson: string | null;
  createdAt: Instant;
};

/** Refund requests that were withdrawn before they arrived: one that was only delayed is refused. */
export type WithdrawnRefundRow = { businessId: string; clientRequestId: string; at: Instant };
