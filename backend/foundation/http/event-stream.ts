import type { EventSchemas } from '@florin/shared/contracts/responses.ts';
import type { Cancel, Log, Timers } from '@florin/shared/ports.ts';
import type { Response } from 'express';
import type { AnyCaller } from './callers.ts';
import { type Exchange, logFailure } from './exchange.ts';
import type { StreamEvent } from './route.ts';
import {
  openStreamCounts,
  type StreamCount,
  type StreamHolder,
  type StreamLimit,
  type StreamLimitSettings,
  tooManyOpenStreams,
} from './stream-limits.ts';

type Event = StreamEvent<EventSchemas>;
/** What it returns at its end, if anything, is its last event. */
type EventIterator = AsyncIterator<Event, Event | undefined>;

type Stream = {
  readonly requestId: string;
  readonly response: Response;
  readonly events: EventIterator;
  /** Notifies the source that the client has disconnected. */
  readonly over: AbortController;
  readonly opener: Pick<StreamOpener, 'caller' | 'isAllowed'>;
  readonly counted: readonly StreamCount[];
  /** Ticks since something was last written or read. */
  quietTicks: number;
};

/** Who opened a stream, and what it counts towards. */
export type StreamOpener = {
  readonly caller: AnyCaller;
  readonly holders: readonly StreamHolder[];
  /** Whether the credential is still valid; undefined if the operation needs none. */
  readonly isAllowed: (() => Promise<boolean>) | undefined;
};

/** For the metrics. */
export type StreamChange =
  | { readonly kind: 'opened' | 'closed'; readonly caller: AnyCaller['kind'] }
  | { readonly kind: 'refused'; readonly limit: StreamLimit }
  | { readonly kind: 'ended'; readonly reason: 'replaced' | 'revoked' | 'unread' };

export type EventStreams = {
  /**
   * Starts a stream and returns, or refuses it if a limit is reached. The stream ends with its events, with the client's
   * disconnection, when its credential is revoked, when its terminal opens another one, or when the service stops. The
   * next event is requested once the last one was handed to the operating system, so a slow client buffers at most one event.
   */
  begin(
    exchange: Exchange,
    stream: {
      readonly status: number;
      readonly events: AsyncIterable<Event, Event | undefined>;
      readonly over: AbortController;
      readonly opener: StreamOpener;
    },
  ): void;
};

const tickMs = 5_000;
/** The longest silence of a stream: proxies keep the connection open. */
const heartbeatTicks = 15_000 / tickMs;
/** How long a caller may take to read what was sent before the connection is closed. */
const stalledTicks = 30_000 / tickMs;

/** The event streams of this process, with one timer for all of them. */
export function eventStreams(options: {
  timers: Timers;
  stopping: AbortSignal;
  log: Log;
  streamLimits: StreamLimitSettings;
  onStream?: ((change: StreamChange) => void) | undefined;
}): EventStreams {
  const { timers, stopping, log, onStream } = options;
  const streams = new Set<Stream>();
  const counts = openStreamCounts(options.streamLimits);
  const ofTerminals = new Map<string, Stream>();
  let nextTick: Cancel | undefined;
  let isChecking = false;

  /** True if the caller keeps up; otherwise the stream waits until it has read, or ends because the caller has left. */
  function write(stream: Stream, text: string): boolean {
    stream.quietTicks = 0;
    return !stream.response.destroyed && stream.response.write(text);
  }

  function sendNext(stream: Stream): void {
    stream.events
      .next()
      .then(next =>
        stream.opener.isAllowed ? whileAllowed(stream).then(() => send(stream, next)) : send(stream, next),
      )
      .catch((error: unknown) => fail(stream, error));
  }

  function send(stream: Stream, { done, value }: IteratorResult<Event, Event | undefined>): void {
    if (!streams.has(stream)) return;
    if (done) forget(stream).response.end(value && frameOf(value));
    else if (write(stream, frameOf(value))) sendNext(stream);
    else stream.response.once('drain', () => sendNext(stream));
  }

  /** Ends a stream whose credential is no longer valid. */
  async function whileAllowed(stream: Stream): Promise<void> {
    // Ended, perhaps because the service stops and closes its database.
    if (!streams.has(stream)) return;
    const isAllowed = (await stream.opener.isAllowed?.()) ?? true;
    if (isAllowed || !streams.has(stream)) return;
    onStream?.({ kind: 'ended', reason: 'revoked' });
    leave(stream);
  }

  /** One stream after the other, so that many of them do not delay the queries of others. */
  async function checkCredentials(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      for (const stream of streams) if (stream.opener.isAllowed) await whileAllowed(stream);
    } catch (error) {
      // Every event is preceded by a check of its own.
      log.warn({ err: error }, 'the credentials of open event streams could not be checked');
    } finally {
      isChecking = false;
    }
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
        if (stream.quietTicks < stalledTicks) continue;
        onStream?.({ kind: 'ended', reason: 'unread' });
        response.destroy();
      } else if (stream.quietTicks >= heartbeatTicks) write(stream, ': heartbeat\n\n');
    }
    nextTick = streams.size > 0 ? timers.after(tickMs, tick) : undefined;
    void checkCredentials();
  }

  function forget(stream: Stream): Stream {
    const { caller } = stream.opener;
    if (streams.delete(stream)) {
      counts.close(stream.counted);
      onStream?.({ kind: 'closed', caller: caller.kind });
    }
    if (caller.kind === 'deviceToken' && ofTerminals.get(caller.terminalId) === stream)
      ofTerminals.delete(caller.terminalId);
    if (streams.size === 0) {
      nextTick?.();
      nextTick = undefined;
    }
    return stream;
  }

  /** Ends a stream whose events have not ended. */
  function leave(stream: Stream): void {
    const { response } = forget(stream);
    // Its connection ends with it: kept alive, it would look like a stream without events to whoever reads the socket alone.
    response.end(() => response.socket?.destroySoon());
    stream.over.abort();
    // Not awaited, because a source that waits for its next event may notice late.
    stream.events.return?.().catch((error: unknown) => fail(stream, error));
  }

  /** A terminal that reconnects may have left a connection whose end the service has not noticed. */
  function replace(terminalId: string, stream: Stream): void {
    const before = ofTerminals.get(terminalId);
    ofTerminals.set(terminalId, stream);
    if (!before) return;
    onStream?.({ kind: 'ended', reason: 'replaced' });
    leave(before);
  }

  stopping.addEventListener('abort', () => streams.forEach(leave));

  return {
    begin(exchange, { status, events, over, opener }) {
      const { requestId, request, response } = exchange;
      const isHead = request.method === 'HEAD';
      const opened = isHead || exchange.isOver() ? { counted: [] } : counts.open(opener.holders);
      if ('reached' in opened) {
        onStream?.({ kind: 'refused', limit: opened.reached });
        over.abort();
        return exchange.refuse(tooManyOpenStreams);
      }
      const { counted } = opened;
      const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no'];
      if (!exchange.begin(status, headers)) return over.abort();
      response.flushHeaders();
      if (isHead || stopping.aborted) {
        counts.close(counted);
        over.abort();
        return void response.end();
      }
      // What served the request is not kept for as long as the stream is open.
      Object.assign(request, { next: undefined });
      response.locals = {};
      const stream: Stream = {
        requestId,
        response,
        events: events[Symbol.asyncIterator](),
        over,
        opener: { caller: opener.caller, isAllowed: opener.isAllowed },
        counted,
        quietTicks: 0,
      };
      streams.add(stream);
      const { caller } = opener;
      onStream?.({ kind: 'opened', caller: caller.kind });
      if (caller.kind === 'deviceToken') replace(caller.terminalId, stream);
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
