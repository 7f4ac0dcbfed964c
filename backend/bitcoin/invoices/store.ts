import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { allColumnsOf, columnsOf, oneOf, rowLimit, statement } from '../../foundation/database/database.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type {
  BitcoinClaimDestinationRow,
  BitcoinClaimRow,
  BitcoinFollowRow,
  BitcoinInvoiceRow,
  BitcoinReceiptRow,
} from './rows.ts';

export const insertInvoice = statement<BitcoinInvoiceRow, unknown>(({ db }, arg) =>
  db
    .insertInto('bitcoinInvoices')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'purpose',
        'purposeId',
        'memo',
        'amountSats',
        'amountMinor',
        'currency',
        'rate',
        'backendId',
        'bolt11',
        'paymentHash',
        'lightning',
        'address',
        'addressFromHeight',
        'status',
        'expiresAt',
        'nextPollAt',
        'unansweredPolls',
        'answeredAt',
        'endedAt',
        'createdAt',
      ]),
    ),
);

export const invoiceById = statement<{ id: string }, BitcoinInvoiceRow>(({ db }, arg) =>
  db.selectFrom('bitcoinInvoices').selectAll().where('id', '=', arg('id')),
);

export const invoicesByIds = statement<{ idsJson: string }, BitcoinInvoiceRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinInvoices')
    .selectAll()
    .where(oneOf(isPostgres, 'id', arg('idsJson'))),
);

/** Locked until the transaction ends: serialises all reports about an invoice. */
export const invoiceForUpdate = statement<{ id: string }, BitcoinInvoiceRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinInvoices')
    .selectAll()
    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),
);

export const invoiceByHash = statement<{ backendId: string; paymentHash: string }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('bitcoinInvoices')
    .select('id')
    .where('paymentHash', '=', arg('paymentHash'))
    .where('backendId', '=', arg('backendId')),
);

/** An invoice of any business and node with this payment hash. */
export const invoiceOfHash = statement<{ paymentHash: string }, { id: string }>(({ db }, arg) =>
  db.selectFrom('bitcoinInvoices').select('id').where('paymentHash', '=', arg('paymentHash')),
);

/** An invoice of any business and node that is paid at this address. */
export const invoiceOfAddress = statement<{ address: string }, { id: string }>(({ db }, arg) =>
  db.selectFrom('bitcoinInvoices').select('id').where('address', '=', arg('address')),
);

/** Sets it once: a second response of the node changes nothing. */
export const setLightning = statement<
  Pick<BitcoinInvoiceRow, 'id' | 'backendId' | 'bolt11' | 'paymentHash' | 'nextPollAt'>,
  BitcoinInvoiceRow
>(({ db }, arg) =>
  db
    .updateTable('bitcoinInvoices')
    .set({ ...columnsOf(arg, ['backendId', 'bolt11', 'paymentHash', 'nextPollAt']), lightning: 'open' })
    .where('id', '=', arg('id'))
    .where('bolt11', 'is', null)
    .returningAll(),
);

/** Sets it once: a later caller keeps the first address. */
export const setAddress = statement<
  Pick<BitcoinInvoiceRow, 'id' | 'backendId' | 'address' | 'addressFromHeight' | 'nextPollAt'>,
  BitcoinInvoiceRow
>(({ db }, arg) =>
  db
    .updateTable('bitcoinInvoices')
    .set(columnsOf(arg, ['backendId', 'address', 'addressFromHeight', 'nextPollAt']))
    .where('id', '=', arg('id'))
    .where('address', 'is', null)
    .returningAll(),
);

export const setWatch = statement<
  Pick<BitcoinInvoiceRow, 'id' | 'status' | 'lightning' | 'nextPollAt' | 'unansweredPolls' | 'answeredAt' | 'endedAt'>,
  unknown
>(({ db }, arg) =>
  db
    .updateTable('bitcoinInvoices')
    .set(columnsOf(arg, ['status', 'lightning', 'nextPollAt', 'unansweredPolls', 'answeredAt', 'endedAt']))
    .where('id', '=', arg('id')),
);

/** Claims due invoices until `nextPollAt`. */
export const claimDueInvoices = statement<{ now: Instant; nextPollAt: Instant; limit: number }, BitcoinInvoiceRow>(
  ({ db, isPostgres }, arg) =>
    db
      .updateTable('bitcoinInvoices')
      .set({ nextPollAt: arg('nextPollAt') })
      .where('id', 'in', query =>
        query
          .selectFrom('bitcoinInvoices')
          .select('id')
          .where('nextPollAt', '<=', arg('now'))
          .orderBy('nextPollAt')
          .limit(rowLimit(arg('limit')))
          .$if(isPostgres, due => due.forUpdate().skipLocked()),
      )
      .returningAll(),
);

/** For a process that has just started to follow this node and may have missed notifications. */
export const pollOpenInvoicesNow = statement<{ backendId: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('bitcoinInvoices')
    .set({ nextPollAt: arg('now') })
    .where('backendId', '=', arg('backendId'))
    .where('status', '=', 'open')
    .where('nextPollAt', '>', arg('now')),
);

/** The nodes with open invoices. */
export const nodesAwaited = statement<object, { backendId: string }>(({ db }) =>
  db
    .selectFrom('bitcoinInvoices')
    .select(sql<string>`"backendId"`.as('backendId'))
    .distinct()
    .where('backendId', 'is not', null)
    .where('status', '=', 'open')
    .where('lightning', '=', 'open'),
);

export const receiptsOfInvoice = statement<{ invoiceId: string }, BitcoinReceiptRow>(({ db }, arg) =>
  db
    .selectFrom('bitcoinReceipts')
    .selectAll()
    .where('invoiceId', '=', arg('invoiceId'))
    .orderBy('seenAt')
    .orderBy('id'),
);

/** Oldest first. */
export const receiptsOfInvoices = statement<{ invoiceIdsJson: string }, BitcoinReceiptRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinReceipts')
    .selectAll()
    .where(oneOf(isPostgres, 'invoiceId', arg('invoiceIdsJson')))
    .orderBy('seenAt')
    .orderBy('id'),
);

/** The database's key keeps one row per payment, however often it is reported. */
export const insertReceipt = statement<BitcoinReceiptRow, unknown>(({ db }, arg) =>
  db
    .insertInto('bitcoinReceipts')
    .values(
      allColumnsOf(arg, [
        'id',
        'invoiceId',
        'businessId',
        'network',
        'txId',
        'vout',
        'amountSats',
        'status',
        'paymentId',
        'preimage',
        'seenAt',
        'confirmedAt',
        'isBuried',
        'revertedAt',
      ]),
    ),
);

export const updateReceipt = statement<BitcoinReceiptRow, unknown>(({ db }, arg) =>
  db
    .updateTable('bitcoinReceipts')
    .set(columnsOf(arg, ['status', 'paymentId', 'confirmedAt', 'isBuried', 'revertedAt']))
    .where('id', '=', arg('id')),
);

export const followOf = statement<{ backendId: string }, BitcoinFollowRow>(({ db }, arg) =>
  db.selectFrom('bitcoinFollows').selectAll().where('backendId', '=', arg('backendId')),
);

export const saveFollow = statement<BitcoinFollowRow, unknown>(({ db }, arg) =>
  db
    .insertInto('bitcoinFollows')
    .values(allColumnsOf(arg, ['backendId', 'cursor']))
    .onConflict(conflict => conflict.column('backendId').doUpdateSet({ cursor: arg('cursor') })),
);

export const claimOfInvoice = statement<{ invoiceId: string }, BitcoinClaimRow>(({ db }, arg) =>
  db.selectFrom('bitcoinClaims').selectAll().where('invoiceId', '=', arg('invoiceId')),
);

export const claimsOfInvoices = statement<{ invoiceIdsJson: string }, BitcoinClaimRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinClaims')
    .selectAll()
    .where(oneOf(isPostgres, 'invoiceId', arg('invoiceIdsJson')))
    .orderBy('createdAt')
    .orderBy('id'),
);

export const insertClaim = statement<BitcoinClaimRow, unknown>(({ db }, arg) =>
  db
    .insertInto('bitcoinClaims')
    .values(
      allColumnsOf(arg, [
        'id',
        'invoiceId',
        'businessId',
        'purpose',
        'purposeId',
        'reason',
        'amountSats',
        'status',
        'destination',
        'returnedSats',
        'refundedSats',
        'createdAt',
        'requestedAt',
        'returnedAt',
      ]),
    ),
);

export const updateClaim = statement<BitcoinClaimRow, unknown>(({ db }, arg) =>
  db
    .updateTable('bitcoinClaims')
    .set(
      columnsOf(arg, [
        'reason',
        'amountSats',
        'status',
        'destination',
        'returnedSats',
        'refundedSats',
        'requestedAt',
        'returnedAt',
      ]),
    )
    .where('id', '=', arg('id')),
);

/** In the order given. */
export const destinationsOfClaim = statement<{ claimId: string }, BitcoinClaimDestinationRow>(({ db }, arg) =>
  db.selectFrom('bitcoinClaimDestinations').selectAll().where('claimId', '=', arg('claimId')).orderBy('number'),
);

export const insertDestination = statement<BitcoinClaimDestinationRow, unknown>(({ db }, arg) =>
  db.insertInto('bitcoinClaimDestinations').values(allColumnsOf(arg, ['claimId', 'number', 'destination', 'givenAt'])),
);

/** The payments of an invoice and how much of each is in bitcoin refunds. */
export const paymentsOfInvoice = statement<{ invoiceId: string }, PaymentRow>(({ db }, arg) =>
  db
    .selectFrom('bitcoinReceipts')
    .innerJoin('payments', 'payments.id', 'bitcoinReceipts.paymentId')
    .selectAll('payments')
    .where('bitcoinReceipts.invoiceId', '=', arg('invoiceId')),
);

export const paymentsOfInvoices = statement<{ invoiceIdsJson: string }, PaymentRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinReceipts')
    .innerJoin('payments', 'payments.id', 'bitcoinReceipts.paymentId')
    .selectAll('payments')
    .where(oneOf(isPostgres, 'bitcoinReceipts.invoiceId', arg('invoiceIdsJson'))),
);

export const receiptOfPayment = statement<{ businessId: string; paymentId: string }, BitcoinReceiptRow>(({ db }, arg) =>
  db
    .selectFrom('bitcoinReceipts')
    .selectAll()
    .where('paymentId', '=', arg('paymentId'))
    .where('businessId', '=', arg('businessId')),
);

export const dueOfBusiness = statement<{ businessId: string }, { sats: number | null }>(({ db }, arg) =>
  db
    .selectFrom('bitcoinClaims')
    .select(({ fn }) => fn.sum<number>(sql<number>`"amountSats" - "returnedSats" - "refundedSats"`).as('sats'))
    .where('businessId', '=', arg('businessId'))
    .where('status', '<>', sql.lit('returned')),
);
