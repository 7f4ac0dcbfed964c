import type { Instant } from '@florin/shared/ports.ts';
import { claimDue, hasStatus, postpone, renewLeases, setEvidenceFrom } from '../../foundation/database/claim.ts';
import {
  columnsOf,
  equalsUnindexed,
  oneOf,
  optionalFilters,
  rowLimit,
  statement,
} from '../../foundation/database/database.ts';
import { insertInto, insertUnlessTaken, selectBy } from '../../foundation/database/statements.ts';
import type { StaffRow } from '../../people/staff/rows.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { RefundRow, RefundStatus } from './rows.ts';

/** Queries over refunds. The flows that use them decide which share a transaction. */

/** @throws KeyTaken where the caller's own id stands for a refund already. */
export const insertRefund = insertInto('refunds');

export const refundById = selectBy('refunds', 'id', 'businessId');

export const refundByRequest = selectBy('refunds', 'businessId', 'clientRequestId');

export const refundByUniqueReference = statement<{ uniqueReference: string }, RefundRow>(({ db }, arg) =>
  // Its reference is its id; bitcoin refunds have none.
  db
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', arg('uniqueReference'))
    .where('uniqueReference', 'is not', null),
);

/** The states of a payment's refunds that may have moved money. */
export const countedRefunds = statement<{ paymentId: string }, { status: RefundStatus }>(({ db }, arg) =>
  db
    .selectFrom('refunds')
    .select('status')
    .where('paymentId', '=', arg('paymentId'))
    .where('status', 'in', ['pending', 'approved', 'recorded']),
);

type Outcome = Pick<
  RefundRow,
  | 'status'
  | 'gatewayReference'
  | 'gatewayCode'
  | 'gatewayMessage'
  | 'failureCause'
  | 'nextPollAt'
  | 'outcomeAt'
  | 'resolutionJson'
>;

/** pending → its final state. A final refund is not changed by a late report. */
export const endRefund = statement<{ id: string } & Outcome, unknown>(({ db }, arg) =>
  db
    .updateTable('refunds')
    .set(
      columnsOf(arg, [
        'status',
        'gatewayReference',
        'gatewayCode',
        'gatewayMessage',
        'failureCause',
        'nextPollAt',
        'outcomeAt',
        'resolutionJson',
      ]),
    )
    .where('id', '=', arg('id'))
    .where('status', '=', 'pending'),
);

/** Whether, and when, to ask whether the gateway has an approved refund. */
export const planConfirmation = statement<{ id: string; nextPollAt: Instant | null }, unknown>(({ db }, arg) =>
  db
    .updateTable('refunds')
    .set({ nextPollAt: arg('nextPollAt') })
    .where('id', '=', arg('id'))
    .where('status', '=', 'approved'),
);

export const postponeRefund = postpone('refunds');

export const setRefundEvidenceFrom = setEvidenceFrom('refunds');

export const renewRefundLeases = renewLeases('refunds', 'nextPollAt');

export const claimRefunds = claimDue('refunds', hasStatus<RefundStatus>('pending'));
/** Approved ones that neither a callback nor a lookup has confirmed. */
export const claimUnconfirmedRefunds = claimDue('refunds', hasStatus<RefundStatus>('approved'));

type ListArgs = { businessId: string; status: string | null; before: string; limit: number };

export const refundsOfBusiness = statement<ListArgs, RefundRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('refunds')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '<', arg('before'))
    .where(optionalFilters(isPostgres).text('status', '=', arg('status')))
    .orderBy('id', 'desc')
    .limit(rowLimit(arg('limit'))),
);

export const refundsOfPayment = statement<ListArgs & { paymentId: string }, RefundRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('refunds')
    .selectAll()
    .where('paymentId', '=', arg('paymentId'))
    .where(equalsUnindexed('businessId', arg('businessId')))
    .where('id', '<', arg('before'))
    .where(optionalFilters(isPostgres).text('status', '=', arg('status')))
    .orderBy('id', 'desc')
    .limit(rowLimit(arg('limit'))),
);

export type StaffName = Pick<StaffRow, 'id' | 'name' | 'staffNumber'>;

export const staffNames = statement<{ idsJson: string }, StaffName>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('staff')
    .select(['id', 'name', 'staffNumber'])
    .where(oneOf(isPostgres, 'id', arg('idsJson'))),
);

type RequestKey = { businessId: string; clientRequestId: string };

export const insertWithdrawnRefund = insertUnlessTaken('withdrawnRefunds', 'businessId', 'clientRequestId');

export const withdrawnRefund = statement<RequestKey, { at: Instant }>(({ db }, arg) =>
  db
    .selectFrom('withdrawnRefunds')
    .select('at')
    .where('businessId', '=', arg('businessId'))
    .where('clientRequestId', '=', arg('clientRequestId')),
);

/** A payment of this account under an invoice number, made by then: numbers given out again after a restore do not count. */
export const earlierPaymentByInvoice = statement<
  { businessId: string; gatewayAccountId: string; invoiceNumber: string; madeBy: Instant },
  PaymentRow
>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('invoiceNumber', '=', arg('invoiceNumber'))
    .where('gatewayAccountId', '=', arg('gatewayAccountId'))
    .where('createdAt', '<=', arg('madeBy')),
);
