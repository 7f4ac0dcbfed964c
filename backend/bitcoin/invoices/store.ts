import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { renewLeases } from '../../foundation/database/claim.ts';
import { columnsOf, oneOf, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertInto, rowFor, selectBy, selectForUpdateBy, updateBy } from '../../foundation/database/statements.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type {
  BitcoinClaimDestinationRow,
  BitcoinClaimRow,
  BitcoinFollowRow,
  BitcoinInvoiceRow,
  BitcoinReceiptRow,
} from './rows.ts';

export type ConfirmedReceipt = Pick<BitcoinReceiptRow, 'id' | 'network' | 'txId' | 'vout' | 'amountSats'> &
  Pick<BitcoinInvoiceRow, 'address' | 'addressFromHeight'>;

export const insertInvoice = insertInto('bitcoinInvoices');

export const invoiceById = selectBy('bitcoinInvoices', 'id');

export const invoicesByIds = statement<{ idsJson: string }, BitcoinInvoiceRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinInvoices')
    .selectAll()
    .where(oneOf(isPostgres, 'id', arg('idsJson'))),
);

/** Locked until the transaction ends: serialises all reports about an invoice. */
export const invoiceForUpdate = selectForUpdateBy('bitcoinInvoices', 'id');

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

export const setWatch = updateBy('bitcoinInvoices', {
  set: ['status', 'lightning', 'nextPollAt', 'unansweredPolls', 'answeredAt', 'endedAt'],
  by: ['id'],
});

export const renewInvoiceLeases = renewLeases('bitcoinInvoices', 'nextPollAt');

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

/** Of any business and node. */
export const receiptsOfTransactions = statement<{ txIdsJson: string }, BitcoinReceiptRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinReceipts')
    .selectAll()
    .where(oneOf(isPostgres, 'txId', arg('txIdsJson'))),
);

/** The invoices of any business and node that are paid like this and whose payments the service still looks for. */
export const invoicesAwaiting = statement<
  { paymentHashesJson: string; addressesJson: string },
  Pick<BitcoinInvoiceRow, 'paymentHash' | 'address' | 'lightning'>
>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinInvoices')
    .select(['paymentHash', 'address', 'lightning'])
    .where('nextPollAt', 'is not', null)
    .where(({ or }) =>
      or([
        oneOf(isPostgres, 'paymentHash', arg('paymentHashesJson')),
        oneOf(isPostgres, 'address', arg('addressesJson')),
      ]),
    ),
);

/** The payments received at a node that count since this time, with the address of their invoice. */
export const receiptsConfirmedSince = statement<{ backendId: string; since: Instant }, ConfirmedReceipt>(
  ({ db }, arg) =>
    db
      .selectFrom('bitcoinReceipts')
      .innerJoin('bitcoinInvoices', 'bitcoinInvoices.id', 'bitcoinReceipts.invoiceId')
      .select([
        'bitcoinReceipts.id',
        'bitcoinReceipts.network',
        'bitcoinReceipts.txId',
        'bitcoinReceipts.vout',
        'bitcoinReceipts.amountSats',
        'bitcoinInvoices.address',
        'bitcoinInvoices.addressFromHeight',
      ])
      .where('bitcoinInvoices.backendId', '=', arg('backendId'))
      .where('bitcoinReceipts.confirmedAt', '>=', arg('since'))
      .where('bitcoinReceipts.revertedAt', 'is', null)
      .orderBy('bitcoinReceipts.id'),
);

/** The database's key keeps one row per payment, however often it is reported. */
export const insertReceipt = insertInto('bitcoinReceipts');

export const updateReceipt = updateBy('bitcoinReceipts', {
  set: ['status', 'paymentId', 'confirmedAt', 'isBuried', 'revertedAt'],
  by: ['id'],
});

export const followOf = selectBy('bitcoinFollows', 'backendId');

export const saveFollow = statement<BitcoinFollowRow, unknown>(({ db }, arg) =>
  db
    .insertInto('bitcoinFollows')
    .values(rowFor(arg, 'bitcoinFollows'))
    .onConflict(conflict => conflict.column('backendId').doUpdateSet({ cursor: arg('cursor') })),
);

export const claimOfInvoice = selectBy('bitcoinClaims', 'invoiceId');

export const claimsOfInvoices = statement<{ invoiceIdsJson: string }, BitcoinClaimRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinClaims')
    .selectAll()
    .where(oneOf(isPostgres, 'invoiceId', arg('invoiceIdsJson')))
    .orderBy('createdAt')
    .orderBy('id'),
);

export const insertClaim = insertInto('bitcoinClaims');

export const updateClaim = updateBy('bitcoinClaims', {
  set: ['reason', 'amountSats', 'status', 'destination', 'returnedSats', 'refundedSats', 'requestedAt', 'returnedAt'],
  by: ['id'],
});

/** In the order given. */
export const destinationsOfClaim = statement<{ claimId: string }, BitcoinClaimDestinationRow>(({ db }, arg) =>
  db.selectFrom('bitcoinClaimDestinations').selectAll().where('claimId', '=', arg('claimId')).orderBy('number'),
);

export const insertDestination = insertInto('bitcoinClaimDestinations');

export const deleteDestinations = statement<{ claimId: string }, unknown>(({ db }, arg) =>
  db.deleteFrom('bitcoinClaimDestinations').where('claimId', '=', arg('claimId')),
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

export const receiptOfPayment = selectBy('bitcoinReceipts', 'paymentId', 'businessId');

export const dueOfBusiness = statement<{ businessId: string }, { sats: number | null }>(({ db }, arg) =>
  db
    .selectFrom('bitcoinClaims')
    .select(({ fn }) => fn.sum<number>(sql<number>`"amountSats" - "returnedSats" - "refundedSats"`).as('sats'))
    .where('businessId', '=', arg('businessId'))
    .where('status', '<>', sql.lit('returned')),
);
