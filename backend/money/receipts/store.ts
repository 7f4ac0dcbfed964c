import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { rowLimit, statement } from '../../foundation/database/database.ts';
import {
  insertInto,
  insertRowsUnlessTaken,
  insertUnlessTaken,
  selectBy,
  selectForUpdateBy,
} from '../../foundation/database/statements.ts';
import { type Movement, type MovementRecord, movementsOf } from '../transactions/movements-store.ts';
import type { ReceiptEmailRow, ReceiptKeyRow } from './rows.ts';

/** Inserts the receipts that do not exist yet. */
export const insertReceipts = insertRowsUnlessTaken('receipts');

export const receiptByToken = selectBy('receipts', 'tokenHash');

export const receiptForUpdate = selectForUpdateBy('receipts', 'tokenHash');

/** A movement that took money of a sale back. */
export type Returned = Pick<Movement, 'effect' | 'at' | 'amountMinor' | 'amountSats' | 'refundId'>;

/**
 * What software called the terminal sale or refund that it started, and its command until that is deleted, with the language
 * that software named or the customer chose; no row for one that staff began.
 */
export const requestOfSale = statement<
  { businessId: string; saleId: string },
  { reference: string | null; commandJson: string | null }
>(({ db }, arg) =>
  db
    .selectFrom('terminalSales as sale')
    .leftJoin('terminalCommands as command', join =>
      join.onRef('command.saleId', '=', 'sale.id').on('command.kind', '!=', 'end_sale'),
    )
    .select(['sale.reference', 'command.bodyJson as commandJson'])
    .where('sale.id', '=', arg('saleId'))
    .where('sale.businessId', '=', arg('businessId')),
);

type OfPayment = { readonly paymentId: string };

const returnedBy = (record: MovementRecord, where: (paymentId: RawBuilder<string>) => RawBuilder<SqlBool>) =>
  statement<OfPayment, Returned>(({ db, isPostgres }, arg) => {
    const movements = movementsOf({
      isPostgres,
      type: null,
      record,
      only: ['effect', 'at', 'amountMinor', 'amountSats', 'refundId'],
      where: () => [where(arg('paymentId'))],
    });
    return db.selectFrom(movements.as('m')).selectAll().orderBy('m.at');
  });

/** What took money of a payment back, by the kind of record. */
export const returnedByLoss = returnedBy('loss', paymentId => sql`p."id" = ${paymentId}`);
// By their ids: otherwise SQLite reads every refund of the business.
export const returnedByRefund = returnedBy(
  'refund',
  paymentId => sql`r."id" IN (SELECT o."id" FROM "refunds" o WHERE o."paymentId" = ${paymentId})`,
);
export const returnedByCorrection = returnedBy('correction', paymentId => sql`d."paymentId" = ${paymentId}`);

/** Inserts nothing if the business has a current key. */
export const insertReceiptKey = insertUnlessTaken('receiptKeys');

export const currentReceiptKey = statement<{ businessId: string }, ReceiptKeyRow>(({ db }, arg) =>
  db.selectFrom('receiptKeys').selectAll().where('businessId', '=', arg('businessId')).where('retiredAt', 'is', null),
);

/** The current key and all earlier ones, oldest first. */
export const receiptKeysOf = statement<{ businessId: string }, ReceiptKeyRow>(({ db }, arg) =>
  db
    .selectFrom('receiptKeys')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .orderBy('id')
    .limit(sql.lit(1_000)),
);

export const retireReceiptKey = statement<{ businessId: string; retiredAt: number }, unknown>(({ db }, arg) =>
  db
    .updateTable('receiptKeys')
    .set({ retiredAt: arg('retiredAt') })
    .where('businessId', '=', arg('businessId'))
    .where('retiredAt', 'is', null),
);

export const insertReceiptEmail = insertInto('receiptEmails');

export const emailsOfReceipt = statement<{ receiptId: string }, ReceiptEmailRow>(({ db }, arg) =>
  db
    .selectFrom('receiptEmails')
    .selectAll()
    .where('receiptId', '=', arg('receiptId'))
    .orderBy('id', 'desc')
    .limit(sql.lit(1_000)),
);

/** Addresses to which a receipt was sent before then: of the oldest ones only, whose ids come first. */
export const deleteOldReceiptEmails = statement<{ before: Instant; limit: number }, unknown>(({ db }, arg) =>
  db.deleteFrom('receiptEmails').where('id', 'in', query =>
    query
      .selectFrom(oldest =>
        oldest
          .selectFrom('receiptEmails')
          .select(['id', 'sentAt'])
          .orderBy('id')
          .limit(rowLimit(arg('limit')))
          .as('oldest'),
      )
      .select('oldest.id')
      .where('oldest.sentAt', '<=', arg('before')),
  ),
);
