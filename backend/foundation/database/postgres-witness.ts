import pg from 'pg';

/** A session that proves that the server has not restarted. */
export interface Witness {
  /** The session as it is now; undefined while there is none. */
  session(): pg.Client | undefined;
  close(): Promise<void>;
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
