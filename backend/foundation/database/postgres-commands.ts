import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import type pg from 'pg';
import { compilerOnly } from './compiler.ts';
import { type Database, DatabaseUnavailable, isArgument, type Statement, statementCompiler } from './database.ts';
import { Batch, type Command, isStalePlan, textOf } from './postgres-batch.ts';

export type Commands = {
  readonly of: <Args>(statement: Statement<Args, unknown>, args: Args) => Command;
  readonly begin: Command;
  /** The transaction's id. */
  readonly id: Command;
  readonly commit: Command;
};

/**
 * Statements are prepared once per connection, under names by their order of first use. Not behind a pooler: the session of
 * the next transaction may know the name from another process, for another statement.
 */
export function commandsFor(isPooled: boolean): Commands {
  const compile = statementCompiler({
    db: compilerOnly(new PostgresAdapter(), () => new ConstantsInText()),
    isPostgres: true,
  });
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `florin_${names.size}`;
    names.set(text, name);
    return name;
  };
  const fixed = (name: string, text: string): Command => ({ name: isPooled ? '' : `florin_${name}`, text, values: [] });
  return {
    of(statement, args) {
      const { text, values } = compile(statement as unknown as Statement<never, unknown>);
      const given = values(args as Readonly<Record<string, unknown>>).map(textOf);
      return { name: isPooled ? '' : nameOf(text), text, values: given };
    },
    begin: fixed('begin', 'BEGIN'),
    id: fixed('id', 'SELECT pg_current_xact_id()::text AS id'),
    commit: fixed('commit', 'COMMIT'),
  };
}

/** A read is repeated where a migration makes its plan stale, and the next migration may do so again. */
const maxReads = 10;

/** Reads, each a transaction of its own. With a time limit, a connection that does not answer within it is given up. */
export function readsOver(
  pool: pg.Pool,
  commands: Commands,
  limit?: { readonly timers: Timers; readonly answerWithinMs: number },
): Pick<Database, 'all' | 'first'> {
  async function all<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await read(statement, args);
      } catch (error) {
        if (!isStalePlan(error) || tries === maxReads) throw error;
      }
    }
  }
  async function read<Args, Row>(statement: Statement<Args, Row>, args: Args): Promise<Row[]> {
    let client: pg.PoolClient | undefined;
    let isGivenUp = false;
    let cancel: Cancel | undefined;
    try {
      client = await pool.connect();
      cancel = limit?.timers.after(limit.answerWithinMs, () => {
        isGivenUp = true;
        client?.release(true);
      });
      const batch = new Batch();
      const answer = batch.add(commands.of(statement, args));
      client.query(batch);
      return (await answer).rows as Row[];
    } catch (error) {
      throw isUnavailable(error) ? new DatabaseUnavailable('the database does not respond', { cause: error }) : error;
    } finally {
      cancel?.();
      if (!isGivenUp) client?.release();
    }
  }
  return { all, first: async (statement, args) => (await all(statement, args))[0] };
}

/** The code of PostgreSQL's error; empty for others. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Whether the database or the connection failed, not the statement: connection, resources, shutdown, read-only. */
export function isUnavailable(error: unknown): boolean {
  if (/^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|08|53|55000|57P|25006)/.test(codeOf(error)))
    return true;
  // pg sets no code for these.
  return /terminated|not queryable|Connection ended|Client was closed|timeout/i.test(
    (error as Error | null)?.message ?? '',
  );
}

class ConstantsInText extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (isArgument(value)) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}
