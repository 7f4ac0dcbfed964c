import type { TerminalSaleStatus } from '@florin/shared/contracts/terminal-sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { columnsOf, oneOf, optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import type { Flag } from '../../foundation/database/flag.ts';
import {
  insertInto,
  insertUnlessTaken,
  rowFor,
  selectBy,
  selectForUpdateBy,
  updateBy,
} from '../../foundation/database/statements.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { TerminalRow } from '../terminals/rows.ts';
import type { SaleInvoiceRow, TerminalChannelRow, TerminalCommandRow, TerminalSaleRow } from './rows.ts';

/** Inserts nothing if the terminal has a sale in progress. */
export const insertSale = insertUnlessTaken('terminalSales');

export const saleById = selectBy('terminalSales', 'id');

/** Locked until the transaction ends: serialises changes of a sale and its authorisation. */
export const saleForUpdate = selectForUpdateBy('terminalSales', 'id');

/** The sale that occupies a terminal. */
export type SaleUnderWay = Pick<
  TerminalSaleRow,
  'id' | 'type' | 'statusReason' | 'actorKind' | 'createdAt' | 'updatedAt'
> & {
  /** When its payment was begun. */
  readonly paymentCreatedAt: Instant | null;
};

/** Each of the terminals that has a channel or a sale under way. */
export type TerminalInUse = { readonly terminalId: string } & {
  readonly [Column in keyof Omit<TerminalChannelRow, 'terminalId'>]: TerminalChannelRow[Column] | null;
} & { readonly [Column in keyof SaleUnderWay as `sale_${Column}`]: SaleUnderWay[Column] | null };

/** What occupies these terminals. A sale waiting for an on-chain confirmation does not. */
export const terminalsInUse = statement<{ idsJson: string }, TerminalInUse>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('terminals')
    .leftJoin('terminalChannels as channel', 'channel.terminalId', 'terminals.id')
    .leftJoin('terminalSales as sale', join =>
      join
        .onRef('sale.terminalId', '=', 'terminals.id')
        .on('sale.endedAt', 'is', null)
        .on('sale.leftTerminalAt', 'is', null)
        .on(sql<boolean>`coalesce("sale"."rail", '') <> 'bitcoin'`),
    )
    .leftJoin('payments as payment', join =>
      join.onRef('payment.terminalId', '=', 'sale.terminalId').onRef('payment.saleId', '=', 'sale.id'),
    )
    .select('terminals.id as terminalId')
    .select([
      'channelId',
      'isConnected',
      'seenAt',
      'appVersion',
      'activity',
      'activitySince',
      'readerJson',
      'healthJson',
    ])
    .select([
      'sale.id as sale_id',
      'sale.type as sale_type',
      'sale.statusReason as sale_statusReason',
      'sale.actorKind as sale_actorKind',
      'sale.createdAt as sale_createdAt',
      'sale.updatedAt as sale_updatedAt',
      'payment.createdAt as sale_paymentCreatedAt',
    ])
    .where(oneOf(isPostgres, 'terminals.id', arg('idsJson'))),
);

type SaleChange = Pick<
  TerminalSaleRow,
  | 'id'
  | 'status'
  | 'statusReason'
  | 'reportSequence'
  | 'rail'
  | 'metadataJson'
  | 'atReaderAt'
  | 'endRequested'
  | 'leftTerminalAt'
  | 'dueAt'
  | 'updatedAt'
  | 'endedAt'
  | 'sequence'
>;

/** Changes nothing once it has ended. */
export const changeSale = statement<SaleChange, TerminalSaleRow>(({ db }, arg) =>
  db
    .updateTable('terminalSales')
    .set(
      columnsOf(arg, [
        'status',
        'statusReason',
        'sequence',
        'reportSequence',
        'rail',
        'metadataJson',
        'atReaderAt',
        'endRequested',
        'leftTerminalAt',
        'dueAt',
        'updatedAt',
        'endedAt',
      ]),
    )
    .where('id', '=', arg('id'))
    .where('endedAt', 'is', null)
    .returningAll(),
);

/** Bitcoin received after its end is still recorded; its status stays. */
export const setLateMetadata = statement<
  Pick<TerminalSaleRow, 'id' | 'metadataJson' | 'sequence' | 'updatedAt'>,
  unknown
>(({ db }, arg) =>
  db
    .updateTable('terminalSales')
    .set(columnsOf(arg, ['metadataJson', 'sequence', 'updatedAt']))
    .where('id', '=', arg('id'))
    .where('endedAt', 'is not', null),
);

/** In progress or ended. Changes nothing if it was printed, or was reported before. */
export const setReceiptPrinted = statement<
  Pick<TerminalSaleRow, 'id' | 'sequence' | 'updatedAt'> & { receiptPrinted: Flag },
  unknown
>(({ db }, arg) =>
  db
    .updateTable('terminalSales')
    .set(columnsOf(arg, ['receiptPrinted', 'sequence', 'updatedAt']))
    .where('id', '=', arg('id'))
    .where(sql<boolean>`coalesce("receiptPrinted", -1) < ${arg('receiptPrinted')}`),
);

export const dueSales = statement<{ now: Instant; limit: number }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('terminalSales')
    .select('id')
    .where('dueAt', '<=', arg('now'))
    .orderBy('dueAt')
    .limit(rowLimit(arg('limit'))),
);

export type SaleList = {
  readonly businessId: string;
  readonly status: TerminalSaleStatus | null;
  readonly serial: string | null;
  readonly before: string;
  readonly limit: number;
};

export const terminalSalesOfBusiness = statement<SaleList, TerminalSaleRow>(({ db, isPostgres }, arg) => {
  const optional = optionalFilters(isPostgres);
  return db
    .selectFrom('terminalSales')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '<', arg('before'))
    .where(optional.text('status', '=', arg('status')))
    .where(optional.text('serial', '=', arg('serial')))
    .orderBy('id', 'desc')
    .limit(rowLimit(arg('limit')));
});

export const insertCommand = insertInto('terminalCommands');

export const commandById = selectBy('terminalCommands', 'id', 'terminalId');

/** The command that started a sale or refund, until it is deleted. */
export const startOfSale = statement<{ saleId: string }, TerminalCommandRow>(({ db }, arg) =>
  db.selectFrom('terminalCommands').selectAll().where('saleId', '=', arg('saleId')).where('kind', '!=', 'end_sale'),
);

export const setCommandBody = updateBy('terminalCommands', { set: ['bodyJson'], by: ['id'] });

/** Oldest first; only for sales of this machine, not of another one enrolled in its place. */
export const openCommands = statement<{ terminalId: string; now: Instant }, TerminalCommandRow>(({ db }, arg) =>
  db
    .selectFrom('terminalCommands')
    .selectAll()
    .where('terminalId', '=', arg('terminalId'))
    .where('outcome', 'is', null)
    .where('expiresAt', '>', arg('now'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('terminalSales')
          .innerJoin('terminals', 'terminals.id', 'terminalSales.terminalId')
          .select('terminalSales.id')
          .whereRef('terminalSales.id', '=', 'terminalCommands.saleId')
          .whereRef('terminals.serial', '=', 'terminalSales.serial'),
      ),
    )
    .orderBy('id'),
);

export const endCommand = statement<{ id: string; outcome: NonNullable<TerminalCommandRow['outcome']> }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('terminalCommands')
      .set({ outcome: arg('outcome') })
      .where('id', '=', arg('id'))
      .where('outcome', 'is', null),
);

/** Of an ended sale; returns how many there were. */
export const withdrawCommands = statement<{ saleId: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('terminalCommands')
    .set({ outcome: 'withdrawn' })
    .where('saleId', '=', arg('saleId'))
    .where('outcome', 'is', null),
);

/** Deletes commands that expired before then. It looks at the oldest ones only: ids sort by time, so it needs no index. */
export const deleteOldCommands = statement<{ before: Instant; limit: number }, unknown>(({ db }, arg) =>
  db.deleteFrom('terminalCommands').where('id', 'in', query =>
    query
      .selectFrom(oldest =>
        oldest
          .selectFrom('terminalCommands')
          .select(['id', 'expiresAt'])
          .orderBy('id')
          .limit(rowLimit(arg('limit')))
          .as('oldest'),
      )
      .select('oldest.id')
      .where('oldest.expiresAt', '<=', arg('before')),
  ),
);

/** The terminal of this machine's first enrolment. */
export const machineOfTerminal = statement<{ terminalId: string }, { machineId: string }>(({ db }, arg) =>
  db.selectFrom('terminals').select('machineId').where('id', '=', arg('terminalId')),
);

/** Every enrolment of this terminal's machine. */
export const enrolmentsOfMachine = statement<{ terminalId: string }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('terminals as own')
    .innerJoin('terminals as enrolment', 'enrolment.machineId', 'own.machineId')
    .select('enrolment.id')
    .where('own.id', '=', arg('terminalId')),
);

/** The most recently enrolled terminal with this serial. */
export const terminalBySerial = statement<{ businessId: string; serial: string }, TerminalRow>(({ db }, arg) =>
  db
    .selectFrom('terminals')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('serial', '=', arg('serial'))
    .where('removedAt', 'is', null)
    .orderBy('enrolledAt', 'desc')
    .limit(sql.lit(1)),
);

/**
 * The payment of a sale on any terminal of the business; the column is an expression, because SQLite would otherwise
 * read all payments.
 */
export const paymentOfSale = statement<{ businessId: string; saleId: string }, PaymentRow>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('saleId', '=', arg('saleId'))
    .where('terminalId', 'in', query =>
      query.selectFrom('terminals').select('id').where('businessId', '=', arg('businessId')),
    ),
);

/** The database's unique index permits one open invoice per sale. */
export const insertSaleInvoice = insertInto('saleInvoices');

export const openSaleInvoice = statement<{ saleId: string }, SaleInvoiceRow>(({ db }, arg) =>
  db.selectFrom('saleInvoices').selectAll().where('saleId', '=', arg('saleId')).where('status', '=', sql.lit('open')),
);

/** The sale's last bitcoin request. */
export const lastSaleInvoice = statement<{ businessId: string; saleId: string }, SaleInvoiceRow>(({ db }, arg) =>
  db
    .selectFrom('saleInvoices')
    .selectAll()
    .where('saleId', '=', arg('saleId'))
    .where('businessId', '=', arg('businessId'))
    .orderBy('createdAt', 'desc')
    .orderBy('invoiceId', 'desc')
    .limit(sql.lit(1)),
);

export const saleInvoice = selectBy('saleInvoices', 'invoiceId');

export const updateSaleInvoice = updateBy('saleInvoices', {
  set: ['status', 'sequence', 'dueSats'],
  by: ['invoiceId'],
});

/** Makes a bitcoin payment the payment of its sale. */
export const assignPayment = statement<
  { id: string; terminalId: string; saleId: string; reference: string | null },
  unknown
>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ terminalId: arg('terminalId'), saleId: arg('saleId'), reference: arg('reference') })
    .where('id', '=', arg('id'))
    .where('saleId', 'is', null),
);

export const statusOf = selectBy('terminalChannels', 'terminalId');

export const openChannel = statement<TerminalChannelRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalChannels')
    .values(rowFor(arg, 'terminalChannels'))
    .onConflict(conflict =>
      conflict.column('terminalId').doUpdateSet(columnsOf(arg, ['channelId', 'seenAt', 'isConnected'])),
    ),
);

/** Changes nothing if the terminal has reconnected meanwhile. */
export const closeChannel = statement<{ terminalId: string; channelId: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('terminalChannels')
    .set({ isConnected: 0 })
    .where('terminalId', '=', arg('terminalId'))
    .where('channelId', '=', arg('channelId')),
);

export const saveStatus = statement<TerminalChannelRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalChannels')
    .values(rowFor(arg, 'terminalChannels'))
    .onConflict(conflict =>
      conflict
        .column('terminalId')
        .doUpdateSet(columnsOf(arg, ['seenAt', 'appVersion', 'activity', 'activitySince', 'readerJson', 'healthJson'])),
    ),
);
