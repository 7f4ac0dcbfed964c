import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testClock } from '../../../test/support/clock.ts';
import { collectYoung, keptUntilFullCollectionMb } from '../../../test/support/heap.ts';
import { noLog } from '../../../test/support/log.ts';
import { withAfterCommit } from '../database/after-commit.ts';
import { openSqlite } from '../database/sqlite.ts';
import { defaultLeaseMs, leasesOf } from '../jobs/leases.ts';
import { idempotencyService } from './service.ts';

test('a request that is over is freed without a full collection of the heap', async () => {
  const database = withAfterCommit(await openSqlite({ file: ':memory:' }));
  const clock = testClock();
  const leases = leasesOf({ clock, timers: clock, log: noLog, leaseMs: defaultLeaseMs });
  const settings = { retentionMs: 86_400_000, pollMs: 1_000 };
  const calls = idempotencyService({ database, clock, timers: clock, log: noLog, leases, settings });
  let begun = 0;
  async function client(): Promise<void> {
    while (begun < 8_000) {
      begun += 1;
      if (begun % 200 === 0) collectYoung();
      // Sixteen kilobytes.
      const connection = Array.from({ length: 2_048 }, (_, number) => number + 0.5);
      const key = randomUUID();
      const isGone = () => connection.length === 0;
      const request = { businessId: 'biz_1', key, requestHash: 'hash', runId: `run_${begun}`, isGone };
      await calls.run(request, async call => {
        const write = call.storing<object>(body => ({ status: 201, body }));
        await database.write(tx => write.begin(tx));
        await database.write(tx => write.finish(tx, {}));
        return {};
      });
    }
  }
  const keptMb = await keptUntilFullCollectionMb(async () => {
    await Promise.all(Array.from({ length: 50 }, client));
  });
  await database.close();
  // Of the hundred and thirty megabytes, little but the keys.
  expect(keptMb).toBeLessThan(14);
});
