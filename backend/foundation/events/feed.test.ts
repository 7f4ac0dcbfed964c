import { setImmediate } from 'node:timers/promises';
import { idPrefixes } from '@florin/shared/ports.ts';
import { expect, onTestFinished, test } from 'vitest';
import { systemPlatform } from '../../backend.ts';
import { withAfterCommit } from '../database/after-commit.ts';
import type { Database } from '../database/database.ts';
import { openSqlite } from '../database/sqlite.ts';
import { createLog } from '../platform/log.ts';
import { announcer } from './announce.ts';
import { type EventFeed, eventFeed } from './feed.ts';
import { insertEvent } from './store.ts';

const businessId = 'biz_shop';
const { clock, ids, timers } = systemPlatform;

/** A feed whose database answers a turn later, as one on another machine does; `onRead` is called before each read. */
async function aFeed({ maxReplayed, onRead }: { maxReplayed?: number; onRead?: (feed: EventFeed) => void } = {}) {
  const sqlite = withAfterCommit(await openSqlite({ file: ':memory:' }));
  onTestFinished(() => sqlite.close());
  const database: Database = {
    ...sqlite,
    async all(statement, args) {
      await setImmediate();
      onRead?.(feed);
      return sqlite.all(statement, args);
    },
    async first(statement, args) {
      await setImmediate();
      onRead?.(feed);
      return sqlite.first(statement, args);
    },
  };
  const log = createLog({ level: 'silent' });
  const feed = eventFeed({ database, timers, log, pollMs: 60_000, ...(maxReplayed ? { maxReplayed } : {}) });
  const { announce } = announcer({ clock, ids, log, wake: () => void feed.advance() });
  const payload = { amountMinor: 1, currency: 'GBP', paymentLinkId: null, terminalId: null, saleId: null };
  const happen = (count = 1) =>
    sqlite.write(async tx => {
      for (let times = 0; times < count; times += 1)
        announce(tx, { type: 'payment.started', businessId, paymentId: 'pay_1', subjectId: 'pay_1', payload });
    });
  /** Written by a newer version: its type or payload may be unknown here. */
  const happenInNewerVersion = (type: string, payloadJson: string) =>
    sqlite.write(async tx => {
      const subject = { businessId, paymentId: null, subjectId: 'pay_1', actorKind: 'system', actorId: null } as const;
      const id = ids.next(idPrefixes.event);
      await tx.run(insertEvent, { ...subject, id, type, terminalId: null, payloadJson, createdAt: 1, trace: null });
    });
  return { feed, happen, happenInNewerVersion };
}

test('a stream resumes after an event that so many followed, and not after an older one', async () => {
  const { feed, happen } = await aFeed({ maxReplayed: 3 });
  await happen(5);
  expect(await feed.at(businessId, 2)).toMatchObject({ position: 2 });
  expect(await feed.at(businessId, 1)).toBeUndefined();
  const stop = await feed.follow({ businessId }, () => undefined);
  await happen();
  await feed.advance();
  expect([await feed.at(businessId, 2), (await feed.at(businessId, 3))?.position]).toEqual([undefined, 3]);
  stop();
});

test('an event that only a newer version can read does not stop the streams', async () => {
  const { feed, happen, happenInNewerVersion } = await aFeed();
  await happen();
  await happenInNewerVersion('payment.rescheduled', '{}');
  await happenInNewerVersion('payment.started', '{"amountMinor":"much"}');
  await happen();
  const seen: number[] = [];
  const stop = await feed.follow({ businessId, after: 0 }, ({ position }) => seen.push(position));
  await happenInNewerVersion('payment.rescheduled', '{}');
  await happen();
  await feed.advance();
  expect(seen).toEqual([1, 4, 6]);
  stop();
});

test('a stream begins while others join without pause', async () => {
  let joined = 0;
  const { feed } = await aFeed({
    onRead(each) {
      joined += 1;
      if (joined < 500) void each.follow({ businessId }, () => undefined);
    },
  });
  const stop = await feed.follow({ businessId }, () => undefined);
  expect(joined).toBeLessThan(50);
  stop();
  await feed.advance();
});

test('an event is delivered before many streams that resume have caught up', async () => {
  const { feed, happen } = await aFeed();
  await happen(10);
  const resumed = new Set<number>();
  let resumedBefore: number | undefined;
  await feed.follow({ businessId }, () => {
    resumedBefore ??= resumed.size;
  });
  const all = Array.from({ length: 100 }, (_, index) =>
    feed.follow({ businessId, after: 1 }, () => {
      if (resumed.size === 0) void happen();
      resumed.add(index);
    }),
  );
  await Promise.all(all);
  await feed.advance();
  expect(resumed.size).toBe(100);
  expect(resumedBefore).toBeLessThan(100);
});
