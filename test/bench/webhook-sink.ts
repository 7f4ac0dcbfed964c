import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A merchant's server in a separate process: answers 200 and records arrival times. It reports the number of requests, the
 * time from the end of a warm-up to the last request, and the delays since their events (`createdAt`).
 */
let warmUp = 0;
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
    count += 1;
    if (count <= Math.max(1, warmUp)) firstAt = at;
    lastAt = at;
    if (createdAt !== undefined) lagsMs.push(at - Date.parse(createdAt));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` });
});
process.on('message', (question: { ask: 'count' | 'statistics' | 'reset'; warmUp?: number }) => {
  process.send?.(question.ask === 'statistics' ? { elapsedMs: lastAt - firstAt, lagsMs } : count);
  if (question.ask !== 'reset') return;
  warmUp = question.warmUp ?? 0;
  count = 0;
  lagsMs = [];
});
process.once('disconnect', () => process.exit());
