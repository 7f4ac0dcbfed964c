import type { ServerResponse } from 'node:http';
import { sendJson } from '../http.ts';
import type { Answer } from './wire.ts';

/** Sends lines of JSON until the caller disconnects, then calls the returned function. */
export type Stream = (write: (content: unknown) => void, end: () => void) => () => void;
export type Reply = Answer | Stream;

/** Sends an answer as JSON, or each item of a stream as a line `{"result": …}` until either side ends it. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  if (typeof reply !== 'function') {
    sendJson(response, reply.status, reply.content);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const stop = reply(
    content => response.write(`${JSON.stringify({ result: content })}\n`),
    () => response.end(),
  );
  response.once('close', stop);
}
