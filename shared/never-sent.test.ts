import { expect, test } from 'vitest';
import { neverSent } from './never-sent.ts';

function failed(code: string, cause?: unknown): Error {
  return Object.assign(new Error(code, { cause }), { code });
}

test('a call without a connection was never sent', () => {
  expect(neverSent(failed('ECONNREFUSED'))).toBe(true);
  expect(neverSent(new TypeError('fetch failed', { cause: failed('ENOTFOUND') }))).toBe(true);
});

test('an interrupted call may have been sent', () => {
  for (const failure of [failed('ECONNRESET'), failed('ETIMEDOUT'), new Error('aborted'), 'no error', undefined])
    expect(neverSent(failure)).toBe(false);
});

test('with several addresses, every attempt must have failed before connecting', () => {
  const attempts = (...errors: Error[]) => new TypeError('fetch failed', { cause: new AggregateError(errors) });
  expect(neverSent(attempts(failed('ETIMEDOUT'), failed('ECONNREFUSED')))).toBe(true);
  expect(neverSent(attempts(failed('ECONNREFUSED'), failed('ECONNRESET')))).toBe(false);
  expect(neverSent(attempts())).toBe(false);
});
