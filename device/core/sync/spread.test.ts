import type { Log, Random, Timers } from '@florin/shared/ports.ts';
import { expect, test } from 'vitest';
import { seededNumbers, seededRandom } from '../../../test/simulation/seeded.ts';
import type { Fact } from '../facts.ts';
import { createCommandChannel } from '../remote/channel.ts';
import type { Service } from '../service/client.ts';
import { createConnection } from './connection.ts';
import { createSync } from './sync.ts';

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const terminals = () => Array.from({ length: 200 }, (_, seed) => seededRandom(seededNumbers(seed)));

/** Runs each scheduled task at once, up to `times`; resolves to the delays they were scheduled with. */
function recorded(times: number) {
  const delays: number[] = [];
  const done = Promise.withResolvers<readonly number[]>();
  const timers: Timers = {
    after(delayMs, task) {
      delays.push(delayMs);
      if (delays.length > times) done.resolve(delays);
      else queueMicrotask(task);
      return () => undefined;
    },
  };
  return { timers, delays: done.promise };
}

function connectionTo(service: Pick<Service, 'call' | 'follow'>, random: Random, now = () => 0) {
  const facts: Fact[] = [];
  const connection = createConnection({
    service: { ...service, close: async () => undefined },
    token: () => 'token',
    uptime: { now },
    random,
    log,
    publish: fact => void facts.push(fact),
  });
  return { connection, facts };
}

const notReached = async () => ({ kind: 'not_reached' }) as const;
const nobody = { call: notReached, follow: notReached };
const options = { log, enrolled: () => true, publish: () => undefined };

async function pausesOfStream(random: Random): Promise<readonly number[]> {
  const { timers, delays } = recorded(8);
  createCommandChannel({ ...options, ...connectionTo(nobody, random), timers, random }).start();
  return delays;
}

async function pausesOfSync(random: Random): Promise<readonly number[]> {
  const { timers, delays } = recorded(8);
  const store = { outbox: () => [], configuration: () => undefined };
  const others = { time: { keep: () => undefined }, pendingReports: { deliver: async () => false } };
  const sync = createSync({
    ...options,
    ...connectionTo(nobody, random),
    ...({ store, ...others } as never as { store: never; time: never; pendingReports: never; lockouts: never }),
    checkStorage: () => undefined,
    timers,
    random,
  });
  sync.start();
  return delays;
}

test.each([
  { of: 'stream', pauses: pausesOfStream, usual: [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000] },
  { of: 'sync', pauses: pausesOfSync, usual: [0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] },
])('no two terminals try the $of again at the same times, and each within half of the usual pause', async row => {
  const all = await Promise.all(terminals().map(row.pauses));
  for (const [attempt, usualMs] of row.usual.entries()) {
    const pauses = all.map(delays => Number(delays[attempt]));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(usualMs / 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(usualMs * 1.5);
    // 200 terminals over the whole of the range.
    if (usualMs > 0) expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(usualMs * 0.9);
  }
  // A simulation repeats them.
  expect(await row.pauses(seededRandom(seededNumbers(7)))).toEqual(all[7]);
});

async function settlesAfter(random: Random, awayMs: number): Promise<number> {
  let now = 0;
  let isThere = false;
  const service = { ...nobody, call: async () => ({ kind: isThere ? 'refused' : 'not_reached' }) };
  const { connection, facts } = connectionTo(service as never, random, () => now);
  await connection.check();
  now = awayMs;
  isThere = true;
  await connection.check();
  const [, returned] = facts.filter(fact => fact.kind === 'connection_changed');
  expect(returned?.isOnline).toBe(true);
  return returned?.settleMs ?? Number.NaN;
}

test('after a short loss everything is taken up at once, after a long one spread over five seconds', async () => {
  const after = (awayMs: number) => Promise.all(terminals().map(random => settlesAfter(random, awayMs)));
  expect(Math.max(...(await after(2_000)))).toBeLessThanOrEqual(200);
  const long = await after(3_600_000);
  expect(Math.max(...long)).toBeLessThanOrEqual(5_000);
  for (let second = 0; second < 5; second += 1)
    expect(long.filter(ms => Math.floor(ms / 1_000) === second).length).toBeGreaterThan(20);
});
