import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { EventSchemas, EventStreamResponse } from '@florin/shared/contracts/responses.ts';
import { wait } from '@florin/shared/ports.ts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { z } from 'zod';
import { FlorinError } from './answer.ts';
import { backOffMs, jittered } from './back-off.ts';
import { answerOf, type Connection, type Operation, retryAfterMs } from './call.ts';
import { type Input, urlOf } from './input.ts';
import { type Read, readResponse } from './response.ts';
import { isFinal } from './status.ts';

/** An operation that responds with a stream of events. */
export type StreamContract = AnyContract & { readonly responses: { readonly 200: EventStreamResponse } };

export type StreamEvent<Name extends string = string, Data = unknown> = {
  readonly event: Name;
  readonly data: Data;
  /** The event at which an interrupted stream resumes; events that carry the full current state have no id. */
  readonly id: string | undefined;
};
export type StreamEventOf<C extends StreamContract> = EventOf<C['responses'][200]>;
type EventOf<Response> =
  Response extends EventStreamResponse<infer Events extends EventSchemas>
    ? { [Name in keyof Events & string]: StreamEvent<Name, z.output<Events[Name]>> }[keyof Events & string]
    : never;

export type StreamOptions = {
  readonly signal?: AbortSignal;
  /** The id of the last event received. */
  readonly lastEventId?: string;
  /** Called when the stream opens, and when it is lost, with the reason. */
  readonly onConnection?: (isLive: boolean, cause?: unknown) => void;
};

/** The service sends a comment every fifteen seconds; a connection that is silent for longer counts as lost. */
const silentMs = 40_000;
const backOff = { firstMs: 500, maxMs: 10_000 };

/**
 * The events of an operation, each once. A lost or silent connection is reopened and resumes after the last event;
 * it ends with the event whose record is final, or with the signal.
 *
 * @throws FlorinError where the service refuses the stream
 */
export async function* followEvents(
  operation: Operation,
  input: Input,
  connection: Connection,
  options: StreamOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const { ports } = connection;
  const left = new AbortController();
  const over = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  let { lastEventId } = options;
  let failures = 0;
  try {
    while (!over.aborted) {
      let retryMs = 0;
      let cause: unknown;
      const events = eventsOfOneConnection(urlOf(connection.baseUrl, operation.path, input), {
        connection,
        over,
        lastEventId,
        isLive: () => {
          failures = 0;
          options.onConnection?.(true);
        },
        failed(read) {
          if (read.kind === 'refused' && read.status !== 429)
            throw new FlorinError(
              answerOf(read, { idempotencyKey: null, attempts: failures + 1, mayHaveBeenDone: false }),
            );
          retryMs = retryAfterMs(read) ?? 0;
        },
        lost(error) {
          cause = error;
        },
      });
      for await (const event of events) {
        lastEventId = event.id ?? lastEventId;
        yield event;
        if (isLast(event)) return;
      }
      options.onConnection?.(false, cause);
      failures += 1;
      await wait(ports.timers, Math.max(retryMs, jittered(backOffMs(failures, backOff), ports.random)), over);
    }
  } finally {
    left.abort();
  }
}

function isLast({ data }: StreamEvent): boolean {
  const { status } = (data ?? {}) as { readonly status?: unknown };
  return typeof status === 'string' && isFinal(status);
}

type OneConnection = {
  readonly connection: Connection;
  readonly over: AbortSignal;
  readonly lastEventId: string | undefined;
  readonly isLive: () => void;
  /** The service refused the stream or did not answer. */
  readonly failed: (read: Exclude<Read, { kind: 'done' }>) => void;
  readonly lost: (error: unknown) => void;
};

/** The events of one connection, until it is lost, silent or complete. */
async function* eventsOfOneConnection(url: string, options: OneConnection): AsyncGenerator<StreamEvent> {
  const { connection, over, lastEventId } = options;
  const { ports } = connection;
  const dead = new AbortController();
  let cancel = () => {};
  const onBytes = () => {
    cancel();
    cancel = ports.timers.after(silentMs, () => dead.abort());
  };
  onBytes();
  try {
    const response = await ports.fetch(url, {
      method: 'GET',
      redirect: 'error',
      signal: AbortSignal.any([over, dead.signal]),
      headers: {
        accept: 'text/event-stream',
        ...connection.headers,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    });
    const isStream = new Headers([...response.headers] as [string, string][])
      .get('content-type')
      ?.startsWith('text/event-stream');
    if (response.status !== 200 || !isStream || !response.body) {
      const read = readResponse(response.status, response.headers, await response.text());
      if (read.kind !== 'done') options.failed(read);
      return;
    }
    options.isLive();
    yield* eventsIn(response.body, onBytes);
  } catch (error) {
    if (error instanceof FlorinError) throw error;
    options.lost(error);
  } finally {
    cancel();
    dead.abort();
  }
}

async function* eventsIn(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<StreamEvent> {
  const received: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', data, id }: EventSourceMessage) =>
      void received.push({ event, data: JSON.parse(data), id }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      onBytes();
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* received.splice(0);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
