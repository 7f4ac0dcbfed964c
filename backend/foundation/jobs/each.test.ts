import { expect, test } from 'vitest';
import { logInto } from '../../../test/support/log.ts';
import { workOnEach } from './each.ts';

test('a record that fails is logged with its ids, does not end the work on others, and the run fails after the last', async () => {
  const logged: string[] = [];
  const log = logInto(logged);
  const slow = Promise.withResolvers<void>();
  const done: string[] = [];
  const run = workOnEach(['pay_1', 'pay_2'], { log, idsOf: paymentId => ({ paymentId }) }, async id => {
    if (id === 'pay_1') throw new Error('broken');
    await slow.promise;
    done.push(id);
  });
  let isOver = false;
  const ended = run.finally(() => {
    isOver = true;
  });
  ended.catch(() => {});
  await expect.poll(() => logged.join()).toContain('pay_1');
  expect(isOver).toBe(false);
  slow.resolve();
  await expect(ended).rejects.toThrow('1 of 2 records');
  expect(done).toEqual(['pay_2']);
  expect(logged).toHaveLength(1);
});
