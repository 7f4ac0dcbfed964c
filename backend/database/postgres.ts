import { DummyDriver, Kysely, PostgresAdapter, PostgresDialect, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import {
  CommitOutcomeUnknown,
  type Database,
  DatabaseUnavailable,
  type Statement,
  statementCompiler,
  type Transaction,
} from './database.ts';
import { migrate } from './migrations/migrate.ts';
import type { Tables } from './schema.ts';

export type PostgresOptions = {
  readonly connectionString?: string;
  /** Directory of a Unix socket, instead of a connection string. */
  readonly host?: string;
  readonly user?: string;
  readonly database?: string;
  readonly maximumConnections?: number;
};

/** Serialisation failure and deadlock: nothing was committed, running the body again is safe. */
const worthRepeating = new Set(['40001', '40P01']);
const mostTries = 10;

/** PostgreSQL: each body is one transaction on one pooled connection. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { maximumConnections = 16, ...connection } = options;
  const pool = new pg.Pool({
    ...connection,
    max: maximumConnections,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {});
  // A session can be ended in the very packet that began it: then neither the pool nor whoever asked for it listens yet.
  pool.on('connect', client => client.on('error', () => {}));
  const migrations = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate({ db: migrations, dialect: 'postgres' });
  const compile = statementCompiler({ db: compilerOnly(), isPostgres: true });
  const nameOf = statementNames();

  async function query<Args, Row>(client: pg.Pool | pg.PoolClient, statement: Statement<Args, Row>, args: Args) {
    const { text, values } = compile(statement as unknown as Statement<never, unknown>);
    return client.query({ name: nameOf(text), text, values: values(args as Readonly<Record<string, unknown>>) });
  }

  /** A transaction for the time its body runs: afterwards the connection belongs to somebody else. */
  async function runBody<Value>(client: pg.PoolClient, body: (tx: Transaction) => Promise<Value>): Promise<Value> {
    let open = true;
    const ask: typeof query = (...asked) => {
      if (!open) throw new Error('a transaction was used after its body ended');
      return query(...asked);
    };
    try {
      return await body({
        all: async (statement, args) => (await ask(client, statement, args)).rows,
        first: async (statement, args) => (await ask(client, statement, args)).rows[0],
        run: async (statement, args) => (await ask(client, statement, args)).rowCount ?? 0,
      });
    } finally {
      open = false;
    }
  }

  return {
    dialect: 'postgres',
    async write(body) {
      for (let tries = 1; ; tries += 1) {
        const outcome = await attempt(pool, client => runBody(client, body));
        if (outcome.kind === 'committed') return outcome.value;
        if (outcome.kind === 'failed' || tries === mostTries) throw outcome.error;
        await stepAside(pool, tries);
      }
    },
    all: async (statement, args) => (await query(pool, statement, args)).rows,
    first: async (statement, args) => (await query(pool, statement, args)).rows[0],
    close: () => pool.end(),
  };
}

type Attempt<Value> =
  | { readonly kind: 'committed'; readonly value: Value }
  | { readonly kind: 'repeat'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: unknown };

async function attempt<Value>(pool: pg.Pool, body: (client: pg.PoolClient) => Promise<Value>): Promise<Attempt<Value>> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { kind: 'failed', error: new DatabaseUnavailable('no connection to the database', { cause: error }) };
  }
  let lost = false;
  const onError = () => (lost = true);
  client.on('error', onError);
  let transactionId: string | undefined;
  let committing: { value: Value } | undefined;
  try {
    transactionId = await begin(client);
    committing = { value: await body(client) };
    await client.query('COMMIT');
    return { kind: 'committed', ...committing };
  } catch (error) {
    const code = (error as { code?: string }).code;
    lost ||= isConnectionError(error);
    // A lost connection during COMMIT is the one moment the outcome is not known here. The database knows: ask it.
    if (committing && lost) return await outcomeOf(pool, transactionId, committing.value, error);
    if (code && worthRepeating.has(code)) {
      await rollback(client);
      return {
        kind: 'repeat',
        error: new DatabaseUnavailable('the database could not serialise this change', { cause: error }),
      };
    }
    if (lost)
      return {
        kind: 'failed',
        error: new DatabaseUnavailable('the connection to the database was lost', { cause: error }),
      };
    await rollback(client);
    return { kind: 'failed', error };
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}

/**
 * Waits a moment of random length, longer with each try: bodies that met once would otherwise meet again in the same order.
 * A pause that fails is none; the next attempt says what is wrong.
 */
async function stepAside(pool: pg.Pool, tries: number): Promise<void> {
  await pool.query('SELECT pg_sleep(random() * $1::float8)', [0.01 * tries]).catch(() => {});
}

/** Begins and learns the transaction's id in one round trip, so that a lost COMMIT can be asked about. */
async function begin(client: pg.PoolClient): Promise<string | undefined> {
  const results = (await client.query('BEGIN; SELECT pg_current_xact_id()::text AS id')) as unknown as pg.QueryResult<{
    id: string;
  }>[];
  return results[1]?.rows[0]?.id;
}

async function rollback(client: pg.PoolClient): Promise<void> {
  await client.query('ROLLBACK').catch(() => {});
}

async function outcomeOf<Value>(
  pool: pg.Pool,
  transactionId: string | undefined,
  value: Value,
  cause: unknown,
): Promise<Attempt<Value>> {
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      const { rows } = await pool.query<{ status: string | null }>('SELECT pg_xact_status($1::xid8) AS status', [
        transactionId,
      ]);
      if (rows[0]?.status === 'aborted') {
        return {
          kind: 'repeat',
          error: new DatabaseUnavailable('the connection was lost and nothing was committed', { cause }),
        };
      }
      if (rows[0]?.status === 'committed') return { kind: 'committed', value };
    } catch {
      // Asked again below: the database may be on its way back.
    }
  }
  return { kind: 'failed', error: new CommitOutcomeUnknown('the connection was lost during COMMIT', { cause }) };
}

function isConnectionError(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code?.startsWith('08') || code?.startsWith('57P')) return true;
  return /terminated|ECONNRESET|EPIPE|not queryable|Connection ended/i.test(`${code ?? ''} ${message ?? ''}`);
}

/** Prepared statements are named by their order of first use: short, and the same on every connection of this process. */
function statementNames(): (text: string) => string {
  const names = new Map<string, string>();
  return text => {
    const known = names.get(text);
    if (known) return known;
    const made = `florin_${names.size}`;
    names.set(text, made);
    return made;
  };
}

const int8 = 20;
/** bigint as a number, refusing what a double cannot hold exactly; everything else as pg reads it. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid !== int8) return pg.types.getTypeParser(oid, format as 'text');
  return (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new Error(`bigint out of range: ${text}`);
    return value;
  };
}

function compilerOnly(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error('the statement compiler has no database to look into');
      },
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
