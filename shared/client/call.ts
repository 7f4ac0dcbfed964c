import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { neverSent } from '@florin/shared/never-sent.ts';
import { wait } from '@florin/shared/ports.ts';
import type { Done, NotDone } from './answer.ts';
import { backOffMs, jittered } from './back-off.ts';
import { type Input, urlOf } from './input.ts';
import type { FetchRequest, Ports } from './ports.ts';
import { type Read, readResponse } from './response.ts';

export type Operation = Pick<AnyContract, 'name' | 'method' | 'path' | 'idempotent'>;

export type CallOptions = {
  /**
   * Generated for each write if omitted; with `null` no key is sent, and the call is not retried after a lost
   * connection.
   */
  readonly idempotencyKey?: string | null;
  /** Ends the call, its retries and its delays. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Connection = {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The timeout of one attempt. */
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly ports: Ports;
};

const backOff = { firstMs: 250, maxMs: 8_000 };
/** If the service asks for a longer delay, the call ends with the refusal at once. */
const maxWaitMs = 30_000;

/** Calls one operation, retries it where that is safe, and returns its outcome. */
export async function callOperation(
  operation: Operation,
  input: Input,
  { baseUrl, ports, ...connection }: Connection,
  options: CallOptions = {},
): Promise<Done | NotDone> {
  const idempotencyKey = keyOf(operation, options, ports);
  const { maxAttempts, timeoutMs, signal } = { ...connection, ...options };
  const request = {
    method: operation.method,
    headers: {
      accept: 'application/json',
      ...connection.headers,
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      ...options.headers,
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  };
  const isRead = operation.method === 'GET';
  let mayHaveBeenDone = false;
  for (let attempts = 1; ; attempts += 1) {
    const read = await attempt(urlOf(baseUrl, operation.path, input), request, { ports, timeoutMs, signal });
    mayHaveBeenDone ||= !isRead && read.kind === 'unanswered' && read.wasSent;
    const delayMs = delayBefore(attempts, read, { isRepeatable: isRead || idempotencyKey !== null, ports });
    const isLast = attempts >= maxAttempts || delayMs === undefined || delayMs > maxWaitMs || signal?.aborted;
    if (isLast) return answerOf(read, { idempotencyKey, attempts, mayHaveBeenDone });
    await wait(ports.timers, delayMs, signal);
    if (signal?.aborted) return answerOf(read, { idempotencyKey, attempts, mayHaveBeenDone });
  }
}

function keyOf({ idempotent }: Operation, { idempotencyKey }: CallOptions, { random }: Ports): string | null {
  if (!idempotent || idempotencyKey === null) return null;
  return idempotencyKey ?? [...random.bytes(16)].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

type Attempt = Pick<Connection, 'ports' | 'timeoutMs'> & { readonly signal: AbortSignal | undefined };

async function attempt(
  url: string,
  request: Omit<FetchRequest, 'signal' | 'redirect'>,
  { ports, timeoutMs, signal }: Attempt,
): Promise<Read> {
  const late = new AbortController();
  const cancel = ports.timers.after(timeoutMs, () => late.abort(new Error(`no answer within ${timeoutMs} ms`)));
  try {
    const signals = signal ? [late.signal, signal] : [late.signal];
    const response = await ports.fetch(url, { ...request, signal: AbortSignal.any(signals), redirect: 'error' });
    return readResponse(response.status, response.headers, await response.text());
  } catch (cause) {
    const reason = late.signal.aborted ? 'timeout' : signal?.aborted ? 'aborted' : 'connection_lost';
    return {
      kind: 'unanswered',
      wasSent: !neverSent(cause),
      status: null,
      headers: {},
      reason,
      problem: undefined,
      cause,
    };
  } finally {
    cancel();
  }
}

/** The delay before the next attempt; undefined if a retry is unsafe or useless. */
function delayBefore(
  attempts: number,
  read: Read,
  { isRepeatable, ports }: { isRepeatable: boolean; ports: Ports },
): number | undefined {
  const isLimited = read.kind === 'refused' && read.status === 429;
  if (!isLimited && (read.kind !== 'unanswered' || (read.status !== null && read.status !== 503))) return undefined;
  // A call that was rate-limited or never left had no effect, so it can always be repeated.
  if (!isRepeatable && !isLimited && read.kind === 'unanswered' && read.wasSent) return undefined;
  return Math.max(jittered(backOffMs(attempts, backOff), ports.random), retryAfterMs(read) ?? 0);
}

/** The delay that the service asked for. */
export function retryAfterMs({ headers, problem }: Exclude<Read, { kind: 'done' }>): number | undefined {
  const seconds = Number(headers['retry-after'] ?? problem?.error.metadata?.retryAfterSeconds);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

type Sent = { readonly idempotencyKey: string | null; readonly attempts: number; readonly mayHaveBeenDone: boolean };

/** The outcome of a call after its last attempt. */
export function answerOf(read: Exclude<Read, { kind: 'done' }>, sent: Sent): NotDone;
export function answerOf(read: Read, sent: Sent): Done | NotDone;
export function answerOf(read: Read, { mayHaveBeenDone, ...call }: Sent): Done | NotDone {
  switch (read.kind) {
    case 'done': {
      const { status, headers, body } = read;
      return {
        ...call,
        ok: true,
        outcome: 'done',
        status,
        headers,
        body,
        isReplayed: 'idempotency-replayed' in headers,
      };
    }
    case 'refused': {
      const { status, headers, problem } = read;
      const reason = problem.error.metadata?.reason ?? null;
      const failure = { ...call, ok: false, headers, reason, message: problem.error.message, body: problem } as const;
      // The service decides these before it looks up the idempotency key, so they say nothing about an earlier attempt.
      if (mayHaveBeenDone && saysNothingOfEarlierAttempts.includes(status))
        return { ...failure, outcome: 'unknown', status: null, cause: undefined };
      return { ...failure, outcome: 'refused', status };
    }
    case 'unanswered': {
      const { status, headers, reason, problem, cause } = read;
      const outcome = mayHaveBeenDone ? 'unknown' : 'not_done';
      const message = problem?.error.message ?? messages[outcome];
      return { ...call, ok: false, outcome, status, headers, reason, message, body: problem, cause };
    }
  }
}

const saysNothingOfEarlierAttempts: readonly number[] = [401, 403, 429];
const messages = {
  not_done: 'The service could not be reached: nothing was done',
  unknown: 'No answer came: it may have been done. Call again with the same Idempotency-Key, or read the record',
};
