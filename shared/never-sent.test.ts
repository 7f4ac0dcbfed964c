import { expect, test } from 'vitest';
import { neverSent } from './never-sent.ts';

function failed(code: string, cause?: unknown): Error {
  return Object.assign(new Error(code, { cause }), { code });
}

test('a call that was not connected was never sent', () => {
  expect(neverSent(failed('ECONNREFUSED'))).toBe(true);
  expect(neverSent(new TypeError('fetch failed', { cause: failed('ENOTFOUND') }))).toBe(true);
});

test('a call that broke off may have been sent', () => {
  for (const failure of [failed('ECONNRESET'), failed('ETIMEDOUT'), new Error('aborted'), 'no error', undefined])
    expect(neverSent(failure)).toBe(false);
});

test('of several addresses, every attempt must have failed before it was connected', () => {
  const attempts = (...errors: Error[]) => new TypeError('fetch failed', { cause: new AggregateError(errors) });
  expect(neverSent(attempts(failed('ETIMEDOUT'), failed('ECONNREFUSED')))).toBe(true);
  expect(neverSent(attempts(failed('ECONNREFUSED'), failed('ECONNRESET')))).toBe(false);
  expect(neverSent(attempts())).toBe(false);
});
