import type { Problem } from '@florin/shared/contracts/problem.ts';
import type { z } from 'zod';
import type { Refused } from './route.ts';

/** What every refusal becomes on the wire. Specification: Errors. */
export function problemOf(refusal: Refused['refused']): Problem {
  const { status, message, metadata } = refusal;
  return { error: metadata ? { code: status, message, metadata } : { code: status, message } };
}

/** One refusal of input: where, and what is wrong there. */
export type Issue = { readonly path: string; readonly message: string };

export function issuesOf(where: 'body' | 'query' | 'params', error: z.ZodError): Issue[] {
  return error.issues.map(issue => {
    const path = issue.path.map(String).join('.');
    return { path: where === 'body' ? path : `${where}.${path}`, message: issue.message };
  });
}

/** 400 for input that does not fit the contract; the message names the first field. */
export function invalidInput(issues: readonly Issue[]): Refused['refused'] {
  const [first] = issues;
  const message = first ? `${first.path || 'body'}: ${first.message}` : 'The request is not valid';
  return { status: 400, message, metadata: { issues } };
}

/** The message of an error body nobody chose: a bug of ours, told with nothing but the id to look it up by. */
export function internalError(requestId: string): Refused['refused'] {
  return { status: 500, message: 'Something went wrong on our side', metadata: { requestId } };
}

/** 403 with what is missing, for the checks of a route and for those that depend on the body. */
export function lacksPermissions(missing: readonly string[]): Refused['refused'] {
  return {
    status: 403,
    message: `The API key lacks the permission ${missing.join(', ')}`,
    metadata: { missingPermissions: missing },
  };
}
