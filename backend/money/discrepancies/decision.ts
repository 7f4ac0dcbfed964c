import type { Actor } from '@florin/shared/actor.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';

/** A manual decision about a record, with its evidence. */
export type DecisionRequest<Outcome, Kept> = {
  readonly businessId: string;
  readonly id: string;
  readonly outcome: Outcome;
  /** The evidence, kept permanently in the audit log. */
  readonly evidence: string;
  readonly by: Actor;
  readonly write?: DurableWrite<Kept> | undefined;
};

/** A decision about a payment or refund whose outcome the gateway did not report. */
export type OutcomeRequest<Kept> = DecisionRequest<'approved' | 'failed', Kept> & {
  readonly gatewayReference: string | null;
};
