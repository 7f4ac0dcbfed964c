import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import { businessById } from '../../people/businesses/store.ts';
import type { StaffChecks } from '../../people/staff/authorisation.ts';
import { refundSats, reserveMinor } from '../payments/amounts-store.ts';
import { lockedMachine } from '../payments/machine-lock.ts';
import { remainingMinor, remainingSats, shareOfRefundMinor, takenMinor } from '../payments/payment.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { paymentForUpdate } from '../payments/store.ts';
import {
  type AnyRefundRefusal,
  type BitcoinRefundRefusal,
  type CardRefundKind,
  isCapped,
  nobody,
  type OtherRefunds,
  type RefundActor,
  type RefundRefusal,
  type RefundView,
  refundActor,
  refusalOfBitcoinRefund,
  refusalOfCardRefund,
  refusalOfRemainingSeen,
  type StaffOfRefund,
  terminalRequestIdOf,
} from './refund.ts';
import type { RefundActorKind, RefundRow } from './rows.ts';
import { staffOf } from './staff-names.ts';
import { countedRefunds, insertRefund, refundByRequest, withdrawnRefund } from './store.ts';

type Request = {
  readonly businessId: string;
  readonly paymentId: string;
  readonly by: Extract<Actor, { kind: 'portal_user' | 'api_key' | 'terminal' }>;
  /** What a staff member signed at the terminal. */
  readonly authorisation?: StaffAuthorisation | undefined;
  /** What a second staff member signed, if the first one was refused. */
  readonly approval?: StaffAuthorisation | undefined;
  /** The reversal of a sale that was not shown to the customer as completed; it needs no authorisation. */
  readonly isReversal?: boolean;
  readonly reason: string | null;
  /** What the caller saw was left of the payment, in its currency or in satoshis; nothing is checked without it. */
  readonly remainingSeen?: number | null;
  /** The caller's own id of the request; the same one never makes a second refund. */
  readonly clientRequestId: string | null;
  readonly write?: DurableWrite<RefundView>;
};
export type CardRefundRequest = Request & {
  readonly kind: CardRefundKind;
  /** Null for a CANCEL, and for a reversal: all that is left. */
  readonly amountMinor: number | null;
  /** The payment, where the caller has just read it. Used only to decide whether to poll its settlement. */
  readonly lastSeen?: PaymentRow;
};
export type BitcoinRefundRequest = Request & { readonly amountSats: number };

export type Reservation<Refusal = AnyRefundRefusal> =
  | { readonly kind: 'reserved'; readonly view: RefundView }
  /** This request was already made; its current record is returned. */
  | { readonly kind: 'known'; readonly view: RefundView }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Saved but not sent: its precondition could not be verified at the gateway. */
export type Unsendable = { readonly kind: 'unsendable'; readonly view: RefundView };

/** Refusals of the steps that all kinds of refund share. */
type OpeningRefusal = Extract<RefundRefusal, { kind: 'payment_not_found' | 'request_differs' | 'refund_withdrawn' }>;

export type Reservations = {
  /**
   * The first of a refund's two transactions: decides under the payment's lock, holds the amount and saves the attempt with
   * everything that must be true from now on. Nothing may be sent before it is committed.
   */
  reserve(tx: Transaction, request: CardRefundRequest, isSettlementKnown: boolean): Promise<Reservation | Unsendable>;
  /** Bitcoin is not sent by this service: the refund is recorded and final at once. */
  record(tx: Transaction, request: BitcoinRefundRequest): Promise<Reservation<BitcoinRefundRefusal>>;
};

/** Decides on refunds and saves them in the caller's transaction; it sends nothing and calls no gateway. */
export function reservations(options: {
  clock: Clock;
  ids: Ids;
  events: Events;
  staffChecks: StaffChecks;
  leases: Pick<LeasesOn<never>, 'fromNow'>;
}): Reservations {
  const { clock, ids, events, staffChecks, leases } = options;

  /** The steps all refunds share up to their own decision. */
  async function open(
    tx: Transaction,
    request: Request,
    isSame: (refund: RefundRow) => boolean,
  ): Promise<{ kind: 'open'; payment: PaymentRow } | Exclude<Reservation<OpeningRefusal>, { kind: 'reserved' }>> {
    const begun = await request.write?.begin(tx);
    const payment = await tx.first(paymentForUpdate, { businessId: request.businessId, id: request.paymentId });
    // A terminal may not refund link payments.
    const isHidden = request.by.kind === 'terminal' && payment?.saleId === null;
    if (!payment || isHidden) return { kind: 'refused', refusal: { kind: 'payment_not_found' } };
    // Read under the payment's lock: of two equal requests the second one sees the first.
    const earlier = request.clientRequestId !== null && begun !== 'new' ? await earlierOf(tx, request) : undefined;
    if (!earlier)
      return (await isWithdrawn(tx, request))
        ? { kind: 'refused', refusal: { kind: 'refund_withdrawn' } }
        : { kind: 'open', payment };
    if (earlier.paymentId !== payment.id || !isSame(earlier))
      return { kind: 'refused', refusal: { kind: 'request_differs' } };
    const view = { refund: earlier, payment, ...(await staffOf(tx, earlier)) };
    await request.write?.finish(tx, view);
    return { kind: 'known', view };
  }

  async function staffDecision(
    tx: Transaction,
    request: CardRefundRequest,
    payment: PaymentRow,
    refund: { readonly id: string; readonly amountMinor: number },
  ): Promise<Result<StaffOfRefund, AnyRefundRefusal>> {
    const { by, authorisation, approval, kind } = request;
    if (by.kind !== 'terminal' || request.isReversal || kind === 'REFUND') return ok(nobody);
    const business = await tx.first(businessById, { id: request.businessId });
    if (!business) throw new Error(`business ${request.businessId} of payment ${payment.id} is missing`);
    if (business.passwordProtectRefundsAndVoids === 0) return ok(nobody);
    if (!authorisation) return err({ kind: 'authorisation_required' });
    return staffChecks.check(tx, {
      business,
      terminalId: by.terminalId,
      sale: {
        paymentId: payment.id,
        invoiceNumber: payment.invoiceNumber,
        amountMinor: payment.amountMinor,
        currency: payment.currency,
        takenAt: payment.takenAt,
      },
      kind,
      amountMinor: refund.amountMinor,
      authorisation,
      approval,
      refundId: refund.id,
    });
  }

  function save(tx: Transaction, refund: RefundRow, payment: PaymentRow): void {
    const { id, businessId, paymentId, kind, amountMinor, amountSats, currency, reason } = refund;
    tx.send(insertRefund, refund);
    events.announce(tx, {
      businessId,
      type: kind === 'BITCOIN' ? 'refund.recorded' : 'refund.requested',
      paymentId,
      subjectId: id,
      by: refundActor(refund),
      payload: {
        paymentId,
        paymentLinkId: payment.paymentLinkId,
        saleId: terminalRequestIdOf(refund),
        kind,
        amountMinor,
        amountSats,
        currency,
        reason,
      },
    });
  }

  return {
    async reserve(tx, request, isSettlementKnown) {
      const { kind } = request;
      const opened = await open(
        tx,
        request,
        earlier => earlier.kind === kind && (kind === 'CANCEL' || earlier.amountMinor === request.amountMinor),
      );
      if (opened.kind !== 'open') return opened;
      const { payment } = opened;
      const amountMinor = amountWanted(request, payment);
      const others = kind === 'CANCEL' ? await othersOf(tx, payment.id) : { pending: false, final: false };
      const refusal =
        refusalOfRemainingSeen(request.remainingSeen, remainingMinor(payment)) ??
        refusalOfCardRefund({ isAtTerminal: request.by.kind === 'terminal', payment, kind, amountMinor, others });
      const needsGateway = refusal?.kind === 'payment_not_settled' || refusal?.kind === 'payment_settling';
      const isUnsendable = needsGateway && !isSettlementKnown;
      if (refusal && !isUnsendable) return { kind: 'refused', refusal };
      const id = ids.next(idPrefixes.refund);
      const staff = await staffDecision(tx, request, payment, { id, amountMinor });
      if (!staff.ok) return { kind: 'refused', refusal: staff.refusal };

      const now = clock.now();
      const refund: RefundRow = {
        ...rowOf(request, payment, staff.value),
        id,
        kind,
        status: 'pending',
        amountMinor,
        amountSats: null,
        uniqueReference: id,
        // There is no gateway to poll about a refund that the reader makes.
        nextPollAt: payment.authorisedBy === 'reader' ? null : leases.fromNow(),
        sentAt: now,
        outcomeAt: null,
        createdAt: now,
      };
      // An uncapped REFUND holds nothing: two at once both go through. Specification: Card refund behaviour.
      const reservedMinor = payment.reservedMinor + (isCapped(kind) ? amountMinor : 0);
      if (isCapped(kind)) tx.send(reserveMinor, { id: payment.id, amountMinor });
      save(tx, refund, payment);
      const view = { refund, payment: { ...payment, reservedMinor }, ...staff.value };
      return { kind: isUnsendable ? 'unsendable' : 'reserved', view };
    },

    async record(tx, request) {
      const { amountSats } = request;
      const opened = await open(
        tx,
        request,
        earlier => earlier.kind === 'BITCOIN' && earlier.amountSats === amountSats,
      );
      if (opened.kind !== 'open') return opened;
      const { payment } = opened;
      const refusal =
        refusalOfRemainingSeen(request.remainingSeen, remainingSats(payment)) ??
        refusalOfBitcoinRefund(payment, amountSats);
      if (refusal) return { kind: 'refused', refusal };
      const now = clock.now();
      const amountMinor = shareOfRefundMinor(payment, amountSats);
      const refund: RefundRow = {
        ...rowOf(request, payment, nobody),
        id: ids.next(idPrefixes.refund),
        kind: 'BITCOIN',
        status: 'recorded',
        amountMinor,
        amountSats,
        uniqueReference: null,
        nextPollAt: null,
        sentAt: null,
        outcomeAt: now,
        createdAt: now,
      };
      const updated = await tx.first(refundSats, { id: payment.id, amountSats, amountMinor });
      save(tx, refund, payment);
      const view = { refund, payment: updated ?? payment, ...nobody };
      await request.write?.finish(tx, view);
      return { kind: 'reserved', view };
    },
  };
}

async function isWithdrawn(tx: Transaction, { businessId, by, clientRequestId }: Request): Promise<boolean> {
  if (by.kind !== 'terminal' || clientRequestId === null) return false;
  await lockedMachine(tx, by.terminalId);
  return (await tx.first(withdrawnRefund, { businessId, clientRequestId })) !== undefined;
}

async function earlierOf(tx: Transaction, request: Request): Promise<RefundRow | undefined> {
  const { businessId, clientRequestId } = request;
  return clientRequestId === null ? undefined : tx.first(refundByRequest, { businessId, clientRequestId });
}

async function othersOf(tx: Transaction, paymentId: string): Promise<OtherRefunds> {
  const counted = await tx.all(countedRefunds, { paymentId });
  return {
    pending: counted.some(({ status }) => status === 'pending'),
    final: counted.some(({ status }) => status !== 'pending'),
  };
}

function amountWanted(request: CardRefundRequest, payment: PaymentRow): number {
  if (request.kind === 'CANCEL') return takenMinor(payment);
  if (request.isReversal) return remainingMinor(payment);
  if (request.amountMinor === null) throw new Error(`a ${request.kind} without an amount passed its contract`);
  return request.amountMinor;
}

/** Who the refund is recorded against: the staff member who authorised it rather than the terminal. */
function actorOf({ by }: Request, staff: StaffOfRefund['staff']): RefundActor {
  return by.kind === 'terminal' && staff ? { kind: 'staff', staffId: staff.id, terminalId: by.terminalId } : by;
}

/** The columns of the requester, and those that later steps fill. */
function rowOf(request: Request, payment: PaymentRow, { staff, requestedBy }: StaffOfRefund) {
  return {
    businessId: payment.businessId,
    paymentId: payment.id,
    paymentLinkId: payment.paymentLinkId,
    gatewayAccountId: payment.gatewayAccountId,
    currency: payment.currency,
    ...actorColumns<RefundActorKind>(actorOf(request, staff)),
    requestedByStaffId: requestedBy?.id ?? null,
    isReversal: request.isReversal ? (1 as const) : (0 as const),
    reason: request.reason,
    clientRequestId: request.clientRequestId,
    gatewayReference: null,
    gatewayCode: null,
    gatewayMessage: null,
    failureCause: null,
    pollCount: 0,
    polledAt: null,
    polledForMs: 0,
    evidenceFrom: null,
    resolutionJson: null,
  };
}
