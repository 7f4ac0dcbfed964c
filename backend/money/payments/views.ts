import { type ActorColumns, type ActorKind, actorOfColumns } from '@florin/shared/actor.ts';
import type { ActorRecord } from '@florin/shared/contracts/api-v1/actors.ts';
import type { PaymentRecord, TimelineEntryRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { PaymentEventType } from '../../foundation/events/catalogue.ts';
import {
  heldMinor,
  linkPaymentOf,
  paymentStatusOf,
  remainingMinor,
  returnedMinor,
  reversalOf,
  timestamp,
} from './payment.ts';
import { timelineKinds, timelineMessage } from './timeline.ts';
import { type TimelineView, timelineOfPayment } from './timeline-store.ts';
import { type PaymentList, type PaymentView, paymentsOfBusiness, viewById } from './views-store.ts';

export type PaymentViews = {
  /** Newest first. */
  list(options: PaymentList): Promise<PaymentView[]>;
  byId(businessId: string, id: string): Promise<PaymentView | undefined>;
  /** What happened to a payment and its refunds after the entry `after`, oldest first. */
  timeline(options: { paymentId: string; after: string; limit: number }): Promise<TimelineView[]>;
};

/** Payments as their readers see them. */
export function paymentViews(database: Database): PaymentViews {
  return {
    list: ({ status, ...options }) => database.all(paymentsOfBusiness[status ?? 'all'], options),
    byId: (businessId, id) => database.first(viewById, { businessId, id }),
    timeline: options => database.all(timelineOfPayment, options),
  };
}

/** A payment of any kind as the API shows it; its terminal has the name it has now. */
export function paymentRecordOf(payment: PaymentView): PaymentRecord {
  return {
    ...linkPaymentOf(payment),
    status: paymentStatusOf(payment),
    paymentLinkId: payment.paymentLinkId,
    terminal: terminalOf(payment),
    saleId: payment.saleId,
    purpose: payment.purpose,
    purposeId: payment.purposeId,
    refundedInCents: returnedMinor(payment),
    pendingInCents: heldMinor(payment),
    remainingInCents: remainingMinor(payment),
    reversal: reversalOf(payment),
    createdAt: timestamp(payment.createdAt),
  };
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

type ActorNames = {
  readonly staffName: string | null;
  readonly apiKeyName: string | null;
  readonly terminalName: string | null;
};

/** By whom, with the name they have now. */
function actorRecordOf(columns: ActorColumns & ActorNames): ActorRecord {
  const { kind } = actorOfColumns(columns);
  return { kind, id: columns.actorId, name: nameOf(kind, columns) };
}

function nameOf(kind: ActorKind, { staffName, apiKeyName, terminalName }: ActorNames): string | null {
  switch (kind) {
    case 'staff':
      return staffName;
    case 'api_key':
      return apiKeyName;
    case 'terminal':
      return terminalName;
    case 'portal_user':
    case 'kiosk_key':
    case 'operator':
    case 'system':
      return null;
  }
}
