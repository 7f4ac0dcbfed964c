import type { IncomingMessage } from 'node:http';
import type { Problem } from './problems.ts';

export type ReadBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** The caller hung up before the body was complete. */
  | { readonly kind: 'gone' };

/** Reads a request's body as UTF-8 text, at most `maxBytes` of it. */
export function readText(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const tooLarge: ReadBody = {
    kind: 'refused',
    problem: { status: 413, message: `The body is larger than ${maxBytes} bytes`, metadata: { maxBytes } },
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(tooLarge);
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding !== 'identity') {
    return Promise.resolve({
      kind: 'refused',
      problem: { status: 415, message: 'The body must not be compressed (Content-Encoding)' },
    });
  }
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        chunks.length = 0;
        resolve(tooLarge);
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(decode(chunks)));
    request.on('close', () => resolve({ kind: 'gone' }));
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(chunks: Buffer[]): ReadBody {
  try {
    return { kind: 'text', text: utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)) };
  } catch {
    return { kind: 'refused', problem: { status: 400, message: 'The body is not valid UTF-8' } };
  }
}

export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/**
 * JSON without ambiguity: a key given twice is refused, because two readers of the same bytes could see two amounts
 * (Node keeps the last one, others the first).
 */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: 'The body is not valid JSON' };
  }
  // Text that parsed has one colon outside its strings for each member written; fewer members kept means one was lost.
  if (membersWritten(text) !== membersKept(value)) return { ok: false, why: 'The body names a key twice' };
  return { ok: true, value };
}

function membersWritten(text: string): number {
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 58 /* : */) members += 1;
    else if (code === 34 /* " */) at = endOfString(text, at);
  }
  return members;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92 /* \ */) at += 1;
    else if (code === 34 || at >= text.length) return at;
  }
}

function membersKept(root: unknown): number {
  let members = 0;
  const toVisit: unknown[] = [root];
  while (toVisit.length > 0) {
    const value = toVisit.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') toVisit.push(item);
      continue;
    }
    for (const key of Object.keys(value)) {
      members += 1;
      const item = (value as Record<string, unknown>)[key];
      if (typeof item === 'object') toVisit.push(item);
    }
  }
  return members;
}
