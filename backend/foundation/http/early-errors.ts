import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { apiPolicy, securityHeaders } from './headers.ts';
import { type Problem, wireProblem } from './problems.ts';

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

/** What Node's parser refuses, by its error code; otherwise the request is not HTTP. */
const parserProblems: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions of the body are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
};
const notHttp: Problem = { status: 400, message: 'This is not a valid HTTP request' };

/** Why a request cannot be served regardless of its path; undefined where it can. */
export function problemOfHead({ url = '', headers, httpVersion }: IncomingMessage): Problem | undefined {
  if (headers.host === undefined && httpVersion === '1.1')
    return { status: 400, message: 'The Host header is required in HTTP/1.1' };
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return { status: 417, message: 'The Expect header may only be 100-continue' };
  if (!url.startsWith('/') && !URL.canParse(url))
    return { status: 400, message: 'The address is not valid: it must be a path, such as /healthz' };
  return undefined;
}

/** Errors of requests that never reach the application, in the same shape as all others. */
export function earlyErrors(ids: Ids) {
  const alwaysHeaders = [...securityHeaders(), 'Content-Security-Policy', apiPolicy, 'Connection', 'close'];

  function responseTo(problem: Problem): { readonly headers: string[]; readonly body: string } {
    const { retryAfterSeconds } = problem.metadata ?? {};
    const body = JSON.stringify(wireProblem(problem));
    const headers = [
      'X-Request-Id',
      ids.next(idPrefixes.request),
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(Buffer.byteLength(body)),
      ...(typeof retryAfterSeconds === 'number' ? ['Retry-After', String(retryAfterSeconds)] : []),
      ...alwaysHeaders,
    ];
    return { headers, body };
  }

  function writeTo(socket: Duplex, problem: Problem): void {
    const { headers, body } = responseTo(problem);
    const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}\r\n`] : []));
    socket.end(`HTTP/1.1 ${problem.status} ${statusTexts[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  }

  return {
    refuse(response: ServerResponse, problem: Problem): void {
      const { headers, body } = responseTo(problem);
      response.writeHead(problem.status, headers).end(response.req.method === 'HEAD' ? undefined : body);
    },

    /** For what Node's parser could not read; `underWay` are the requests of that connection without a whole response. */
    refuseUnread(error: Error & { code?: string }, socket: Duplex, underWay: Iterable<ServerResponse>): void {
      // A client that waits for an earlier response must not receive this one instead.
      const isAwaited = [...underWay].some(({ req, headersSent }) => req.complete || headersSent);
      if (!socket.writable || error.code === 'ECONNRESET' || isAwaited) {
        socket.destroy();
        return;
      }
      writeTo(socket, parserProblems[error.code ?? ''] ?? notHttp);
    },

    /** For CONNECT, whose connection Node hands over without a response to write to. */
    refuseTunnel(socket: Duplex): void {
      // The socket has no other error listener from here on, so a reset must not end the process.
      socket.on('error', () => socket.destroy());
      socket.on('finish', () => socket.destroy());
      writeTo(socket, { status: 405, message: 'CONNECT is not served here: this service is no proxy' });
    },
  };
}
