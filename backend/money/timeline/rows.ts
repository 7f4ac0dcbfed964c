import type { ActorColumns } from '@florin/shared/actor.ts';
import type { TimelineKind } from '@florin/shared/contracts/api-v1/payments.ts';
import type { Instant } from '@florin/shared/ports.ts';

export type TimelineEventRow = ActorColumns & {
  id: string;
  businessId: string;
  paymentId: string;
  refundId: string | null;
  kind: TimelineKind;
  detailJson: string;
  at: Instant;
};
