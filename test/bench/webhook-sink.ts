import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A merchant's server in a process of its own: answers 200 to everything and notes when it came. A message `read` is answered
 * with how many there were, when the first and the last came, and how long after their event (`createdAt`) they began to be sent.
 */
let firstAt = 0;
let lastAt = 0;
let count = 0;
let lagsMs: number[] = [];

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.end();
    const body = Buffer.concat(chunks).toString();
    const createdAt = /"createdAt":"([^"]+)"/.exec(body)?.[1];
    if (count === 0) firstAt = at;
    lastAt = at;
    count += 1;
    if (createdAt !== undefined) lagsMs.push(at - Date.parse(createdAt));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` });
});
process.on('message', word => {
  process.send?.({ count, elapsedMs: lastAt - firstAt, lagsMs });
  if (word !== 'reset') return;
  count = 0;
  lagsMs = [];
});
process.once('disconnect', () => process.exit());
