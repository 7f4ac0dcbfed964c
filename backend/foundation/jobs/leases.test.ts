import { expect, test } from 'vitest';
import { testClock } from '../../../test/support/clock.ts';
import { collectYoung, keptUntilFullCollectionMb } from '../../../test/support/heap.ts';
import { noLog } from '../../../test/support/log.ts';
import { defaultLeaseMs, leasesOf } from './leases.ts';

type Work = { readonly content: readonly number[] };
/** A kilobyte each. */
const aWork = (): Work => ({ content: Array.from({ length: 128 }, (_, number) => number + 0.5) });

test('work that ended is freed without a full collection of the heap', async () => {
  const clock = testClock();
  const leases = leasesOf({ clock, timers: clock, log: noLog, leaseMs: defaultLeaseMs }).on<Work>({
    what: 'a test',
    renew: async held => held,
  });
  const keptMb = await keptUntilFullCollectionMb(() => {
    const underWay: Work[] = [];
    for (let index = 0; index < 20_000; index += 1) {
      const work = aWork();
      leases.hold(work, clock.now() + defaultLeaseMs);
      underWay.push(work);
      const oldest = underWay.length > 50 && underWay.shift();
      if (oldest) leases.end(oldest);
      if (index % 500 === 0) collectYoung();
    }
    for (const work of underWay) leases.end(work);
  });
  expect(keptMb).toBeLessThan(3);
});
