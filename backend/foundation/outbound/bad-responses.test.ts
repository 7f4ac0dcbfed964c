import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { testClock } from '../../../test/support/clock.ts';
import { guardedOutbound } from './guarded.ts';

/** What comes of a request that is answered with these bytes. */
async function answeredWith(response: string) {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from(response)));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const outbound = guardedOutbound({ policy: { allowLoopback: true }, timers: testClock() });
  onTestFinished(() => outbound.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return outbound.post({ url, headers: {}, body: '{}', timeoutMs: 30_000 });
}

test.each([
  ['is not HTTP', 'HTTP/0.9 hello\r\n\r\n', 'the response was not valid HTTP'],
  [
    'has two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nok',
    'the response was not valid HTTP',
  ],
  [
    'has endless headers',
    `HTTP/1.1 200 OK\r\n${`X-More: ${'a'.repeat(200)}\r\n`.repeat(1_000)}\r\n`,
    'the headers of the response were too large',
  ],
  [
    'changes the protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello',
    'the connection was closed before the response',
  ],
  ['is none', '', 'the connection was closed before the response'],
])('a response that %s is a failure that people can read', async (_, response, reason) => {
  expect(await answeredWith(response)).toEqual({ kind: 'connection_failed', reason });
});

test('what a response says is kept without characters that recolour a screen or turn the order of its text', async () => {
  const text = 'paid \u001b[31m\u202e00.21\u2066 Straße';
  const response = `HTTP/1.1 500 No\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  expect(await answeredWith(response)).toEqual({
    kind: 'response',
    status: 500,
    excerpt: 'paid \ufffd[31m\ufffd00.21\ufffd Straße',
  });
});
