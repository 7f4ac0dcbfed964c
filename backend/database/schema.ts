import type { ActorColumns } from '@florin/shared/actor.ts';
import type { TimelineKind } from '@florin/shared/contracts/api-v1/payments.ts';
import type { ReversalReason } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Generated } from 'kysely';
import type { AuditChainRow, AuditEntryRow } from '../audit/rows.ts';
import type { DiscrepancyRow } from '../discrepancies/rows.ts';
import type { GatewayAccountRow } from '../gateway-accounts/rows.ts';
import type { KioskKeyRow } from '../kiosk-keys/rows.ts';
import type { EmailRow, RecipientRow } from '../notifications/rows.ts';
import type { StaffNonceRow, StaffRow, TerminalLockoutsRow } from '../staff/rows.ts';
import type { TerminalChannelRow, TerminalCommandRow, TerminalSaleRow } from '../terminal-sales/rows.ts';
import type { DeviceEntryRow, EnrolmentRow, TerminalAlertRow, TerminalRow } from '../terminals/rows.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from '../webhooks/rows.ts';
import type { Flag } from './flag.ts';

/**
 * The tables, by the names the domain uses. `…At` is an Instant (milliseconds), `…Minor` an amount in the smallest unit,
 * `…Json` a JSON text; truth values are 0 or 1, the same on SQLite and PostgreSQL.
 */
export interface Tables {
  businesses: BusinessRow;
  gatewayAccounts: GatewayAccountRow;
  counters: CounterRow;
  apiKeys: ApiKeyRow;
  terminals: TerminalRow;
  staff: StaffRow;
  staffNonces: StaffNonceRow;
  terminalLockouts: TerminalLockoutsRow;
  paymentLinks: PaymentLinkRow;
  payments: PaymentRow;
  refunds: RefundRow;
  auditEntries: AuditEntryRow;
  auditChains: AuditChainRow;
  idempotencyRecords: IdempotencyRecordRow;
  timelineEvents: TimelineEventRow;
  events: EventTable;
  eventConsumers: EventConsumerRow;
  discrepancies: DiscrepancyRow;
  deviceEntries: DeviceEntryRow;
  enrolments: EnrolmentRow;
  terminalAlerts: TerminalAlertRow;
  givenUpSales: GivenUpSaleRow;
  withdrawnRefunds: WithdrawnRefundRow;
  notificationRecipients: RecipientRow;
  emails: EmailRow;
  webhooks: WebhookRow;
  webhookDeliveries: DeliveryRow;
  webhookAttempts: AttemptRow;
  kioskKeys: KioskKeyRow;
  terminalSales: TerminalSaleRow;
  terminalCommands: TerminalCommandRow;
  terminalChannels: TerminalChannelRow;
}

export type BusinessRow = {
  id: string;
  name: string;
  countryCode: string;
  currency: string;
  locale: string;
  timeZone: string;
  passwordProtectRefundsAndVoids: Flag;
  createdAt: Instant;
};

/** Gapless numbers per business, such as the next invoice number. */
export type CounterRow = { businessId: string; name: string; value: number };

export type ApiKeyRow = {
  id: string;
  businessId: string;
  name: string;
  preset: string;
  permissionsJson: string;
  /** SHA-256 of the whole key; the key itself is shown once and never stored. */
  keyHash: string;
  lastFour: string;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
  lastUsedAt: Instant | null;
  createdAt: Instant;
};

export type PaymentLinkRow = {
  id: string;
  businessId: string;
  description: string;
  amountMinor: number;
  currency: string;
  allowPartPayment: Flag;
  minimumAmountMinor: number | null;
  amountPaidMinor: number;
  externalReference: string | null;
  successUrl: string | null;
  expiresAt: Instant;
  createdAt: Instant;
  deletedAt: Instant | null;
};

export type PaymentMethod = 'card' | 'apple_pay' | 'google_pay' | 'lightning' | 'onchain';
/**
 * `pending`: sent to the gateway, outcome not known yet. `unsettled` and `settled` took the money; `cancelled` was
 * voided in full; of `settlement_rejected` the bank took its approval back. What was refunded is in `refundedMinor`, not in the status.
 */
export type PaymentStatus =
  | 'pending'
  | 'declined'
  | 'failed'
  | 'unsettled'
  | 'settled'
  | 'cancelled'
  | 'settlement_rejected';

export type PaymentRow = {
  id: string;
  businessId: string;
  paymentLinkId: string | null;
  terminalId: string | null;
  /** The terminal's own id of the sale: the same sale never makes a second payment. */
  saleId: string | null;
  /** The caller's own id of an online payment, unique in the business: the same call never makes a second payment. */
  clientRequestId: string | null;
  /** The account at a gateway that takes it; null for bitcoin. */
  gatewayAccountId: string | null;
  invoiceNumber: string;
  method: PaymentMethod;
  /** `reader`: a terminal's reader asked its own processor, which returns the money, too. No gateway is ever asked about it. */
  authorisedBy: 'host' | 'reader';
  /** What the gateway was asked for. */
  amountMinor: number;
  /** What the bank approved, possibly a part of it; null until it did. */
  approvedMinor: number | null;
  currency: string;
  /** What a bitcoin payment received; null for cards. */
  amountSats: number | null;
  status: PaymentStatus;
  /** Sent to the gateway as the operation's own reference, stored before it is sent. */
  uniqueReference: string | null;
  gatewayReference: string | null;
  authorisationCode: string | null;
  cardScheme: string | null;
  cardLastFour: string | null;
  entryMode: string | null;
  declineCode: string | null;
  declineMessage: string | null;
  /** Sum of approved CANCEL and REFUND_SALE. */
  refundedMinor: number;
  /** Sum of approved REFUNDs and of what a person confirmed to have gone back, which may exceed what was taken: nothing caps them, yet they count as given back. */
  creditedMinor: number;
  /** Sum of pending CANCEL and REFUND_SALE: held until their outcome is known. */
  reservedMinor: number;
  refundedSats: number;
  /** Held because the gateway told of an approval that our records do not have: see discrepancies/. */
  contestedMinor: number;
  /**
   * When the gateway is asked next: for the outcome while pending, for settlement while unsettled, and of a settled one whether
   * that still holds, where a refused refund gave a reason to doubt it. Until the first time whoever sent it has it to itself.
   */
  nextPollAt: Instant | null;
  pollCount: number;
  polledAt: Instant | null;
  /** How long it was polled for: see jobs/polling.ts. */
  polledForMs: number;
  /** From when a person's evidence is accepted, as a person was told; see jobs/polling.ts. */
  evidenceFrom: Instant | null;
  sentAt: Instant | null;
  takenAt: Instant | null;
  /** The terminal showed the customer an approved sale: from then on it can be voided or refunded, no longer reversed. */
  completedAt: Instant | null;
  /** By when a terminal has to say what became of its approved sale; null where nothing is awaited. */
  completeBy: Instant | null;
  /** The terminal gave the sale up; an approval, whenever it becomes known, is taken back. */
  reversalReason: ReversalReason | null;
  /** When to try next to take it back; null where nothing is owed, or where only a person can return the money. */
  reversalDueAt: Instant | null;
  reversalAttempts: number;
  /** Handed to the bank at this time at the latest: neither voidable nor refundable until it has settled. */
  settlingSince: Instant | null;
  settledAt: Instant | null;
  /** When its approval came to nothing: it was voided in full, or the bank rejected its settlement. */
  annulledAt: Instant | null;
  /** Settled, and since this time the gateway says that the bank rejected it after all; null again where a person found it wrong. */
  rejectedLateAt: Instant | null;
  createdAt: Instant;
};

export type RefundKind = 'CANCEL' | 'REFUND_SALE' | 'REFUND' | 'BITCOIN';
export type RefundStatus = 'pending' | 'approved' | 'declined' | 'failed' | 'recorded';

/** Who may ask for a refund; a terminal alone only where the business asks for no password, and for a reversal. */
export type RefundActorKind = 'staff' | 'portal_user' | 'api_key' | 'terminal';

export type RefundRow = ActorColumns<RefundActorKind> & {
  id: string;
  businessId: string;
  paymentId: string;
  paymentLinkId: string | null;
  /** That of its payment. */
  gatewayAccountId: string | null;
  kind: RefundKind;
  status: RefundStatus;
  /** Of a CANCEL: what the payment took. Zero for bitcoin, whose amount is in amountSats. */
  amountMinor: number;
  amountSats: number | null;
  currency: string;
  /** Takes back a sale that its terminal gave up: nobody had to authorise it. */
  isReversal: Flag;
  reason: string | null;
  /** The caller's own id of the request, unique in the business: the same request never makes a second refund. */
  clientRequestId: string | null;
  /** Sent to the gateway as the operation's own reference: the refund's id; null for bitcoin. */
  uniqueReference: string | null;
  gatewayReference: string | null;
  gatewayCode: string | null;
  gatewayMessage: string | null;
  failureCause: 'gateway_unreachable' | 'never_arrived' | 'resolved_by_hand' | null;
  /** When the gateway is asked next about it. Until the first time whoever sent it has it to itself. */
  nextPollAt: Instant | null;
  pollCount: number;
  polledAt: Instant | null;
  /** How long it was polled for: see jobs/polling.ts. */
  polledForMs: number;
  /** From when a person's evidence is accepted, as a person was told; see jobs/polling.ts. */
  evidenceFrom: Instant | null;
  sentAt: Instant | null;
  settledAt: Instant | null;
  /** How a manager's evidence decided it, when the gateway could not. */
  resolutionJson: string | null;
  createdAt: Instant;
};

export type IdempotencyRecordRow = {
  businessId: string;
  key: string;
  requestHash: string;
  /** The run that has the lease. */
  runId: string;
  /** Null while the first call runs. */
  responseStatus: number | null;
  responseBody: string | null;
  /** A run that died stops blocking its key when this is past. */
  leaseUntil: Instant;
  createdAt: Instant;
};

export type TimelineEventRow = ActorColumns & {
  id: string;
  businessId: string;
  paymentId: string;
  refundId: string | null;
  kind: TimelineKind;
  detailJson: string;
  at: Instant;
};

/** What happened, for its consumers (webhooks, live streams): written in the transaction that made it true. */
export type EventRow = ActorColumns & {
  id: string;
  businessId: string;
  type: string;
  subjectId: string;
  payloadJson: string;
  createdAt: Instant;
};
type EventTable = EventRow & {
  /** The order in which events are delivered. */
  position: Generated<number>;
  /** PostgreSQL alone: the order of insertion. `position` is null there until the event is committed: see events/store.ts. */
  sequence: Generated<number>;
};

/** How far a consumer of events has come: it has handled everything up to and including `position`. */
export type EventConsumerRow = { name: string; position: number };

/**
 * Sales a terminal gave up before this service had heard of them: an authorisation that was only delayed on its way finds
 * its sale here and is not sent to the bank any more.
 */
export type GivenUpSaleRow = { machineId: string; saleId: string; at: Instant };

/** Refund requests a terminal gave up before this service had heard of them: one that was only delayed is refused. */
export type WithdrawnRefundRow = { businessId: string; clientRequestId: string; at: Instant };
