import { createConnection, type Socket } from 'node:net';
import { contract } from '@florin/shared/contracts/contract.ts';
import { file } from '@florin/shared/contracts/responses.ts';
import { expect, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import { type Route, respondFile, route } from './route.ts';

/** More than any buffer on the way holds. */
function aLargeFile(left: { closed: boolean }): Route {
  async function* content() {
    try {
      for (let part = 0; part < 512; part += 1) yield Buffer.alloc(64 * 1024);
    } finally {
      left.closed = true;
    }
  }
  return route(
    contract({
      name: 'large',
      method: 'GET',
      path: '/api/v1/test/large',
      authentication: ['none'],
      summary: 'Something large',
      tag: 'Test',
      responses: { 200: file('application/octet-stream') },
    }),
    async () => respondFile(200, content(), 'large'),
  );
}

/** A connection whose client reads nothing until the socket is resumed; `closed` resolves when the service has closed it. */
function unread(url: string, request: string): { socket: Socket; closed: Promise<void> } {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname, () => socket.write(request));
  socket.pause();
  // Cut off in the middle of something is what is expected.
  const closed = new Promise<void>(resolve => {
    socket.once('error', () => resolve());
    socket.once('close', () => resolve());
  });
  return { socket, closed };
}

test('a client that sends many requests without reading is disconnected, and delays no others', async () => {
  const { url } = await aBackend({ env: { RATE_LIMIT_PROBES: '1000000' } });
  const request = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(400);
  const floods = Array.from({ length: 50 }, () => unread(url, request));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  for (const { socket } of floods) socket.resume();
  await Promise.all(floods.map(({ closed }) => closed));
});

test('a client that stops reading in the middle of a response is disconnected', async () => {
  const left = { closed: false };
  const { url, logged } = await aBackend({ extraRoutes: [aLargeFile(left)], env: { SOCKET_TIMEOUT_SECONDS: '1' } });
  const { socket, closed } = unread(url, 'GET /api/v1/test/large HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => left.closed, { timeout: 30_000 }).toBe(true);
  let received = 0;
  socket.on('data', data => {
    received += data.length;
  });
  socket.resume();
  await closed;
  expect(received).toBeLessThan(32 * 1024 * 1024);
  expect(logged()).not.toContain('a request failed');
});
