import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import { type AnyCaller, callerFacts } from './callers.ts';
import { securityHeaders } from './headers.ts';
import { internalError, type Problem, wireProblem } from './problems.ts';

export type Exchanges = ReturnType<typeof exchangesOf>;
export type Exchange = ReturnType<Exchanges['open']>;

/** One request with its answer: the id, the headers every answer has, the line in the log. */
export function exchangesOf(options: { readonly log: Log; readonly clock: Clock; readonly ids: Ids }) {
  const { log, clock, ids } = options;
  const alwaysHeaders = securityHeaders();

  function open(request: IncomingMessage, response: ServerResponse, path: string) {
    const requestId = ids.next('req');
    const startedAt = clock.now();
    let caller: AnyCaller | undefined;
    let extraHeaders: readonly string[] = [];

    function send(status: number, body: string, headers: readonly string[] = []): void {
      if (response.headersSent || response.destroyed) return;
      response.writeHead(status, [
        'X-Request-Id',
        requestId,
        'Content-Type',
        'application/json; charset=utf-8',
        'Content-Length',
        String(Buffer.byteLength(body)),
        ...alwaysHeaders,
        ...extraHeaders,
        ...headers,
      ]);
      response.end(request.method === 'HEAD' ? undefined : body);
      log.info(
        {
          requestId,
          method: request.method,
          path,
          status,
          durationMs: clock.now() - startedAt,
          ...(caller ? callerFacts(caller) : {}),
        },
        'answered',
      );
    }

    function refuse(problem: Problem, headers: readonly string[] = []): void {
      // What is left of a body nobody will read must not hold the connection.
      const more = problem.status === 413 ? ['Connection', 'close'] : [];
      send(problem.status, JSON.stringify(wireProblem(problem)), [...headers, ...more]);
    }

    return {
      requestId,
      send,
      refuse,
      isOver: () => response.destroyed || response.headersSent,
      identify(who: AnyCaller): void {
        caller = who;
      },
      addHeaders(headers: readonly string[]): void {
        extraHeaders = [...extraHeaders, ...headers];
      },
      /** A bug of ours: logged once, in full; the caller learns the id alone. */
      fail(error: unknown): void {
        log.error({ requestId, method: request.method, path, err: error }, 'a request failed');
        refuse(internalError(requestId));
      },
    };
  }
  return { open };
}
