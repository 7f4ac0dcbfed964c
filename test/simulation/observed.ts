import type { TerminalSaleRow } from '../../backend/channels/terminal-sales/rows.ts';
import { type Statement, statement } from '../../backend/foundation/database/database.ts';
import type { EventRow } from '../../backend/foundation/events/rows.ts';
import type { IdempotencyRecordRow } from '../../backend/foundation/idempotency/rows.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from '../../backend/messaging/webhooks/rows.ts';
import type { DiscrepancyRow } from '../../backend/money/discrepancies/rows.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';
import type { AuditEntryRow } from '../../backend/people/audit/rows.ts';
import type { StaffRow } from '../../backend/people/staff/rows.ts';

import type { BitcoinRows } from './bitcoin-rows.ts';
import type { Ledger } from './ledger.ts';
import type { Received } from './webhook-receiver.ts';

/** The auditor's own queries, independent of the stores. */

export type SeenRefund = Pick<
  RefundRow,
  | 'id'
  | 'businessId'
  | 'paymentId'
  | 'kind'
  | 'status'
  | 'amountMinor'
  | 'amountSats'
  | 'currency'
  | 'actorKind'
  | 'actorId'
  | 'requestedByStaffId'
  | 'terminalId'
  | 'reason'
  | 'uniqueReference'
  | 'gatewayReference'
  | 'clientRequestId'
  | 'resolutionJson'
  | 'outcomeAt'
  | 'createdAt'
>;
export type SeenPayment = Pick<
  PaymentRow,
  | 'id'
  | 'businessId'
  | 'method'
  | 'status'
  | 'amountMinor'
  | 'currency'
  | 'amountSats'
  | 'uniqueReference'
  | 'gatewayReference'
  | 'invoiceNumber'
  | 'saleId'
  | 'paymentLinkId'
  | 'completedAt'
  | 'refundedMinor'
  | 'creditedMinor'
  | 'reservedMinor'
  | 'refundedSats'
  | 'contestedMinor'
  | 'reversalReason'
  | 'reversalDueAt'
>;
export type SeenStaff = Pick<
  StaffRow,
  | 'id'
  | 'businessId'
  | 'mayRefundAndVoid'
  | 'perTransactionLimitMinor'
  | 'dailyLimitMinor'
  | 'publicKey'
  | 'passwordIsTemporary'
  | 'failedAttempts'
  | 'lockoutRound'
  | 'lockedUntil'
  | 'disabledAt'
>;
export type SeenEntry = AuditEntryRow;
export type SeenKey = Pick<IdempotencyRecordRow, 'key' | 'runId' | 'leaseUntil' | 'createdAt'>;

type Table =
  | 'events'
  | 'discrepancies'
  | 'idempotencyRecords'
  | 'staff'
  | 'terminalSales'
  | 'webhooks'
  | 'webhookDeliveries'
  | 'webhookAttempts';
const all = (table: Table) => statement<object, Record<string, unknown>>(({ db }) => db.selectFrom(table).selectAll());

/** Changes with every write; where the database does not count writes, with time. */
export const changesSoFar = statement<object, { changes: number }>(({ db, isPostgres }) =>
  db.selectNoFrom(eb => eb.fn<number>(isPostgres ? 'clock_timestamp' : 'total_changes').as('changes')),
);
export const usedNonces = statement<object, { used: number }>(({ db }) =>
  db
    .selectFrom('staffNonces')
    .select(eb => eb.fn.countAll<number>().as('used'))
    .where('usedAt', 'is not', null),
);
export const eventCount = statement<object, { count: number }>(({ db }) =>
  db.selectFrom('events').select(eb => eb.fn.countAll<number>().as('count')),
);
export const newAuditEntries = statement<{ businessId: string; after: number }, AuditEntryRow>(({ db }, arg) =>
  db
    .selectFrom('auditEntries')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('sequence', '>', arg('after'))
    .orderBy('sequence'),
);
export const seenRefunds = statement<object, SeenRefund>(({ db }) =>
  db
    .selectFrom('refunds')
    .select([
      'id',
      'businessId',
      'paymentId',
      'kind',
      'status',
      'amountMinor',
      'amountSats',
      'currency',
      'actorKind',
      'actorId',
      'requestedByStaffId',
      'terminalId',
      'reason',
      'uniqueReference',
      'gatewayReference',
      'clientRequestId',
      'resolutionJson',
      'outcomeAt',
      'createdAt',
    ]),
);
export const seenPayments = statement<object, SeenPayment>(({ db }) =>
  db
    .selectFrom('payments')
    .select([
      'id',
      'businessId',
      'method',
      'status',
      'amountMinor',
      'currency',
      'amountSats',
      'uniqueReference',
      'gatewayReference',
      'invoiceNumber',
      'saleId',
      'paymentLinkId',
      'completedAt',
      'refundedMinor',
      'creditedMinor',
      'reservedMinor',
      'refundedSats',
      'contestedMinor',
      'reversalReason',
      'reversalDueAt',
    ]),
);
export const seenStaff = statement<object, SeenStaff>(({ db }) =>
  db
    .selectFrom('staff')
    .select([
      'id',
      'businessId',
      'mayRefundAndVoid',
      'perTransactionLimitMinor',
      'dailyLimitMinor',
      'publicKey',
      'passwordIsTemporary',
      'failedAttempts',
      'lockoutRound',
      'lockedUntil',
      'disabledAt',
    ]),
);
export const seenKeys = statement<object, SeenKey>(({ db }) =>
  db.selectFrom('idempotencyRecords').select(['key', 'runId', 'leaseUntil', 'createdAt']),
);
export const allEvents = all('events') as unknown as Statement<object, EventRow>;
export const allDiscrepancies = all('discrepancies') as unknown as Statement<object, DiscrepancyRow>;
export const allSales = all('terminalSales') as unknown as Statement<object, TerminalSaleRow>;
export const allWebhooks = all('webhooks') as unknown as Statement<object, WebhookRow>;
export const allDeliveries = all('webhookDeliveries') as unknown as Statement<object, DeliveryRow>;
export const allAttempts = all('webhookAttempts') as unknown as Statement<object, AttemptRow>;
export const openDeliveries = statement<object, { count: number }>(({ db }) =>
  db
    .selectFrom('webhookDeliveries')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('nextAttemptAt', 'is not', null),
);
/** Consumers that have not reached the last event. */
export const consumersBehind = statement<object, { count: number }>(({ db }) =>
  db
    .selectFrom('eventConsumers')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('position', '<', eb => eb.selectFrom('events').select(last => last.fn.max('position').as('last'))),
);
export const allIdempotencyRecords = all('idempotencyRecords');
export const allStaff = all('staff');

/** A wrong password entered while the terminal was offline. */
export type OfflineAttempt = {
  readonly entryId: string;
  readonly terminalId: string;
  readonly staffId: string;
  readonly paymentId: string;
  readonly attemptedAt: number;
};

export type AuditedShop = {
  readonly businessId: string;
  readonly timeZone: string;
  readonly isPasswordProtected: boolean;
  /** Whether sales are started over the API. */
  readonly isDriven: boolean;
  readonly now: () => number;
  /** The total delay of its processes so far; infinite if one crashed. */
  readonly heldUpMs: () => number;
  /** How long the gateway must have been polled before a person may decide an outcome. */
  readonly evidenceAfterMs: number;
  /** Secrets that no table may contain: passwords, keys, card blocks. */
  readonly secrets: readonly string[];
};

/** The records that the auditor has seen so far. */
export type Observed = {
  readonly refunds: ReadonlyMap<string, SeenRefund>;
  readonly payments: ReadonlyMap<string, SeenPayment>;
  readonly delivered: ReadonlyMap<string, OfflineAttempt>;
  readonly discrepancies: ReadonlyMap<string, DiscrepancyRow>;
  readonly ledger: Ledger;
  readonly wronglyResolved: ReadonlySet<string>;
  readonly received: ReadonlySet<string>;
  /** How often each member of staff was locked out, by the log. */
  readonly lockoutCounts: ReadonlyMap<string, number>;
  readonly sales: ReadonlyMap<string, TerminalSaleRow>;
  /** Of a shop with a bitcoin node. */
  readonly bitcoin: BitcoinRows | undefined;
  /** Webhooks that the merchant's server received. */
  readonly webhooks: readonly Received[];
  readonly shop: AuditedShop | undefined;
};
