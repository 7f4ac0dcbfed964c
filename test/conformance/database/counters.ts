import { join } from 'node:path';
import { columnsOf, type Database, statement, type Transaction } from '@florin/backend/foundation/database/database.ts';
import { openPostgres } from '@florin/backend/foundation/database/postgres.ts';
import { openSqlite } from '@florin/backend/foundation/database/sqlite.ts';
import { CompiledQuery } from 'kysely';
import { onTestFinished } from 'vitest';

/** A table of counters, to test a database with. */

export type Counter = { businessId: string; name: string; value: number };
export type Slot = Pick<Counter, 'businessId' | 'name'>;

export const insert = statement<Counter, unknown>(({ db }, arg) =>
  db.insertInto('counters').values(columnsOf(arg, ['businessId', 'name', 'value'])),
);
export const update = statement<Counter, unknown>(({ db }, arg) =>
  db
    .updateTable('counters')
    .set({ value: arg('value') })
    .where('businessId', '=', arg('businessId'))
    .where('name', '=', arg('name')),
);
export const find = statement<Slot, { value: number }>(({ db }, arg) =>
  db.selectFrom('counters').select('value').where('businessId', '=', arg('businessId')).where('name', '=', arg('name')),
);
export const findForUpdate = statement<Slot, { value: number }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('counters')
    .select('value')
    .where('businessId', '=', arg('businessId'))
    .where('name', '=', arg('name'))
    .$if(isPostgres, query => query.forUpdate()),
);
export const slot: Slot = { businessId: 'biz_1', name: 'n' };

/** Opens the database of these settings, once more if it is already open. */
export async function open(place: Record<string, string>): Promise<Database> {
  const url = place.DATABASE_URL;
  const database = url
    ? await openPostgres({
        connectionString: url,
        ...(place.DATABASE_DIRECT_URL === undefined ? {} : { directConnectionString: place.DATABASE_DIRECT_URL }),
      })
    : await openSqlite({ file: join(place.DATA ?? '', 'backend.db') });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= database.close();
    return closed;
  };
  onTestFinished(close);
  return { ...database, close };
}

export async function valueIn(database: Database): Promise<number | undefined> {
  return (await database.first(find, slot))?.value;
}

export const addOne = async (tx: Transaction) => {
  const { value = 0 } = (await tx.first(findForUpdate, slot)) ?? {};
  await tx.run(update, { ...slot, value: value + 1 });
  return value + 1;
};

/** The same, but the update is sent together with COMMIT. */
export const sendOneMore = async (tx: Transaction) => {
  const { value = 0 } = (await tx.first(findForUpdate, slot)) ?? {};
  tx.send(update, { ...slot, value: value + 1 });
  return value + 1;
};

/** A statement from SQL text, without arguments. */
export const raw = <Row>(text: string) =>
  statement<Record<string, never>, Row>(() => ({ compile: () => CompiledQuery.raw(text) as CompiledQuery<Row> }));
