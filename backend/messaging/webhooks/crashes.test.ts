import type { Clock } from '@florin/shared/ports.ts';
import { expect, test } from 'vitest';
import { type TestClock, testClock } from '../../../test/support/clock.ts';
import { isInPart } from '../../../test/support/part.ts';
import { afterCommit, withAfterCommit } from '../../foundation/database/after-commit.ts';
import { type Database, statement, type Transaction } from '../../foundation/database/database.ts';
import { openSqlite } from '../../foundation/database/sqlite.ts';
import { defaultLeaseMs, leasesOf } from '../../foundation/jobs/leases.ts';
import type { Outbound, PostRequest, PostResult } from '../../foundation/outbound/outbound.ts';
import { createLog } from '../../foundation/platform/log.ts';
import { deliveries } from './deliveries.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from './rows.ts';
import { defaultWebhooks } from './settings.ts';
import { insertWebhook, webhookForUpdate } from './store.ts';
import { deliveryWorker } from './worker.ts';

/** A seeded generator, so that a failed run can be repeated. */
function seeded(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    below: (limit: number) => Math.floor(next() * limit),
    bytes: (length: number) => Uint8Array.from({ length }, () => Math.floor(next() * 256)),
  };
}
type Seeded = ReturnType<typeof seeded>;

/** A process that can crash: from then on it neither reads nor writes. */
function aProcess(options: { database: Database; clock: TestClock; numbers: Seeded; receiver: Receiver; ids: Ids }) {
  const { clock, numbers, receiver, ids } = options;
  let isRunning = true;
  const forEver = new Promise<never>(() => {});
  const whileRunning = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (!isRunning) return forEver;
    const value = await work();
    return isRunning ? value : forEver;
  };
  const database = withAfterCommit({
    dialect: options.database.dialect,
    write: body => whileRunning(() => options.database.write(body)),
    all: (statement, args) => whileRunning(() => options.database.all(statement, args)),
    first: (statement, args) => whileRunning(() => options.database.first(statement, args)),
    close: async () => {},
  });
  const outbound: Outbound = {
    problemWith: async () => undefined,
    post: request => whileRunning(() => receiver.post(request)),
    abort() {},
    close: async () => {},
  };
  const log = createLog({ level: 'silent' });
  const events = { announce() {} };
  const places = {
    attemptsPerWebhook: 1 + numbers.below(4),
    claimedAhead: numbers.below(8),
    claimedAheadMs: 60_000,
    promptMs: 15_000,
  };
  const settings = { ...defaultWebhooks, ...places };
  const random = { bytes: numbers.bytes };
  const leases = leasesOf({ clock, timers: clock, log, leaseMs: defaultLeaseMs });
  const ports = { database, clock, timers: clock, ids, random, log, events, leases, settings };
  const sendSoon = (tx: Transaction, id: string) => afterCommit(tx, () => worker.wake(id));
  const deliver = deliveries({ ...ports, sendSoon, sender: () => worker });
  const box = { seal: (secret: string) => secret, open: (sealed: string) => sealed };
  const worker = deliveryWorker({ ...ports, outbound, box, deliveries: deliver });
  return {
    worker,
    add: (body: string) =>
      database.write(async tx => {
        const webhook = await tx.first(webhookForUpdate, { id: 'wh_1' });
        if (!webhook) throw new Error('no endpoint');
        const what = { eventId: `evt_${body}`, eventType: 'payment.completed' as const, sequence: 1, eventNumber: 1 };
        deliver.add(tx, webhook, { ...what, body });
      }),
    crash() {
      isRunning = false;
    },
  };
}
type Ids = { next(prefix: string): string };

/** An endpoint with random responses: it may accept without responding, or respond too late. */
function aReceiver(clock: TestClock, numbers: Seeded) {
  const took: { delivery: string; number: number; answered: 'taken' | 'refused' | 'never' }[] = [];
  let isWell = true;
  return {
    took,
    recovers() {
      isWell = true;
    },
    fails() {
      isWell = false;
    },
    post({ headers, timeoutMs }: PostRequest): Promise<PostResult> {
      const drawn = numbers.next();
      const isTaken = isWell ? drawn < 0.9 : drawn < 0.2;
      const isNever = !isTaken && drawn > 0.8;
      const answered = isTaken ? 'taken' : isNever ? 'never' : 'refused';
      took.push({
        delivery: headers['X-Webhook-Delivery'] ?? '',
        number: Number(headers['X-Webhook-Attempt']),
        answered,
      });
      return new Promise(resolve => {
        clock.after(timeoutMs, () => resolve({ kind: 'timeout' }));
        const status = isTaken ? 200 : 500;
        if (!isNever) clock.after(numbers.below(20_000), () => resolve({ kind: 'response', status, excerpt: '' }));
      });
    },
  };
}
type Receiver = ReturnType<typeof aReceiver>;

const endpoint = (clock: Clock): WebhookRow => ({
  id: 'wh_1',
  businessId: 'biz_1',
  url: 'https://shop.example/',
  eventType: 'payment.completed',
  description: null,
  sealedSecret: 'whsec_test',
  previousSealedSecret: null,
  previousSecretUntil: null,
  failedInARow: 0,
  failingSince: null,
  failureOutcome: null,
  failureStatus: null,
  lastSequence: 0,
  checkoutId: null,
  disabledAt: null,
  disabledReason: null,
  createdAt: clock.now(),
  deletedAt: null,
});

async function run(seed: number) {
  const numbers = seeded(seed);
  const clock = testClock();
  const database = await openSqlite({ file: ':memory:' });
  let made = 0;
  const ids: Ids = {
    next(prefix) {
      made += 1;
      return `${prefix}_${String(made).padStart(8, '0')}`;
    },
  };
  const receiver = aReceiver(clock, numbers);
  const start = () => aProcess({ database, clock, numbers, receiver, ids });
  let processes = [start(), start()];
  await database.write(tx => tx.run(insertWebhook, endpoint(clock)));
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  };
  let added = 0;
  for (let step = 0; step < 60; step += 1) {
    const drawn = numbers.next();
    const process = processes[numbers.below(processes.length)];
    if (drawn < 0.3) {
      added += 1;
      await process?.add(String(added));
    } else if (drawn < 0.45) {
      process?.crash();
      processes = [...processes.filter(one => one !== process), start()];
    } else if (drawn < 0.55) receiver[numbers.next() < 0.5 ? 'fails' : 'recovers']();
    else clock.advance({ ms: numbers.below(drawn < 0.8 ? 15_000 : 700_000) });
    if (numbers.next() < 0.7) void Promise.all(processes.map(one => one.worker.poll()));
    if (numbers.next() < 0.8) await settle();
  }
  // The faults stop, and everything completes.
  receiver.recovers();
  for (let turn = 0; turn < 60; turn += 1) {
    clock.advance({ minutes: 5 });
    void Promise.all(processes.map(one => one.worker.poll()));
    await settle();
    clock.advance({ seconds: 29 });
    await settle();
  }
  const rows = await database.all(allDeliveries, {});
  const attempts = await database.all(allAttempts, {});
  const webhook = await database.write(tx => tx.first(webhookForUpdate, { id: 'wh_1' }));
  await database.close();
  return { rows, attempts, webhook, took: receiver.took, added };
}

const allDeliveries = statement<object, DeliveryRow>(({ db }) => db.selectFrom('webhookDeliveries').selectAll());
const allAttempts = statement<object, AttemptRow>(({ db }) =>
  db.selectFrom('webhookAttempts').selectAll().orderBy('deliveryId').orderBy('number'),
);

function check(seed: number, { rows, attempts, webhook, took, added }: Awaited<ReturnType<typeof run>>): void {
  const isDisabled = webhook?.disabledAt !== null;
  expect([seed, rows.length]).toEqual([seed, added]);
  for (const { id, status, attemptCount, attemptStartedAt, nextAttemptAt } of rows) {
    const made = attempts.filter(({ deliveryId }) => deliveryId === id);
    const taken = took.filter(({ delivery }) => delivery === id);
    const what = [seed, id, status];
    // Every attempt is counted once, in order, before it is sent; at most five.
    expect([...what, made.map(({ number }) => number)]).toEqual([
      ...what,
      Array.from({ length: attemptCount }, (_, index) => index + 1),
    ]);
    expect(attemptCount).toBeLessThanOrEqual(5);
    expect(new Set(taken.map(({ number }) => number)).size).toBe(taken.length);
    for (const { number } of taken) expect(number).toBeLessThanOrEqual(attemptCount);
    // Nothing is left open, and the record matches the endpoint's.
    expect([...what, attemptStartedAt, nextAttemptAt]).toEqual([...what, null, null]);
    expect([...what, made.every(({ outcome }) => outcome !== null)]).toEqual([...what, true]);
    const delivered = made.filter(({ outcome }) => outcome === 'delivered');
    expect([...what, delivered.length]).toEqual([...what, status === 'delivered' ? 1 : 0]);
    for (const { number } of delivered)
      expect(taken.find(one => one.number === number)).toMatchObject({ answered: 'taken' });
    if (status === 'failed') expect([...what, attemptCount]).toEqual([...what, 5]);
    if (status === 'not_sent') expect([...what, isDisabled]).toEqual([...what, true]);
    expect([...what, status === 'pending']).toEqual([...what, false]);
  }
}

test('despite crashes and pauses, attempts are counted once, at most five, and nothing is lost', async () => {
  const outcomes = new Map<string, number>();
  for (let seed = 1; seed <= 75; seed += 1) {
    if (!isInPart(seed, 3)) continue;
    const ended = await run(seed);
    check(seed, ended);
    for (const { outcome } of ended.attempts) outcomes.set(String(outcome), (outcomes.get(String(outcome)) ?? 0) + 1);
  }
  // The runs covered all outcomes.
  for (const outcome of ['delivered', 'refused', 'timeout', 'interrupted'])
    expect([outcome, outcomes.get(outcome)]).toEqual([outcome, expect.any(Number)]);
}, 120_000);
