import {
  type BodyInputOf,
  type Contract,
  type JsonResponseOf,
  jsonSchemaOf,
  type Scheme,
} from '@florin/shared/contracts/contract.ts';
import { problem } from '@florin/shared/contracts/problem.ts';
import type { EventSchemas, EventStreamResponse } from '@florin/shared/contracts/responses.ts';
import { neverSent } from '@florin/shared/never-sent.ts';
import type { Log, Random, Timers } from '@florin/shared/ports.ts';
import { traceparentOf } from '@florin/shared/signing/trace-context.ts';
import { createParser } from 'eventsource-parser';
import { Agent, type buildConnector, request } from 'undici';
import type { z } from 'zod';
import { traceAbout } from './trace.ts';

export type DeviceContract = Contract<readonly Extract<Scheme, 'deviceToken' | 'none'>[]>;

export type ServiceRequest<C extends DeviceContract> = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: BodyInputOf<C>;
  readonly token?: string | undefined;
  readonly timeoutMs?: number;
};

/** The service refused the request, with a reason: nothing was done. */
export type Refused = {
  readonly kind: 'refused';
  readonly status: number;
  readonly reason: string | null;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};
export type ServiceResponse<C extends DeviceContract> =
  | ({ readonly kind: 'answered' } & JsonResponseOf<C>)
  | Refused
  /** The request never left this machine: connection refused, no route, or name not found. */
  | { readonly kind: 'not_reached' }
  /** The request may have arrived. A request that moves money is looked up and never sent as a new one. */
  | { readonly kind: 'unknown'; readonly cause: string };

/** An operation that responds with a stream of events. */
export type StreamContract = DeviceContract & { readonly responses: { readonly 200: EventStreamResponse } };

export type StreamEventOf<C extends StreamContract> =
  C['responses'][200] extends EventStreamResponse<infer Events>
    ? { [Name in keyof Events & string]: z.output<Events[Name]> }[keyof Events & string]
    : never;

export type StreamRequest<C extends StreamContract> = {
  readonly token?: string | undefined;
  readonly signal: AbortSignal;
  /** The service has accepted the request: events can arrive from here on. */
  readonly onOpen: () => void;
  readonly onEvent: (event: StreamEventOf<C>) => void;
};

export type StreamEnd = { readonly kind: 'ended' } | Refused | Exclude<ServiceResponse<never>, { kind: 'answered' }>;

/** The payments service as the terminal sees it: one call per contract, every outcome a value. */
export interface Service {
  call<C extends DeviceContract>(contract: C, request: ServiceRequest<C>): Promise<ServiceResponse<C>>;
  /** Receives the events of a stream until it ends for any reason. */
  follow<C extends StreamContract>(contract: C, request: StreamRequest<C>): Promise<StreamEnd>;
  close(): Promise<void>;
}

const connectTimeoutMs = 5_000;
const defaultTimeoutMs = 15_000;
/** The service sends a comment every fifteen seconds; a stream that is silent for longer counts as lost. */
const silentStreamMs = 40_000;
const maxResponseBytes = 4 * 1024 * 1024;

/** A client of the service at `baseUrl`. It never retries; a call ends after 15 s unless it sets its own timeout. */
export function createService(options: {
  baseUrl: string;
  timers: Timers;
  random: Random;
  log: Log;
  /** Connects to the service; over the network if omitted. */
  connect?: buildConnector.connector;
}): Service {
  /** Adds these facts to each line. */
  const logOf = (facts: Readonly<Record<string, unknown>>): Pick<Log, 'warn'> => ({
    warn: (more, message) => options.log.warn({ ...facts, ...more }, message),
  });
  const base = options.baseUrl.replace(/\/+$/, '');
  const connect = options.connect ?? { timeout: connectTimeoutMs };
  const agent = new Agent({
    connect,
    connections: 6,
    maxResponseSize: maxResponseBytes,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  });
  const streams = new Agent({
    connect,
    headersTimeout: defaultTimeoutMs,
    bodyTimeout: silentStreamMs,
  });
  return {
    async call(contract, call) {
      const ids = idsOf(call);
      const trace = traceAbout(ids);
      const log = logOf({ operation: contract.name, ...ids });
      const stop = new AbortController();
      const cancel = options.timers.after(call.timeoutMs ?? defaultTimeoutMs, () => stop.abort());
      try {
        const response = await request(base + addressOf(contract.path, call), {
          method: contract.method,
          dispatcher: agent,
          signal: stop.signal,
          headers: {
            accept: 'application/json',
            ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
            ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(trace ? { traceparent: traceparentOf(trace, hexOf(options.random.bytes(8))) } : {}),
          },
          ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        });
        return readAnswer(contract, response.statusCode, await response.body.text(), log);
      } catch (error) {
        if (neverSent(error)) return { kind: 'not_reached' };
        const code = codeOf(error);
        log.warn({ code }, 'the service did not respond');
        return { kind: 'unknown', cause: code };
      } finally {
        cancel();
      }
    },
    async follow(contract, { token, signal, onOpen, onEvent }) {
      try {
        const response = await request(base + contract.path, {
          method: contract.method,
          dispatcher: streams,
          signal,
          headers: { accept: 'text/event-stream', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        });
        if (response.statusCode !== 200) {
          const log = logOf({ operation: contract.name });
          const refusal = readAnswer(contract, response.statusCode, await response.body.text(), log);
          return refusal.kind === 'answered' ? { kind: 'ended' } : refusal;
        }
        onOpen();
        const { events }: { events: EventSchemas } = contract.responses[200];
        const parser = createParser({
          onEvent({ event = '', data }) {
            const parsed = events[event]?.safeParse(parseJson(data));
            if (parsed?.success) onEvent(parsed.data as StreamEventOf<typeof contract>);
            else
              options.log.warn(
                { operation: contract.name, event },
                'an event of the service does not match its contract',
              );
          },
        });
        const decoder = new TextDecoder();
        for await (const chunk of response.body) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
        return { kind: 'ended' };
      } catch (error) {
        return neverSent(error) ? { kind: 'not_reached' } : { kind: 'unknown', cause: codeOf(error) };
      }
    },
    async close() {
      await Promise.all([agent.destroy(), streams.destroy()]);
    },
  };
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The ids that a call is about, for its trace and its log lines; nothing else of a body, which may hold a secret. */
function idsOf({ params, body }: ServiceRequest<DeviceContract>): Readonly<Record<string, unknown>> {
  const { requestId, paymentId } = { ...(body as { requestId?: string; paymentId?: string } | undefined) };
  // Whoever has the token of a receipt can read it.
  const { token: _, ...named } = params ?? {};
  return { ...(requestId !== undefined && { requestId }), ...(paymentId !== undefined && { paymentId }), ...named };
}

function addressOf(path: string, call: ServiceRequest<DeviceContract>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.params?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/**
 * Accepts only what is recognisably the service's own response. A proxy's page, a truncated body or an unknown shape
 * says nothing about what the service did, so it is `unknown`, never a refusal and never "no such sale".
 */
function readAnswer<C extends DeviceContract>(
  contract: C,
  status: number,
  text: string,
  log: Pick<Log, 'warn'>,
): ServiceResponse<C> {
  const json = parseJson(text);
  const shape = jsonSchemaOf(contract, status);
  if (shape) {
    const parsed = shape.safeParse(json);
    if (parsed.success) return { kind: 'answered', status, body: parsed.data } as unknown as ServiceResponse<C>;
  }
  const failure = problem.safeParse(json);
  if (failure.success && status >= 400 && status < 500 && failure.data.error.code === status) {
    const { message, metadata = {} } = failure.data.error;
    return { kind: 'refused', status, reason: metadata.reason ?? null, message, metadata };
  }
  log.warn({ status }, 'the response of the service does not match its contract');
  return { kind: 'unknown', cause: `status_${status}` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    // If several addresses were tried, the failure of the last one is used.
    const inner: unknown = cause instanceof AggregateError ? cause.errors.at(-1) : undefined;
    if (inner instanceof Error && 'code' in inner && typeof inner.code === 'string') return inner.code;
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return error instanceof Error ? error.name : 'error';
}
