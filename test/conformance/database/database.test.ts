import { execFile } from 'node:child_process';
import { fdatasyncSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CommitOutcomeUnknown,
  columnsOf,
  type Database,
  DatabaseUnavailable,
  statement,
  type Transaction,
} from '@florin/backend/database/database.ts';
import { openPostgres } from '@florin/backend/database/postgres.ts';
import { openSqlite } from '@florin/backend/database/sqlite.ts';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aDatabase, eachDatabase } from '../../support/backend.ts';

type Counter = { businessId: string; name: string; value: number };
type Slot = Pick<Counter, 'businessId' | 'name'>;

const insert = statement<Counter, unknown>(({ db }, arg) =>
  db.insertInto('counters').values(columnsOf(arg, ['businessId', 'name', 'value'])),
);
const update = statement<Counter, unknown>(({ db }, arg) =>
  db
    .updateTable('counters')
    .set({ value: arg('value') })
    .where('businessId', '=', arg('businessId'))
    .where('name', '=', arg('name')),
);
const find = statement<Slot, { value: number }>(({ db }, arg) =>
  db.selectFrom('counters').select('value').where('businessId', '=', arg('businessId')).where('name', '=', arg('name')),
);
const findForUpdate = statement<Slot, { value: number }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('counters')
    .select('value')
    .where('businessId', '=', arg('businessId'))
    .where('name', '=', arg('name'))
    .$if(isPostgres, query => query.forUpdate()),
);
const slot: Slot = { businessId: 'biz_1', name: 'n' };

/** Opens the database that `place` leads to, again if it is open already. */
async function open(place: Record<string, string>): Promise<Database> {
  const url = place.DATABASE_URL;
  const database = url
    ? await openPostgres({ connectionString: url })
    : await openSqlite({ file: join(place.DATA ?? '', 'backend.db') });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= database.close();
    return closed;
  };
  onTestFinished(close);
  return { ...database, close };
}

async function valueIn(database: Database): Promise<number | undefined> {
  return (await database.first(find, slot))?.value;
}

const addOne = async (tx: Transaction) => {
  const { value = 0 } = (await tx.first(findForUpdate, slot)) ?? {};
  await tx.run(update, { ...slot, value: value + 1 });
  return value + 1;
};

/** The same, its update leaving with the COMMIT. */
const sendOneMore = async (tx: Transaction) => {
  const { value = 0 } = (await tx.first(findForUpdate, slot)) ?? {};
  tx.send(update, { ...slot, value: value + 1 });
  return value + 1;
};

eachDatabase('the database', kind => {
  test('keeps two hundred concurrent read-modify-writes exact', async () => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
    const answers = await Promise.all(Array.from({ length: 200 }, () => database.write(addOne)));
    expect(await valueIn(database)).toBe(200);
    expect(new Set(answers).size).toBe(200);
  });

  test('a body that throws takes back its own writes and nobody else’s', async () => {
    const database = await open(await aDatabase(kind));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        database.write(async tx => {
          await tx.run(insert, { businessId: 'biz_1', name: `n${index}`, value: index });
          if (index % 2 === 1) throw new Error(`body ${index}`);
          return index;
        }),
      ),
    );
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome.status).toBe(index % 2 === 1 ? 'rejected' : 'fulfilled');
      const kept = await database.first(find, { businessId: 'biz_1', name: `n${index}` });
      expect(kept?.value).toBe(index % 2 === 1 ? undefined : index);
    }
  });

  test('a statement that fails inside a body takes that body back alone', async () => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    const [failed, fine] = await Promise.allSettled([
      database.write(async tx => {
        await tx.run(insert, { businessId: 'biz_1', name: 'mine', value: 1 });
        await tx.run(insert, { ...slot, value: 2 });
      }),
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'yours', value: 1 })),
    ]);
    expect([failed.status, fine.status]).toEqual(['rejected', 'fulfilled']);
    expect(await database.first(find, { businessId: 'biz_1', name: 'mine' })).toBeUndefined();
    expect((await database.first(find, { businessId: 'biz_1', name: 'yours' }))?.value).toBe(1);
  });

  test('runs what is sent without waiting in its turn, and commits it with the rest', async () => {
    const database = await open(await aDatabase(kind));
    const seen = await database.write(async tx => {
      tx.send(insert, { ...slot, value: 1 });
      const before = await tx.first(find, slot);
      tx.send(update, { ...slot, value: 2 });
      tx.send(insert, { businessId: 'biz_1', name: 'last', value: 3 });
      return before?.value;
    });
    expect([seen, await valueIn(database)]).toEqual([1, 2]);
    expect((await database.first(find, { businessId: 'biz_1', name: 'last' }))?.value).toBe(3);
    await database.write(async tx => tx.send(update, { ...slot, value: 4 }));
    expect(await valueIn(database)).toBe(4);
  });

  test('gives each of the statements asked at once its own answer, in the order they were asked', async () => {
    const database = await open(await aDatabase(kind));
    const answers = await database.write(tx =>
      Promise.all([
        tx.run(insert, { ...slot, value: 1 }),
        tx.first(find, slot),
        tx.run(update, { ...slot, value: 2 }),
        tx.all(find, slot),
        tx.run(update, { businessId: 'biz_1', name: 'nobody', value: 2 }),
      ]),
    );
    expect(answers).toEqual([1, { value: 1 }, 1, [{ value: 2 }], 0]);
  });

  const mine = { businessId: 'biz_1', name: 'mine', value: 1 };
  const again = { ...slot, value: 2 };
  test.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['sent last', async tx => tx.send(insert, again)],
    ['sent before another', async tx => [tx.send(insert, again), await tx.first(find, slot)]],
    ['asked with others', tx => Promise.all([tx.first(find, slot), tx.run(insert, again), tx.first(find, slot)])],
  ])('a statement that fails, %s, takes the body back and tells why', async (_, fail) => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    const failed = database.write(async tx => {
      await tx.run(insert, mine);
      return fail(tx);
    });
    await expect(failed).rejects.toThrow(/unique/i);
    expect(await database.first(find, mine)).toBeUndefined();
    expect(await valueIn(database)).toBe(1);
  });

  test('what a body sent goes with it when it throws, and its own error is told', async () => {
    const database = await open(await aDatabase(kind));
    const failed = database.write(async tx => {
      tx.send(insert, mine);
      throw new Error('the body');
    });
    await expect(failed).rejects.toThrow('the body');
    expect(await database.first(find, mine)).toBeUndefined();
    await database.write(tx => tx.run(insert, mine));
  });

  test('resolves only once others can see it', async () => {
    const place = await aDatabase(kind);
    const database = await open(place);
    const other = await open(place);
    for (let value = 0; value < 20; value += 1) {
      await database.write(tx => tx.run(insert, { businessId: 'biz_1', name: `n${value}`, value }));
      expect((await other.first(find, { businessId: 'biz_1', name: `n${value}` }))?.value).toBe(value);
    }
  });

  test('readers never see a body under way', async () => {
    const database = await open(await aDatabase(kind));
    const seen = await database.write(async tx => {
      await tx.run(insert, { ...slot, value: 1 });
      return database.first(find, slot);
    });
    expect(seen).toBeUndefined();
    expect(await valueIn(database)).toBe(1);
  });

  test('a statement that failed at its first use works at its next', async () => {
    const place = await aDatabase(kind);
    await (await open(place)).write(tx => tx.run(insert, { ...slot, value: 1 }));
    const database = await open(place);
    await expect(database.write(tx => tx.run(insert, { ...slot, value: 2 }))).rejects.toThrow(/unique/i);
    await database.write(tx => tx.run(insert, mine));
    expect((await database.first(find, mine))?.value).toBe(1);
  });

  test('refuses a transaction used after its body ended', async () => {
    const database = await open(await aDatabase(kind));
    let kept: Transaction | undefined;
    await database.write(async tx => {
      kept = tx;
    });
    await expect(kept?.run(insert, { ...slot, value: 1 })).rejects.toThrow();
    expect(() => kept?.send(insert, { ...slot, value: 1 })).toThrow();
    expect(await valueIn(database)).toBeUndefined();
  });

  test('keeps what a number can hold exactly', async () => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: Number.MAX_SAFE_INTEGER }));
    expect(await valueIn(database)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('its own checks hold the cap of a payment, whatever the code does', async () => {
    const database = await open(await aDatabase(kind));
    const overdraw = statement<Record<string, never>, unknown>(({ db }) =>
      db.insertInto('payments').values({
        id: 'pay_1',
        businessId: 'biz_1',
        paymentLinkId: null,
        terminalId: null,
        saleId: null,
        invoiceNumber: '1',
        method: 'card',
        amountMinor: 1000,
        currency: 'GBP',
        amountSats: null,
        status: 'settled',
        uniqueReference: null,
        gatewayReference: null,
        authorisationCode: null,
        cardScheme: null,
        cardLastFour: null,
        entryMode: null,
        declineCode: null,
        declineMessage: null,
        refundedMinor: 600,
        reservedMinor: 401,
        refundedSats: 0,
        contestedMinor: 0,
        completedAt: null,
        reversalReason: null,
        leaseUntil: null,
        askedCount: 0,
        sentAt: null,
        takenAt: null,
        settledAt: null,
        createdAt: 0,
      }),
    );
    await expect(database.write(tx => tx.run(overdraw, {}))).rejects.toThrow(/payments_cap/);
  });
});

describe('SQLite', () => {
  test('keeps a log of its own that survives a reopening', async () => {
    const place = await aDatabase('sqlite');
    const first = await open(place);
    await first.close();
    const again = await open(place);
    expect(await again.write(tx => tx.first(journal, {}))).toEqual({ journal_mode: 'wal' });
  });

  test('answers a body alone only after its commit was flushed', async () => {
    const disk = aDisk();
    const database = await openOn(disk);
    const write = database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    await write.then(() => disk.happened.push('answered'));
    expect(disk.happened).toEqual(['flushed', 'answered']);
  });

  test('answers bodies of one commit, and readers of it, only once that commit was flushed', async () => {
    const disk = aDisk();
    const database = await openOn(disk);
    const release = disk.hold();
    const told: string[] = [];
    const writes = ['a', 'b'].map(name =>
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name, value: 1 })).then(() => told.push(name)),
    );
    await disk.asked();
    const read = database.first(find, { businessId: 'biz_1', name: 'a' }).then(row => told.push(`read ${row?.value}`));
    const later = database.write(tx => tx.run(insert, { ...slot, value: 2 })).then(() => told.push('later'));
    await nextTurn();
    expect(told).toEqual([]);
    release();
    await Promise.all([...writes, read, later]);
    expect(told.toSorted()).toEqual(['a', 'b', 'later', 'read 1']);
  });

  test.each([1, 2])(
    'says that the outcome is unknown when the flush of %i bodies fails, and takes and tells no more',
    async count => {
      const disk = aDisk();
      const database = await openOn(disk);
      disk.fail();
      const outcomes = await Promise.allSettled(
        Array.from({ length: count }, (_, index) =>
          database.write(tx => tx.run(insert, { businessId: 'biz_1', name: `n${index}`, value: 1 })),
        ),
      );
      for (const outcome of outcomes)
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(CommitOutcomeUnknown);
      await expect(database.write(async () => 'anything')).rejects.toThrow(DatabaseUnavailable);
      await expect(database.first(find, { businessId: 'biz_1', name: 'n0' })).rejects.toThrow(DatabaseUnavailable);
    },
  );

  test('that runs out of space tells every caller, keeps nothing of the batch, and takes no more', async () => {
    const database = await open(await aDatabase('sqlite'));
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    await database.write(tx => tx.all(pageLimit, {}));
    const outcomes = await Promise.allSettled([
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'small', value: 1 })),
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'x'.repeat(500_000), value: 1 })),
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'small too', value: 1 })),
    ]);
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(DatabaseUnavailable);
    }
    expect(await database.first(find, { businessId: 'biz_1', name: 'small' })).toBeUndefined();
    expect(await valueIn(database)).toBe(1);
    await expect(database.write(async () => 'anything')).rejects.toThrow(DatabaseUnavailable);
  });

  test('is migrated once by programs that start at once', async () => {
    const file = join((await aDatabase('sqlite')).DATA ?? '', 'backend.db');
    const module = new URL('../../../backend/database/sqlite.ts', import.meta.url).href;
    const program = `const { openSqlite } = await import(${JSON.stringify(module)}); await (await openSqlite({ file: ${JSON.stringify(file)} })).close();`;
    const run = promisify(execFile);
    await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '--eval', program])),
    );
    const database = await open({ DATA: join(file, '..') });
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    expect(await valueIn(database)).toBe(1);
  });
});

const raw = <Row>(text: string) =>
  statement<Record<string, never>, Row>(() => ({ compile: () => CompiledQuery.raw(text) as CompiledQuery<Row> }));

async function openOn(disk: ReturnType<typeof aDisk>): Promise<Database> {
  const database = await openSqlite({
    file: join((await aDatabase('sqlite')).DATA ?? '', 'disk.db'),
    flush: disk.flush,
  });
  onTestFinished(() => database.close());
  return database;
}

/** A disk that flushes for real, and on request only later, or never again. */
function aDisk() {
  const happened: string[] = [];
  let held: Promise<void> | undefined;
  let broken = false;
  const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
  async function flush(fd: number): Promise<void> {
    wasAsked();
    await held;
    if (broken) throw new Error('EIO');
    fdatasyncSync(fd);
    happened.push('flushed');
  }
  return {
    happened,
    flush,
    asked: () => asked,
    fail: () => (broken = true),
    /** Until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
}

const nextTurn = () => new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)));
const journal = raw<{ journal_mode: string }>('PRAGMA journal_mode');
/** A disk with little room left. */
const pageLimit = raw('PRAGMA max_page_count = 100');

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

  test('repeats a body whose last statement, gone with COMMIT, could not be serialised', async () => {
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

  test('commits nothing of a body that passes over a failed statement, and tells of that statement', async () => {
    const database = await open(await aDatabase('postgres'));
    const passedOver = database.write(async tx => {
      await tx.run(insert, { ...slot, value: 1 });
      await tx.run(failsWith('23514'), {}).catch(() => undefined);
      return 'fine';
    });
    await expect(passedOver).rejects.toThrow('planted');
    expect(await valueIn(database)).toBeUndefined();
  });

  test('gives up on a body that never gets through, and says that nothing was committed', async () => {
    const database = await open(await aDatabase('postgres'));
    await expect(database.write(tx => tx.run(failsWith('40001'), {}))).rejects.toThrow(DatabaseUnavailable);
  });

  test('lets two bodies that wait for each other both get through', async () => {
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
    await Promise.all(Array.from({ length: 10 }, (_, index) => inOrder(index % 2 === 0 ? names : names.toReversed())));
    for (const name of names) expect((await database.first(find, { businessId: 'biz_1', name }))?.value).toBe(10);
  });

  test('a body takes a round trip for each answer it waits for, and one for COMMIT', async () => {
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
    expect(await roundTripsOf(async () => 'nothing')).toBe(0);
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

    test('on a connection cut after it arrived: the database is asked, the body does not run again', async () => {
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

  test('COMMIT behind a statement that waits for a lock, the connection cut meanwhile: asked until it is known', async () => {
    const { database, wire, place } = await overAWire();
    const other = new pg.Client({ connectionString: place.DATABASE_URL });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT * FROM counters FOR UPDATE');
    let runs = 0;
    wire.next = 'cut once COMMIT was sent';
    wire.onCut = () => void other.query('COMMIT').then(() => other.end());
    await database.write(async tx => {
      runs += 1;
      await tx.first(find, slot);
      tx.send(update, { ...slot, value: runs });
    });
    expect([wire.cuts, runs, await valueIn(database)]).toEqual([1, 1, 1]);
  });

  test('a connection lost inside a body commits nothing and says so; the next body gets a new one', async () => {
    const database = await open(await aDatabase('postgres'));
    await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
    const suicide = raw('SELECT pg_terminate_backend(pg_backend_pid())');
    const lost = database.write(async tx => {
      await addOne(tx);
      await tx.run(suicide, {});
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

  test('a bigint no number can hold is refused, never rounded', async () => {
    const database = await open(await aDatabase('postgres'));
    await expect(database.all(raw('SELECT 9007199254740993::bigint AS value'), {})).rejects.toThrow(/out of range/);
  });
});

type Wire = {
  next: 'pass' | 'cut before COMMIT' | 'cut after COMMIT' | 'cut once COMMIT was sent';
  cuts: number;
  onCut: () => void;
  /** How often something was said after something was answered. */
  roundTrips: number;
};

/** The database behind a wire that a test can cut at the moment that matters. */
async function overAWire(): Promise<{ database: Database; wire: Wire; place: Record<string, string> }> {
  const place = await aDatabase('postgres');
  const url = new URL(place.DATABASE_URL ?? '');
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
    near.on('data', data => {
      // The statement's text where this connection prepares it, afterwards its name.
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
