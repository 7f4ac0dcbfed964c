import type { Clock } from '@florin/shared/ports.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import type { PollingSettings } from '../../foundation/jobs/polling.ts';
import type { Declined, ThreeDSecureStep } from '../../gateways/gateway.ts';
import type { PaymentRow } from './rows.ts';
import { awaitCustomer, takeCustomerStep } from './store.ts';

/** The 3-D Secure page of the customer's bank and the fields posted to it. */
export type CustomerStep = Omit<ThreeDSecureStep, 'kind' | 'gatewayReference'>;

/**
 * The gateway takes no money until it receives what the customer's browser returned, so a check that is not continued
 * has certainly ended without money.
 */
export const notCompleted: Declined = {
  kind: 'declined',
  code: 'three_d_secure_not_completed',
  message: 'The bank’s check was not completed',
  threeDSecure: 'incomplete',
};

export type ThreeDSecureSteps = {
  /** Saves where the customer has to go: from here on it can be shown again, after a reload. */
  begin(tx: Transaction, payment: PaymentRow, step: ThreeDSecureStep): Promise<PaymentRow>;
  /** Claims the awaited step for one of the callers that continue or end it. */
  take(tx: Transaction, payment: PaymentRow): Promise<PaymentRow | undefined>;
};

/**
 * Stores the step that a payment waits for. `take` succeeds for one caller only, so each response is sent to the
 * gateway once.
 */
export function threeDSecureSteps(options: {
  readonly clock: Clock;
  readonly events: Events;
  readonly polling: PollingSettings;
  readonly leases: Pick<LeasesOn<never>, 'fromNow'>;
}): ThreeDSecureSteps {
  const { clock, events, polling, leases } = options;
  return {
    async begin(tx, payment, { threeDSecureReference, url, fields, step }) {
      const { id, businessId } = payment;
      const awaited: CustomerStep = { threeDSecureReference, url, fields, step };
      const threeDSecureJson = JSON.stringify(awaited);
      const nextPollAt = clock.now() + polling.customerMayTakeMs;
      const saved = await tx.first(awaitCustomer, { id, threeDSecureJson, nextPollAt });
      if (saved && step === 'challenge')
        events.announce(tx, {
          businessId,
          type: 'payment.confirmation_requested',
          paymentId: id,
          subjectId: id,
          payload: {},
        });
      return saved ?? payment;
    },

    async take(tx, { id, threeDSecureJson }) {
      if (threeDSecureJson === null) return undefined;
      return tx.first(takeCustomerStep, { id, threeDSecureJson, nextPollAt: leases.fromNow() });
    },
  };
}

/** The awaited 3-D Secure step; undefined if there is none. */
export function customerStepOf(payment: PaymentRow): CustomerStep | undefined {
  const { status, threeDSecureJson } = payment;
  return status !== 'pending' || threeDSecureJson === null ? undefined : (JSON.parse(threeDSecureJson) as CustomerStep);
}
