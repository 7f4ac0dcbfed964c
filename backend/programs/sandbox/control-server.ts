import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { isFromThisMachine, readBody, sendJson } from './http.ts';

export type ControlResponse = { readonly status: number; readonly content: unknown };
export type ControlRoute = (body: unknown, query: URLSearchParams) => ControlResponse | Promise<ControlResponse>;

/**
 * Serves a sandbox's control interface to this machine: JSON, routed by `METHOD /path`. `before` handles other paths
 * first and returns whether it did.
 */
export function controlServer(
  routes: Readonly<Record<string, ControlRoute>>,
  before: (request: { method: string | undefined; path: string }, response: ServerResponse) => boolean,
) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isFromThisMachine(request))
      return sendJson(response, 403, { error: 'only requests from this machine are accepted' });
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
    if (before({ method: request.method, path }, response)) return;
    const key = `${request.method} ${path}`;
    const route = Object.hasOwn(routes, key) ? routes[key] : undefined;
    if (!route) return sendJson(response, 404, { error: 'unknown control path', paths: Object.keys(routes) });
    const raw = await readBody(request, 64 * 1024);
    if (raw === undefined) return sendJson(response, 413, { error: 'body too large' });
    const body = parseJson(raw.toString('utf8'));
    if (body === undefined) return sendJson(response, 400, { error: 'body is not JSON' });
    const { status, content } = await route(body, searchParams);
    sendJson(response, status, content);
  };
}

/** A route that takes a body of this schema; any other body is 400 with its issues. */
export function withBody<Body>(
  schema: z.ZodType<Body>,
  run: (body: Body) => ControlResponse | Promise<ControlResponse>,
): ControlRoute {
  return async raw => {
    const parsed = schema.safeParse(raw);
    if (parsed.success) return run(parsed.data);
    const issues = parsed.error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message }));
    return { status: 400, content: { error: 'invalid body', issues } };
  };
}

/** Status 200 with `content` as JSON. */
export function ok(content: unknown): ControlResponse {
  return { status: 200, content };
}

function parseJson(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
