import type { ReversalReason } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, sql } from 'kysely';
import {
  type ArgumentOf,
  allColumnsOf,
  columnsOf,
  oneOf,
  type Queries,
  rowLimit,
  statement,
  type Transaction,
} from '../database/database.ts';
import type { EarlyReversalRow, PaymentRow } from './rows.ts';
import type { SaleKey } from './sale.ts';

/** Queries over payments. The flows that use them decide which share a transaction. */

type PaymentKey = { businessId: string; id: string };

export const paymentById = statement<PaymentKey, PaymentRow>(({ db }, arg) =>
  db.selectFrom('payments').selectAll().where('id', '=', arg('id')).where('businessId', '=', arg('businessId')),
);

/** Locked until the transaction ends: whatever changes what a payment has left takes turns here. */
export const paymentForUpdate = statement<PaymentKey, PaymentRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', arg('id'))
    .where('businessId', '=', arg('businessId'))
    .$if(isPostgres, query => query.forUpdate()),
);

/** A sale of the machine that is enrolled as this terminal, under whichever enrolment it was taken. */
const saleOfMachine = ({ db }: Queries, arg: ArgumentOf<SaleKey>) =>
  db
    .selectFrom('payments')
    .selectAll('payments')
    .where('payments.businessId', '=', arg('businessId'))
    .where('payments.saleId', '=', arg('saleId'))
    .where('payments.terminalId', 'in', eb =>
      eb
        .selectFrom('terminals as own')
        .innerJoin('terminals as enrolment', 'enrolment.machineId', 'own.machineId')
        .select('enrolment.id')
        .where('own.id', '=', arg('terminalId')),
    );

export const paymentBySale = statement<SaleKey, PaymentRow>(saleOfMachine);

export const saleForUpdate = statement<SaleKey, PaymentRow>((queries, arg) =>
  saleOfMachine(queries, arg).$if(queries.isPostgres, query => query.forUpdate('payments')),
);

export const paymentByRequest = statement<{ businessId: string; clientRequestId: string }, PaymentRow>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('clientRequestId', '=', arg('clientRequestId')),
);

export const paymentByUniqueReference = statement<{ uniqueReference: string }, PaymentRow>(({ db }, arg) =>
  db.selectFrom('payments').selectAll().where('uniqueReference', '=', arg('uniqueReference')),
);

export const paymentsByIds = statement<{ businessId: string; idsJson: string }, PaymentRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where(oneOf(isPostgres, 'id', arg('idsJson'))),
);

/** Of several links, in no order. */
export const paymentsOfLinks = statement<{ businessId: string; linkIdsJson: string }, PaymentRow>(
  ({ db, isPostgres }, arg) =>
    db
      .selectFrom('payments')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where(oneOf(isPostgres, 'paymentLinkId', arg('linkIdsJson'))),
);

/** In no order: SQLite takes ten times as long to sort a handful of rows as to find them. See newestFirst. */
export const paymentsOfLink = statement<{ businessId: string; paymentLinkId: string }, PaymentRow>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('paymentLinkId', '=', arg('paymentLinkId'))
    .where('businessId', '=', arg('businessId')),
);

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

/** Changes nothing where the terminal's sale has its payment already. */
export const insertPayment = statement<PaymentRow, unknown>(({ db }, arg) =>
  db
    .insertInto('payments')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'paymentLinkId',
        'terminalId',
        'saleId',
        'clientRequestId',
        'gatewayAccountId',
        'invoiceNumber',
        'method',
        'authorisedBy',
        'amountMinor',
        'approvedMinor',
        'currency',
        'amountSats',
        'status',
        'uniqueReference',
        'gatewayReference',
        'authorisationCode',
        'cardScheme',
        'cardLastFour',
        'entryMode',
        'declineCode',
        'declineMessage',
        'threeDSecureJson',
        'threeDSecureFailure',
        'refundedMinor',
        'creditedMinor',
        'reservedMinor',
        'refundedSats',
        'contestedMinor',
        'nextPollAt',
        'pollCount',
        'polledAt',
        'polledForMs',
        'evidenceFrom',
        'sentAt',
        'takenAt',
        'completedAt',
        'completeBy',
        'reversalReason',
        'reversalDueAt',
        'reversalAttempts',
        'settlingSince',
        'settledAt',
        'annulledAt',
        'rejectedLateAt',
        'createdAt',
      ]),
    )
    .onConflict(conflict => conflict.columns(['terminalId', 'saleId']).where('saleId', 'is not', null).doNothing()),
);

const machineForUpdate = statement<{ terminalId: string }, { machineId: string }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('terminals')
    .select('id as machineId')
    .where('id', '=', eb =>
      eb.selectFrom('terminals as own').select('own.machineId').where('own.id', '=', arg('terminalId')),
    )
    .$if(isPostgres, query => query.forUpdate()),
);

/**
 * Of a sale or refund request and its reversal or withdrawal one comes first: both hold the row of their terminal's
 * machine until they commit, whichever enrolment they came under.
 */
export async function lockedMachine(tx: Transaction, terminalId: string): Promise<{ machineId: string }> {
  const machine = await tx.first(machineForUpdate, { terminalId });
  if (!machine) throw new Error(`there is no terminal ${terminalId}`);
  return machine;
}

export const insertEarlyReversal = statement<EarlyReversalRow, unknown>(({ db }, arg) =>
  db
    .insertInto('earlyReversals')
    .values(allColumnsOf(arg, ['machineId', 'saleId', 'at']))
    .onConflict(conflict => conflict.columns(['machineId', 'saleId']).doNothing()),
);

export const earlyReversal = statement<Omit<EarlyReversalRow, 'at'>, EarlyReversalRow>(({ db }, arg) =>
  db
    .selectFrom('earlyReversals')
    .selectAll()
    .where('machineId', '=', arg('machineId'))
    .where('saleId', '=', arg('saleId')),
);

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

/** What was still to be done about a payment that took no money or gave it all back. */
const nothingDue = { nextPollAt: null, reversalDueAt: null, completeBy: null, threeDSecureJson: null } as const;

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
      // A reversal asked for while the outcome was unknown stays.
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

/** The customer's browser is with their bank: nobody else is asked until it was there too long. */
export const awaitCustomer = statement<{ id: string; threeDSecureJson: string; nextPollAt: Instant }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set(columnsOf(arg, ['threeDSecureJson', 'nextPollAt']))
      .where('id', '=', arg('id'))
      .where('status', '=', 'pending')
      .returningAll(),
);

/** Whoever takes what the customer brought back has this step to itself: it is sent to the gateway once, or never. */
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

type Poll = { id: string; nextPollAt: Instant; polledAt: Instant; polledForMs: number };

/** When to ask next for its outcome, and how long that has been asked for; no change once it is known. */
export const postponePayment = statement<Poll, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set(columnsOf(arg, ['nextPollAt', 'polledAt', 'polledForMs']))
    .where('id', '=', arg('id'))
    .where('status', '=', 'pending'),
);

/** When evidence from a person is accepted. Set once and never moved. */
export const setEvidenceFrom = statement<{ id: string; evidenceFrom: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ evidenceFrom: arg('evidenceFrom') })
    .where('id', '=', arg('id'))
    .where('evidenceFrom', 'is', null),
);

/** Whether the gateway has handed it to the bank, as last polled. */
export const markSettling = statement<{ id: string; settlingSince: Instant | null }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ settlingSince: arg('settlingSince') })
    .where('id', '=', arg('id'))
    .where('status', '=', 'unsettled')
    .returningAll(),
);

/** unsettled → settled; waits while a void is under way, whose outcome decides first. */
export const settlePayment = statement<{ id: string; settledAt: Instant; reversalDueAt: Instant }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        status: 'settled',
        settledAt: arg('settledAt'),
        settlingSince: null,
        nextPollAt: null,
        // What could not be voided in time is refunded soon; whoever is at it just now has it to itself for as long as before.
        reversalDueAt: sql<number>`CASE WHEN "reversalDueAt" > ${arg('reversalDueAt')} THEN cast(${arg('reversalDueAt')} as bigint) ELSE "reversalDueAt" END`,
      })
      .where('id', '=', arg('id'))
      .where('status', '=', 'unsettled')
      .where('reservedMinor', '=', 0)
      .returningAll(),
);

/** unsettled → settlement_rejected: the bank took its approval back, and no money. Waits while a void is under way. */
export const rejectSettlement = statement<{ id: string; annulledAt: Instant }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ status: 'settlement_rejected', annulledAt: arg('annulledAt'), settlingSince: null, ...nothingDue })
    .where('id', '=', arg('id'))
    .where('status', '=', 'unsettled')
    .where('reservedMinor', '=', 0)
    .returningAll(),
);

/** A settled payment whose state the gateway is to be asked about, at once where that is not planned already. */
export const doubtSettlement = statement<{ id: string; nextPollAt: Instant }, unknown>(({ db }, arg) =>
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
export const endDoubt = statement<{ id: string }, unknown>(({ db }, arg) =>
  db.updateTable('payments').set({ nextPollAt: null }).where('id', '=', arg('id')).where('status', '=', 'settled'),
);

/** Null: it settled after all. */
export const markRejectedLate = statement<{ id: string; rejectedLateAt: Instant | null }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ rejectedLateAt: arg('rejectedLateAt') })
    .where('id', '=', arg('id')),
);

/** unsettled → cancelled because somebody voided it at the gateway itself. */
export const cancelPaymentElsewhere = statement<{ id: string; annulledAt: Instant }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({
      status: 'cancelled',
      annulledAt: arg('annulledAt'),
      ...nothingDue,
      refundedMinor: sql<number>`coalesce("approvedMinor", "amountMinor")`,
      contestedMinor: 0,
    })
    .where('id', '=', arg('id'))
    .where('status', '=', 'unsettled')
    .where('reservedMinor', '=', 0)
    .returningAll(),
);

/** A reversal stays due until all that was taken is returned. */
function owedUnless(returnedMinor: RawBuilder<unknown>) {
  return sql<
    number | null
  >`CASE WHEN ${returnedMinor} < coalesce("approvedMinor", "amountMinor") THEN "reversalDueAt" END`;
}

/** Holds an amount for a refund whose outcome is not known yet. */
export const reserveMinor = statement<{ id: string; amountMinor: number }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ reservedMinor: sql<number>`"reservedMinor" + ${arg('amountMinor')}` })
    .where('id', '=', arg('id')),
);

/** Ends a hold: `refundedMinor` of it was returned, the rest is released. */
export const releaseMinor = statement<{ id: string; heldMinor: number; refundedMinor: number }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        reservedMinor: sql<number>`"reservedMinor" - ${arg('heldMinor')}`,
        refundedMinor: sql<number>`"refundedMinor" + ${arg('refundedMinor')}`,
        reversalDueAt: owedUnless(sql`"refundedMinor" + "creditedMinor" + ${arg('refundedMinor')}`),
      })
      .where('id', '=', arg('id'))
      .returningAll(),
);

/** Counts an approved REFUND as given back. */
export const creditPayment = statement<{ id: string; amountMinor: number }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({
      creditedMinor: sql<number>`"creditedMinor" + ${arg('amountMinor')}`,
      reversalDueAt: owedUnless(sql`"refundedMinor" + "creditedMinor" + ${arg('amountMinor')}`),
    })
    .where('id', '=', arg('id'))
    .returningAll(),
);

/** Ends the hold of a void that went through. */
export const voidPayment = statement<{ id: string; heldMinor: number; annulledAt: Instant }, PaymentRow>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        status: 'cancelled',
        annulledAt: arg('annulledAt'),
        ...nothingDue,
        reservedMinor: sql<number>`"reservedMinor" - ${arg('heldMinor')}`,
        refundedMinor: sql<number>`"refundedMinor" + ${arg('heldMinor')}`,
      })
      .where('id', '=', arg('id'))
      .returningAll(),
);

/** Holds what a late approval says was returned although the refund is recorded as failed. */
export const contestMinor = statement<{ id: string; amountMinor: number }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ contestedMinor: sql<number>`"contestedMinor" + ${arg('amountMinor')}` })
    .where('id', '=', arg('id')),
);

/** Ends the hold of a contested amount; `returnedMinor` of it counts as given back from now on. */
export const releaseContested = statement<{ id: string; contestedMinor: number; returnedMinor: number }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('payments')
      .set({
        contestedMinor: sql<number>`"contestedMinor" - ${arg('contestedMinor')}`,
        creditedMinor: sql<number>`"creditedMinor" + ${arg('returnedMinor')}`,
        reversalDueAt: owedUnless(sql`"refundedMinor" + "creditedMinor" + ${arg('returnedMinor')}`),
      })
      .where('id', '=', arg('id'))
      // A void found at the gateway has ended every hold.
      .where('contestedMinor', '>=', arg('contestedMinor')),
);

export const refundSats = statement<{ id: string; amountSats: number }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ refundedSats: sql<number>`"refundedSats" + ${arg('amountSats')}` })
    .where('id', '=', arg('id'))
    .returningAll(),
);

type GivenUp = { id: string; reversalReason: ReversalReason; reversalDueAt: Instant };

/** The reversal is due from now on, unless no money was taken or it was returned already. */
export const markForReversal = statement<GivenUp, PaymentRow>(({ db }, arg) =>
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

type Claim = { now: Instant; nextPollAt: Instant; limit: number };

/**
 * Takes payments of a state that background work may look at, for the length of a lease. Several processes at once each
 * get others: PostgreSQL skips rows that are locked, SQLite runs one transaction at a time.
 */
const claimOf = (status: 'pending' | 'unsettled' | 'settled') =>
  statement<Claim, PaymentRow>(({ db, isPostgres }, arg) =>
    db
      .updateTable('payments')
      .set({ nextPollAt: arg('nextPollAt'), pollCount: sql<number>`"pollCount" + 1` })
      .where('id', 'in', query =>
        query
          .selectFrom('payments')
          .select('id')
          // As a literal: the partial index of this state serves no parameter.
          .where('status', '=', sql.lit(status))
          .where('nextPollAt', '<=', arg('now'))
          .orderBy('nextPollAt')
          .limit(rowLimit(arg('limit')))
          .$if(isPostgres, due => due.forUpdate().skipLocked()),
      )
      .returningAll(),
  );
export const claimPendingPayments = claimOf('pending');
export const claimUnsettledPayments = claimOf('unsettled');
export const claimDoubtedPayments = claimOf('settled');

/** Takes approved sales whose terminal gave them up and that no void or refund under way deals with. */
export const claimReversals = statement<{ now: Instant; dueAt: Instant; limit: number }, PaymentRow>(
  ({ db, isPostgres }, arg) =>
    db
      .updateTable('payments')
      .set({ reversalDueAt: arg('dueAt'), reversalAttempts: sql<number>`"reversalAttempts" + 1` })
      .where('id', 'in', query =>
        query
          .selectFrom('payments')
          .select('id')
          .where('reversalDueAt', '<=', arg('now'))
          .where('status', 'in', ['unsettled', 'settled'])
          .where('reservedMinor', '=', 0)
          .orderBy('reversalDueAt')
          .limit(rowLimit(arg('limit')))
          .$if(isPostgres, due => due.forUpdate().skipLocked()),
      )
      .returningAll(),
);

/** Takes approved sales that their terminal should have completed or reversed by now; each is taken once. */
export const claimUncompletedSales = statement<{ now: Instant; limit: number }, PaymentRow>(({ db, isPostgres }, arg) =>
  db
    .updateTable('payments')
    .set({ completeBy: null })
    .where('id', 'in', query =>
      query
        .selectFrom('payments')
        .select('id')
        .where('completeBy', '<=', arg('now'))
        .orderBy('completeBy')
        .limit(rowLimit(arg('limit')))
        .$if(isPostgres, due => due.forUpdate().skipLocked()),
    )
    .returningAll(),
);

/** No change once no reversal is due any more. */
export const postponeReversal = statement<{ id: string; dueAt: Instant }, PaymentRow>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ reversalDueAt: arg('dueAt') })
    .where('id', '=', arg('id'))
    .where('reversalDueAt', 'is not', null)
    .returningAll(),
);

/** The service does no more about it: a person has to return the money. */
export const endReversal = statement<{ id: string }, PaymentRow>(({ db }, arg) =>
  db.updateTable('payments').set({ reversalDueAt: null }).where('id', '=', arg('id')).returningAll(),
);
