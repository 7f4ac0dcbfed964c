import { expect, onTestFinished, test } from 'vitest';
import { aBackend, type BackendWorld, eachDatabase } from '../../../test/support/backend.ts';
import { testClock } from '../../../test/support/clock.ts';
import { openDatabase, systemPlatform } from '../../backend.ts';
import { withAfterCommit } from '../database/after-commit.ts';
import { type Database, statement } from '../database/database.ts';
import { openSqlite } from '../database/sqlite.ts';
import { insertInto } from '../database/statements.ts';
import { createLog } from '../platform/log.ts';
import { announcer, type NewEvent } from './announce.ts';
import { type EventConsumer, eventDispatcher } from './dispatcher.ts';
import type { DomainEvent } from './event.ts';
import { eventFeed } from './feed.ts';
import { noNotifications } from './notifications.ts';

const businessId = 'biz_shop';

/** One change of a payment, identified by its amount in pence. */
function started(amountMinor: number, subjectId = 'pay_1'): NewEvent {
  const payload = { amountMinor, currency: 'GBP', paymentLinkId: null, terminalId: null, saleId: null };
  return { type: 'payment.started', businessId, paymentId: subjectId, subjectId, payload };
}

const pence = (events: readonly DomainEvent[]) =>
  events.map(event => (event.type === 'payment.started' ? event.payload.amountMinor : Number.NaN));

/** Keeps what it receives, and lets a test wait until that is so much. */
function recorder() {
  const events: DomainEvent[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  return {
    events,
    add(event: DomainEvent): void {
      events.push(event);
      for (const one of waiting) if (events.length >= one.count) one.resolve();
      waiting = waiting.filter(one => events.length < one.count);
    },
    has(count: number): Promise<void> {
      return new Promise(resolve => {
        if (events.length >= count) resolve();
        else waiting.push({ count, resolve });
      });
    },
  };
}

function announceIn(world: BackendWorld, ...events: NewEvent[]): Promise<void> {
  const { database, services } = world.backend;
  return database.write(async tx => {
    for (const event of events) services.events.announce(tx, event);
  });
}

/** Commits as a process that crashes right after: the event is stored, and no other process is notified. */
async function announceAndCrash(world: BackendWorld, event: NewEvent): Promise<void> {
  const database = await openDatabase(world.settings);
  await database.write(async tx => world.backend.services.events.announce(tx, event));
  await database.close();
}

eachDatabase('events', kind => {
  test('are delivered right after their commit, in order, while no time passes', async () => {
    const handled = recorder();
    const consumer: EventConsumer = { name: 'test', handle: async (_tx, event) => handled.add(event) };
    const world = await aBackend({ database: kind, consumers: [consumer] });
    const live = recorder();
    await world.backend.services.events.follow({ businessId }, live.add);
    await world.backend.services.events.follow({ businessId: 'biz_other' }, () => expect.unreachable());
    for (let amountMinor = 1; amountMinor <= 3; amountMinor += 1) {
      await announceIn(world, started(amountMinor));
      await Promise.all([live.has(amountMinor), handled.has(amountMinor)]);
    }
    await announceIn(world, started(4), started(5));
    await Promise.all([live.has(5), handled.has(5)]);
    expect(pence(live.events)).toEqual([1, 2, 3, 4, 5]);
    expect(pence(handled.events)).toEqual([1, 2, 3, 4, 5]);
    expect(live.events[0]).toMatchObject({ by: { kind: 'system' }, subjectId: 'pay_1', at: world.clock.now() });
  });

  test('of a transaction that is rolled back are never delivered', async () => {
    const world = await aBackend({ database: kind });
    const { database, services } = world.backend;
    const live = recorder();
    await services.events.follow({ businessId }, live.add);
    const broken = database.write(async tx => {
      services.events.announce(tx, started(1));
      throw new Error('taken back');
    });
    await expect(broken).rejects.toThrow('taken back');
    await announceIn(world, started(2));
    await live.has(1);
    expect(pence(live.events)).toEqual([2]);
  });

  test('committed by a process that crashed right afterwards are delivered by another one', async () => {
    const handled = recorder();
    const consumer: EventConsumer = { name: 'test', handle: async (_tx, event) => handled.add(event) };
    const world = await aBackend({ database: kind, consumers: [consumer] });
    const live = recorder();
    await world.backend.services.events.follow({ businessId }, live.add);
    await announceAndCrash(world, started(1));
    // A process on a SQLite file watches it; on PostgreSQL nobody was notified.
    if (kind === 'postgres') {
      expect(handled.events).toEqual([]);
      world.clock.advance({ seconds: 1 });
    }
    await Promise.all([handled.has(1), live.has(1)]);
    expect(pence(live.events)).toEqual([1]);
  });

  test('a consumer that fails is given the same event again, before any later one', async () => {
    const handled = recorder();
    let failures = 2;
    const consumer: EventConsumer = {
      name: 'test',
      async handle(_tx, event) {
        failures -= 1;
        if (failures >= 0) throw new Error('not now');
        handled.add(event);
      },
    };
    const world = await aBackend({ database: kind, consumers: [consumer] });
    await announceIn(world, started(1));
    await expect.poll(() => world.logged()).toContain('an event consumer failed');
    await announceIn(world, started(2));
    await expect.poll(() => failures).toBeLessThanOrEqual(0);
    world.clock.advance({ seconds: 1 });
    await handled.has(2);
    expect(pence(handled.events)).toEqual([1, 2]);
  });

  test('the writes of a consumer take effect once, however many processes run it', async () => {
    // A second one of the same would break the consumer at the primary key.
    const consumer: EventConsumer = {
      name: 'test',
      handle: async (tx, { id }) => void (await tx.run(insertCounter, { businessId, name: id, value: 1 })),
    };
    const world = await aBackend({ database: kind, consumers: [consumer] });
    const other = await aBackend({ sharing: world, consumers: [consumer] });
    const amounts = Array.from({ length: 60 }, (_, index) => index + 1);
    await Promise.all(amounts.map(amount => announceIn(amount % 2 === 0 ? world : other, started(amount))));
    world.clock.advance({ seconds: 1 });
    await expect.poll(async () => (await world.backend.database.all(counters, {})).length).toBe(60);
    expect(`${world.logged()}${other.logged()}`).not.toContain('an event consumer failed');
  });

  test('that a consumer ignores are skipped, and its position moves on', async () => {
    const handled = recorder();
    const handle = async (_tx: unknown, event: DomainEvent) => handled.add(event);
    const ignoring: EventConsumer = { name: 'test', ignores: ({ type }) => type === 'payment.settled', handle };
    const world = await aBackend({ database: kind, consumers: [ignoring] });
    const settled = (subjectId: string): NewEvent => ({
      type: 'payment.settled',
      businessId,
      paymentId: subjectId,
      subjectId,
      payload: {},
    });
    await announceIn(
      world,
      started(1),
      ...Array.from({ length: 250 }, (_, index) => settled(`pay_${index}`)),
      started(2),
    );
    await handled.has(2);
    await announceIn(world, settled('pay_last'));
    const placeOf = () => world.backend.database.first(consumer, { name: 'test' });
    const later = async () => {
      world.clock.advance({ seconds: 1 });
      return (await placeOf())?.position;
    };
    await expect.poll(later).toBe(253);
    await world.stop();
    const next = await aBackend({ sharing: world, consumers: [{ name: 'test', handle }] });
    await announceIn(next, started(3));
    await handled.has(3);
    expect(pence(handled.events)).toEqual([1, 2, 3]);
  });

  test('a stream that broke resumes after its last event, without omitting or repeating any', async () => {
    const world = await aBackend({ database: kind });
    const { events } = world.backend.services;
    const first = recorder();
    const stop = await events.follow({ businessId }, first.add);
    await announceIn(world, started(1), started(2));
    await first.has(2);
    stop();
    await announceIn(world, ...Array.from({ length: 1_200 }, (_, index) => started(3 + index)));
    const second = recorder();
    const more = Promise.all(Array.from({ length: 20 }, (_, index) => announceIn(world, started(2_000 + index))));
    await events.follow({ businessId, after: first.events.at(-1)?.position }, second.add);
    await more;
    await second.has(1_220);
    expect(pence(first.events)).toEqual([1, 2]);
    const resumed = pence(second.events);
    expect(resumed.slice(0, 1_200)).toEqual(Array.from({ length: 1_200 }, (_, index) => 3 + index));
    expect(new Set(resumed).size).toBe(1_220);
  });
});

test('the positions of consumers are saved once per poll, however many events they skip meanwhile', async () => {
  const sqlite = withAfterCommit(await openSqlite({ file: ':memory:' }));
  onTestFinished(() => sqlite.close());
  const passed: (() => void)[] = [];
  const ignores = () => {
    passed.shift()?.();
    return true;
  };
  const announceAnother = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    passed.push(resolve);
    await sqlite.write(async tx => announce(tx, started(1)));
    await promise;
  };
  let saves = 0;
  let isCounting = false;
  const database: Database = {
    ...sqlite,
    async write(body) {
      const value = await sqlite.write(body);
      if (isCounting && saves < 5) {
        saves += 1;
        await announceAnother();
      }
      return value;
    },
  };
  const { clock, ids, timers } = systemPlatform;
  const ports = {
    database,
    timers,
    pollMs: 1_000,
    log: createLog({ level: 'silent' }),
    notifications: noNotifications,
  };
  const dispatcher = eventDispatcher({
    ...ports,
    feed: eventFeed(ports),
    consumers: () => [{ name: 'test', ignores, handle: async () => expect.unreachable() }],
    runsConsumers: true,
  });
  onTestFinished(() => dispatcher.stop());
  const { announce } = announcer({ clock, ids, log: ports.log, wake: () => dispatcher.wake() });
  await dispatcher.dispatch();
  await announceAnother();
  isCounting = true;
  await dispatcher.dispatch();
  expect(saves).toBe(1);
});

test('on SQLite, events that nobody here wants at once are delivered together after 20 ms, and any other at once', async () => {
  const sqlite = withAfterCommit(await openSqlite({ file: ':memory:' }));
  onTestFinished(() => sqlite.close());
  let reads = 0;
  const database: Database = {
    ...sqlite,
    all(statement, args) {
      reads += 1;
      return sqlite.all(statement, args);
    },
  };
  const timers = testClock();
  const ports = {
    database,
    timers,
    pollMs: 1_000,
    log: createLog({ level: 'silent' }),
    notifications: noNotifications,
  };
  const feed = eventFeed(ports);
  const handled = recorder();
  const ignoring: EventConsumer = {
    name: 'test',
    ignores: ({ type }) => type === 'payment.settled',
    handle: async (_tx, event) => handled.add(event),
  };
  const later = recorder();
  const waiting: EventConsumer = {
    name: 'later',
    handleTogether: async (_tx, events) => events.forEach(later.add),
  };
  const dispatcher = eventDispatcher({ ...ports, feed, consumers: () => [ignoring, waiting], runsConsumers: true });
  onTestFinished(() => dispatcher.stop());
  const { announce } = announcer({ ...systemPlatform, log: ports.log, wake: dispatcher.wake });
  const settle = () =>
    sqlite.write(async tx =>
      announce(tx, { type: 'payment.settled', businessId, paymentId: 'pay_1', subjectId: 'pay_1', payload: {} }),
    );
  await dispatcher.dispatch();
  reads = 0;
  for (let count = 0; count < 3; count += 1) await settle();
  timers.advance({ ms: 19 });
  expect(reads).toBe(0);
  expect(later.events).toEqual([]);
  timers.advance({ ms: 1 });
  await later.has(3);
  await dispatcher.dispatch();
  // One by the timer and one by the poll.
  expect(reads).toBe(2);
  await sqlite.write(async tx => announce(tx, started(1)));
  await handled.has(1);
  const live = recorder();
  await feed.follow({ businessId }, live.add);
  await settle();
  await live.has(1);
});

test('processes on one PostgreSQL receive each other’s events while no time passes', async () => {
  const world = await aBackend({ database: 'postgres' });
  const other = await aBackend({ sharing: world });
  const [here, there] = [recorder(), recorder()];
  await world.backend.services.events.follow({ businessId }, here.add);
  await other.backend.services.events.follow({ businessId }, there.add);
  for (let amountMinor = 1; amountMinor <= 20; amountMinor += 1) {
    await announceIn(amountMinor % 2 === 0 ? world : other, started(amountMinor));
    await Promise.all([here.has(amountMinor), there.has(amountMinor)]);
  }
  expect(pence(here.events)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(there.events.map(({ position }) => position)).toEqual(here.events.map(({ position }) => position));
});

test('a process that serves and one that works on the same SQLite file receive each other’s events within 20 ms', async () => {
  const handled = recorder();
  const consumer: EventConsumer = { name: 'test', handle: async (_tx, event) => handled.add(event) };
  const world = await aBackend({ env: { ROLE: 'api' } });
  const worker = await aBackend({ sharing: world, env: { ROLE: 'worker' }, consumers: [consumer] });
  const here = recorder();
  await world.backend.services.events.follow({ businessId }, here.add);
  for (let amountMinor = 1; amountMinor <= 10; amountMinor += 1) {
    await announceIn(world, started(amountMinor));
    worker.clock.advance({ ms: 20 });
    await Promise.all([here.has(2 * amountMinor - 1), handled.has(2 * amountMinor - 1)]);
    await announceIn(worker, started(100 + amountMinor));
    worker.clock.advance({ ms: 20 });
    await Promise.all([here.has(2 * amountMinor), handled.has(2 * amountMinor)]);
  }
  expect(pence(here.events)).toEqual(pence(handled.events));
});

test('on PostgreSQL an event that is committed late is delivered late, and not left out', async () => {
  const world = await aBackend({ database: 'postgres' });
  const { database, services } = world.backend;
  const live = recorder();
  await services.events.follow({ businessId }, live.add);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: inserted, resolve: isInserted } = Promise.withResolvers<void>();
  const late = database.write(async tx => {
    services.events.announce(tx, started(1, 'pay_late'));
    // Any answer says that what was sent before it has arrived.
    await tx.run(noConsumer, {});
    isInserted();
    await held;
  });
  await inserted;
  await announceIn(world, started(2));
  await live.has(1);
  release();
  await late;
  await live.has(2);
  expect(pence(live.events)).toEqual([2, 1]);
});

const insertCounter = insertInto('counters');
const counters = statement<object, { name: string }>(({ db }) => db.selectFrom('counters').select('name'));
const consumer = statement<{ name: string }, { position: number }>(({ db }, arg) =>
  db.selectFrom('eventConsumers').select('position').where('name', '=', arg('name')),
);
const noConsumer = statement<object, unknown>(({ db }) => db.deleteFrom('eventConsumers').where('name', '=', 'nobody'));
