import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { request } from 'undici';
import type { Store } from './store.ts';

/** Delays between attempts; after the last one the callback is dropped, as at the real gateway. */
const retryDelaysMs = [1_000, 5_000, 30_000];
const attemptTimeoutMs = 10_000;

/** Posts outcomes to merchants' callback URLs, on loopback addresses only. */
export function callbackSender(options: { store: Store; timers: Timers }) {
  const { store, timers } = options;
  const waiting = new Set<Cancel>();
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();

  async function attempt(id: number): Promise<void> {
    const callback = store.callback(id);
    if (callback?.status !== 'pending' || stop.signal.aborted) return;
    const delivered = await deliver(callback.url, callback.body, stop.signal);
    if (stop.signal.aborted) return;
    const attempts = callback.attempts + 1;
    const retryMs = retryDelaysMs[callback.attempts];
    if (delivered || retryMs === undefined) {
      store.setCallback(id, attempts, delivered ? 'delivered' : 'failed');
      return;
    }
    store.setCallback(id, attempts, 'pending');
    const cancel = timers.after(retryMs, () => {
      waiting.delete(cancel);
      start(id);
    });
    waiting.add(cancel);
  }

  function start(id: number): void {
    const task = attempt(id).finally(() => underWay.delete(task));
    underWay.add(task);
  }

  for (const callback of store.pendingCallbacks()) start(callback.id);

  return {
    send(url: string, body: string): void {
      const id = store.addCallback(url, body);
      if (isLoopback(url)) start(id);
      else store.setCallback(id, 0, 'refused');
    },
    async close(): Promise<void> {
      stop.abort();
      for (const cancel of waiting) cancel();
      await Promise.allSettled(underWay);
    },
  };
}

async function deliver(url: string, body: string, signal: AbortSignal): Promise<boolean> {
  try {
    const reply = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      signal,
      headersTimeout: attemptTimeoutMs,
      bodyTimeout: attemptTimeoutMs,
      reset: true,
    });
    await reply.body.dump();
    return reply.statusCode >= 200 && reply.statusCode < 300;
  } catch {
    return false;
  }
}

function isLoopback(url: string): boolean {
  const parsed = URL.parse(url);
  return (
    parsed !== null && /^https?:$/.test(parsed.protocol) && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(parsed.hostname)
  );
}
