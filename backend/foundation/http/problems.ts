import type { PermissionRule } from '@florin/shared/contracts/contract.ts';
import type { LnurlProblem, UcpProblem, Problem as WireProblem } from '@florin/shared/contracts/problem.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import type { z } from 'zod';
import { notAnInteger } from './json.ts';
import type { AnyError, ErrorResponse, InvalidInput } from './route.ts';

/** An error before it is put into the one shape. */
export type Problem = AnyError['error'];

/** The error shape of every response. Specification: Errors. */
export function wireProblem({ status, message, metadata }: Problem): WireProblem {
  return { error: metadata ? { code: status, message, metadata } : { code: status, message } };
}

/** The same for operations that follow UCP: its codes are the reasons that those operations declare. */
export function ucpWireProblem({ status, message, metadata }: Problem): UcpProblem {
  const reason = metadata?.reason;
  if (status === 503 || status === 500) return { code: 'provider_unavailable', message };
  return { code: typeof reason === 'string' ? reason : (ucpCodes[status] ?? 'invalid_request'), message };
}
/** The same for wallets, which read nothing of a response that is not 200 (LUD-06). */
export function lnurlWireProblem({ message }: Problem): LnurlProblem {
  return { status: 'ERROR', reason: message };
}

const ucpCodes: Readonly<Record<number, string>> = { 429: 'rate_limited' };

/** A table of a domain: what each kind of refusal is answered with. */
export type ProblemTable<Kind extends string = string> = Readonly<
  Record<
    Kind,
    {
      readonly status: number;
      /** The field that is wrong, of a 400: it is named in the message and among the issues. */
      readonly path?: string;
      readonly message: string;
    }
  >
>;

/** The errors a refusal can become by its domain's table. */
export type ErrorBy<Table extends ProblemTable, Kind extends keyof Table> = {
  [K in Kind & string]: ErrorResponse<Table[K]['status'], K>;
}[Kind & string];

/** Status and message from the table; all other members of the refusal become metadata. */
export function errorBy<Table extends ProblemTable, Refusal extends { readonly kind: keyof Table & string }>(
  table: Table,
  refusal: Refusal,
): ErrorBy<Table, Refusal['kind']> {
  const { kind, ...facts } = refusal;
  const { status, path, message } = table[kind] as ProblemTable[string];
  const metadata = { reason: kind, ...facts };
  const error =
    path === undefined ? { status, message, metadata } : { ...invalidInput({ path, message }).error, status };
  return { error: { ...error, metadata: { ...error.metadata, ...metadata } } } as ErrorBy<Table, Refusal['kind']>;
}

/** One thing wrong with the input: where, and what to do about it. */
export type Issue = { readonly path: string; readonly message: string };

/**
 * One issue per violation of the schema. Paths of the body have no prefix; those of the query and the parameters begin
 * with `query` and `params`.
 */
export function issuesOf(where: 'body' | 'query' | 'params', error: z.ZodError, given: unknown): Issue[] {
  return error.issues.filter(isTightest).map(issue => {
    const path = issue.path.map(String).join('.');
    const value = valueAt(given, issue.path);
    const isRepeated = where === 'query' && Array.isArray(value);
    const message = isRepeated ? 'must be given once' : Number.isNaN(value) ? notAnInteger : issue.message;
    return { path: where === 'body' ? path : [where, path].filter(part => part !== '').join('.'), message };
  });
}

/** Every integer has a limit of its own, 2^53; a smaller one of the contract says more. */
function isTightest(issue: z.core.$ZodIssue, _index: number, issues: readonly z.core.$ZodIssue[]): boolean {
  if (issue.code !== 'too_big') return true;
  const { maximum } = issue;
  const path = issue.path.join('.');
  return !issues.some(other => other.code === 'too_big' && other.path.join('.') === path && other.maximum < maximum);
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], given);
}

/** 400 for input that does not fit the contract; the message names the first field. */
export function invalidInput(...issues: readonly [Issue, ...Issue[]]): InvalidInput {
  const [first] = issues;
  const message = `${first.path || 'body'}: ${first.message}`;
  return { error: { status: 400, message, metadata: { issues } } };
}

/** 400 for settings that their adapter refuses: one line each, such as `config.url: must be …`. */
export function settingsInvalid(problems: readonly string[]): ErrorResponse<400, 'settings_invalid'> {
  const issues = problems.map(problem => {
    const [path = '', ...rest] = problem.split(': ');
    return { path, message: rest.join(': ') };
  });
  const [first = { path: 'adapter', message: 'is not usable' }, ...others] = issues;
  const { error } = invalidInput(first, ...others);
  return { error: { ...error, metadata: { reason: 'settings_invalid', ...error.metadata } } };
}

/** The message of an unexpected error, which is reported with the request id alone. */
export function internalError(requestId: string): Problem {
  return { status: 500, message: 'Something went wrong on our side', metadata: { requestId } };
}

/** Nothing was written, so that the same request may simply be sent again. */
export const databaseUnavailable: Problem = {
  status: 503,
  message: 'The database is not available right now; nothing was written. Try again in a few seconds',
  metadata: { reason: 'database_unavailable', retryAfterSeconds: 5 },
};

export const commitUnknown: Problem = {
  status: 503,
  message:
    'The connection to the database was lost while this was being saved. Send the same request again with the same Idempotency-Key, or read whether it was saved',
  metadata: { reason: 'commit_outcome_unknown', retryAfterSeconds: 5 },
};

export const idempotencyKeyReused: Problem = {
  status: 409,
  message: 'This Idempotency-Key was used before, for another request: use a new key for a new request',
  metadata: { reason: 'idempotency_key_reused' },
};

/** 403 with the missing permissions; undefined when none is missing. */
export function missingPermissions(
  needed: readonly PermissionRule[],
  held: ReadonlySet<Permission>,
  holder = 'The API key',
): Problem | undefined {
  const isHeld = (rule: PermissionRule) =>
    typeof rule === 'string' ? held.has(rule) : rule.anyOf.some(permission => held.has(permission));
  const missing = needed.filter(rule => !isHeld(rule)).map(rule => (typeof rule === 'string' ? [rule] : rule.anyOf));
  if (missing.length === 0) return undefined;
  const words = missing.map(any => any.join(' or ')).join(', ');
  return {
    status: 403,
    message: `${holder} lacks the permission${missing.length === 1 ? '' : 's'} ${words}`,
    metadata: { missingPermissions: [...new Set(missing.flat())] },
  };
}
