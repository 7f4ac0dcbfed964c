import { close, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import SqliteConnection from 'better-sqlite3';
import { CompiledQuery, DummyDriver, Kysely, SqliteAdapter, SqliteDialect, SqliteQueryCompiler } from 'kysely';
import {
  CommitOutcomeUnknown,
  type Compiled,
  type Database,
  DatabaseUnavailable,
  type Statement,
  statementCompiler,
  type Transaction,
} from './database.ts';
import { migrate } from './migrations/migrate.ts';
import type { Tables } from './schema.ts';

export type SqliteOptions = {
  /** Path of the database file, or `:memory:` (simulation and unit tests). */
  readonly file: string;
  /** When the next batch runs: after this turn of the event loop unless the simulation says otherwise. */
  readonly schedule?: (drain: () => void) => void;
  /** Instead of the file: a connection that is open and migrated already (the simulation, whose auditor reads it too). */
  readonly connection?: SqliteConnection.Database;
  /** Instead of the system's own way to put a file's bytes on the disk (a test that holds or fails it). */
  readonly flush?: Flush;
};

/** Returns, or resolves, when all that was written to the file before the call would survive a loss of power. */
export type Flush = { readonly now: (fd: number) => void; readonly soon: (fd: number) => Promise<void> };

const systemFlush: Flush = { now: fdatasyncSync, soon: promisify(fdatasync) };

/** How many bodies may share one COMMIT: bounds how long the first of them waits. */
const largestBatch = 256;
/** Of pages in memory, at most, in kibibytes: the rows and indexes in use, not the two megabytes SQLite keeps by default. */
const cacheKib = 32_768;
/** How long the log grows before its pages are copied back, which holds up whoever commits then: four times the default. */
const checkpointPages = 4_000;

/**
 * SQLite, with group commit: bodies that arrive in one turn of the event loop, or while the batch before them is on its way
 * to the disk, share one BEGIN IMMEDIATE … COMMIT and one flush. Every promise resolves only after that flush. SQLite itself
 * would flush inside COMMIT (synchronous=FULL) and stop the whole process for as long; here NORMAL leaves it out, and the
 * same flush of the same file is asked of the system afterwards, while requests go on being read and answered.
 */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const inMemory = options.file === ':memory:';
  const writer = options.connection ?? connect(options.file, { readonly: false });
  if (!options.connection) await migrate({ db: migrationsOver(writer), dialect: 'sqlite' });
  // A second connection, so that readers see only what is committed, never a batch under way.
  const reader = inMemory ? undefined : connect(options.file, { readonly: true });
  const log = inMemory ? undefined : writeAheadLog(options.file, writer, options.flush ?? systemFlush);
  const compile = compileForSqlite;
  const queue: Job[] = [];
  const schedule = options.schedule ?? setImmediate;
  const onWriter = runnerOver(writer, compile);
  const onReader = reader ? runnerOver(reader, compile) : undefined;
  let draining = false;
  let underWay = false;
  let broken: Error | undefined;
  let drained: (() => void) | undefined;

  async function commit(batch: readonly Job[]): Promise<() => void> {
    if (broken) return rejectAll(batch, broken);
    underWay = true;
    const settle = await commitTogether(writer, onWriter, batch, {
      committed: () => log?.flush(batch.length),
      brokenDown: error => (broken = error),
    });
    underWay = false;
    const error = await log?.flushing();
    if (error === undefined) return settle;
    broken = new DatabaseUnavailable('the disk did not confirm a commit', { cause: error });
    return rejectAll(batch, new CommitOutcomeUnknown('the disk did not confirm the commit', { cause: error }));
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const settle = await commit(queue.splice(0, largestBatch));
      settle();
      // Whatever the settled callers queue in their own microtasks joins the next batch.
      if (queue.length > 0) await new Promise<void>(resolve => schedule(resolve));
    }
    draining = false;
    drained?.();
  }

  function write<Value>(body: (tx: Transaction) => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      queue.push({ body, resolve: resolve as (value: unknown) => void, reject });
      if (draining) return;
      draining = true;
      schedule(() => void drain());
    });
  }

  /** Reads by `read`: over the writer where it can, whose pages in memory stay valid while the reader's do not. */
  async function read<Value>(read: (runner: Pick<Runner, 'all' | 'first'>) => Value): Promise<Value> {
    if (!onReader) return write(async () => read(onWriter));
    const value = read(underWay ? onReader : onWriter);
    // A row that a loss of power could still take back is told to nobody.
    const flushing = log?.flushing();
    const error = flushing && (await flushing);
    if (error !== undefined) throw new DatabaseUnavailable('the disk did not confirm a commit', { cause: error });
    return value;
  }

  return {
    dialect: 'sqlite',
    write,
    all: (statement, args) => read(runner => runner.all(statement, args)),
    first: (statement, args) => read(runner => runner.first(statement, args)),
    async close() {
      if (draining) await new Promise<void>(resolve => (drained = resolve));
      reader?.close();
      writer.close();
      await log?.close();
    },
  };
}

/** The file that commits are written to first, as far as the disk is concerned. */
function writeAheadLog(file: string, writer: SqliteConnection.Database, flush: Flush) {
  // The file is there, and stays the same one, for as long as a connection is open that has written or read.
  writer.pragma('schema_version');
  const fd = openSync(`${file}-wal`, 'r+');
  /** Of the last commit: resolves with what went wrong. */
  let flushing: Promise<Error | undefined> | undefined;
  let bodiesBefore = 1;

  async function flushed(isQuiet: boolean): Promise<Error | undefined> {
    try {
      if (isQuiet) flush.now(fd);
      else await flush.soon(fd);
      return undefined;
    } catch (error) {
      // From now on nothing here is certain, and nothing more is committed: this stays for whoever asks.
      return error as Error;
    }
  }

  return {
    /**
     * Called in the very moment of a commit, so that nobody reads of it in between. One body after another, each alone: there
     * is nobody to serve meanwhile, and waiting on the spot is quicker than through a thread.
     */
    flush(bodies: number): void {
      const isQuiet = bodies === 1 && bodiesBefore === 1;
      bodiesBefore = bodies;
      flushing = flushed(isQuiet);
    },
    flushing: () => flushing,
    close: () => promisify(close)(fd),
  };
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
  const connection = new SqliteConnection(file, { ...options, timeout: 5_000 });
  if (!options.readonly) connection.pragma('journal_mode = WAL');
  // Everything SQLite needs to stay whole is still flushed by itself, before and after each checkpoint; the flush of each
  // commit is ours, see openSqlite.
  connection.pragma('synchronous = NORMAL');
  connection.pragma(`cache_size = -${cacheKib}`);
  connection.pragma(`wal_autocheckpoint = ${checkpointPages}`);
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
      // SQLite looks at the value of a bare `limit ?` while planning, and so plans anew at every run: ten times the cost
      // of the claims that background work makes every second.
      statement = connection.prepare<unknown[]>(text.replaceAll(' limit ?', ' limit likely(?)'));
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

type Tell = { readonly committed: () => void; readonly brokenDown: (error: Error) => void };

/** Runs the batch; what it returns tells every caller, and is called only once the outcome is on disk. */
async function commitTogether(
  connection: SqliteConnection.Database,
  runner: Runner,
  batch: readonly Job[],
  tell: Tell,
): Promise<() => void> {
  try {
    const settlements = (await runTogether(runner, batch, tell)) ?? (await runApart(connection, runner, batch, tell));
    return () => {
      for (const settle of settlements) settle();
    };
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    const unavailable = new DatabaseUnavailable('the database did not commit', { cause: error });
    // After a failed write or a full disk, what is on disk is no longer certain: stop writing until it was reopened.
    if (error instanceof SqliteConnection.SqliteError && /IOERR|CORRUPT|FULL/.test(error.code))
      tell.brokenDown(unavailable);
    return rejectAll(batch, unavailable);
  }
}

/** All bodies in one transaction; undefined, and nothing kept, when one of them failed. */
async function runTogether(runner: Runner, batch: readonly Job[], tell: Tell): Promise<(() => void)[] | undefined> {
  const settlements: (() => void)[] = [];
  runner.raw('BEGIN IMMEDIATE');
  for (const job of batch) {
    const outcome = await runBody(runner, job);
    if ('error' in outcome) return undefined;
    settlements.push(() => job.resolve(outcome.value));
  }
  runner.raw('COMMIT');
  tell.committed();
  return settlements;
}

/**
 * After a failure: all bodies once more, each in a savepoint, so that what failed takes nobody else's writes back. Failures
 * are rare; all the other batches are spared the savepoints, and the copies of pages that come with them.
 */
async function runApart(
  connection: SqliteConnection.Database,
  runner: Runner,
  batch: readonly Job[],
  tell: Tell,
): Promise<(() => void)[]> {
  const settlements: (() => void)[] = [];
  if (connection.inTransaction) runner.raw('ROLLBACK');
  runner.raw('BEGIN IMMEDIATE');
  for (const job of batch) {
    runner.raw('SAVEPOINT body');
    const outcome = await runBody(runner, job);
    if ('error' in outcome) {
      // A full disk or an I/O error ends the whole transaction, the bodies before this one included.
      if (!connection.inTransaction) throw outcome.error;
      runner.raw('ROLLBACK TO body');
      settlements.push(() => job.reject(outcome.error));
    } else {
      settlements.push(() => job.resolve(outcome.value));
    }
    runner.raw('RELEASE body');
  }
  runner.raw('COMMIT');
  tell.committed();
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
    return { error };
  } finally {
    open = false;
  }
}

function rejectAll(batch: readonly Job[], error: Error): () => void {
  return () => {
    for (const job of batch) job.reject(error);
  };
}

/** An empty migrated database as bytes: opening a copy takes microseconds where migrating takes milliseconds. */
export async function sqliteImage(): Promise<Buffer> {
  const connection = connect(':memory:', { readonly: false });
  await migrate({ db: migrationsOver(connection), dialect: 'sqlite' });
  const image = connection.serialize();
  connection.close();
  return image;
}

/** Kysely as a compiler of statements: it never runs one. */
function compilerOnly(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error('the statement compiler has no database to look into');
      },
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Compiled statements do not depend on the file they run on. */
const compileForSqlite = statementCompiler({ db: compilerOnly(), isPostgres: false });

class TransactionalDdlAdapter extends SqliteAdapter {
  // Without this a migration that fails half-way leaves half its tables.
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

function migrationsOver(connection: SqliteConnection.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new ImmediateSqliteDialect({ database: connection }) });
}
