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
import { type Answer, Batch, type Command, onTheWire } from './postgres-batch.ts';
import { type CommandOf, PostgresTransaction } from './postgres-transaction.ts';
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
  const pool = new pg.Pool({ ...connection, max: maximumConnections });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {});
  // A session can be ended in the very packet that began it: then neither the pool nor whoever asked for it listens yet.
  pool.on('connect', client => client.on('error', () => {}));
  const migrations = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate({ db: migrations, dialect: 'postgres' });
  const commandOf = commands();
  const read = async <Args>(statement: Statement<Args, unknown>, args: Args) =>
    (await readOnce(pool, commandOf(statement, args))).rows;

  return {
    dialect: 'postgres',
    async write(body) {
      for (let tries = 1; ; tries += 1) {
        const outcome = await attempt(pool, commandOf, body);
        if (outcome.kind === 'committed') return outcome.value;
        if (outcome.kind === 'failed' || tries === mostTries) throw outcome.error;
        await stepAside(pool, tries);
      }
    },
    all: async <Args, Row>(statement: Statement<Args, Row>, args: Args) => (await read(statement, args)) as Row[],
    first: async <Args, Row>(statement: Statement<Args, Row>, args: Args) =>
      (await read(statement, args))[0] as Row | undefined,
    close: () => pool.end(),
  };
}

/** Statements as they go over the wire. */
function commands(): CommandOf {
  const compile = statementCompiler({ db: compilerOnly(), isPostgres: true });
  const nameOf = statementNames();
  return (statement, args) => {
    const { text, values } = compile(statement as unknown as Statement<never, unknown>);
    return { name: nameOf(text), text, values: values(args as Readonly<Record<string, unknown>>).map(onTheWire) };
  };
}

/** Outside a transaction. */
async function readOnce(pool: pg.Pool, command: Command): Promise<Answer> {
  const client = await pool.connect();
  let isUsable = true;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      client.query(new Batch([{ command, resolve, reject }], () => undefined));
    });
  } catch (error) {
    isUsable = !isConnectionError(error);
    throw error;
  } finally {
    client.release(!isUsable);
  }
}

type Attempt<Value> =
  | { readonly kind: 'committed'; readonly value: Value }
  | { readonly kind: 'repeat'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: unknown };

async function attempt<Value>(
  pool: pg.Pool,
  commandOf: CommandOf,
  body: (tx: Transaction) => Promise<Value>,
): Promise<Attempt<Value>> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { kind: 'failed', error: new DatabaseUnavailable('no connection to the database', { cause: error }) };
  }
  let lost = false;
  const onError = () => (lost = true);
  client.on('error', onError);
  const tx = new PostgresTransaction(client, commandOf);
  let committing: { value: Value } | undefined;
  try {
    const value = await body(tx);
    await tx.close();
    committing = { value };
    await tx.commit();
    return { kind: 'committed', value };
  } catch (thrown) {
    // The body may have made another error of it: whether to run it again is for the statement's own to say.
    const cause = tx.failure?.error ?? thrown;
    lost ||= isConnectionError(cause);
    // A lost connection during COMMIT is the one moment the outcome is not known here. The database knows: ask it.
    if (committing && lost) return await outcomeOf(pool, tx.id, committing.value, cause);
    if (!lost) await tx.rollback().catch(onError);
    if (worthRepeating.has((cause as { code?: string }).code ?? ''))
      return {
        kind: 'repeat',
        error: new DatabaseUnavailable('the database could not serialise this change', { cause }),
      };
    if (lost)
      return { kind: 'failed', error: new DatabaseUnavailable('the connection to the database was lost', { cause }) };
    return { kind: 'failed', error: thrown };
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

async function outcomeOf<Value>(
  pool: pg.Pool,
  transactionId: string | undefined,
  value: Value,
  cause: unknown,
): Promise<Attempt<Value>> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
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
      // In progress: the server has not seen yet that nobody listens, or is about to commit all the same.
      await stepAside(pool, tries);
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
