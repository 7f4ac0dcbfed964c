import { type RawBuilder, sql } from 'kysely';
import { columns } from '../../foundation/database/columns.ts';
import { type ArgumentOf, oneOf, type Queries, type Statement, statement } from '../../foundation/database/database.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import { argumentOf, type Row } from './change.ts';
import { type Holding, keyOf, type TableName } from './personal-data.ts';

type OfBusiness = { readonly business: string };

function selected(
  table: TableName,
  held: Holding,
  { db, isPostgres }: Queries,
  arg: ArgumentOf<OfBusiness>,
  where: (column: string) => RawBuilder<unknown>,
  among: readonly string[],
) {
  const { columns: named, tells = [], ofBusiness = '"businessId" = :business', needed } = held;
  const business = 'businessId' in columns[table] ? ['businessId'] : [];
  const names = new Set([...keyOf(table, held, isPostgres), ...business, ...Object.keys(named), ...tells]);
  const [first = '', ...rest] = ofBusiness.split(':business').map(part => sql.raw(part));
  const isOfBusiness = sql.join([first, ...rest.flatMap(part => [arg('business'), part])], sql.raw(''));
  return sql<Row>`
    SELECT ${sql.join([...names].map(name => sql.ref(name)))}, CASE WHEN ${sql.raw(needed?.rows ?? '1 = 0')} THEN 1 ELSE 0 END AS "isNeeded"
    FROM ${sql.table(table)} WHERE ${isOfBusiness} AND (${sql.join(among.map(where), sql` OR `)})`.compile(db);
}

/** The rows of a business with a text like one of these patterns (a JSON array); the whole table is read. */
export const rowsLike = (table: TableName, held: Holding): Statement<OfBusiness & { patternsJson: string }, Row> =>
  statement((queries, arg) => {
    // With the table's name: json_each has columns of its own, such as `path`. SQLite's LIKE takes either case of a letter.
    const isLike = (column: string) =>
      queries.isPostgres
        ? sql`lower(${sql.ref(column)}) LIKE ANY (ARRAY(SELECT jsonb_array_elements_text(cast(${arg('patternsJson')} AS jsonb))))`
        : sql`EXISTS (SELECT 1 FROM json_each(${arg('patternsJson')}) p WHERE ${sql.ref(`${table}.${column}`)} LIKE p.value)`;
    return { compile: () => selected(table, held, queries, arg, isLike, Object.keys(held.columns)) };
  });

/** The rows of a business with the address of a customer. */
export const rowsWithAddress = (table: TableName, held: Holding): Statement<OfBusiness, Row> =>
  statement((queries, arg) => {
    const isThere = (column: string) => sql`${sql.ref(column)} IS NOT NULL`;
    return { compile: () => selected(table, held, queries, arg, isThere, held.addresses?.columns ?? []) };
  });

const isRow = (arg: ArgumentOf<Record<string, unknown>>, key: readonly string[], changed: readonly string[]) => {
  const equals = (of: 'key' | 'old') => (name: string) => sql`${sql.ref(name)} = ${arg(argumentOf(name, of))}`;
  return sql.join([...key.map(equals('key')), ...changed.map(equals('old'))], sql` AND `);
};

/** Deletes a row unless one of these columns was changed since it was read. */
export const eraseRow = (table: TableName, key: readonly string[], named: readonly string[]) =>
  statement<Record<string, unknown>, unknown>(({ db }, arg) => ({
    compile: () => sql`DELETE FROM ${sql.table(table)} WHERE ${isRow(arg, key, named)}`.compile(db),
  }));

/** Replaces these columns of a row unless one was changed since it was read, or it is needed now. */
export const eraseText = (table: TableName, { needed }: Holding, key: readonly string[], named: readonly string[]) =>
  statement<Record<string, unknown>, unknown>(({ db }, arg) => {
    const set = sql.join(named.map(name => sql`${sql.ref(name)} = ${arg(argumentOf(name, 'new'))}`));
    const change = sql`UPDATE ${sql.table(table)} SET ${set} WHERE ${isRow(arg, key, named)} AND NOT (${sql.raw(needed?.rows ?? '1 = 0')})`;
    return { compile: () => change.compile(db) };
  });

/** A sale as an export tells it. */
export type Sale = Pick<PaymentRow, (typeof saleColumns)[number]>;
const saleColumns = [
  'id',
  'invoiceNumber',
  'takenAt',
  'method',
  'amountMinor',
  'currency',
  'amountSats',
  'refundedMinor',
  'cardScheme',
  'cardLastFour',
] as const;

/** The payments that these records, given by their ids, are of. */
export const salesOf = statement<OfBusiness & { idsJson: string }, Sale>(({ db, isPostgres }, arg) => {
  const isGiven = (column: string) => oneOf(isPostgres, column, arg('idsJson'));
  return {
    compile: () =>
      sql<Sale>`
        SELECT ${sql.join(saleColumns.map(name => sql.ref(name)))} FROM "payments" WHERE "businessId" = ${arg('business')} AND (
          ${isGiven('id')} OR ${isGiven('paymentLinkId')} OR ${isGiven('saleId')}
          OR "id" IN (SELECT "paymentId" FROM "bitcoinReceipts" WHERE ${isGiven('invoiceId')})
          OR "id" IN (SELECT "paymentId" FROM "refunds" WHERE ${isGiven('id')})
          OR "id" IN (SELECT "subjectId" FROM "receipts" WHERE ${isGiven('id')})
          OR "id" IN (SELECT "paymentId" FROM "refunds" WHERE "id" IN (SELECT "subjectId" FROM "receipts" WHERE ${isGiven('id')}))
        ) ORDER BY "id"`.compile(db),
  };
});
