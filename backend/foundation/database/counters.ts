import { sql } from 'kysely';
import { type Database, statement, type Transaction } from './database.ts';
import type { CounterRow } from './rows.ts';
import { rowFor } from './statements.ts';

const increment = statement<CounterRow, { value: number }>(({ db }, arg) =>
  db
    .insertInto('counters')
    .values(rowFor(arg, 'counters'))
    .onConflict(conflict =>
      conflict.columns(['businessId', 'name']).doUpdateSet({ value: sql<number>`"counters"."value" + 1` }),
    )
    .returning('value'),
);

const counted = statement<Pick<CounterRow, 'businessId' | 'name'>, { value: number }>(({ db }, arg) =>
  db.selectFrom('counters').select('value').where('businessId', '=', arg('businessId')).where('name', '=', arg('name')),
);

/** The next number of a business, from 1 and without gaps: the counter rolls back with its transaction. */
export async function nextNumber(tx: Transaction, businessId: string, name: CounterName): Promise<number> {
  const counted = await tx.first(increment, { businessId, name, value: 1 });
  if (!counted) throw new Error(`the counter ${name} of ${businessId} gave no number`);
  return counted.value;
}

/** How many numbers were issued. */
export async function numbersGiven(
  database: Pick<Database, 'first'>,
  businessId: string,
  name: CounterName,
): Promise<number> {
  return (await database.first(counted, { businessId, name }))?.value ?? 0;
}
type CounterName = 'invoice' | 'webhookEvent' | `addresses:${string}`;
