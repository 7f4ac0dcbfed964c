import type { Log } from '@florin/shared/ports.ts';
import { expect, test } from 'vitest';
import { sendOnce } from './send-once.ts';

const approved = { kind: 'approved' } as const;

function anAttempt({ nextPollAt }: { nextPollAt: number | null }) {
  const logged: object[] = [];
  const log = { error: (line: object) => void logged.push(line) } as unknown as Log;
  let sent = 0;
  const send = (call: () => Promise<typeof approved> = async () => approved) =>
    sendOnce(
      { nextPollAt },
      () => {
        sent += 1;
        return call();
      },
      { clock: { now: () => 1_000 }, log, subject: { paymentId: 'pay_1' } },
    );
  return { send, sent: () => sent, logged };
}

test('within its lease the request is sent, and its outcome is what the gateway says', async () => {
  const attempt = anAttempt({ nextPollAt: 1_001 });
  expect(await attempt.send()).toEqual(approved);
  expect(attempt.sent()).toBe(1);
});

test.each([1_000, 999, null])('nothing is sent of an attempt that may be looked up from %s on', async nextPollAt => {
  const attempt = anAttempt({ nextPollAt });
  expect(await attempt.send()).toEqual({ kind: 'notSent', cause: 'lease_expired' });
  expect(attempt.sent()).toBe(0);
});

test('an adapter that fails may have sent the request: the outcome is unknown, and the failure is logged', async () => {
  const attempt = anAttempt({ nextPollAt: 1_001 });
  const err = new Error('the reply could not be read');
  expect(await attempt.send(() => Promise.reject(err))).toEqual({ kind: 'unknown', cause: 'gateway_error' });
  expect(attempt.logged).toEqual([{ paymentId: 'pay_1', err }]);
});
