import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import type { WithdrawalRow } from '../../bitcoin/withdrawals/rows.ts';
import type { TerminalRow } from '../../channels/terminals/rows.ts';
import { equalsUnindexed, statement } from '../../foundation/database/database.ts';
import type { DiscrepancyRow } from '../../money/discrepancies/rows.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { ReaderClosingRow } from '../../money/reader-closings/rows.ts';
import type { RefundRow } from '../../money/refunds/rows.ts';
import type { ApiKeyRow } from '../../people/api-keys/rows.ts';
import type { StaffRow } from '../../people/staff/rows.ts';
import type { WebhookRow } from '../webhooks/rows.ts';

/**
 * What is undecided is little, in all businesses together, and has partial indexes for the work that polls it. Those serve
 * here, too; with an index of the business SQLite would read its whole history.
 */
type Business = { readonly businessId: string };
const most = sql.lit(100);

const polled = ['id', 'pollCount', 'polledAt', 'polledForMs', 'evidenceFrom', 'sentAt', 'createdAt'] as const;
type Asked<Row> = Pick<Row, (typeof polled)[number] & keyof Row>;

/** Without those that wait for the customer at their bank. */
export const unknownPayments = statement<
  Business,
  Asked<PaymentRow> & Pick<PaymentRow, 'invoiceNumber' | 'amountMinor' | 'currency'>
>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .select([...polled, 'invoiceNumber', 'amountMinor', 'currency'])
    .where('status', '=', sql.lit('pending'))
    .where('nextPollAt', '>', 0)
    .where(equalsUnindexed('businessId', arg('businessId')))
    .where('polledAt', 'is not', null)
    .where('threeDSecureJson', 'is', null)
    .limit(most),
);

export const unknownRefunds = statement<
  Business,
  Asked<RefundRow> & Pick<RefundRow, 'paymentId' | 'amountMinor' | 'currency'> & Pick<PaymentRow, 'invoiceNumber'>
>(({ db }, arg) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select([
      'refunds.id',
      'refunds.pollCount',
      'refunds.polledAt',
      'refunds.polledForMs',
      'refunds.evidenceFrom',
      'refunds.sentAt',
      'refunds.createdAt',
      'refunds.paymentId',
      'refunds.amountMinor',
      'refunds.currency',
      'payments.invoiceNumber',
    ])
    .where('refunds.status', '=', sql.lit('pending'))
    .where('refunds.nextPollAt', '>', 0)
    .where(equalsUnindexed('refunds.businessId', arg('businessId')))
    .where('refunds.polledAt', 'is not', null)
    .limit(most),
);

export const unknownWithdrawals = statement<
  Business,
  Pick<WithdrawalRow, 'id' | 'amountSats' | 'polledForMs' | 'sentAt' | 'createdAt'>
>(({ db }, arg) =>
  db
    .selectFrom('withdrawals')
    .select(['id', 'amountSats', 'polledForMs', 'sentAt', 'createdAt'])
    .where('finalAt', 'is', null)
    .where('nextPollAt', '>', 0)
    .where(equalsUnindexed('businessId', arg('businessId')))
    .where('polledAt', 'is not', null)
    .limit(most),
);

export const openDiscrepancies = statement<
  Business,
  Pick<DiscrepancyRow, 'id' | 'kind' | 'createdAt'> & { paymentId: string } & Pick<PaymentRow, 'invoiceNumber'>
>(({ db }, arg) =>
  db
    .selectFrom('discrepancies')
    .innerJoin('payments', 'payments.id', 'discrepancies.paymentId')
    .select(['discrepancies.id', 'discrepancies.kind', 'discrepancies.createdAt'])
    .select('payments.id as paymentId')
    .select('payments.invoiceNumber')
    .where('discrepancies.resolvedAt', 'is', null)
    .where('discrepancies.paymentId', '>', sql.lit(''))
    .where(equalsUnindexed('discrepancies.businessId', arg('businessId')))
    .limit(most),
);

/** Those of no payment: about the totals of readers. */
export const openReaderDiscrepancies = statement<
  Business,
  Pick<DiscrepancyRow, 'id' | 'kind' | 'createdAt'> & Pick<ReaderClosingRow, 'readerSerial'>
>(({ db }, arg) =>
  db
    .selectFrom('discrepancies')
    .innerJoin('readerClosings', 'readerClosings.discrepancyId', 'discrepancies.id')
    .select(['discrepancies.id', 'discrepancies.kind', 'discrepancies.createdAt', 'readerClosings.readerSerial'])
    .where('discrepancies.resolvedAt', 'is', null)
    .where('discrepancies.paymentId', 'is', null)
    .where(equalsUnindexed('discrepancies.businessId', arg('businessId')))
    .limit(most),
);

const troubledColumns = [
  'id',
  'url',
  'eventType',
  'failedInARow',
  'failingSince',
  'failureOutcome',
  'failureStatus',
  'disabledAt',
] as const;
export type TroubledWebhook = Pick<WebhookRow, (typeof troubledColumns)[number]>;

/** Endpoints that fail, or that were disabled for it; not those that somebody disabled. */
export const troubledWebhooks = statement<Business & { warnAfter: number }, TroubledWebhook>(({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select(troubledColumns)
    .where('businessId', '=', arg('businessId'))
    .where('checkoutId', 'is', null)
    .where('deletedAt', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('disabledAt', 'is not', null),
        eb('failingSince', 'is not', null),
        eb('failedInARow', '>=', arg('warnAfter')),
      ]),
    )
    .where(({ or, eb }) => or([eb('disabledReason', 'is', null), eb('disabledReason', '=', sql.lit('failures'))]))
    .limit(most),
);

export const terminalsSeenSince = statement<Business & { since: Instant }, TerminalRow>(({ db }, arg) =>
  db
    .selectFrom('terminals')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('removedAt', 'is', null)
    .where('enrolledAt', 'is not', null)
    .where('lastSeenAt', '>=', arg('since'))
    .limit(most),
);

export const lockedStaff = statement<
  Business & { now: Instant },
  Pick<StaffRow, 'id' | 'name' | 'staffNumber'> & { lockedUntil: Instant }
>(({ db }, arg) =>
  db
    .selectFrom('staff')
    .select(['id', 'name', 'staffNumber', 'lockedUntil'])
    .$narrowType<{ lockedUntil: Instant }>()
    .where('businessId', '=', arg('businessId'))
    .where('lockedUntil', '>', arg('now'))
    .where('disabledAt', 'is', null)
    .limit(most),
);

export const expiringKeys = statement<
  Business & { now: Instant; until: Instant },
  Pick<ApiKeyRow, 'id' | 'name' | 'lastUsedAt'> & { expiresAt: Instant }
>(({ db }, arg) =>
  db
    .selectFrom('apiKeys')
    .select(['id', 'name', 'lastUsedAt', 'expiresAt'])
    .$narrowType<{ expiresAt: Instant }>()
    .where('businessId', '=', arg('businessId'))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', arg('now'))
    .where('expiresAt', '<=', arg('until'))
    .limit(most),
);

type UnsentEmails = { readonly recipient: string; readonly count: number; readonly since: Instant };

/** Given up since then, by recipient. */
export const failedEmails = statement<Business & { since: Instant }, UnsentEmails>(({ db }, arg) =>
  db
    .selectFrom('emails')
    .select([
      'recipient',
      sql<number>`cast(count(*) as bigint)`.as('count'),
      sql<Instant>`min("createdAt")`.as('since'),
    ])
    .where('status', '=', sql.lit('failed'))
    .where('businessId', '=', arg('businessId'))
    .where('finishedAt', '>=', arg('since'))
    .groupBy('recipient')
    .limit(most),
);

/** Still tried, after several failed attempts, by recipient. */
export const delayedEmails = statement<Business & { attempts: number }, UnsentEmails>(({ db }, arg) =>
  db
    .selectFrom('emails')
    .select([
      'recipient',
      sql<number>`cast(count(*) as bigint)`.as('count'),
      sql<Instant>`min("createdAt")`.as('since'),
    ])
    .where('nextAttemptAt', '>', 0)
    .where(equalsUnindexed('businessId', arg('businessId')))
    .where('attemptCount', '>=', arg('attempts'))
    .where('lastError', 'is not', null)
    .groupBy('recipient')
    .limit(most),
);
