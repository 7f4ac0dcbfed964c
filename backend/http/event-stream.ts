import { once } from 'node:events';
import type { EventSchemas } from '@florin/shared/contracts/responses.ts';
import { type Timers, wait } from '@florin/shared/ports.ts';
import type { Exchange } from './exchange.ts';
import type { StreamEvent } from './route.ts';

export type StreamSettings = {
  readonly timers: Timers;
  /** The interval of comments on an idle stream, so that proxies keep the connection open. */
  readonly heartbeatMs: number;
  /** How long a caller may take to read what was sent before the connection is closed. */
  readonly stalledMs: number;
};

type Event = StreamEvent<EventSchemas>;

/**
 * Sends events as they come, one after the other: the next one is asked for when the last one is with the operating
 * system, so that a caller who reads slowly costs one event and no more. Ends with the events, or when `over` says so.
 */
export async function sendEvents(
  exchange: Exchange,
  stream: { readonly status: number; readonly events: AsyncIterable<Event> },
  options: StreamSettings & { readonly over: AbortSignal },
): Promise<void> {
  const { response } = exchange;
  const { timers, heartbeatMs, stalledMs, over } = options;
  if (!exchange.begin(stream.status, ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no']))
    return;
  response.flushHeaders();
  if (exchange.request.method === 'HEAD') return void response.end();

  async function write(text: string): Promise<void> {
    if (response.destroyed || response.write(text)) return;
    const read = new AbortController();
    const signal = AbortSignal.any([read.signal, over]);
    const stalled = wait(timers, stalledMs, read.signal).then(() => {
      if (!read.signal.aborted) response.destroy();
    });
    await once(response, 'drain', { signal }).catch(() => undefined);
    read.abort();
    await stalled;
  }

  const ended = new Promise<'ended'>(resolve => {
    if (over.aborted) resolve('ended');
    over.addEventListener('abort', () => resolve('ended'), { once: true });
  });
  const iterator = stream.events[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const quiet = new AbortController();
      const heartbeat = wait(timers, heartbeatMs, quiet.signal).then(() => 'heartbeat' as const);
      const came = await Promise.race([next, heartbeat, ended]).finally(() => quiet.abort());
      if (came === 'ended') break;
      if (came === 'heartbeat') {
        await write(': heartbeat\n\n');
        continue;
      }
      if (came.done) break;
      await write(frameOf(came.value));
      next = iterator.next();
    }
    response.end();
  } finally {
    // Not waited for: a source that waits for its own next event need not notice at once.
    iterator.return?.().catch(error => exchange.fail(error));
  }
}

function frameOf({ event, data, id }: Event): string {
  const line = id === undefined ? '' : `id: ${id.replaceAll(/[\r\n\0]/g, '')}\n`;
  return `${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
