import { platform } from '@florin/client/platform/platform.ts';
import type { Fetch, FetchRequest, FetchResponse } from '@florin/client/ports.ts';
import type { Timers } from '@florin/shared/ports.ts';

/** What happens to one request: it is forwarded, answered by the test, or lost before or after it arrived. */
export type Behaviour = 'sent' | 'answer_lost' | 'lost' | FetchResponse;

export type SentRequest = FetchRequest & { readonly url: string };

/** A network on which a test decides for each request whether it is forwarded, answered or lost. */
export function aNetwork(
  decide: (request: SentRequest, number: number) => Behaviour | Promise<Behaviour> = () => 'sent',
) {
  const requests: SentRequest[] = [];
  const waits: number[] = [];
  const fetchBy: Fetch = async (url, request) => {
    requests.push({ ...request, url });
    const behaviour = await decide({ ...request, url }, requests.length);
    if (behaviour === 'lost') throw new TypeError('fetch failed', { cause: new Error('the cable was pulled') });
    if (typeof behaviour === 'object') return behaviour;
    const response = await platform.fetch(url, request);
    if (behaviour === 'sent') return response;
    await response.text();
    throw new TypeError('terminated', { cause: new Error('the other side closed') });
  };
  /** Waits between attempts end at once; timeouts never fire. */
  const timers: Timers = {
    after(delayMs, task) {
      if (delayMs >= 30_000) return () => {};
      waits.push(delayMs);
      const soon = setImmediate(task);
      return () => clearImmediate(soon);
    },
  };
  const ports = { fetch: fetchBy, timers };
  return { requests, waits, ports };
}

/** An answer that does not come from the service. */
export function anAnswer(status: number, body: string | object, headers: Record<string, string> = {}): FetchResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  return new Response(text, { status, headers: { 'content-type': type, ...headers } });
}
