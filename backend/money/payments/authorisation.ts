import type { Actor } from '@florin/shared/actor.ts';
import { fitsWithin, type Money } from '@florin/shared/money.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { nextNumber } from '../../foundation/database/counters.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import { afterPoll, type PollingSettings } from '../../foundation/jobs/polling.ts';
import {
  type Approved,
  type AuthorisationOutcome,
  type CardSummary,
  type Declined,
  isVerificationFailure,
} from '../../gateways/gateway.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { announceReversal, type CompletionSettings } from './completion.ts';
import { invoiceNumberOf } from './invoice-number.ts';
import { amountOf, takenMinor } from './payment.ts';
import type { PaymentRow } from './rows.ts';
import type { SettlementSettings } from './settlement.ts';
import { approvePayment, endPayment, paymentById, postponePayment } from './store.ts';

/** What a new payment is about; everything else of its row follows. */
export type NewPayment = Pick<PaymentRow, 'businessId' | 'amountMinor' | 'currency'> &
  Partial<
    Pick<
      PaymentRow,
      | 'paymentLinkId'
      | 'terminalId'
      | 'saleId'
      | 'clientRequestId'
      | 'entryMode'
      | 'applicationId'
      | 'reference'
      | 'tipMinor'
      | 'cardScheme'
      | 'cardLastFour'
      | 'method'
    >
  >;

/** An approval from a reply, lookup or callback; the latter two may omit some details. */
export type FinalOutcome =
  | (Approved & { readonly authorisationCode?: string; readonly card?: CardSummary; readonly amount?: Money })
  | Declined
  | { readonly kind: 'failed'; readonly message: string };

/** How an outcome became known. */
export type KnownBy = 'reply' | 'lookup' | 'callback' | 'manager';

export type Authorisations = {
  /** The row of a payment about to be sent, with its invoice number, its reference and the sender's lease. */
  begin(tx: Transaction, payment: NewPayment & { gatewayAccountId: string | null }): Promise<PaymentRow>;
  /** Compare-and-set from pending. A final state never changes: evidence against it is recorded as a discrepancy. */
  recordOutcome(
    tx: Transaction,
    payment: PaymentRow,
    outcome: FinalOutcome,
    knownBy: KnownBy,
    /** Who decided it, where a person did. */
    by?: Actor,
  ): Promise<{ payment: PaymentRow; changed: boolean }>;
  /** The outcome is not known: from now on it is polled for. */
  leaveUnknown(tx: Transaction, payment: PaymentRow, cause: string): Promise<PaymentRow>;
};

/** Begins payments and records their outcomes in the caller's transaction; it sends nothing. */
export function authorisations(options: {
  clock: Clock;
  ids: Ids;
  events: Events;
  polling: PollingSettings;
  leases: Pick<LeasesOn<never>, 'fromNow'>;
  settlement: SettlementSettings;
  completion: CompletionSettings;
  discrepancies: Discrepancies;
}): Authorisations {
  const { clock, ids, events, polling, leases, settlement, discrepancies } = options;

  async function contradict(tx: Transaction, payment: PaymentRow, outcome: FinalOutcome, knownBy: KnownBy) {
    if (knownBy === 'manager') return;
    const wasApproved = payment.status !== 'declined' && payment.status !== 'failed';
    if (outcome.kind === 'failed') return;
    // A report that met the void finds the payment cancelled: either way the customer pays nothing.
    if (outcome.kind === 'declined' && payment.status === 'cancelled') return;
    const isApproved = outcome.kind === 'approved';
    // One request, approved under two references: the customer may have been charged twice.
    const isSecond = isApproved && wasApproved && outcome.gatewayReference !== payment.gatewayReference;
    if (isApproved === wasApproved && !isSecond) return;
    const late = isApproved ? 'payment_approved_late' : 'payment_declined_late';
    await discrepancies.raise(tx, {
      businessId: payment.businessId,
      paymentId: payment.id,
      kind: isSecond ? 'payment_approved_twice' : late,
      ...(isApproved ? { evidence: outcome.gatewayReference } : {}),
      recorded: {
        status: payment.status,
        amountMinor: takenMinor(payment),
        gatewayReference: payment.gatewayReference,
      },
      gateway: { ...outcome, knownBy },
    });
  }

  return {
    async begin(tx, input) {
      const now = clock.now();
      const number = await nextNumber(tx, input.businessId, 'invoice');
      const id = ids.next(idPrefixes.payment);
      return {
        ...untouchedPayment,
        paymentLinkId: null,
        terminalId: null,
        saleId: null,
        clientRequestId: null,
        entryMode: null,
        applicationId: null,
        reference: null,
        method: 'card',
        ...input,
        id,
        invoiceNumber: invoiceNumberOf(number),
        status: 'pending',
        uniqueReference: id,
        nextPollAt: leases.fromNow(),
        sentAt: now,
        createdAt: now,
      };
    },

    async recordOutcome(tx, pending, outcome, knownBy, by) {
      const { id, businessId } = pending;
      const taken = takenOf(pending, outcome.kind === 'approved' ? outcome.amount : undefined);
      const payment =
        outcome.kind === 'approved'
          ? await tx.first(approvePayment, {
              id,
              ...taken,
              reversalDueAt: taken.reversalReason === null ? null : leases.fromNow(),
              completeBy:
                pending.saleId === null || taken.reversalReason !== null
                  ? null
                  : clock.now() + options.completion.completeWithinMs,
              gatewayReference: outcome.gatewayReference,
              authorisationCode: outcome.authorisationCode ?? null,
              cardScheme: outcome.card?.scheme ?? pending.cardScheme,
              cardLastFour: outcome.card?.lastFour ?? pending.cardLastFour,
              takenAt: clock.now(),
              nextPollAt: pending.authorisedBy === 'reader' ? null : clock.now() + settlement.pollMs,
            })
          : await tx.first(endPayment, {
              id,
              status: outcome.kind,
              gatewayReference: (outcome.kind === 'declined' ? outcome.gatewayReference : undefined) ?? null,
              declineCode: outcome.kind === 'declined' ? outcome.code : null,
              declineMessage: outcome.message,
              threeDSecureFailure: (outcome.kind === 'declined' ? outcome.threeDSecure : undefined) ?? null,
            });
      if (!payment) {
        const final = await tx.first(paymentById, { businessId, id });
        if (!final) throw new Error(`payment ${id} is missing`);
        await contradict(tx, final, outcome, knownBy);
        return { payment: final, changed: false };
      }
      const { paymentLinkId, terminalId, saleId, currency, invoiceNumber, gatewayReference, reversalReason } = payment;
      events.announce(tx, {
        businessId,
        type: `payment.${outcome.kind}`,
        paymentId: id,
        subjectId: id,
        by,
        payload: {
          paymentLinkId,
          terminalId,
          saleId,
          amountMinor: takenMinor(payment),
          currency,
          invoiceNumber,
          knownBy,
          gatewayReference,
          message: outcome.message,
          // A reversed sale had ended before.
          endsSale: outcome.kind !== 'approved' && saleId !== null && reversalReason === null,
        },
      });
      if (reversalReason === 'partial_approval' && outcome.kind === 'approved')
        announceReversal(tx, events, payment, {
          reason: reversalReason,
          approvedMinor: outcome.amount?.amountMinor,
          endsSale: true,
        });
      return { payment, changed: true };
    },

    async leaveUnknown(tx, payment, cause) {
      const { id, businessId } = payment;
      await tx.run(postponePayment, { id, ...afterPoll(payment, clock.now(), polling) });
      events.announce(tx, { businessId, type: 'payment.unknown', paymentId: id, subjectId: id, payload: { cause } });
      if (isVerificationFailure(cause)) {
        const recorded = { status: payment.status, amountMinor: payment.amountMinor };
        const kind = 'reply_not_believed';
        await discrepancies.raise(tx, {
          businessId,
          paymentId: id,
          kind,
          evidence: cause,
          recorded,
          gateway: { cause },
        });
      }
      return (await tx.first(paymentById, { businessId, id })) ?? payment;
    },
  };
}

/** Whether an approval is for what was requested: for the whole amount, or for a part the bank was willing to give. */
export function fitsPayment(payment: PaymentRow, amount: Money): boolean {
  return amount.amountMinor > 0 && fitsWithin({ part: amount, whole: amountOf(payment) });
}

/** What a reply to an authorisation proves; `open` if it leaves the outcome undecided. */
export function finalOutcomeOf(payment: PaymentRow, outcome: AuthorisationOutcome): FinalOutcome | { open: string } {
  switch (outcome.kind) {
    case 'approved':
      return fitsPayment(payment, outcome.amount) ? outcome : { open: 'amount_differs' };
    case 'declined':
      return outcome;
    case 'notSent':
      return { kind: 'failed', message: `The gateway could not be reached: ${outcome.cause}` };
    case 'unknown':
      return { open: outcome.cause };
  }
}

/**
 * A bank may approve a part. A link keeps it and stays partly paid; at a till, where the goods would leave for less, the
 * sale is reversed and the part is returned.
 */
function takenOf(payment: PaymentRow, approved: Money | undefined) {
  const { amountMinor, reversalReason, terminalId } = payment;
  const approvedMinor = approved?.amountMinor ?? amountMinor;
  const isReversed = approvedMinor < amountMinor && terminalId !== null;
  return {
    approvedMinor,
    reversalReason: isReversed ? (reversalReason ?? ('partial_approval' as const)) : reversalReason,
  };
}

/** The columns of a payment that only later steps fill. */
export const untouchedPayment = {
  authorisedBy: 'host',
  tipMinor: 0,
  approvedMinor: null,
  amountSats: null,
  gatewayReference: null,
  authorisationCode: null,
  cardScheme: null,
  cardLastFour: null,
  declineCode: null,
  declineMessage: null,
  threeDSecureJson: null,
  customerStepKnown: 0,
  threeDSecureFailure: null,
  refundedMinor: 0,
  creditedMinor: 0,
  reservedMinor: 0,
  refundedSats: 0,
  contestedMinor: 0,
  pollCount: 0,
  polledAt: null,
  polledForMs: 0,
  evidenceFrom: null,
  takenAt: null,
  completedAt: null,
  completeBy: null,
  reversalReason: null,
  reversalDueAt: null,
  reversalAttempts: 0,
  settlingSince: null,
  settledAt: null,
  voidedOrRejectedAt: null,
  rejectedLateAt: null,
} as const;
