import { once } from 'node:events';
import { type Agent, get, type IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, onTestFinished } from 'vitest';

export type ReceivedEvent = { readonly event: string; readonly id: string | undefined; readonly data: unknown };

/**
 * A client of an event stream, on its own connection, which is closed when the test ends at the latest. With an `agent` that
 * keeps connections, as browsers do, the client does not end it when the stream ends.
 */
export async function anEventStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent | false = false,
) {
  const request = get(url, { agent, headers: { accept: 'text/event-stream', ...headers } });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const events: ReceivedEvent[] = [];
  let hasEnded = false;
  let isDisconnected = false;
  const parser = createParser({
    onEvent: ({ event = '', id, data }: EventSourceMessage) => void events.push({ event, id, data: JSON.parse(data) }),
  });
  response.setEncoding('utf8');
  response.on('data', (text: string) => parser.feed(text));
  response.on('error', () => undefined);
  response.once('close', () => {
    hasEnded = true;
  });
  response.socket.once('close', () => {
    isDisconnected = true;
  });
  return {
    status: response.statusCode,
    events,
    close: () => void request.destroy(),
    has: (count: number) => expect.poll(() => events.length, { interval: 5 }).toBeGreaterThanOrEqual(count),
    ends: () => expect.poll(() => hasEnded, { interval: 5 }).toBe(true),
    disconnects: () => expect.poll(() => isDisconnected, { interval: 5 }).toBe(true),
  };
}
