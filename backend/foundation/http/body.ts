import type { IncomingMessage } from 'node:http';
import type { Problem } from './problems.ts';

/** The body's bytes as they were sent, what is wrong with it, or that its sender disconnected before its end. */
export type ReadBody = { readonly bytes: Uint8Array } | { readonly problem: Problem } | 'aborted';

const compressed: Problem = { status: 415, message: 'The body must not be compressed (Content-Encoding)' };

/**
 * Reads a body of at most `maxBytes`; the rest of a larger one stays unread. Express's body readers are not used: they can
 * also decompress and convert, and cost a tenth of the time of a whole request.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') return Promise.resolve({ problem: compressed });
  if (Number(length) > maxBytes) return Promise.resolve({ problem: tooLarge(maxBytes) });
  if (request.destroyed) return Promise.resolve('aborted');
  return new Promise(resolve => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      request.pause();
      resolve({ problem: tooLarge(maxBytes) });
    });
    request.on('end', () => resolve({ bytes: Buffer.concat(chunks, size) }));
    // After `end` this changes nothing.
    request.on('close', () => resolve('aborted'));
  });
}

function tooLarge(maxBytes: number): Problem {
  return { status: 413, message: `The body is larger than ${maxBytes} bytes`, metadata: { maxBytes } };
}
