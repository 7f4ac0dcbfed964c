import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AnyContract, isPolledRecord } from '@florin/shared/contracts/contract.ts';
import type { AssetResponse, EventSchemas, FileResponse, PageResponse } from '@florin/shared/contracts/responses.ts';
import type { EventStreams, StreamOpener } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { keptForGood, revalidated } from './headers.ts';
import type { AnyResponse, EventsOf, ResponseBy } from './route.ts';

/** Sends what a handler gave, as the kind its contract declares for that status. */
export async function sendResponse(
  contract: AnyContract,
  result: AnyResponse,
  exchange: Exchange,
  {
    streams,
    over,
    opener,
  }: { readonly streams: EventStreams; readonly over: AbortController; opener: () => StreamOpener },
): Promise<void> {
  const { status } = result;
  const declared = contract.responses[status];
  if (!declared) throw new Error(`${contract.name} returned an undeclared status, ${status}`);
  switch (declared.kind) {
    case 'json': {
      const body = JSON.stringify(result.body);
      if (isPolledRecord(contract)) return sendRecord(exchange, body);
      return exchange.sendJson(status, body, result.cookie === undefined ? [] : ['Set-Cookie', result.cookie]);
    }
    case 'eventStream': {
      const { events } = result as unknown as EventsOf<EventSchemas>;
      return streams.begin(exchange, { status, events, over, opener: opener() });
    }
    case 'page': {
      const page = result as ResponseBy<number, PageResponse>;
      const { html, contentSecurityPolicy = pagePolicy, isIsolated, isKept } = page;
      const isolation = isIsolated ? ['Cross-Origin-Opener-Policy', 'same-origin'] : [];
      const keeping = isKept ? [...revalidated, 'X-Robots-Tag', 'noindex'] : [];
      return exchange.send(status, 'text/html; charset=utf-8', html, [...isolation, ...keeping], contentSecurityPolicy);
    }
    case 'redirect': {
      const { location } = result as unknown as { readonly location: string };
      return exchange.send(status, 'text/plain; charset=utf-8', '', ['Location', location]);
    }
    case 'asset':
      return sendAsset(result as ResponseBy<number, AssetResponse>, declared, exchange);
    case 'file':
      return sendFile(result as File, declared, exchange);
  }
}

/** Sends a record, or 304 if the caller already has its current version. */
function sendRecord(exchange: Exchange, body: string): void {
  const tag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  const headers = ['ETag', tag, ...revalidated];
  const known = exchange.request.get('If-None-Match')?.split(',') ?? [];
  // Weak comparison, as RFC 9110 asks for here.
  const isCurrent = known.some(each => [tag, '*'].includes(each.trim().replace(/^W\//, '')));
  if (!isCurrent) exchange.sendJson(200, body, headers);
  else if (exchange.begin(304, headers)) exchange.response.end();
}

/** Sends an asset in the first of its forms that the browser takes. */
function sendAsset(
  { status, content, compressed = {} }: ResponseBy<number, AssetResponse>,
  { mediaType }: AssetResponse,
  exchange: Exchange,
): void {
  const codings = Object.keys(compressed);
  const coding = codings.find(each => exchange.request.acceptsEncodings(each) !== false);
  const headers = [...keptForGood, ...(codings.length > 0 ? ['Vary', 'Accept-Encoding'] : [])];
  if (coding === undefined) exchange.send(status, mediaType, content, headers);
  else exchange.send(status, mediaType, compressed[coding] ?? content, [...headers, 'Content-Encoding', coding]);
}

type File = ResponseBy<number, FileResponse>;

/** A page loads only from this origin; one that needs more adds it to the policy. */
export const pagePolicy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'";

async function sendFile({ status, content, fileName }: File, { mediaType }: FileResponse, exchange: Exchange) {
  const { response, request } = exchange;
  response.attachment(fileName);
  if (content instanceof Uint8Array) return exchange.send(status, mediaType, content);
  if (!exchange.begin(status, ['Content-Type', mediaType])) return;
  if (request.method === 'HEAD') response.end();
  else await pipeline(Readable.from(content, { objectMode: false }), response).catch(unlessLeft);
}

/** A client that disconnects, or is disconnected for not reading, is not a server error. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
