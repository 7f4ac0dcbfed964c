import type { Problem } from '@florin/shared/contracts/problem.ts';
import type { Refused, Unanswered } from './answer.ts';

/** The outcome of one attempt. */
export type Read =
  | { readonly kind: 'done'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  | {
      readonly kind: 'refused';
      readonly status: Refused['status'];
      readonly headers: Headers;
      readonly problem: Problem;
    }
  | {
      readonly kind: 'unanswered';
      /** Whether the request may have reached the service. */
      readonly wasSent: boolean;
      readonly status: Unanswered['status'];
      readonly headers: Headers;
      readonly reason: string | null;
      readonly problem: Problem | undefined;
      readonly cause: unknown;
    };
type Headers = Readonly<Record<string, string>>;

/**
 * Accepts only what is recognisably the service's own response: a proxy's page or a truncated body proves nothing about
 * what the service did.
 */
export function readResponse(status: number, received: Iterable<readonly [string, string]>, text: string): Read {
  const headers = Object.fromEntries(received);
  const body = parsed(text);
  if (status >= 200 && status < 300 && typeof body === 'object' && body !== null)
    return { kind: 'done', status, headers, body };
  const problem = isProblem(body) && body.error.code === status ? body : undefined;
  if (problem && status >= 400 && status < 500)
    return { kind: 'refused', status: status as Refused['status'], headers, problem };
  const reason = problem?.error.metadata?.reason ?? 'unexpected_response';
  const failed = { status: status as Unanswered['status'], headers, reason, problem };
  return { kind: 'unanswered', wasSent: true, ...failed, cause: undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is Problem {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } };
  return typeof error?.code === 'number' && typeof error.message === 'string';
}
