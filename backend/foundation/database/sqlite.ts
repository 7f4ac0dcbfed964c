import { type Timers, wait } from '@florin/shared/ports.ts';
import SqliteConnection from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteAdapter, SqliteDialect, SqliteQueryCompiler } from 'kysely';
import { bound } from '../context.ts';
import { systemTimers } from '../platform/system.ts';
import { compilerOnly } from './compiler.ts';
import type { Tables } from './database.ts';
import {
  CommitOutcomeUnknown,
  type Compiled,
  type Database,
  DatabaseUnavailable,
  isArgument,
  KeyTaken,
  type Statement,
  statementCompiler,
  type Transaction,
} from './database.ts';
import { migrate } from './migrations/migrate.ts';
import { refuseNotWritable } from './sqlite-rights.ts';

export type SqliteOptions = {
  /** Path of the database file, or `:memory:` (simulation and unit tests). */
  readonly file: string;
  /** Schedules the next batch; by default after this turn of the event loop. */
  readonly schedule?: (drain: () => void) => void;
  /** An open, migrated connection used instead of the file (the simulation, whose auditor also reads it). */
  readonly connection?: SqliteConnection.Database;
  /** How long another process may hold the file's lock before a caller gets DatabaseUnavailable. */
  readonly lockWaitMs?: number;
  readonly timers?: Timers;
};

export type SqliteDatabase = Database & {
  /** A number that changes when another process commits; undefined while the file is locked, and it may have. */
  commitsElsewhere(): number | undefined;
};

/** The limit of bodies that share one COMMIT, which bounds the wait of the first. */
const maxBatch = 256;
/**
 * Page cache in kibibytes, for the working set; SQLite's default is two megabytes. A commit after a rebalanced B-tree
 * searches the whole cache, so a larger one makes commits slower.
 */
const cacheKib = 4_096;
/**
 * Pages in the write-ahead log until a commit also copies them into the file (8 MB; SQLite's default is 1,000 pages). A page
 * that changed often is copied once, and fewer commits wait for it.
 */
export const checkpointAfterPages = 2_000;
/** How long programs that start together wait for each other's migrations. */
const startLockWaitMs = 10_000;
/** Retry interval for a lock that another process holds; most are held for one commit. */
const lockRetryMs = 1;

/**
 * SQLite with group commit: bodies that arrive in one turn of the event loop share one BEGIN IMMEDIATE … COMMIT, and
 * each promise resolves only after that COMMIT is on disk (synchronous=FULL). Waiting for another process's lock does
 * not block the event loop.
 */
export async function openSqlite(options: SqliteOptions): Promise<SqliteDatabase> {
  const { file, lockWaitMs = 5_000, schedule = setImmediate, timers = systemTimers } = options;
  const inMemory = file === ':memory:';
  if (!inMemory) refuseNotWritable(file);
  const writer = options.connection ?? connect(file, { readonly: false });
  if (!options.connection) await migrate({ db: migrationsOver(writer), dialect: 'sqlite' });
  // A second connection, so that readers see committed data only.
  const reader = inMemory ? undefined : connect(file, { readonly: true });
  for (const connection of [writer, reader]) connection?.pragma('busy_timeout = 0');
  const dataVersion = writer.prepare<[], number>('PRAGMA data_version').pluck();
  const onWriter = runnerOver(writer, compileForSqlite);
  const onReader = reader ? runnerOver(reader, compileForSqlite) : undefined;
  const queue: Job[] = [];
  let draining: Promise<void> | undefined;
  let underWay = false;
  let broken: Error | undefined;

  async function unlessLocked<Value>(attempt: () => Value): Promise<Value> {
    for (let waitedMs = 0; ; waitedMs += lockRetryMs) {
      try {
        return attempt();
      } catch (error) {
        if (!isLocked(error)) throw ownOrUnavailable(error);
        if (waitedMs >= lockWaitMs)
          throw new DatabaseUnavailable('another process holds the lock of the database', { cause: error });
        await wait(timers, lockRetryMs);
      }
    }
  }

  async function commit(batch: readonly Job[]): Promise<() => void> {
    if (broken) return rejectAll(batch, broken);
    try {
      await unlessLocked(() => onWriter.raw('BEGIN IMMEDIATE'));
    } catch (error) {
      return rejectAll(batch, unavailable(error));
    }
    underWay = true;
    try {
      return await commitTogether(writer, onWriter, batch);
    } catch (error) {
      if (writer.inTransaction) writer.exec('ROLLBACK');
      const failure = unavailable(error);
      // After a failed flush the disk's content is unknown: writes are refused until the file is reopened.
      if (failure instanceof CommitOutcomeUnknown)
        broken = new DatabaseUnavailable('the disk failed', { cause: error });
      return rejectAll(batch, failure);
    } finally {
      underWay = false;
    }
  }

  async function drain(): Promise<void> {
    await new Promise<void>(resolve => schedule(resolve));
    while (queue.length > 0) {
      const settle = await commit(queue.splice(0, maxBatch));
      settle();
      // Bodies queued in the microtasks of settled callers join the next batch.
      if (queue.length > 0) await new Promise<void>(resolve => schedule(resolve));
    }
    draining = undefined;
  }

  function write<Value>(body: (tx: Transaction) => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      // Run by whoever drains the queue, and still part of its caller's request or job.
      queue.push({ body: bound(body), resolve: resolve as (value: unknown) => void, reject });
      draining ??= drain();
    });
  }

  /** Reads use the writer's connection where possible, because its page cache stays valid. */
  function read<Value>(read: (runner: Pick<Runner, 'all' | 'first'>) => Value): Promise<Value> {
    if (underWay && !onReader) return write(async () => read(onWriter));
    return unlessLocked(() => read((underWay && onReader) || onWriter));
  }

  return {
    dialect: 'sqlite',
    write,
    all: (statement, args) => read(runner => runner.all(statement, args)),
    first: (statement, args) => read(runner => runner.first(statement, args)),
    commitsElsewhere() {
      try {
        // On the connection of this process's own commits, which therefore do not count.
        return dataVersion.get();
      } catch (error) {
        if (isLocked(error)) return undefined;
        throw error;
      }
    },
    async close() {
      while (draining) await draining;
      reader?.close();
      writer.close();
    },
  };
}

function isLocked(error: unknown): boolean {
  return error instanceof SqliteConnection.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** The error for the callers of a batch that failed as a whole. */
function unavailable(error: unknown): DatabaseUnavailable | CommitOutcomeUnknown {
  if (error instanceof DatabaseUnavailable || error instanceof CommitOutcomeUnknown) return error;
  return new DatabaseUnavailable('the database did not commit', { cause: error });
}

/** Failures of the disk or file are DatabaseUnavailable; other errors except a taken key are the statement's own. */
function ownOrUnavailable(error: unknown): unknown {
  if (!(error instanceof SqliteConnection.SqliteError)) return error;
  if (/CONSTRAINT_(UNIQUE|PRIMARYKEY)/.test(error.code)) return new KeyTaken('a unique key is taken', { cause: error });
  const isUnavailable = /IOERR|CORRUPT|FULL|CANTOPEN|NOTADB|READONLY/.test(error.code);
  return isUnavailable ? new DatabaseUnavailable(`the database file failed: ${error.code}`, { cause: error }) : error;
}

type Job = {
  readonly body: (tx: Transaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

type Runner = {
  all<Args, Row>(statement: Statement<Args, Row>, args: Args): Row[];
  first<Args, Row>(statement: Statement<Args, Row>, args: Args): Row | undefined;
  run<Args>(statement: Statement<Args, unknown>, args: Args): number;
  raw(text: string): void;
};

function connect(file: string, options: { readonly: boolean }): SqliteConnection.Database {
  const connection = new SqliteConnection(file, { ...options, timeout: startLockWaitMs });
  if (!options.readonly) connection.pragma('journal_mode = WAL');
  // Not stored in the file: a connection defaults to NORMAL, which can lose commits on power loss.
  connection.pragma('synchronous = FULL');
  connection.pragma(`cache_size = -${cacheKib}`);
  connection.pragma(`wal_autocheckpoint = ${checkpointAfterPages}`);
  connection.pragma('foreign_keys = ON');
  return connection;
}

function runnerOver(
  connection: SqliteConnection.Database,
  compile: (statement: Statement<never, unknown>) => Compiled,
): Runner {
  const prepared = new Map<string, SqliteConnection.Statement<unknown[]>>();
  function find(text: string): SqliteConnection.Statement<unknown[]> {
    let statement = prepared.get(text);
    if (!statement) {
      statement = connection.prepare<unknown[]>(text);
      prepared.set(text, statement);
    }
    return statement;
  }
  function ready<Args>(
    statement: Statement<Args, unknown>,
    args: Args,
  ): [SqliteConnection.Statement<unknown[]>, unknown[]] {
    const { text, values } = compile(statement as unknown as Statement<never, unknown>);
    return [find(text), values(args as Readonly<Record<string, unknown>>)];
  }
  return {
    all<Args, Row>(statement: Statement<Args, Row>, args: Args) {
      const [query, values] = ready(statement, args);
      return query.all(...values) as Row[];
    },
    first<Args, Row>(statement: Statement<Args, Row>, args: Args) {
      const [query, values] = ready(statement, args);
      return query.get(...values) as Row | undefined;
    },
    run(statement, args) {
      const [query, values] = ready(statement, args);
      return query.reader ? query.all(...values).length : query.run(...values).changes;
    },
    raw: text => void find(text).run(),
  };
}

/**
 * Runs the batch in the open transaction; the returned function settles every caller. @throws if nothing was committed
 */
async function commitTogether(
  connection: SqliteConnection.Database,
  runner: Runner,
  batch: readonly Job[],
): Promise<() => void> {
  const settlements = (await runTogether(runner, batch)) ?? (await runApart(connection, runner, batch));
  try {
    runner.raw('COMMIT');
  } catch (error) {
    if (error instanceof SqliteConnection.SqliteError && error.code.startsWith('SQLITE_IOERR'))
      throw new CommitOutcomeUnknown('the disk did not confirm the commit', { cause: error });
    throw error;
  }
  return () => {
    for (const settle of settlements) settle();
  };
}

/** Runs all bodies one after another; undefined if one failed. */
async function runTogether(runner: Runner, batch: readonly Job[]): Promise<(() => void)[] | undefined> {
  const settlements: (() => void)[] = [];
  for (const job of batch) {
    const outcome = await runBody(runner, job);
    if ('error' in outcome) return undefined;
    settlements.push(() => job.resolve(outcome.value));
  }
  return settlements;
}

/**
 * Runs all bodies again after a failure, each in a savepoint, so that a failed body rolls back only its own writes.
 * Failures are rare, so other batches avoid the cost of savepoints.
 */
async function runApart(
  connection: SqliteConnection.Database,
  runner: Runner,
  batch: readonly Job[],
): Promise<(() => void)[]> {
  const settlements: (() => void)[] = [];
  if (connection.inTransaction) runner.raw('ROLLBACK');
  runner.raw('BEGIN IMMEDIATE');
  for (const job of batch) {
    runner.raw('SAVEPOINT body');
    const outcome = await runBody(runner, job);
    if ('error' in outcome) {
      // A full disk or an I/O error ends the whole transaction.
      if (!connection.inTransaction) throw outcome.error;
      runner.raw('ROLLBACK TO body');
      settlements.push(() => job.reject(outcome.error));
    } else {
      settlements.push(() => job.resolve(outcome.value));
    }
    runner.raw('RELEASE body');
  }
  return settlements;
}

async function runBody(runner: Runner, job: Job): Promise<{ value: unknown } | { error: unknown }> {
  let open = true;
  const assertOpen = () => {
    if (!open) throw new Error('a transaction was used after its body ended');
  };
  const tx: Transaction = {
    async all(statement, args) {
      assertOpen();
      return runner.all(statement, args);
    },
    async first(statement, args) {
      assertOpen();
      return runner.first(statement, args);
    },
    async run(statement, args) {
      assertOpen();
      return runner.run(statement, args);
    },
    send(statement, args) {
      assertOpen();
      runner.run(statement, args);
    },
  };
  try {
    return { value: await job.body(tx) };
  } catch (error) {
    return { error: ownOrUnavailable(error) };
  } finally {
    open = false;
  }
}

function rejectAll(batch: readonly Job[], error: Error): () => void {
  return () => {
    for (const job of batch) job.reject(error);
  };
}

/** An empty migrated database as bytes: opening a copy takes microseconds, migrating takes milliseconds. */
export async function sqliteImage(): Promise<Buffer> {
  const connection = connect(':memory:', { readonly: false });
  await migrate({ db: migrationsOver(connection), dialect: 'sqlite' });
  const image = connection.serialize();
  connection.close();
  return image;
}

/**
 * SQLite inspects the value of a bare `?` while planning wherever a partial index or a LIMIT is near, and so plans
 * again on every run, at ten times the cost of running. `likely()` returns its argument and hides it from the planner.
 */
class StablePlans extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return 'likely(?)';
  }

  protected override appendValue(value: unknown): void {
    if (isArgument(value)) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

/** Compiled statements do not depend on the file. */
const compileForSqlite = statementCompiler({
  db: compilerOnly(new SqliteAdapter(), () => new StablePlans()),
  isPostgres: false,
});

class TransactionalDdlAdapter extends SqliteAdapter {
  // Without this a migration that fails half-way leaves some of its tables.
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
  override createDriver(): ReturnType<SqliteDialect['createDriver']> {
    const driver = super.createDriver();
    driver.beginTransaction = async connection => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    };
    return driver;
  }
}

/** The migrations of a SQLite connection. */
export function migrationsOver(connection: SqliteConnection.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new ImmediateSqliteDialect({ database: connection }) });
}
