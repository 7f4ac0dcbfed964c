import { type Log, type Random, type Timers, wait } from '@florin/shared/ports.ts';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { systemRandom, systemTimers } from '../platform/system.ts';
import type { Tables } from './database.ts';
import {
  CommitOutcomeUnknown,
  type Database,
  DatabaseUnavailable,
  KeyTaken,
  type Statement,
  type Transaction,
} from './database.ts';
import { migrate } from './migrations/migrate.ts';
import { type Answer, Batch, type Command, isStalePlan } from './postgres-batch.ts';
import { type Commands, codeOf, commandsFor, isUnavailable, readsOver } from './postgres-commands.ts';
import { openWitness, type Witness } from './postgres-witness.ts';

export type PostgresOptions = {
  readonly connectionString?: string;
  /**
   * The server itself, where `connectionString` leads to a pooler that gives each transaction any session of the server:
   * statements are then not prepared.
   */
  readonly directConnectionString?: string;
  /** Directory of a Unix socket, used instead of a connection string. */
  readonly host?: string;
  readonly user?: string;
  readonly database?: string;
  readonly maximumConnections?: number;
  readonly timers?: Timers;
  readonly random?: Random;
  readonly log?: Log;
};

/** Serialisation failure and deadlock: nothing was committed, so running the body again is safe. */
const worthRepeating = new Set(['40001', '40P01']);
const uniqueViolation = '23505';
const maxAttempts = 10;

/**
 * PostgreSQL: each body is one transaction on a pooled connection. Statements issued without waiting in between are
 * pipelined.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { log, timers = systemTimers, random = systemRandom, maximumConnections = 16, ...rest } = options;
  const { directConnectionString, ...connection } = rest;
  // A broken idle connection is replaced at its next use; an error without a listener would end the process.
  const onLost = (error: Error) => log?.warn({ err: error }, 'a connection to the database was lost');
  const poolOf = (config: pg.PoolConfig) =>
    // A session can be terminated while it starts, before the pool or its caller listens for errors.
    new pg.Pool(config).on('error', onLost).on('connect', client => client.on('error', onLost));
  const pool = poolOf({ ...connection, max: maximumConnections });
  const isPooled = directConnectionString !== undefined;
  const direct = isPooled ? { connectionString: directConnectionString } : connection;
  // First, so that nothing is changed through a pooler that is not known as one.
  const witness = await openWitness(direct, onLost);
  // The lock of the migrations belongs to a session, which a pooler would give to others.
  const migrating = isPooled ? poolOf({ ...direct, max: 1 }) : pool;
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: migrating }) });
  await migrate({ db, dialect: 'postgres', timers, log });
  if (isPooled) await migrating.end();
  const commands = commandsFor(isPooled);
  /** Exponential backoff with jitter, so that conflicting bodies do not collide again. */
  const pause = (tries: number) => wait(timers, ((random.bytes(1)[0] ?? 0) / 256) * 10 * tries);

  return {
    dialect: 'postgres',
    async write(body) {
      for (let tries = 1; ; tries += 1) {
        const outcome = await attempt({ pool, witness, commands, body, pause });
        if (outcome.kind === 'committed') return outcome.value;
        if (outcome.kind === 'failed' || tries === maxAttempts) throw outcome.error;
        // One retry is expected under contention.
        if (tries > 1) log?.warn({ tries, err: outcome.error }, 'a transaction is repeated once more');
        await pause(tries);
      }
    },
    ...readsOver(pool, commands),
    async close() {
      await witness.close();
      await pool.end();
    },
  };
}

type Attempt<Value> =
  | { readonly kind: 'committed'; readonly value: Value }
  | { readonly kind: 'repeat'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: unknown };

type Write<Value> = {
  readonly pool: pg.Pool;
  readonly witness: Witness;
  readonly commands: Commands;
  readonly body: (tx: Transaction) => Promise<Value>;
  readonly pause: (tries: number) => Promise<void>;
};

async function attempt<Value>({ pool, witness, commands, body, pause }: Write<Value>): Promise<Attempt<Value>> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { kind: 'failed', error: new DatabaseUnavailable('no connection to the database', { cause: error }) };
  }
  let lost = false;
  const onError = () => (lost = true);
  client.on('error', onError);
  const session = witness.session();
  const transaction = begin(client, commands);
  let committing: { readonly value: Value; readonly transactionId: string } | undefined;
  try {
    const value = await body(transaction.tx);
    committing = { value, transactionId: await transaction.id };
    await transaction.commit();
    return { kind: 'committed', value };
  } catch (thrown) {
    // The body may have wrapped the error: whether to retry depends on the statement's own error.
    const cause = (await transaction.end()) ?? thrown;
    lost ||= isUnavailable(cause);
    if (committing && lost) {
      const witnessed = () => (witness.session() === session ? session : undefined);
      return await outcomeOf({ pool, pause, witnessed }, committing, cause);
    }
    if (!lost) await client.query('ROLLBACK').catch(onError);
    if (worthRepeating.has(codeOf(cause)) || isStalePlan(cause))
      return { kind: 'repeat', error: new DatabaseUnavailable('the change could not be serialised', { cause }) };
    if (lost) return { kind: 'failed', error: new DatabaseUnavailable('the connection was lost', { cause }) };
    // A statement after a failed one only reports that it was not run.
    const error = codeOf(thrown) === '25P02' ? cause : thrown;
    const isTaken = codeOf(error) === uniqueViolation;
    return { kind: 'failed', error: isTaken ? new KeyTaken('a unique key is taken', { cause: error }) : error };
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}

/** One transaction. BEGIN and the query for its id are sent with the first statement, COMMIT with the last. */
function begin(client: pg.PoolClient, commands: Commands) {
  let isOpen = true;
  let failure: { readonly error: unknown } | undefined;
  let collecting: Batch | undefined;
  const sent: Promise<unknown>[] = [];
  /** Statements issued in one turn of the event loop, promises included, are sent together. */
  function currentBatch(): Batch {
    if (collecting) return collecting;
    const batch = new Batch();
    collecting = batch;
    process.nextTick(() => {
      collecting = undefined;
      client.query(batch);
    });
    return batch;
  }
  function send(command: Command): Promise<Answer> {
    const answer = currentBatch().add(command);
    sent.push(answer.catch(error => (failure ??= { error })));
    return answer;
  }
  function inBody<Args>(statement: Statement<Args, unknown>, args: Args): Promise<Answer> {
    if (!isOpen) throw new Error('a transaction was used after its body ended');
    if (failure) throw failure.error;
    return send(commands.of(statement, args));
  }
  /** Waits for statements that the body did not wait for; returns the first failure, if any. */
  async function end(): Promise<unknown> {
    isOpen = false;
    await Promise.all(sent);
    return failure?.error;
  }
  /** `failure` settles too, so that a failure after the body has ended is not an unhandled rejection. */
  function answerOf<Args, Value>(
    statement: Statement<Args, unknown>,
    args: Args,
    take: (answer: Answer) => Value,
  ): Promise<Value> {
    const value = Promise.try(() => inBody(statement, args)).then(take);
    value.catch(ignored);
    return value;
  }
  void send(commands.begin);
  const id = send(commands.id).then(({ rows }) => (rows[0] as { id: string }).id);
  id.catch(ignored);
  const tx: Transaction = {
    all: <Args, Row>(statement: Statement<Args, Row>, args: Args) =>
      answerOf(statement, args, ({ rows }) => rows as Row[]),
    first: <Args, Row>(statement: Statement<Args, Row>, args: Args) =>
      answerOf(statement, args, ({ rows }) => rows[0] as Row | undefined),
    run: (statement, args) => answerOf(statement, args, ({ count }) => count),
    send: (statement, args) => void inBody(statement, args),
  };
  return {
    tx,
    end,
    /** The database's transaction id, with which the outcome of a lost COMMIT is queried. */
    id,
    /** @throws the failure of any statement of the body; nothing was committed */
    async commit(): Promise<void> {
      isOpen = false;
      const { command } = await send(commands.commit);
      await end();
      if (failure) throw failure.error;
      if (command !== 'COMMIT') throw new Error(`the database answered COMMIT with ${command}`);
    },
  };
}

function ignored(): void {}

/**
 * After a connection is lost during COMMIT, queries the transaction's outcome. That it was committed is believed only over a
 * session from before it (see postgres-witness.ts), on the server to which the pool leads: after a failover the old one may
 * still answer, for a history that is no longer ours.
 */
async function outcomeOf<Value>(
  { pool, pause, witnessed }: Pick<Write<Value>, 'pool' | 'pause'> & { witnessed: () => pg.Client | undefined },
  { value, transactionId }: { readonly value: Value; readonly transactionId: string },
  cause: unknown,
): Promise<Attempt<Value>> {
  let asked: unknown = cause;
  for (let tries = 1; tries <= maxAttempts; tries += 1) {
    const session = witnessed();
    try {
      const { status, server } = await statusOf(pool, transactionId);
      const isWitnessed = session !== undefined && (await statusOf(session, transactionId)).server === server;
      if (status === 'committed' && isWitnessed) return { kind: 'committed', value };
      if (status === 'committed') break;
      if (status === 'aborted')
        return { kind: 'repeat', error: new DatabaseUnavailable('the connection was lost before COMMIT', { cause }) };
      // In progress: the server has not noticed the lost connection, or may still commit.
    } catch (error) {
      asked = error;
    }
    await pause(tries);
  }
  return {
    kind: 'failed',
    error: new CommitOutcomeUnknown('the connection was lost during COMMIT', { cause: asked }),
  };
}

/** The start of its server, to the microsecond, tells one server from another. */
const statusOfTransaction =
  'SELECT pg_xact_status($1::xid8) AS status, extract(epoch FROM pg_postmaster_start_time())::text AS server';

async function statusOf(at: pg.Pool | pg.Client, transactionId: string) {
  const { rows } = await at.query<{ status: string | null; server: string }>(statusOfTransaction, [transactionId]);
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL gave no status of a transaction');
  return row;
}
