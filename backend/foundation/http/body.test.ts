import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadBody, readBody } from './body.ts';

const maxBytes = 10;
const server = createServer();

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends what begins a request; its body can be read once the server has received the head. */
async function begin(head: string, body = ''): Promise<{ readonly socket: Socket; readonly request: IncomingMessage }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`);
  const [request] = await once(server, 'request');
  return { socket, request };
}

const inChunks = (...chunks: string[]) => chunks.map(chunk => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
const textOf = (body: ReadBody) =>
  body === 'aborted' || 'problem' in body ? body : Buffer.from(body.bytes).toString('utf8');
const tooLarge = { problem: { status: 413, message: 'The body is larger than 10 bytes', metadata: { maxBytes } } };

test.each([
  ['announced', 'Content-Length: 10', '0123456789', '0123456789'],
  ['in chunks', 'Transfer-Encoding: chunked', `${inChunks('01234', '56789')}0\r\n\r\n`, '0123456789'],
  ['empty', 'Content-Length: 0', '', ''],
  ['with an encoding that changes nothing', 'Content-Encoding: Identity\r\nContent-Length: 2', '{}', '{}'],
])('a body of at most the limit is read whole: %s', async (_, head, sent, expected) => {
  const { socket, request } = await begin(head, sent);
  expect(textOf(await readBody(request, maxBytes))).toBe(expected);
  socket.destroy();
});

test.each([
  ['announced', 'Content-Length: 11', ''],
  ['in chunks whose end has not come', 'Transfer-Encoding: chunked', inChunks('01234', '56789', 'x')],
])('a larger body is refused without waiting for its end: %s', async (_, head, sent) => {
  const { socket, request } = await begin(head, sent);
  expect(await readBody(request, maxBytes)).toEqual(tooLarge);
  socket.destroy();
});

test('a body whose sender disconnects is aborted, whether reading had begun or not', async () => {
  const { socket, request } = await begin('Content-Length: 10', '01234');
  const reading = readBody(request, maxBytes);
  socket.destroy();
  expect(await reading).toBe('aborted');

  const late = await begin('Content-Length: 10', '01234');
  late.socket.destroy();
  await new Promise(resolve => late.request.on('close', resolve));
  expect(await readBody(late.request, maxBytes)).toBe('aborted');
});
