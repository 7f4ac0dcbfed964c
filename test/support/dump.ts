import { type Database, statement } from '@florin/backend/foundation/database/database.ts';
import { CompiledQuery } from 'kysely';

type Nothing = Record<string, never>;
const raw = <Row>(text: string) =>
  statement<Nothing, Row>(() => ({ compile: () => CompiledQuery.raw(text) as CompiledQuery<Row> }));

/** Returns every row of every table as one text, to search for secrets; the counts of rate limits are left out. */
export async function everythingIn(database: Database): Promise<string> {
  const names = await database.all(
    raw<{ name: string }>(
      database.dialect === 'sqlite'
        ? `SELECT name FROM sqlite_master WHERE type = 'table'`
        : `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    ),
    {},
  );
  const dumped = names.filter(({ name }) => name !== 'rateLimits');
  const tables = await Promise.all(dumped.map(({ name }) => database.all(raw<object>(`SELECT * FROM "${name}"`), {})));
  return JSON.stringify(tables);
}
