import type { EventSchemas } from '@florin/shared/contracts/responses.ts';
import type { Cancel, Log, Timers } from '@florin/shared/ports.ts';
import type { Response } from 'express';
import { type Exchange, logFailure } from './exchange.ts';
import type { StreamEvent } from './route.ts';

type Event = StreamEvent<EventSchemas>;
/** What it returns at its end, if anything, is its last event. */
type EventIterator = AsyncIterator<Event, Event | undefined>;

type Stream = {
  readonly requestId: string;
  readonly response: Response;
  readonly events: EventIterator;
  /** Tells the source that the client has disconnected. */
  readonly over: AbortController;
  /** Ticks since something was last written or read. */
  quietTicks: number;
};

export type EventStreams = {
  /**
   * Starts a stream and returns. The stream ends with its events, with the client's disconnection, or when the service
   * stops. The next event is requested once the last one was handed to the operating system, so a slow client buffers
   * at most one event.
   */
  begin(
    exchange: Exchange,
    stream: {
      readonly status: number;
      readonly events: AsyncIterable<Event, Event | undefined>;
      readonly over: AbortController;
    },
  ): void;
};

const tickMs = 5_000;
/** The longest silence of a stream: proxies keep the connection open. */
const heartbeatTicks = 15_000 / tickMs;
/** How long a caller may take to read what was sent before the connection is closed. */
const stalledTicks = 30_000 / tickMs;

/** The event streams of this process, with one timer for all of them. */
export function eventStreams(options: { timers: Timers; stopping: AbortSignal; log: Log }): EventStreams {
  const { timers, stopping, log } = options;
  const streams = new Set<Stream>();
  let nextTick: Cancel | undefined;

  /** True where the caller reads along; else nothing more may be written until it has, or for good where it left. */
  function write(stream: Stream, text: string): boolean {
    stream.quietTicks = 0;
    return !stream.response.destroyed && stream.response.write(text);
  }

  function sendNext(stream: Stream): void {
    stream.events
      .next()
      .then(({ done, value }) => {
        if (!streams.has(stream)) return;
        if (done) forget(stream).response.end(value && frameOf(value));
        else if (write(stream, frameOf(value))) sendNext(stream);
        else stream.response.once('drain', () => sendNext(stream));
      })
      .catch((error: unknown) => fail(stream, error));
  }

  /** Too late for an error response. */
  function fail({ requestId, response }: Stream, error: unknown): void {
    logFailure(log, { requestId }, error);
    response.destroy();
  }

  function tick(): void {
    for (const stream of streams) {
      const { response } = stream;
      stream.quietTicks += 1;
      if (response.writableNeedDrain) {
        if (stream.quietTicks >= stalledTicks) response.destroy();
      } else if (stream.quietTicks >= heartbeatTicks) write(stream, ': heartbeat\n\n');
    }
    nextTick = streams.size > 0 ? timers.after(tickMs, tick) : undefined;
  }

  function forget(stream: Stream): Stream {
    streams.delete(stream);
    if (streams.size === 0) {
      nextTick?.();
      nextTick = undefined;
    }
    return stream;
  }

  /** Ends a stream whose events have not ended. */
  function leave(stream: Stream): void {
    forget(stream).response.end();
    stream.over.abort();
    // Not awaited, because a source that waits for its next event may notice late.
    stream.events.return?.().catch((error: unknown) => fail(stream, error));
  }

  stopping.addEventListener('abort', () => streams.forEach(leave));

  return {
    begin(exchange, { status, events, over }) {
      const { requestId, request, response } = exchange;
      const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no'];
      if (!exchange.begin(status, headers)) return over.abort();
      response.flushHeaders();
      if (request.method === 'HEAD' || stopping.aborted) {
        over.abort();
        return void response.end();
      }
      // What served the request is not kept for as long as the stream is open.
      Object.assign(request, { next: undefined });
      response.locals = {};
      const stream = { requestId, response, events: events[Symbol.asyncIterator](), over, quietTicks: 0 };
      streams.add(stream);
      nextTick ??= timers.after(tickMs, tick);
      response.once('close', () => streams.has(stream) && leave(stream));
      sendNext(stream);
    },
  };
}

/** One text for all streams that send the same event. */
const frames = new WeakMap<Event, string>();

function frameOf(event: Event): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const { event: name, data, id } = event;
  const line = id === undefined ? '' : `id: ${id.replaceAll(/[\r\n\0]/g, '')}\n`;
  const frame = `${line}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  frames.set(event, frame);
  return frame;
}
