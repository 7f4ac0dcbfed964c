import type { ActorColumns } from '@florin/shared/actor.ts';
import type { ActorRecord } from '@florin/shared/contracts/api-v1/actors.ts';
import type { PaymentDetail, PaymentRecord, TimelineEntryRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { PaymentEventType } from '../../foundation/events/catalogue.ts';
import type { ReceiptAddresses } from '../receipts/address.ts';
import {
  heldMinor,
  linkPaymentOf,
  paymentStatusOf,
  remainingMinor,
  returnedMinor,
  reversalOf,
  takenMinor,
  timestamp,
} from './payment.ts';
import { type PaymentSearch, type PaymentsFound, searchPayments } from './search.ts';
import { timelineKinds, timelineMessage } from './timeline.ts';
import { type TimelineView, timelineOfPayment } from './timeline-store.ts';
import { type PaymentView, type RefundOfView, refundsOfView, viewById } from './views-store.ts';

export type PaymentViews = {
  /** Newest first. */
  search(search: PaymentSearch): Promise<PaymentsFound>;
  byId(businessId: string, id: string): Promise<PaymentView | undefined>;
  /** The refunds of a payment, oldest first, at most 100. */
  refundsOf(payment: PaymentView): Promise<RefundOfView[]>;
  /** What happened to a payment and its refunds after the entry `after`, oldest first. */
  timeline(options: { paymentId: string; after: string; limit: number }): Promise<TimelineView[]>;
};

/** Payments as their readers see them. */
export function paymentViews(ports: { readonly database: Database; readonly clock: Clock }): PaymentViews {
  const { database } = ports;
  return {
    search: search => searchPayments(ports, search),
    refundsOf: ({ businessId, id: paymentId }) => database.all(refundsOfView, { businessId, paymentId }),
    byId: (businessId, id) => database.first(viewById, { businessId, id }),
    timeline: options => database.all(timelineOfPayment, options),
  };
}

/** What of a payment is a tip: what a card's customer added to the amount, or all that was paid over a tip link. */
export function tipMinorOf(payment: PaymentView): number {
  return payment.purpose === 'tip' ? takenMinor(payment) : payment.tipMinor;
}

/** A payment of any kind as the API shows it; its terminal has the name it has now. */
export function paymentRecordOf(payment: PaymentView, receipts: ReceiptAddresses): PaymentRecord {
  return {
    ...linkPaymentOf(payment),
    status: paymentStatusOf(payment),
    paymentLinkId: payment.paymentLinkId,
    link: linkOf(payment),
    terminal: terminalOf(payment),
    saleId: payment.saleId,
    reference: payment.reference,
    tipInCents: tipMinorOf(payment),
    purpose: payment.purpose,
    purposeId: payment.purposeId,
    refundedInCents: returnedMinor(payment),
    pendingInCents: heldMinor(payment),
    remainingInCents: remainingMinor(payment),
    reversal: reversalOf(payment),
    receipt: receipts.ofPayment(payment),
    createdAt: timestamp(payment.createdAt),
  };
}

/** The same with what only the record of one payment shows. */
export function paymentDetailOf(
  payment: PaymentView,
  refunds: readonly RefundOfView[],
  receipts: ReceiptAddresses,
): PaymentDetail {
  return { ...paymentRecordOf(payment, receipts), refunds: refunds.map(refundOfPayment) };
}

function refundOfPayment(refund: RefundOfView): PaymentDetail['refunds'][number] {
  const { id, kind, status, amountMinor, amountSats, isReversal, createdAt } = refund;
  const isRecorded = kind === 'BITCOIN';
  return {
    id,
    kind,
    status,
    amountInCents: isRecorded ? null : amountMinor,
    amountSats,
    isReversal: isReversal === 1,
    by: actorRecordOf(refund),
    createdAt: timestamp(createdAt),
  };
}

function linkOf({ paymentLinkId, linkDescription, linkReference }: PaymentView): PaymentRecord['link'] {
  if (paymentLinkId === null) return null;
  return { id: paymentLinkId, description: linkDescription ?? '', externalReference: linkReference };
}

/** The terminal that an id names, with the name it has now; of one that is deleted, its id is shown. */
export function terminalOf({ terminalId, terminalName }: { terminalId: string | null; terminalName: string | null }) {
  return terminalId === null ? null : { id: terminalId, name: terminalName ?? terminalId };
}

/** An event of a payment as the API shows it, with a message for people and the current names of who caused it. */
export function timelineRecordOf(event: TimelineView): TimelineEntryRecord {
  const detail = JSON.parse(event.payloadJson) as Readonly<Record<string, unknown>>;
  const kind = timelineKinds[event.type as PaymentEventType];
  return {
    id: event.id,
    kind,
    message: timelineMessage(kind, detail),
    refundId: refundIdOf(event, detail),
    by: actorRecordOf(event),
    terminal: terminalOf(event),
    detail,
    at: timestamp(event.createdAt),
  };
}

function refundIdOf({ type, subjectId }: TimelineView, { refundId }: Readonly<Record<string, unknown>>): string | null {
  if (type.startsWith('refund.')) return subjectId;
  return typeof refundId === 'string' ? refundId : null;
}

type ActorNames = { readonly actorName: string | null; readonly terminalName: string | null };

/** By whom, with the name they have now. */
export function actorRecordOf(columns: ActorColumns & ActorNames): ActorRecord {
  const { actorKind: kind, actorId, actorName, terminalName } = columns;
  return { kind, id: actorId, name: kind === 'terminal' ? terminalName : actorName };
}
