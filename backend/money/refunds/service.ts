import type { ReaderRefundOutcome } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Clock, Ids, Instant, Log } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { type Database, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { inTraceOf } from '../../foundation/events/begun.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import { afterPoll, evidenceAcceptedAt, type PollingSettings } from '../../foundation/jobs/polling.ts';
import {
  type Gateways,
  isVerificationFailure,
  type OperationOutcome,
  type UnknownCause,
} from '../../gateways/gateway.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import type { StaffChecks } from '../../people/staff/authorisation.ts';
import type { OutcomeRequest } from '../discrepancies/decision.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { openDiscrepancies } from '../discrepancies/store.ts';
import { lockedMachine } from '../payments/machine-lock.ts';
import { requiredReference, timestamp } from '../payments/payment.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { sendOnce } from '../payments/send-once.ts';
import type { OnPaymentLost, PaymentSettlement } from '../payments/settlement.ts';
import { paymentById, paymentsByIds } from '../payments/store.ts';
import { type FinalOutcome, refundOutcomes } from './outcome.ts';
import { type AnyRefundRefusal, type BitcoinRefundRefusal, type RefundView, sentAmountOf } from './refund.ts';
import { type BitcoinRefundRequest, type CardRefundRequest, reservations } from './reservation.ts';
import type { RefundRow } from './rows.ts';
import { staffOf, staffOfAll } from './staff-names.ts';
import {
  insertWithdrawnRefund,
  postponeRefund,
  refundById,
  refundByRequest,
  refundByUniqueReference,
  refundsOfBusiness,
  refundsOfPayment,
  setRefundEvidenceFrom,
} from './store.ts';

export type RefundOutcome<Refusal = AnyRefundRefusal> =
  | { readonly kind: 'done'; readonly view: RefundView }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export type ReaderReportRefusal = { readonly kind: 'refund_not_found' } | { readonly kind: 'refund_not_at_reader' };

export type ResolutionRefusal =
  | { readonly kind: 'refund_not_found' }
  | { readonly kind: 'refund_not_pending' }
  /**
   * The gateway may still report the outcome: until then its records do not prove that the refund will not go through.
   */
  | { readonly kind: 'still_asking'; readonly retryAfter: string };

export type RefundList = {
  readonly businessId: string;
  readonly paymentId: string | null;
  readonly status: string | null;
  readonly before: string;
  readonly limit: number;
};

/** Refunds: reserve, send once, record the outcome. Specification: Refunds; decisions: Refund record. */
export type RefundService = {
  /** Voids or refunds a card payment: returns the final outcome, or `pending` where the gateway's is not known yet. */
  requestCard(request: CardRefundRequest): Promise<RefundOutcome>;
  /** Records a bitcoin refund, which the merchant returns out of band. */
  recordBitcoin(request: BitcoinRefundRequest): Promise<RefundOutcome<BitcoinRefundRefusal>>;
  /** The same of a payment that is locked and has as much left. */
  recordBitcoinIn(tx: Transaction, request: BitcoinRefundRequest): Promise<void>;
  /**
   * Records the outcome of the operation with this reference from a signed callback or a lookup; false if it is not a
   * refund.
   */
  recordGatewayOutcome(report: {
    uniqueReference: string;
    outcome: Extract<FinalOutcome, { kind: 'approved' | 'declined' }>;
    knownBy: 'lookup' | 'callback';
  }): Promise<boolean>;
  /**
   * Fails a refund that never reached the gateway and releases its amount. False while a discrepancy about it is open:
   * until a person has decided it stays held.
   */
  failNotReceived(refund: RefundRow): Promise<boolean>;
  /** A manager decides a pending refund on evidence the gateway did not give us. */
  resolve(request: OutcomeRequest<RefundView>): Promise<Result<RefundView, ResolutionRefusal>>;
  /** The outcome of a refund that the terminal's reader made; idempotent. */
  recordByReader(report: {
    readonly businessId: string;
    readonly terminalId: string;
    readonly clientRequestId: string;
    readonly outcome: ReaderRefundOutcome;
  }): Promise<Result<RefundView, ReaderReportRefusal>>;
  byId(businessId: string, id: string): Promise<RefundView | undefined>;
  byRequest(businessId: string, clientRequestId: string): Promise<RefundView | undefined>;
  /** A terminal withdraws a request: undefined where it never arrived, and then it is refused when it does. */
  withdraw(request: {
    readonly businessId: string;
    readonly terminalId: string;
    readonly clientRequestId: string;
  }): Promise<RefundView | undefined>;
  list(options: RefundList): Promise<RefundView[]>;
};

export type RefundServiceOptions = {
  readonly database: Database;
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly discrepancies: Discrepancies;
  readonly log: Log;
  readonly staffChecks: StaffChecks;
  readonly onPaymentLost: OnPaymentLost;
  readonly paymentSettlement: PaymentSettlement;
  readonly polling: PollingSettings;
  readonly leases: LeasesOn<Pick<RefundRow, 'id'>>;
  /** Records a bitcoin refund, and closes the customer's claims to the same money. */
  readonly closingClaims: ClosingClaims;
};

export type ClosingClaims = <Recorded>(
  tx: Transaction,
  refund: Pick<BitcoinRefundRequest, 'businessId' | 'paymentId' | 'by'>,
  record: () => Promise<Recorded>,
) => Promise<Recorded>;

/**
 * The operations on refunds. Each refund is saved before it is sent and sent at most once; while its outcome is unknown
 * it is looked up, never sent again.
 */
export function refundService(options: RefundServiceOptions): RefundService {
  const { database, gateways, clock, events, paymentSettlement, polling, leases, audit, log, discrepancies } = options;
  const requests = reservations(options);
  const outcomes = refundOutcomes(options);

  /**
   * Reads the payment's settlement first, because payments settle at the gateway without notice. False if the gateway
   * did not respond.
   */
  async function learnOfSettlement(request: CardRefundRequest): Promise<boolean> {
    if (request.kind === 'REFUND') return true;
    const { businessId, paymentId: id } = request;
    const payment = request.lastSeen ?? (await database.first(paymentById, { businessId, id }));
    if (payment?.status !== 'unsettled' || payment.authorisedBy === 'reader' || payment.reservedMinor > 0) return true;
    return (await paymentSettlement.refresh(payment)).gatewayState !== 'unknown';
  }

  /** Sends the one request a refund ever sends. */
  async function send(refund: RefundRow, payment: PaymentRow): Promise<OperationOutcome> {
    const gateway = await gateways.ofAccount(refund.gatewayAccountId);
    const { uniqueReference } = refund;
    const { gatewayReference, invoiceNumber } = payment;
    if (uniqueReference === null || gatewayReference === null)
      throw new Error(`refund ${refund.id} was reserved without references`);
    const cancelRequest = { uniqueReference, gatewayReference, amount: sentAmountOf(refund, payment) };
    const refundRequest = { ...cancelRequest, invoiceNumber };
    const subject = { businessId: refund.businessId, paymentId: refund.paymentId, refundId: refund.id };
    const call = async () => {
      switch (refund.kind) {
        case 'CANCEL':
          return gateway.cancel(cancelRequest);
        case 'REFUND_SALE':
          return gateway.refundSale(refundRequest);
        case 'REFUND':
          return gateway.refund(refundRequest);
        case 'BITCOIN':
          throw new Error('a bitcoin refund is recorded, not sent');
      }
    };
    return sendOnce(refund, call, { clock, log, subject });
  }

  async function finish(
    request: CardRefundRequest,
    reserved: RefundView,
    outcome: OperationOutcome,
  ): Promise<RefundView> {
    return database.write(async tx => {
      const { refund, payment } =
        outcome.kind === 'unknown'
          ? await recordUnknown(tx, reserved, outcome.cause)
          : await outcomes.recordOutcome(tx, reserved.refund, finalOutcomeOf(outcome), { knownBy: 'reply' });
      const view = { ...reserved, refund, payment };
      await request.write?.finish(tx, view);
      return view;
    });
  }

  async function recordUnknown(tx: Transaction, reserved: RefundView, cause: UnknownCause) {
    const { id, businessId, paymentId, status, amountMinor } = reserved.refund;
    await tx.run(postponeRefund, { id, ...afterPoll(reserved.refund, clock.now(), polling) });
    events.announce(tx, { businessId, type: 'refund.unknown', paymentId, subjectId: id, payload: { cause } });
    if (isVerificationFailure(cause))
      await discrepancies.raise(tx, {
        businessId,
        paymentId,
        refundId: id,
        kind: 'reply_not_believed',
        evidence: cause,
        recorded: { status, amountMinor },
        gateway: { cause },
      });
    // Read again: the gateway's callback may have arrived before the timeout.
    const refund = (await tx.first(refundById, { businessId, id })) ?? reserved.refund;
    const payment = (await tx.first(paymentById, { businessId, id: paymentId })) ?? reserved.payment;
    return { refund, payment };
  }

  /** Recorded as final at once: without the gateway it is unknown whether the payment may be refunded. */
  async function failUnsent(
    tx: Transaction,
    request: CardRefundRequest,
    reserved: RefundView,
  ): Promise<{ kind: 'known'; view: RefundView }> {
    const failed = unreachable('it did not report whether the payment has settled');
    const { refund, payment } = await outcomes.recordOutcome(tx, reserved.refund, failed, { knownBy: 'reply' });
    const view = { ...reserved, refund, payment };
    await request.write?.finish(tx, view);
    return { kind: 'known', view };
  }

  /** What staff do at a terminal is logged with the check of their password; what software does is known from its key. */
  async function recordRequest(
    tx: Transaction,
    { by, reason }: Pick<CardRefundRequest, 'by' | 'reason'>,
    { refund, payment }: RefundView,
  ): Promise<void> {
    if (by.kind !== 'portal_user') return;
    const { businessId, paymentId, id: refundId, kind, amountMinor, amountSats } = refund;
    const { invoiceNumber, currency } = payment;
    const sale = { invoiceNumber, currency };
    const detail = { refundId, kind, sale, reason, ...(amountSats === null ? {} : { amountSats }) };
    await audit.append(tx, { businessId, kind: 'refund_requested', by, paymentId, amountMinor, detail });
  }

  /** Not polled: until then the terminal may still report the outcome. */
  function readerIsGivenUntil({ createdAt }: RefundRow): Instant | undefined {
    const until = createdAt + polling.evidenceAfterMs;
    return until > clock.now() ? until : undefined;
  }

  async function viewOf(refund: RefundRow, from: Pick<Transaction, 'first' | 'all'> = database): Promise<RefundView> {
    const { businessId, paymentId } = refund;
    const payment = await from.first(paymentById, { businessId, id: paymentId });
    if (!payment) throw new Error(`payment ${paymentId} of refund ${refund.id} is missing`);
    return { refund, payment, ...(await staffOf(from, refund)) };
  }

  /** Many at once: two queries more, however many they are. */
  async function viewsOf(businessId: string, refunds: readonly RefundRow[]): Promise<RefundView[]> {
    const paymentIds = JSON.stringify(refunds.map(({ paymentId }) => paymentId));
    const [payments, staff] = await Promise.all([
      database.all(paymentsByIds, { businessId, idsJson: paymentIds }),
      staffOfAll(database, refunds),
    ]);
    const paymentById = new Map(payments.map(payment => [payment.id, payment]));
    return refunds.map(refund => {
      const payment = paymentById.get(refund.paymentId);
      if (!payment) throw new Error(`payment ${refund.paymentId} of refund ${refund.id} is missing`);
      return { refund, payment, ...staff(refund) };
    });
  }

  return {
    async requestCard(request) {
      const isSettlementKnown = await learnOfSettlement(request);
      const reservation = await readingAgain(() =>
        database.write(async tx => {
          const reserved = await requests.reserve(tx, request, isSettlementKnown);
          const result = reserved.kind === 'unsendable' ? await failUnsent(tx, request, reserved.view) : reserved;
          if (reserved.kind === 'reserved' || reserved.kind === 'unsendable')
            await recordRequest(tx, request, reserved.view);
          return result;
        }),
      );
      if (reservation.kind === 'known') return { kind: 'done', view: reservation.view };
      if (reservation.kind !== 'reserved') return reservation;
      const { view } = reservation;
      // Reserved; the terminal's reader returns the money, and the terminal reports the outcome.
      if (view.payment.authorisedBy === 'reader') return { kind: 'done', view };
      return leases.during(view.refund, view.refund.nextPollAt, async () => {
        const outcome = await send(view.refund, view.payment);
        return { kind: 'done', view: await finish(request, view, outcome) };
      });
    },

    async recordBitcoin(request) {
      const recorded = await readingAgain(() =>
        database.write(async tx => {
          const made = await options.closingClaims(tx, request, () => requests.record(tx, request));
          if (made.kind === 'reserved') await recordRequest(tx, request, made.view);
          return made;
        }),
      );
      return recorded.kind === 'reserved' || recorded.kind === 'known'
        ? { kind: 'done', view: recorded.view }
        : recorded;
    },

    async recordBitcoinIn(tx, request) {
      const recorded = await requests.record(tx, request);
      if (recorded.kind === 'refused') throw new Error(`a refund was not recorded: ${recorded.refusal.kind}`);
    },

    async recordGatewayOutcome({ uniqueReference, outcome, knownBy }) {
      const refund = await database.first(refundByUniqueReference, { uniqueReference });
      if (!refund) return false;
      await inTraceOf(database, { paymentId: refund.paymentId, subjectId: refund.id }, () =>
        database.write(tx => outcomes.recordOutcome(tx, refund, outcome, { knownBy })),
      );
      return true;
    },

    failNotReceived: refund =>
      database.write(async tx => {
        const contradictions = await tx.all(openDiscrepancies, { paymentId: refund.paymentId });
        if (contradictions.some(({ kind, refundId }) => kind === 'refund_amount_differs' && refundId === refund.id))
          return false;
        const message = 'The bank never received this refund';
        await outcomes.recordOutcome(
          tx,
          refund,
          { kind: 'failed', cause: 'never_arrived', message },
          { knownBy: 'lookup' },
        );
        return true;
      }),

    resolve: ({ businessId, id: refundId, outcome, evidence, gatewayReference, by, write }) =>
      database.write(async tx => {
        await write?.begin(tx);
        const refund = await tx.first(refundById, { businessId, id: refundId });
        if (!refund) return err({ kind: 'refund_not_found' });
        if (refund.status !== 'pending') return err({ kind: 'refund_not_pending' });
        const acceptedAt =
          refund.nextPollAt === null ? readerIsGivenUntil(refund) : evidenceAcceptedAt(refund, clock.now(), polling);
        if (acceptedAt !== undefined) {
          await tx.run(setRefundEvidenceFrom, { id: refundId, evidenceFrom: acceptedAt });
          return err({ kind: 'still_asking', retryAfter: timestamp(acceptedAt) });
        }
        const message = 'Decided by a manager on evidence';
        const decided: FinalOutcome =
          outcome === 'approved'
            ? { kind: 'approved', gatewayReference: requiredReference(gatewayReference), message }
            : { kind: 'failed', cause: 'resolved_by_hand', message };
        const resolution = { outcome, evidence, gatewayReference, by };
        const settled = await outcomes.recordOutcome(tx, refund, decided, { knownBy: 'manager', by, resolution });
        if (!settled.changed) return err({ kind: 'refund_not_pending' });
        await audit.append(tx, {
          businessId,
          kind: 'refund_resolved',
          status: outcome,
          by,
          paymentId: refund.paymentId,
          amountMinor: refund.amountMinor,
          detail: { refundId, outcome, evidence, gatewayReference },
        });
        const view = await viewOf(settled.refund, tx);
        await write?.finish(tx, view);
        return ok(view);
      }),

    recordByReader: ({ businessId, terminalId, clientRequestId, outcome }) =>
      database.write(async (tx): Promise<Result<RefundView, ReaderReportRefusal>> => {
        const refund = await tx.first(refundByRequest, { businessId, clientRequestId });
        if (!refund) return err({ kind: 'refund_not_found' });
        const { payment } = await viewOf(refund, tx);
        if (payment.authorisedBy !== 'reader') return err({ kind: 'refund_not_at_reader' });
        const by = { kind: 'terminal', terminalId } as const;
        const recorded = await outcomes.recordOutcome(tx, refund, readerOutcome(outcome), { knownBy: 'reader', by });
        if (outcome.kind === 'already_settled') await paymentSettlement.settle(tx, recorded.payment);
        return ok(await viewOf(recorded.refund, tx));
      }),

    withdraw: ({ businessId, terminalId, clientRequestId }) =>
      database.write(async tx => {
        await lockedMachine(tx, terminalId);
        const refund = await tx.first(refundByRequest, { businessId, clientRequestId });
        if (refund) return viewOf(refund, tx);
        await tx.run(insertWithdrawnRefund, { businessId, clientRequestId, at: clock.now() });
        return undefined;
      }),

    async byId(businessId, id) {
      const refund = await database.first(refundById, { businessId, id });
      return refund && viewOf(refund);
    },

    async byRequest(businessId, clientRequestId) {
      const refund = await database.first(refundByRequest, { businessId, clientRequestId });
      return refund && viewOf(refund);
    },

    async list({ paymentId, ...page }) {
      const refunds =
        paymentId === null
          ? await database.all(refundsOfBusiness, page)
          : await database.all(refundsOfPayment, { ...page, paymentId });
      return viewsOf(page.businessId, refunds);
    },
  };
}

function finalOutcomeOf(outcome: Exclude<OperationOutcome, { kind: 'unknown' }>): FinalOutcome {
  return outcome.kind === 'notSent' ? unreachable(outcome.cause) : outcome;
}

function readerOutcome(outcome: ReaderRefundOutcome): FinalOutcome {
  switch (outcome.kind) {
    case 'approved':
      return { kind: 'approved', gatewayReference: outcome.processorReference, message: 'Returned by the reader' };
    case 'declined':
      return { kind: 'declined', code: outcome.code, message: 'The reader’s processor declined' };
    case 'already_settled':
      return { kind: 'declined', code: outcome.kind, message: 'The sale has settled and can be refunded' };
    case 'not_performed':
      return { kind: 'failed', cause: 'never_arrived', message: `The reader did nothing: ${outcome.reason}` };
  }
}

function unreachable(why: string): FinalOutcome {
  return { kind: 'failed', cause: 'gateway_unreachable', message: `The gateway could not be reached: ${why}` };
}
