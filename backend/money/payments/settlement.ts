import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { workOnEach } from '../../foundation/jobs/each.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import type { GatewayPaymentState, Gateways, PaymentStateOutcome } from '../../gateways/gateway.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { claimPaymentsToRecheck, claimUnsettledPayments } from './due-store.ts';
import { gatewayOutages } from './gateway-outages.ts';
import { takenMinor, timestampOf } from './payment.ts';
import type { PaymentRow } from './rows.ts';
import {
  endSettlementRecheck,
  markRejectedLate,
  markSettling,
  paymentById,
  rejectSettlement,
  settlePayment,
  voidPaymentElsewhere,
} from './store.ts';

export type SettlementSettings = {
  /** How often the gateway is polled for settlement; settlement itself runs about once a day. */
  readonly pollMs: number;
  readonly batch: number;
};

export const defaultSettlement: SettlementSettings = { pollMs: 5 * 60_000, batch: 25 };

export type Refreshed = { readonly payment: PaymentRow; readonly gatewayState: GatewayPaymentState | 'unknown' };

/** Called when a payment was voided or its settlement rejected, to reduce a payment link's balance for example. */
export type OnPaymentLost = (tx: Transaction, payment: PaymentRow) => Promise<void>;

export type PaymentSettlement = {
  /** It has settled; undefined where it had left `unsettled` before, or a void of it is under way. */
  settle(tx: Transaction, payment: PaymentRow): Promise<PaymentRow | undefined>;
  /** Applies the gateway's state of an unsettled payment. Moves no money; without an answer nothing changes. */
  refresh(payment: PaymentRow): Promise<Refreshed>;
  /** Polls the unsettled and the settled payments that are due; returns the larger of the two numbers. */
  poll(): Promise<number>;
};

/**
 * Reads the settlement of payments from their gateways, at intervals and on request, because gateways do not notify it.
 */
export function paymentSettlement(options: {
  database: Database;
  gateways: Gateways;
  clock: Clock;
  events: Events;
  discrepancies: Discrepancies;
  settings: SettlementSettings;
  leases: Pick<LeasesOn<never>, 'fromNow'>;
  onPaymentLost: OnPaymentLost;
  log: Log;
}): PaymentSettlement {
  const { database, gateways, clock, events, discrepancies, settings, log } = options;
  const idsOf = ({ businessId, id: paymentId }: PaymentRow) => ({ businessId, paymentId });
  // Payments are polled once per interval: within two of them an account's gateway has been asked again.
  const outages = gatewayOutages({ clock, log, quietMs: 2 * settings.pollMs });

  async function ask(payment: PaymentRow, isPoll: boolean): Promise<PaymentStateOutcome> {
    if (payment.gatewayReference === null) return { kind: 'unanswered', cause: 'the payment has no gateway reference' };
    try {
      const gateway = await gateways.ofAccount(payment.gatewayAccountId);
      const state = await gateway.paymentState({ gatewayReference: payment.gatewayReference });
      const isOutage = isPoll && outages.noted(payment, state);
      if (state.kind === 'unanswered' && !isOutage)
        log.warn(
          { ...idsOf(payment), cause: state.cause },
          'the gateway did not report the settlement state of a payment',
        );
      return state;
    } catch (error) {
      log.error({ ...idsOf(payment), err: error }, 'the gateway could not be polled');
      return { kind: 'unanswered', cause: String(error) };
    }
  }

  function announce(
    tx: Transaction,
    { businessId, id }: PaymentRow,
    type: `payment.${'settled' | 'settling' | 'unsettled' | 'voided_elsewhere' | 'settlement_rejected'}`,
  ): void {
    events.announce(tx, { businessId, type, paymentId: id, subjectId: id, payload: {} });
  }

  async function settle(tx: Transaction, payment: PaymentRow): Promise<PaymentRow | undefined> {
    const now = clock.now();
    const settled = await tx.first(settlePayment, {
      id: payment.id,
      settledAt: now,
      reversalDueAt: options.leases.fromNow(),
    });
    if (!settled) return undefined;
    announce(tx, payment, 'payment.settled');
    return settled;
  }

  async function takeOver(payment: PaymentRow, state: GatewayPaymentState): Promise<PaymentRow> {
    const { id, businessId } = payment;
    const contradiction = { businessId, paymentId: id, recorded: { status: 'unsettled' }, gateway: { state } };
    return database.write(async tx => {
      const now = clock.now();
      if (state === 'settled') {
        const settled = await settle(tx, payment);
        if (settled) return settled;
      } else if (state === 'cancelled') {
        const cancelled = await tx.first(voidPaymentElsewhere, { id, voidedOrRejectedAt: now });
        if (cancelled) {
          await options.onPaymentLost(tx, cancelled);
          announce(tx, payment, 'payment.voided_elsewhere');
          await discrepancies.raise(tx, { ...contradiction, kind: 'payment_voided_elsewhere' });
          return cancelled;
        }
      } else if (state === 'settling' || state === 'unsettled') {
        const marked = await tx.first(markSettling, { id, settlingSince: state === 'settling' ? clock.now() : null });
        if (marked) {
          announce(tx, payment, `payment.${state}`);
          return marked;
        }
      } else {
        const rejected = await tx.first(rejectSettlement, { id, voidedOrRejectedAt: now });
        if (rejected) {
          await options.onPaymentLost(tx, rejected);
          announce(tx, payment, 'payment.settlement_rejected');
          await discrepancies.raise(tx, { ...contradiction, kind: 'settlement_rejected' });
          return rejected;
        }
      }
      return (await tx.first(paymentById, { businessId, id })) ?? payment;
    });
  }

  async function refreshed(payment: PaymentRow, isPoll: boolean): Promise<Refreshed> {
    const answer = await ask(payment, isPoll);
    if (answer.kind === 'notFound') {
      const { businessId, id: paymentId, status, gatewayReference } = payment;
      const recorded = { status, amountMinor: takenMinor(payment), gatewayReference };
      const unconfirmed = { businessId, paymentId, kind: 'payment_unconfirmed', recorded, gateway: answer } as const;
      await database.write(tx => discrepancies.raise(tx, unconfirmed));
    }
    if (answer.kind !== 'found') return { payment, gatewayState: 'unknown' };
    const { state } = answer;
    const isChanged =
      state === 'settled' ||
      state === 'cancelled' ||
      state === 'rejected' ||
      state === 'declined' ||
      (state !== 'other' && (state === 'settling') !== (payment.settlingSince !== null));
    return { payment: isChanged ? await takeOver(payment, state) : payment, gatewayState: state };
  }

  /** A settled payment keeps its recorded state: if the gateway contradicts it, a person decides. */
  async function recheck(payment: PaymentRow): Promise<void> {
    const { payment: seen, gatewayState } = await refreshed(payment, true);
    if (gatewayState === 'unknown') return;
    const { id, businessId, status, refundedMinor } = payment;
    log.info({ businessId, paymentId: id, gatewayState }, 'polled the gateway for a settled payment');
    if (seen.status !== 'settled') return;
    const recorded = {
      status,
      amountMinor: takenMinor(payment),
      refundedMinor,
      settledAt: timestampOf(payment.settledAt),
    };
    const contradiction = { businessId, paymentId: id, recorded, gateway: { state: gatewayState } };
    await database.write(async tx => {
      await tx.run(endSettlementRecheck, { id });
      if (gatewayState === 'cancelled')
        await discrepancies.raise(tx, { ...contradiction, kind: 'payment_voided_elsewhere' });
      if (gatewayState !== 'rejected' && gatewayState !== 'declined') return;
      const isRaised = await discrepancies.raise(tx, { ...contradiction, kind: 'settlement_rejected_late' });
      if (isRaised) await tx.run(markRejectedLate, { id, rejectedLateAt: clock.now() });
    });
  }

  return {
    settle,
    refresh: payment => refreshed(payment, false),
    async poll() {
      const now = clock.now();
      const claim = { now, nextPollAt: now + settings.pollMs, limit: settings.batch };
      const [unsettled, toRecheck] = await database.write(async tx => [
        await tx.all(claimUnsettledPayments, claim),
        await tx.all(claimPaymentsToRecheck, claim),
      ]);
      const tasks = [
        ...unsettled.map(payment => ({ payment, run: (due: PaymentRow) => refreshed(due, true) })),
        ...toRecheck.map(payment => ({ payment, run: recheck })),
      ];
      await workOnEach(tasks, { log, idsOf: ({ payment }) => idsOf(payment) }, ({ payment, run }) => run(payment));
      return Math.max(unsettled.length, toRecheck.length);
    },
  };
}
