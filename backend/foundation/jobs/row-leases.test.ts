import { expect, test } from 'vitest';
import { testClock } from '../../../test/support/clock.ts';
import { collectYoung, keptUntilFullCollectionMb } from '../../../test/support/heap.ts';
import { noLog } from '../../../test/support/log.ts';
import { renewRefundLeases } from '../../money/refunds/store.ts';
import { openSqlite } from '../database/sqlite.ts';
import { defaultLeaseMs, leasesOf } from './leases.ts';
import { rowLeases } from './row-leases.ts';

/** A row of two kilobytes. */
const aRow = (index: number) => ({
  id: `row_${index}`,
  columns: Array.from({ length: 256 }, (_, number) => number + 0.5),
});

test('a row whose lease ended is freed without a full collection of the heap', async () => {
  const database = await openSqlite({ file: ':memory:' });
  const clock = testClock();
  const leases = leasesOf({ clock, timers: clock, log: noLog, leaseMs: defaultLeaseMs });
  const rows = rowLeases({ database, leases }, 'rows', renewRefundLeases);
  let begun = 0;
  let read = 0;
  async function worker(): Promise<void> {
    while (begun < 20_000) {
      const row = aRow(begun);
      begun += 1;
      if (begun % 500 === 0) collectYoung();
      await rows.during(row, clock.now() + defaultLeaseMs, async () => {
        read += row.columns.length;
      });
    }
  }
  // Of the forty megabytes, little but the ids.
  const keptMb = await keptUntilFullCollectionMb(async () => {
    await Promise.all(Array.from({ length: 50 }, worker));
  });
  await database.close();
  expect(read).toBe(begun * 256);
  expect(keptMb).toBeLessThan(10);
});
