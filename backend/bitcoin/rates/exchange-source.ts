import type { Timers } from '@florin/shared/ports.ts';
import { readBytes } from '../../foundation/outbound/read-bytes.ts';
import { kinds, type SourceKind } from './kinds.ts';
import type { RateSource, SourcePrice } from './source.ts';

export type RateSourceSettings = { readonly kind: SourceKind; readonly url: string };

const maxResponseBytes = 262_144;

/** An exchange's public ticker over HTTP. */
export function exchangeSource(
  { kind, url }: RateSourceSettings,
  options: { readonly timers: Timers; readonly timeoutMs: number },
): RateSource {
  const { path, read } = kinds[kind];
  return {
    name: kind,
    async price(currency) {
      const abort = new AbortController();
      const cancel = options.timers.after(options.timeoutMs, () => abort.abort());
      try {
        const { status, text } = await get(`${url}${path(currency)}`, abort.signal);
        return read(status, JSON.parse(text), currency);
      } catch (error) {
        const reason = abort.signal.aborted ? 'no response in time' : String(error);
        return { kind: 'failed', reason } satisfies SourcePrice;
      } finally {
        cancel();
      }
    },
  };
}

async function get(url: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  // Loaded by the first request: undici would take a fifth of the service's start.
  const { request } = await import('undici');
  const { statusCode: status, body } = await request(url, { signal, headers: { accept: 'application/json' } });
  const bytes = await readBytes(body, maxResponseBytes);
  if (!bytes) throw new Error('the response is too large for a ticker');
  return { status, text: bytes.toString('utf8') };
}
