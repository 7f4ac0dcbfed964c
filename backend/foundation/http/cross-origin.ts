import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { Request, RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';

/** Reads of these need no key; receipts and their keys are for pages that check receipts, wherever those come from. */
const ofAnyone = /^\/(api\/v1\/|\.well-known\/florin-receipts\/|r\/\{token\}\/receipt\.json$)/;

/**
 * Whether pages of any origin may call an operation: kiosks, whose key is in a header that no browser sends by itself, and
 * reads that need no key at all.
 */
export function isForPages({ authentication, method, path }: AnyContract): boolean {
  const needsNoKey = authentication.includes('none') && method === 'GET' && ofAnyone.test(path);
  return authentication.includes('kioskKey') || needsNoKey;
}

const readable = 'ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const sendable = 'Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Traceparent, X-API-Key';

/** Lets pages of other origins read what is answered here. */
export const allowAnyOrigin: RequestHandler = (_request, response, next) => {
  exchangeOf(response).addHeaders(['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', readable]);
  next();
};

/**
 * Whether a browser reports that a page of another origin than ours sent the request; clients other than browsers send no such
 * header. Ours are those of the configured address, because the Host header is the caller's.
 */
export function isFromElsewhere(request: Request, origins: ReadonlySet<string>): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = request.get('Origin');
  return origin !== undefined && origin !== 'null' && !origins.has(origin);
}

export const sentFromElsewhere = {
  status: 403,
  message: 'This form is sent by our own page only',
  metadata: { reason: 'cross_origin' },
} as const;

/** Answers a CORS preflight request. */
export function preflight(methods: string): RequestHandler {
  const allowed = ['Access-Control-Allow-Methods', methods, 'Access-Control-Allow-Headers', sendable];
  return (_request, response) => {
    if (exchangeOf(response).begin(204, [...allowed, 'Access-Control-Max-Age', '7200'])) response.end();
  };
}
