import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, onTestFinished } from 'vitest';

export type ReceivedEvent = { readonly event: string; readonly id: string | undefined; readonly data: unknown };

/** A client of an event stream, on its own connection, which is closed when the test ends at the latest. */
export async function anEventStream(url: string, headers: Readonly<Record<string, string>>) {
  const request = get(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const events: ReceivedEvent[] = [];
  let hasEnded = false;
  const parser = createParser({
    onEvent: ({ event = '', id, data }: EventSourceMessage) => void events.push({ event, id, data: JSON.parse(data) }),
  });
  response.setEncoding('utf8');
  response.on('data', (text: string) => parser.feed(text));
  response.on('error', () => undefined);
  response.once('close', () => {
    hasEnded = true;
  });
  return {
    status: response.statusCode,
    events,
    close: () => void request.destroy(),
    has: (count: number) => expect.poll(() => events.length, { interval: 5 }).toBeGreaterThanOrEqual(count),
    ends: () => expect.poll(() => hasEnded, { interval: 5 }).toBe(true),
  };
}
