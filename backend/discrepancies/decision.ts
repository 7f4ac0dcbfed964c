import type { Actor } from '@florin/shared/actor.ts';
import type { DurableWrite } from '../idempotency/call.ts';

/** What a person decides about a record, and what shows it. */
export type DecisionRequest<Outcome, Kept> = {
  readonly businessId: string;
  readonly id: string;
  readonly outcome: Outcome;
  /** What they saw, and where: kept for ever in the audit log. */
  readonly evidence: string;
  readonly by: Actor;
  readonly write?: DurableWrite<Kept> | undefined;
};

/** The same about a payment or refund whose outcome the gateway did not report. */
export type OutcomeRequest<Kept> = DecisionRequest<'approved' | 'failed', Kept> & {
  readonly gatewayReference: string | null;
};
