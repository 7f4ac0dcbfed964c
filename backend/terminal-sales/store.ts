import type { TerminalSaleStatus } from '@florin/shared/contracts/terminal-sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { allColumnsOf, columnsOf, optionalFilters, rowLimit, statement } from '../database/database.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { TerminalRow } from '../terminals/rows.ts';
import type { SaleInvoiceRow, TerminalCommandRow, TerminalSaleRow } from './rows.ts';

/** Changes nothing where the terminal has a sale under way. */
export const insertSale = statement<TerminalSaleRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalSales')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'terminalId',
        'serial',
        'type',
        'mode',
        'amountMinor',
        'currency',
        'reference',
        'originalPaymentId',
        'status',
        'statusReason',
        'sequence',
        'reportSequence',
        'rail',
        'metadataJson',
        'actorKind',
        'actorId',
        'atReaderAt',
        'endRequested',
        'leftTerminalAt',
        'expiresAt',
        'dueAt',
        'createdAt',
        'updatedAt',
        'endedAt',
      ]),
    )
    .onConflict(conflict => conflict.doNothing()),
);

export const saleById = statement<{ id: string }, TerminalSaleRow>(({ db }, arg) =>
  db.selectFrom('terminalSales').selectAll().where('id', '=', arg('id')),
);

/** Locked until the transaction ends: every change of a sale, and the opening of its authorisation, take turns here. */
export const saleForUpdate = statement<{ id: string }, TerminalSaleRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('terminalSales')
    .selectAll()
    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),
);

/** What waits for its confirmation on chain needs the terminal no more. */
export const saleUnderWay = statement<{ terminalId: string }, TerminalSaleRow>(({ db }, arg) =>
  db
    .selectFrom('terminalSales')
    .selectAll()
    .where('terminalId', '=', arg('terminalId'))
    .where('endedAt', 'is', null)
    .where('leftTerminalAt', 'is', null)
    .where(sql<boolean>`coalesce("rail", '') <> 'bitcoin'`),
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

/** No change once it has ended. */
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

/** What arrived of it in bitcoin is kept up to date after its end, too; its status stays. */
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

export const salesOfBusiness = statement<SaleList, TerminalSaleRow>(({ db, isPostgres }, arg) => {
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

export const insertCommand = statement<TerminalCommandRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalCommands')
    .values(allColumnsOf(arg, ['id', 'terminalId', 'saleId', 'kind', 'bodyJson', 'expiresAt', 'createdAt', 'outcome'])),
);

export const commandById = statement<{ id: string; terminalId: string }, TerminalCommandRow>(({ db }, arg) =>
  db.selectFrom('terminalCommands').selectAll().where('id', '=', arg('id')).where('terminalId', '=', arg('terminalId')),
);

/** The oldest first; of sales that are for this machine, and not for one that was enrolled in its place before. */
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

/** Of a sale that ended; how many there were. */
export const withdrawCommands = statement<{ saleId: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('terminalCommands')
    .set({ outcome: 'withdrawn' })
    .where('saleId', '=', arg('saleId'))
    .where('outcome', 'is', null),
);

/** The terminal as which the machine of this one was first enrolled. */
export const machineOfTerminal = statement<{ terminalId: string }, { machineId: string }>(({ db }, arg) =>
  db.selectFrom('terminals').select('machineId').where('id', '=', arg('terminalId')),
);

/** Every enrolment of the machine that is enrolled as this terminal. */
export const enrolmentsOfMachine = statement<{ terminalId: string }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('terminals as own')
    .innerJoin('terminals as enrolment', 'enrolment.machineId', 'own.machineId')
    .select('enrolment.id')
    .where('own.id', '=', arg('terminalId')),
);

/** The terminal that was enrolled last under this serial. */
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

/** The payment of a sale that was taken on any terminal of the business: named of the payment, it would have SQLite read them all. */
export const paymentOfSale = statement<{ businessId: string; saleId: string }, PaymentRow>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('saleId', '=', arg('saleId'))
    .where('terminalId', 'in', query =>
      query.selectFrom('terminals').select('id').where('businessId', '=', arg('businessId')),
    ),
);

/** The database keeps a sale to one that is open. */
export const insertSaleInvoice = statement<SaleInvoiceRow, unknown>(({ db }, arg) =>
  db
    .insertInto('saleInvoices')
    .values(
      allColumnsOf(arg, [
        'invoiceId',
        'businessId',
        'terminalId',
        'saleId',
        'status',
        'sequence',
        'owedSats',
        'createdAt',
      ]),
    ),
);

export const openSaleInvoice = statement<{ saleId: string }, SaleInvoiceRow>(({ db }, arg) =>
  db.selectFrom('saleInvoices').selectAll().where('saleId', '=', arg('saleId')).where('status', '=', sql.lit('open')),
);

/** The one that a sale was asked for with last. */
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

export const saleInvoice = statement<{ invoiceId: string }, SaleInvoiceRow>(({ db }, arg) =>
  db.selectFrom('saleInvoices').selectAll().where('invoiceId', '=', arg('invoiceId')),
);

export const updateSaleInvoice = statement<SaleInvoiceRow, unknown>(({ db }, arg) =>
  db
    .updateTable('saleInvoices')
    .set(columnsOf(arg, ['status', 'sequence', 'owedSats']))
    .where('invoiceId', '=', arg('invoiceId')),
);

/** Makes a payment in bitcoin that of its sale. */
export const assignPayment = statement<{ id: string; terminalId: string; saleId: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('payments')
    .set({ terminalId: arg('terminalId'), saleId: arg('saleId') })
    .where('id', '=', arg('id'))
    .where('saleId', 'is', null),
);
