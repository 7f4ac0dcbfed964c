import type { Actor } from '@florin/shared/actor.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { PollingSettings } from '../../foundation/jobs/polling.ts';
import type { Approved, Declined } from '../../gateways/gateway.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { creditPayment, releaseMinor, voidPayment } from '../payments/amounts-store.ts';
import { endReversal } from '../payments/due-store.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { OnPaymentLost } from '../payments/settlement.ts';
import { paymentById, recheckSettlement } from '../payments/store.ts';
import { isCapped, terminalRequestIdOf } from './refund.ts';
import type { RefundRow } from './rows.ts';
import { endRefund, planConfirmation, refundById } from './store.ts';

/** A final outcome. `failed` is our own conclusion: the gateway was never reached, or a manager decided it. */
export type FinalOutcome =
  | Approved
  | Declined
  | {
      readonly kind: 'failed';
      readonly cause: 'gateway_unreachable' | 'never_arrived' | 'resolved_by_hand';
      readonly message: string;
    };

/** How the outcome became known. */
export type KnownBy = 'reply' | 'lookup' | 'callback' | 'manager' | 'reader';

export type RecordedOutcome = {
  readonly refund: RefundRow;
  readonly payment: PaymentRow;
  /** Whether this call made it final; false when it was final before. */
  readonly changed: boolean;
};

export type RefundOutcomes = {
  /**
   * The second of a refund's two transactions: compare-and-set from pending, and with it the payment's sums and the one
   * event. A final state never changes: evidence against it is recorded as a discrepancy.
   */
  recordOutcome(
    tx: Transaction,
    refund: RefundRow,
    outcome: FinalOutcome,
    by: { readonly knownBy: KnownBy; readonly by?: Actor; readonly resolution?: { readonly evidence: string } },
  ): Promise<RecordedOutcome>;
};

const reversalKinds = ['reversal_declined', 'reversal_overdue'] as const;

/**
 * Records outcomes in the caller's transaction, and raises a discrepancy where a later report contradicts a final one.
 */
export function refundOutcomes(options: {
  clock: Clock;
  events: Events;
  discrepancies: Discrepancies;
  polling: PollingSettings;
  onPaymentLost: OnPaymentLost;
}): RefundOutcomes {
  const { clock, events, discrepancies } = options;

  async function contradict(
    tx: Transaction,
    refund: RefundRow,
    outcome: FinalOutcome,
    knownBy: KnownBy,
  ): Promise<void> {
    const isEvidence = outcome.kind === 'approved' || outcome.kind === 'declined';
    if (!isEvidence || knownBy === 'manager') return;
    const { businessId, paymentId } = refund;
    const isApproved = outcome.kind === 'approved';
    const wasApproved = refund.status === 'approved';
    // One request, approved under two references: the money may have been returned twice.
    const isSecond = isApproved && wasApproved && outcome.gatewayReference !== refund.gatewayReference;
    // A decline of a refund recorded as failed agrees with it: no money was returned.
    if (isApproved === wasApproved && !isSecond) return;
    const late = isApproved ? 'refund_approved_late' : 'refund_declined_late';
    await discrepancies.raise(tx, {
      businessId,
      paymentId,
      refundId: refund.id,
      kind: isSecond ? 'refund_approved_twice' : late,
      ...(isApproved ? { evidence: outcome.gatewayReference } : {}),
      recorded: {
        status: refund.status,
        amountMinor: refund.amountMinor,
        gatewayReference: refund.gatewayReference,
        failureCause: refund.failureCause,
      },
      gateway: { ...outcome, knownBy },
      contestedMinor: isApproved ? refund.amountMinor : 0,
    });
  }

  async function updatePayment(tx: Transaction, refund: RefundRow): Promise<PaymentRow> {
    const { paymentId: id, businessId, kind, amountMinor: heldMinor, status } = refund;
    const moved = await (async () => {
      if (!isCapped(kind))
        return status === 'approved'
          ? tx.first(creditPayment, { id, amountMinor: refund.amountMinor })
          : tx.first(paymentById, { businessId, id });
      if (status !== 'approved') return tx.first(releaseMinor, { id, heldMinor, refundedMinor: 0 });
      if (kind === 'CANCEL') {
        const voided = await tx.first(voidPayment, { id, heldMinor, voidedOrRejectedAt: clock.now() });
        if (voided) await options.onPaymentLost(tx, voided);
        return voided;
      }
      return tx.first(releaseMinor, { id, heldMinor, refundedMinor: heldMinor });
    })();
    if (!moved) throw new Error(`payment ${id} of refund ${refund.id} is missing`);
    return moved;
  }

  /**
   * A reversal whose refund the gateway refuses needs manual handling and is not retried. One that was
   * carried out closes its discrepancies.
   */
  async function followReversal(tx: Transaction, refund: RefundRow, payment: PaymentRow): Promise<PaymentRow> {
    if (payment.reversalReason === null) return payment;
    const { businessId, paymentId, id: refundId, amountMinor, status } = refund;
    if (status === 'approved' && payment.reversalDueAt === null) {
      await discrepancies.closeOpen(tx, paymentId, reversalKinds, 'records_right', `The gateway approved ${refundId}`);
      return payment;
    }
    if (refund.isReversal === 0 || refund.kind !== 'REFUND_SALE' || status !== 'declined') return payment;
    await discrepancies.raise(tx, {
      businessId,
      paymentId,
      kind: 'reversal_declined',
      recorded: { reason: payment.reversalReason, refundId, dueMinor: amountMinor },
      gateway: { status, code: refund.gatewayCode, message: refund.gatewayMessage },
    });
    return (await tx.first(endReversal, { id: payment.id })) ?? payment;
  }

  return {
    async recordOutcome(tx, pending, outcome, { knownBy, by, resolution }) {
      const { businessId, paymentId, id } = pending;
      const columns = {
        ...outcomeColumns(outcome),
        // A reply is the gateway's first statement; a callback or a lookup confirms it.
        nextPollAt:
          outcome.kind === 'approved' && knownBy === 'reply' ? clock.now() + options.polling.confirmAfterMs : null,
        outcomeAt: clock.now(),
        resolutionJson: resolution ? JSON.stringify(resolution) : null,
      };
      if ((await tx.run(endRefund, { id, ...columns })) === 0) {
        const final = await tx.first(refundById, { businessId, id });
        if (!final) throw new Error(`refund ${id} is missing`);
        await contradict(tx, final, outcome, knownBy);
        if (final.nextPollAt !== null && outcome.kind !== 'failed')
          await tx.run(planConfirmation, { id, nextPollAt: null });
        const payment = await tx.first(paymentById, { businessId, id: paymentId });
        if (!payment) throw new Error(`payment ${paymentId} of refund ${id} is missing`);
        return { refund: final, payment, changed: false };
      }
      const refund = { ...pending, ...columns };
      const payment = await followReversal(tx, refund, await updatePayment(tx, refund));
      const { kind, status, amountMinor, currency, gatewayReference, failureCause, paymentLinkId } = refund;
      // The bank may have rejected the payment since it settled, of which the gateway sends no notice.
      if (kind === 'REFUND_SALE' && status === 'declined')
        await tx.run(recheckSettlement, { id: paymentId, nextPollAt: clock.now() });
      events.announce(tx, {
        businessId,
        type: `refund.${status}`,
        paymentId,
        subjectId: id,
        by,
        payload: {
          paymentId,
          paymentLinkId,
          saleId: terminalRequestIdOf(refund),
          kind,
          amountMinor,
          currency,
          knownBy,
          gatewayReference,
          message: refund.gatewayMessage,
          failureCause,
          evidence: resolution?.evidence ?? null,
        },
      });
      return { refund, payment, changed: true };
    },
  };
}

function outcomeColumns(outcome: FinalOutcome) {
  switch (outcome.kind) {
    case 'approved':
      return {
        status: 'approved' as const,
        gatewayReference: outcome.gatewayReference,
        gatewayCode: null,
        gatewayMessage: outcome.message,
        failureCause: null,
      };
    case 'declined':
      return {
        status: 'declined' as const,
        gatewayReference: outcome.gatewayReference ?? null,
        gatewayCode: outcome.code,
        gatewayMessage: outcome.message,
        failureCause: null,
      };
    case 'failed':
      return {
        status: 'failed' as const,
        gatewayReference: null,
        gatewayCode: null,
        gatewayMessage: outcome.message,
        failureCause: outcome.cause,
      };
  }
}
