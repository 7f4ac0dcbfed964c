import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, onTestFinished } from 'vitest';

export type ReceivedEvent = { readonly event: string; readonly id: string | undefined; readonly data: unknown };

/** A client of a stream of events; closed when the test ends at the latest. */
export async function anEventStream(url: string, headers: Readonly<Record<string, string>>) {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: over.signal });
  const events: ReceivedEvent[] = [];
  let hasEnded = false;
  const parser = createParser({
    onEvent: ({ event = '', id, data }: EventSourceMessage) => void events.push({ event, id, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
  };
  read()
    .catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    })
    .finally(() => {
      hasEnded = true;
    });
  return {
    status: response.status,
    events,
    close: () => over.abort(),
    has: (count: number) => expect.poll(() => events.length, { interval: 5 }).toBeGreaterThanOrEqual(count),
    ends: () => expect.poll(() => hasEnded, { interval: 5 }).toBe(true),
  };
}
