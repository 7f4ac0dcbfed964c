import pg from 'pg';

/** A session that proves that the server has not restarted. */
export interface Witness {
  /** The session as it is now; undefined while there is none. */
  session(): pg.Client | undefined;
  close(): Promise<void>;
}

/** The address leads to a pooler: sessions there are not ours alone. */
class PoolerNotExpected extends Error {
  override name = 'PoolerNotExpected';
  readonly code = 'POOLER_NOT_EXPECTED';
}

/**
 * Keeps one session open. A crash ends every session, and after it PostgreSQL gives the ids of transactions that left no
 * record to others: what it says of an id is about our transaction only if a session from before still lives.
 */
export async function openWitness(config: pg.ClientConfig, onLost: (error: Error) => void): Promise<Witness> {
  let current: pg.Client | undefined;
  let connecting: Promise<void> | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const client = new pg.Client(config);
    const lose = () => {
      if (current === client) current = undefined;
    };
    client.on('error', error => {
      lose();
      onLost(error);
    });
    client.on('end', lose);
    await client.connect();
    try {
      await expectNoPooler(client);
    } catch (error) {
      await client.end();
      throw error;
    }
    // An idle session must not keep a process running that has nothing else to do. Missing in pg's types.
    (client as pg.Client & { unref(): void }).unref();
    if (isClosed) await client.end();
    else current = client;
  }

  function reconnect(): void {
    if (isClosed) return;
    connecting ??= connect()
      .catch(onLost)
      .finally(() => {
        connecting = undefined;
      });
  }

  await connect();
  return {
    session() {
      if (!current) reconnect();
      return current;
    },
    async close() {
      isClosed = true;
      await connecting;
      await current?.end();
    },
  };
}

/**
 * A pooler gives out ids of sessions of its own. Behind one that is not known as such, sessions would run each other's
 * prepared statements, and outlive a crash of the server.
 */
async function expectNoPooler(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
  // Missing in pg's types.
  if (rows[0]?.id === (client as pg.Client & { readonly processID: number }).processID) return;
  throw new PoolerNotExpected(
    'the database is behind a connection pooler: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, without a pooler',
  );
}
