import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import type { Request, Response } from 'express';
import type { ApiCall } from '../api-call.ts';
import { CommitOutcomeUnknown, DatabaseUnavailable } from '../database/database.ts';
import { languageOf } from '../language.ts';
import type { KeyOwner } from './authenticate.ts';
import { type AnyCaller, callerFacts } from './callers.ts';
import { apiPolicy, notCached, replayed, securityHeaders } from './headers.ts';
import { isOfPortal } from './portal.ts';
import {
  commitUnknown,
  databaseUnavailable,
  type Issue,
  internalError,
  lnurlWireProblem,
  type Problem,
  ucpWireProblem,
  wireProblem,
} from './problems.ts';
import { problemIn } from './told.ts';

type ErrorShape = 'florin' | NonNullable<AnyContract['errorShape']>;

const errorShapes: Record<ErrorShape, (problem: Problem) => object> = {
  florin: wireProblem,
  ucp: ucpWireProblem,
  lnurl: lnurlWireProblem,
};

const readerOf = (request: Request) => languageOf(request.acceptsLanguages()) ?? 'en';

/** Where programs call, and never people. */
const ofPrograms = /^\/(api|kiosk|device)\//;

/** The operation that a request belongs to, as its exchange needs it. */
export type Operation = Pick<AnyContract, 'name' | 'path'> & {
  readonly errorShape: ErrorShape;
  /** Whether people open it in a browser. */
  readonly isBrowsedTo: boolean;
};

/** An operation that returns a page or a redirect counts as opened by people: a browser gets its errors as pages. */
export function operationOf({ name, path, errorShape, responses }: AnyContract): Operation {
  const isBrowsedTo = Object.values(responses).some(response => ['page', 'redirect'].includes(response?.kind ?? ''));
  return { name, path, errorShape: errorShape ?? 'florin', isBrowsedTo };
}

export type Exchanges = ReturnType<typeof exchangesOf>;
export type Exchange = ReturnType<Exchanges['open']>;

/** The exchange that a response belongs to. */
export function exchangeOf(response: Response): Exchange {
  return response.locals.exchange as Exchange;
}

/** Headers as name and value in turn. */
export type HeaderList = readonly string[];

/** A problem as a document for people. */
export type ShowProblem = (
  problem: Problem,
  /** What its reader reads best, first (Accept-Language). */
  accepted: readonly string[],
) => Promise<{ readonly html: string; readonly contentSecurityPolicy: string }>;

export type ExchangeOptions = {
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The page shown to a person whose browser request was refused; if absent the response is JSON. */
  readonly showProblem?: ShowProblem | undefined;
  /** Called for every response, for the metrics; `none` is the operation of what no contract serves. */
  readonly onAnswered?:
    | ((response: { readonly operation: string; readonly status: number; readonly durationMs: number }) => void)
    | undefined;
  /** Called for every response to a caller with an API key, also one that was revoked or has expired. */
  readonly onApiCall?: ((call: ApiCall) => void) | undefined;
};

/** Logs an unexpected error once in full; the problem it returns contains no detail of it. */
export function logFailure(
  log: Log,
  facts: Readonly<Record<string, unknown>> & { readonly requestId: string },
  error: unknown,
): Problem {
  const all = { ...facts, err: error };
  if (error instanceof DatabaseUnavailable) {
    log.warn(all, 'the database is unavailable');
    return databaseUnavailable;
  }
  if (error instanceof CommitOutcomeUnknown) {
    log.error(all, 'whether a transaction was committed is not known');
    return commitUnknown;
  }
  log.error(all, 'a request failed');
  return internalError(facts.requestId);
}

type Answer = Omit<ApiCall, 'businessId' | 'apiKeyId' | 'method' | 'path' | 'error' | 'idempotencyKey'> & {
  readonly problem: Problem | undefined;
};

function apiCallOf(request: Request, { businessId, apiKeyId }: KeyOwner, { problem, ...answer }: Answer): ApiCall {
  const { method, path } = request;
  const idempotencyKey = request.get('Idempotency-Key') ?? null;
  const { reason, issues } = problem?.metadata ?? {};
  const error = problem && {
    reason: typeof reason === 'string' ? reason : null,
    message: problem.message,
    issues: (issues ?? []) as Issue[],
  };
  return { ...answer, businessId, apiKeyId, method, path, error: error ?? null, idempotencyKey };
}

/** One request with its response: the id, the headers every response has, the line in the log. */
export function exchangesOf(options: ExchangeOptions) {
  const { log, clock, ids, onAnswered, onApiCall, showProblem } = options;
  const alwaysHeaders = securityHeaders();

  function open(request: Request, response: Response) {
    const requestId = ids.next('req');
    const startedAt = clock.now();
    let operation: Operation | undefined;
    let errorShape: ErrorShape = 'florin';
    let caller: AnyCaller | undefined;
    let endedKey: KeyOwner | undefined;
    let refusedWith: Problem | undefined;
    let extraHeaders: HeaderList = [];

    /** One log line for each request of an operation; requests without credentials are not logged. */
    function record(status: number, durationMs: number): void {
      if (operation === undefined) return;
      const { path } = operation;
      if (caller)
        log.info({ requestId, method: request.method, path, status, durationMs, ...callerFacts(caller) }, 'answered');
      const key = caller?.kind === 'apiKey' ? caller : endedKey;
      if (!key) return;
      const isReplay = extraHeaders.includes(replayed[0]);
      const answer = { requestId, startedAt, durationMs, route: path, status, problem: refusedWith, isReplay };
      onApiCall?.(apiCallOf(request, key, answer));
    }

    /** Sends the head; false when it was sent already or the connection is closed. */
    function begin(status: number, headers: HeaderList, contentSecurityPolicy = apiPolicy): boolean {
      if (response.headersSent || response.destroyed) return false;
      const policy = ['Content-Security-Policy', contentSecurityPolicy];
      const caching = headers.includes('Cache-Control') ? [] : notCached;
      const own = ['X-Request-Id', requestId, ...policy, ...alwaysHeaders, ...caching];
      response.writeHead(status, [...own, ...extraHeaders, ...headers]);
      const durationMs = Math.max(0, clock.now() - startedAt);
      record(status, durationMs);
      onAnswered?.({ operation: operation?.name ?? 'none', status, durationMs });
      return true;
    }

    function send(
      status: number,
      contentType: string,
      content: string | Uint8Array,
      headers: HeaderList = [],
      contentSecurityPolicy?: string,
    ): void {
      const about = ['Content-Type', contentType, 'Content-Length', String(Buffer.byteLength(content))];
      if (begin(status, [...about, ...headers], contentSecurityPolicy))
        response.end(request.method === 'HEAD' ? undefined : content);
    }

    function sendJson(status: number, body: string, headers: HeaderList = []): void {
      send(status, 'application/json; charset=utf-8', body, headers);
    }

    function refuse(refusal: Problem, headers: HeaderList = []): void {
      // Other programs get the words that the reference shows.
      const problem = isOfPortal(request) ? problemIn(readerOf(request), refusal) : refusal;
      refusedWith = problem;
      const { retryAfterSeconds } = problem.metadata ?? {};
      const more = typeof retryAfterSeconds === 'number' ? ['Retry-After', String(retryAfterSeconds)] : [];
      // An unread request body must not keep the connection open.
      if (problem.status === 413) more.push('Connection', 'close');
      const all = [...headers, ...more];
      const isBrowsedTo = operation?.isBrowsedTo ?? !ofPrograms.test(request.path);
      const isPage = showProblem && isBrowsedTo && request.accepts(['application/json', 'text/html']) === 'text/html';
      if (isPage) show(showProblem, problem, all);
      else
        sendJson(errorShape === 'lnurl' ? 200 : problem.status, JSON.stringify(errorShapes[errorShape](problem)), all);
    }

    function show(showIt: ShowProblem, problem: Problem, headers: HeaderList): void {
      showIt(problem, request.acceptsLanguages()).then(
        ({ html, contentSecurityPolicy }) =>
          send(problem.status, 'text/html; charset=utf-8', html, headers, contentSecurityPolicy),
        (error: unknown) => {
          log.error({ requestId, err: error }, 'the error page could not be rendered');
          sendJson(problem.status, JSON.stringify(wireProblem(problem)), headers);
        },
      );
    }

    const exchange = {
      requestId,
      request,
      response,
      begin,
      send,
      sendJson,
      refuse,
      isOver: () => response.destroyed || response.headersSent,
      locate(served: Operation): void {
        operation = served;
        errorShape = served.errorShape;
      },
      /** The form of errors at an address whose method belongs to no operation. */
      shapeErrors(shape: AnyContract['errorShape']): void {
        errorShape = shape ?? 'florin';
      },
      identify(who: AnyCaller): void {
        caller = who;
      },
      /** The request has the key of a business that was revoked or has expired: it is a call of that business. */
      attribute(key: KeyOwner): void {
        endedKey = key;
      },
      warn(facts: Readonly<Record<string, unknown>>, message: string): void {
        log.warn({ requestId, ...facts }, message);
      },
      addHeaders(headers: HeaderList): void {
        extraHeaders = [...extraHeaders, ...headers];
      },
      /** An unexpected error: logged once in full, while the caller receives the request id alone. */
      fail(error: unknown): void {
        refuse(logFailure(log, { requestId, method: request.method, path: operation?.path }, error));
        // Too late for an error where a response had begun.
        if (response.headersSent && !response.writableEnded) response.destroy();
      },
    };
    response.locals.exchange = exchange;
    return exchange;
  }
  return { open };
}
