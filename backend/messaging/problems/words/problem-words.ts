import type { DiscrepancyKind } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import type { Readiness } from '@florin/shared/contracts/terminal-sales.ts';
import type { TroubledWebhook } from '../store.ts';

/** An endpoint with how its latest attempt ended, where that is known. */
export type FailingEndpoint = Pick<TroubledWebhook, 'url' | 'failedInARow' | 'failureOutcome' | 'failureStatus'>;

/** What people read about a problem. */
export type Told = { readonly title: string; readonly message: string };

/** What is said about each kind of problem, in one language; amounts are formatted already. */
export type ProblemWords = {
  readonly payment_outcome_unknown: (amount: string, isForPerson: boolean) => Told;
  readonly refund_outcome_unknown: (amount: string, isForPerson: boolean) => Told;
  readonly withdrawal_outcome_unknown: (amount: string, isForPerson: boolean) => Told;
  /** `name`: the number of its payment, or of the reader whose totals differ. */
  readonly discrepancy_open: (name: string, kind: DiscrepancyKind) => Told;
  readonly webhook_disabled: (url: string) => Told;
  readonly webhook_failing: (endpoint: FailingEndpoint, disableAfter: number) => Told;
  readonly terminal_silent: (name: string) => Told;
  readonly terminal_not_ready: (name: string, whyNot: Readiness['whyNot'], attention: string | null) => Told;
  readonly staff_locked: (name: string, staffNumber: string) => Told;
  readonly api_key_expiring: (name: string, isUsed: boolean) => Told;
  readonly email_not_sent: (recipient: string, count: number, isGivenUp: boolean) => Told;
};
