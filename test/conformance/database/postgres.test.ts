import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  type Database,
  DatabaseUnavailable,
  statement,
  type Transaction,
} from '@florin/backend/foundation/database/database.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../../support/backend.ts';
import {
  addOne,
  type Counter,
  find,
  findForUpdate,
  insert,
  open,
  raw,
  type Slot,
  sendOneMore,
  slot,
  update,
  valueIn,
} from './counters.ts';

const everything = statement<Slot, Counter>(({ db }, arg) =>
  db.selectFrom('counters').selectAll().where('businessId', '=', arg('businessId')).where('name', '=', arg('name')),
);
const addOneReturning = statement<Slot, Counter>(({ db }, arg) =>
  db
    .updateTable('counters')
    .set({ value: sql<number>`value + 1` })
    .where('businessId', '=', arg('businessId'))
    .where('name', '=', arg('name'))
    .returningAll(),
);

describe('PostgreSQL', () => {
  const failsWith = (code: string) => raw(`DO $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '${code}'; END $$`);

  test.each(['40001', '40P01'])('repeats a body after %s, and commits it once', async code => {
    const database = await open(await aDatabase('postgres'));
    await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
    let runs = 0;
    const answered = await database.write(async tx => {
      runs += 1;
      const value = await addOne(tx);
      if (runs < 3) await tx.run(failsWith(code), {});
      return value;
    });
    expect([runs, answered, await valueIn(database)]).toEqual([3, 1, 1]);
  });

  test('repeats a body whose last statement, sent with COMMIT, could not be serialised', async () => {
    const database = await open(await aDatabase('postgres'));
    await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
    let runs = 0;
    const answered = await database.write(async tx => {
      runs += 1;
      const value = await addOne(tx);
      if (runs < 3) tx.send(failsWith('40001'), {});
      return value;
    });
    expect([runs, answered, await valueIn(database)]).toEqual([3, 1, 1]);
  });

  test('commits nothing of a body that ignores a failed statement, and reports that statement', async () => {
    const database = await open(await aDatabase('postgres'));
    const passedOver = database.write(async tx => {
      await tx.run(insert, { ...slot, value: 1 });
      await tx.run(failsWith('23514'), {}).catch(() => undefined);
      return 'fine';
    });
    await expect(passedOver).rejects.toThrow('planted');
    expect(await valueIn(database)).toBeUndefined();
  });

  test.each([
    ['before', (tx: Transaction) => [tx.run(insert, { ...slot, value: 1 }), tx.run(failsWith('23514'), {})]],
    ['after', (tx: Transaction) => [tx.run(failsWith('23514'), {}), tx.run(insert, { ...slot, value: 1 })]],
  ])(
    'prepares a statement again if it was first used in one packet with, and %s, one that failed',
    async (_, asked) => {
      const database = await open(await aDatabase('postgres'));
      await expect(database.write(tx => Promise.all(asked(tx)))).rejects.toThrow('planted');
      expect(await valueIn(database)).toBeUndefined();
      await database.write(tx => tx.run(insert, { ...slot, value: 2 }));
      expect(await valueIn(database)).toBe(2);
    },
  );

  test('fails a body that never succeeds, and reports that nothing was committed', async () => {
    const database = await open(await aDatabase('postgres'));
    await expect(database.write(tx => tx.run(failsWith('40001'), {}))).rejects.toThrow(DatabaseUnavailable);
  });

  test('completes both of two bodies that wait for each other', async () => {
    const database = await open(await aDatabase('postgres'));
    const names = ['a', 'b'] as const;
    await database.write(async tx => {
      for (const name of names) await tx.run(insert, { businessId: 'biz_1', name, value: 0 });
    });
    const inOrder = (order: readonly string[]) =>
      database.write(async tx => {
        for (const name of order) {
          const { value = 0 } = (await tx.first(findForUpdate, { businessId: 'biz_1', name })) ?? {};
          await tx.run(update, { businessId: 'biz_1', name, value: value + 1 });
        }
      });
    // Four at a time: of ten one could lose ten times in a row on a slow machine, which is then answered as unavailable.
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 4 }, (_, index) => inOrder(index % 2 === 0 ? names : names.toReversed())));
    for (const name of names) expect((await database.first(find, { businessId: 'biz_1', name }))?.value).toBe(12);
  });

  test('answers every read and repeats every body while a newer version adds columns to its tables', async () => {
    const database = await open(await aDatabase('postgres'));
    await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
    const atOnce = 8;
    const runs = Array.from({ length: atOnce }, (_, index) => index);
    /** Eight at once, so that several connections have prepared both statements. */
    const round = async () => {
      const [read] = await Promise.all([
        Promise.all(runs.map(() => database.first(everything, slot))),
        Promise.all(runs.map(() => database.write(tx => tx.first(addOneReturning, slot)))),
      ]);
      expect(read).toHaveLength(atOnce);
      for (const row of read) expect(row).toMatchObject({ ...slot, value: expect.any(Number) });
    };
    await round();
    for (const column of ['one', 'two']) {
      await database.write(tx => tx.run(raw(`ALTER TABLE counters ADD COLUMN "${column}" integer`), {}));
      await round();
    }
    expect(await valueIn(database)).toBe(3 * atOnce);
  });

  test('uses one round trip for each answer that a body waits for, and one for COMMIT', async () => {
    const { database, wire } = await overAWire();
    const roundTripsOf = async (body: (tx: Transaction) => Promise<unknown>) => {
      const before = wire.roundTrips;
      await database.write(body);
      return wire.roundTrips - before;
    };
    expect(await roundTripsOf(addOne)).toBe(3);
    expect(await roundTripsOf(sendOneMore)).toBe(2);
    expect(await roundTripsOf(tx => Promise.all([sendOneMore(tx), tx.first(find, slot)]))).toBe(2);
    expect(await roundTripsOf(async tx => tx.send(update, { ...slot, value: 9 }))).toBe(2);
    expect(await roundTripsOf(async () => 'nothing')).toBe(2);
  });

  describe.each([
    ['alone', addOne],
    ['with the last statement', sendOneMore],
  ])('COMMIT %s', (_, body) => {
    test('on a connection cut before it arrived: nothing was committed, the body runs again', async () => {
      const { database, wire } = await overAWire();
      wire.next = 'cut before COMMIT';
      expect(await database.write(body)).toBe(1);
      expect(wire.cuts).toBe(1);
      expect(await valueIn(database)).toBe(1);
    });

    test('on a connection lost after it arrived: its outcome is queried, and the body does not run again', async () => {
      const { database, wire } = await overAWire();
      wire.next = 'cut after COMMIT';
      let runs = 0;
      const answered = await database.write(tx => {
        runs += 1;
        return body(tx);
      });
      expect([wire.cuts, runs, answered, await valueIn(database)]).toEqual([1, 1, 1, 1]);
    });
  });

  test('queries the outcome of COMMIT until it is known, if the connection is lost while COMMIT waits behind a lock', async () => {
    const { database, wire, place } = await overAWire();
    const other = new pg.Client({ connectionString: place.DATABASE_URL });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT * FROM counters FOR UPDATE');
    wire.next = 'cut once COMMIT was sent';
    wire.onCut = () => void other.query('COMMIT').then(() => other.end());
    await database.write(async tx => {
      const { value = 0 } = (await tx.first(find, slot)) ?? {};
      tx.send(update, { ...slot, value: value + 1 });
    });
    expect([wire.cuts, await valueIn(database)]).toEqual([1, 1]);
  });

  test('commits nothing and throws if the connection is lost inside a body; the next body gets a new one', async () => {
    const database = await open(await aDatabase('postgres'));
    await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
    const endsItsSession = raw('SELECT pg_terminate_backend(pg_backend_pid())');
    const lost = database.write(async tx => {
      await addOne(tx);
      await tx.run(endsItsSession, {});
    });
    await expect(lost).rejects.toThrow(DatabaseUnavailable);
    expect(await valueIn(database)).toBe(0);
    expect(await database.write(addOne)).toBe(1);
  });

  test('is migrated once by programs that start at once', async () => {
    const place = await aDatabase('postgres');
    const client = new pg.Client({ connectionString: place.DATABASE_URL });
    await client.connect();
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.end();
    const opened = await Promise.all(Array.from({ length: 5 }, () => open(place)));
    await opened[0]?.write(tx => tx.run(insert, { ...slot, value: 1 }));
    expect(await Promise.all(opened.map(valueIn))).toEqual([1, 1, 1, 1, 1]);
  });

  test('refuses a bigint that a number cannot hold, instead of rounding it', async () => {
    const database = await open(await aDatabase('postgres'));
    await expect(database.all(raw('SELECT 9007199254740993::bigint AS value'), {})).rejects.toThrow(/out of range/);
  });
});

type Wire = {
  next: 'pass' | 'cut before COMMIT' | 'cut after COMMIT' | 'cut once COMMIT was sent';
  cuts: number;
  onCut: () => void;
  /** The number of times that something was sent after an answer. */
  roundTrips: number;
};

/** Opens the database over a connection that a test can cut before, during or after COMMIT. */
async function overAWire(): Promise<{ database: Database; wire: Wire; place: Record<string, string> }> {
  const place = await aDatabase('postgres');
  const url = new URL(place.DATABASE_DIRECT_URL ?? place.DATABASE_URL ?? '');
  const socket = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const wire: Wire = { next: 'pass', cuts: 0, onCut: () => undefined, roundTrips: 0 };
  const server = createServer(near => {
    const far = createConnection(socket);
    let cutAtReply = false;
    let isAnswered = true;
    const cut = () => {
      wire.cuts += 1;
      wire.next = 'pass';
      wire.onCut();
      near.destroy();
      far.destroy();
    };
    inOneGo(near, data => {
      // Contains the statement's text when this connection prepares it, and afterwards its name.
      const isCommit = /COMMIT\0/i.test(data.toString('latin1'));
      if (isCommit && wire.next === 'cut before COMMIT') return cut();
      cutAtReply ||= isCommit && wire.next === 'cut after COMMIT';
      if (isAnswered) wire.roundTrips += 1;
      isAnswered = false;
      far.write(data, () => {
        if (isCommit && wire.next === 'cut once COMMIT was sent') cut();
      });
    });
    far.on('data', data => {
      isAnswered = true;
      if (cutAtReply) return cut();
      near.write(data);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const database = await open({ DATABASE_URL: `postgres://postgres@127.0.0.1:${port}${url.pathname}` });
  await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
  return { database, wire, place };
}

/** Joins the data that was sent without waiting for an answer, which may arrive in several pieces on a slow machine. */
function inOneGo(socket: Socket, take: (data: Buffer) => void): void {
  const togetherMs = 25;
  let sent: Buffer[] = [];
  socket.on('data', data => {
    sent.push(data);
    if (sent.length > 1) return;
    setTimeout(() => {
      const whole = Buffer.concat(sent);
      sent = [];
      take(whole);
    }, togetherMs);
  });
}
