import type { ReversalReason } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { postpone, setEvidenceFrom } from '../../foundation/database/claim.ts';
import {
  type ArgumentOf,
  columnsOf,
  equalsUnindexed,
  oneOf,
  type Queries,
  rowLimit,
  statement,
} from '../../foundation/database/database.ts';
import {
  insertUnlessTaken,
  rowFor,
  selectBy,
  selectForUpdateBy,
  updateBy,
} from '../../foundation/database/statements.ts';
import type { PaymentRow } from './rows.ts';
import type { SaleKey } from './sale.ts';

/** Queries over payments. The flows that use them decide which share a transaction. */

export const paymentById = selectBy('payments', 'id', 'businessId');

/** Locked until the transaction ends, so that changes of a payment's remaining amount run one after the other. */
export const paymentForUpdate = selectForUpdateBy('payments', 'id', 'businessId');

/**
 * A sale of the machine that is enrolled as this terminal, under any of its enrolments. The business is joined from the
 * terminal: with a condition on the payment, SQLite would read all payments of the business instead of the few of that
 * sale.
 */
const saleOfMachine = ({ db }: Queries, arg: ArgumentOf<SaleKey>) =>
  db
    .selectFrom('payments')
    .selectAll('payments')
    .where('payments.saleId', '=', arg('saleId'))
    .where('payments.terminalId', 'in', eb =>
      eb
        .selectFrom('terminals as own')
        .innerJoin('terminals as enrolment', 'enrolment.machineId', 'own.machineId')
        .select('enrolment.id')
        .where('own.id', '=', arg('terminalId'))
        .where('enrolment.businessId', '=', arg('businessId')),
    );

export const paymentBySale = statement<SaleKey, PaymentRow>(saleOfMachine);

export const saleForUpdate = statement<SaleKey, PaymentRow>((queries, arg) =>
  saleOfMachine(queries, arg).$if(queries.isPostgres, query => query.forUpdate('payments')),
);

export const paymentByRequest = selectBy('payments', 'businessId', 'clientRequestId');

export const paymentByUniqueReference = selectBy('payments', 'uniqueReference');

export const paymentsByIds = statement<{ businessId: string; idsJson: string }, PaymentRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where(oneOf(isPostgres, 'id', arg('idsJson'))),
);

/** The payments of several links, unordered. */
export const paymentsOfLinks = statement<{ businessId: string; linkIdsJson: string }, PaymentRow>(
  ({ db, isPostgres }, arg) =>
    db
      .selectFrom('payments')
      .selectAll()
      .where(oneOf(isPostgres, 'paymentLinkId', arg('linkIdsJson')))
      .where(equalsUnindexed('businessId', arg('businessId'))),
);

/** Unordered: SQLite takes ten times as long to sort a few rows as to find them. See newestFirst. */
export const paymentsOfLink = statement<{ businessId: string; paymentLinkId: string }, PaymentRow>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('paymentLinkId', '=', arg('paymentLinkId'))
    .where(equalsUnindexed('businessId', arg('businessId'))),
);

/** Sales of terminals, newest first. */
export const salesOfBusiness = statement<{ businessId: string; before: string; limit: number }, PaymentRow>(
  ({ db }, arg) =>
    db
      .selectFrom('payments')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('saleId', 'is not', null)
      .where('id', '<', arg('before'))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);

/** Has no effect when the terminal's sale already has its payment. */
export const insertPayment = statement<PaymentRow, unknown>(({ db }, arg) =>
  db
    .insertInto('payments')
    .values(rowFor(arg, 'payments'))
    .onConflict(conflict => conflict.columns(['terminalId', 'saleId']).where('saleId', 'is not', null).doNothing()),
);

export const insertEarlyReversal = insertUnlessTaken('earlyReversals', 'machineId', 'saleId');

export const earlyReversal = selectBy('earlyReversals', 'machineId', 'saleId');

export type ApprovalFacts = Pick<
  PaymentRow,
  | 'approvedMinor'
  | 'reversalReason'
  | 'reversalDueAt'
  | 'completeBy'
  | 'gatewayReference'
  | 'authorisationCode'
  | 'cardScheme'
  | 'cardLastFour'
  | 'takenAt'
  | 'nextPollAt'
>;

/** Ends all pending work on a payment that took no money or returned all of it. */
export const nothingDue = { nextPollAt: null, reversalDueAt: null, completeBy: null, threeDSecureJson: null } as const;

/** pending → unsettled. */
export const approvePayment = statement<{ id: string } & ApprovalFacts, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({
      ...columnsOf(arg, [
        'approvedMinor',
        'completeBy',
        'gatewayReference',
        'authorisationCode',
        'cardScheme',
        'cardLastFour',
        'takenAt',
        'nextPollAt',
      ]),
      // A reversal requested while the outcome was unknown stays due.
      reversalReason: eb => eb.fn.coalesce('reversalReason', arg('reversalReason')),
      reversalDueAt: eb => eb.fn.coalesce('reversalDueAt', arg('reversalDueAt')),
      status: 'unsettled',
      pollCount: 0,
    })
    .where('id', '=', arg('id'))
    .where('status', '=', 'pending')
    .returningAll(),
);

/** pending → declined or failed: no money was taken. */
export const endPayment = statement<
  { id: string } & Pick<
    PaymentRow,
    'status' | 'gatewayReference' | 'declineCode' | 'declineMessage' | 'threeDSecureFailure'
  >,
  PaymentRow
>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({
      ...columnsOf(arg, ['status', 'gatewayReference', 'declineCode', 'declineMessage', 'threeDSecureFailure']),
      ...nothingDue,
    })
    .where('id', '=', arg('id'))
    .where('status', '=', 'pending')
    .returningAll(),
);

/** The customer's browser is at their bank: the gateway is not polled before `nextPollAt`. */
export const awaitCustomer = statement<{ id: string; threeDSecureJson: string; nextPollAt: Instant }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({ ...columnsOf(arg, ['threeDSecureJson', 'nextPollAt']), customerStepKnown: 1 })
      .where('id', '=', arg('id'))
      .where('status', '=', 'pending')
      .returningAll(),
);

/** Takes the customer's 3-D Secure response for one caller only, so that it is sent to the gateway at most once. */
export const takeCustomerStep = statement<{ id: string; threeDSecureJson: string; nextPollAt: Instant }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({ threeDSecureJson: null, nextPollAt: arg('nextPollAt') })
      .where('id', '=', arg('id'))
      .where('status', '=', 'pending')
      .where('threeDSecureJson', '=', arg('threeDSecureJson'))
      .returningAll(),
);

export const postponePayment = postpone('payments');

export const setPaymentEvidenceFrom = setEvidenceFrom('payments');

/** Whether the gateway has handed it to the bank, as last polled. */
export const markSettling = statement<{ id: string; settlingSince: Instant | null }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ settlingSince: arg('settlingSince') })
    .where('id', '=', arg('id'))
    .where('status', '=', 'unsettled')
    .returningAll(),
);

/** unsettled → settled; no effect while a void is pending, whose outcome decides first. */
export const settlePayment = statement<{ id: string; settledAt: Instant; reversalDueAt: Instant }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        status: 'settled',
        settledAt: arg('settledAt'),
        settlingSince: null,
        nextPollAt: null,
        // A reversal that could not be voided in time is refunded soon; an earlier due time stays.
        reversalDueAt: sql<number>`CASE WHEN "reversalDueAt" > ${arg('reversalDueAt')} THEN cast(${arg('reversalDueAt')} as bigint) ELSE "reversalDueAt" END`,
      })
      .where('id', '=', arg('id'))
      .where('status', '=', 'unsettled')
      .where('reservedMinor', '=', 0)
      .returningAll(),
);

/** unsettled → settlement_rejected: the bank withdrew its approval. No effect while a void is pending. */
export const rejectSettlement = statement<{ id: string; voidedOrRejectedAt: Instant }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({
      status: 'settlement_rejected',
      voidedOrRejectedAt: arg('voidedOrRejectedAt'),
      settlingSince: null,
      ...nothingDue,
    })
    .where('id', '=', arg('id'))
    .where('status', '=', 'unsettled')
    .where('reservedMinor', '=', 0)
    .returningAll(),
);

/** Polls a settled payment whose settlement is in doubt, unless that is scheduled already. */
export const recheckSettlement = statement<{ id: string; nextPollAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ nextPollAt: arg('nextPollAt') })
    .where('id', '=', arg('id'))
    .where('status', '=', 'settled')
    .where('authorisedBy', '=', 'host')
    .where('rejectedLateAt', 'is', null)
    .where('nextPollAt', 'is', null),
);

/** The gateway has confirmed or denied the settlement of a payment that was in doubt. */
export const endSettlementRecheck = statement<{ id: string }, unknown>(({ db }, arg) =>
  db.updateTable('payments').set({ nextPollAt: null }).where('id', '=', arg('id')).where('status', '=', 'settled'),
);

/** Null when it settled after all. */
export const markRejectedLate = updateBy('payments', { set: ['rejectedLateAt'], by: ['id'] });

/** unsettled → cancelled, because it was voided at the gateway directly. */
export const voidPaymentElsewhere = statement<{ id: string; voidedOrRejectedAt: Instant }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({
      status: 'cancelled',
      voidedOrRejectedAt: arg('voidedOrRejectedAt'),
      ...nothingDue,
      refundedMinor: sql<number>`coalesce("approvedMinor", "amountMinor")`,
      contestedMinor: 0,
    })
    .where('id', '=', arg('id'))
    .where('status', '=', 'unsettled')
    .where('reservedMinor', '=', 0)
    .returningAll(),
);

type Reversal = { id: string; reversalReason: ReversalReason; reversalDueAt: Instant };

/** The reversal is due from now on, unless no money was taken or it was returned already. */
export const markForReversal = statement<Reversal, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({
      reversalReason: arg('reversalReason'),
      completeBy: null,
      reversalDueAt: sql<number>`CASE WHEN "status" IN ('pending', 'unsettled', 'settled') AND "refundedMinor" + "creditedMinor" < coalesce("approvedMinor", "amountMinor") THEN cast(${arg('reversalDueAt')} as bigint) END`,
    })
    .where('id', '=', arg('id'))
    .where('reversalReason', 'is', null)
    .where('completedAt', 'is', null)
    .returningAll(),
);

export const completeSale = statement<{ id: string; completedAt: Instant }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ completedAt: arg('completedAt'), completeBy: null })
    .where('id', '=', arg('id'))
    .where('completedAt', 'is', null)
    .where('reversalReason', 'is', null)
    .where('status', 'in', ['unsettled', 'settled'])
    .returningAll(),
);

export const machineForUpdate = statement<{ terminalId: string }, { machineId: string }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('terminals')
    .select('id as machineId')
    .where('id', '=', eb =>
      eb.selectFrom('terminals as own').select('own.machineId').where('own.id', '=', arg('terminalId')),
    )
    .$if(isPostgres, query => query.forUpdate()),
);
