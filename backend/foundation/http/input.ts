import { type AnyContract, pathParameters } from '@florin/shared/contracts/contract.ts';
import { messageOf } from '@florin/shared/contracts/messages.ts';
import type { Request } from 'express';
import type { z } from 'zod';
import { bodyMissing, parseJson } from './json.ts';
import { recordPath } from './portal.ts';
import { type Issue, invalidInput, issuesOf, type Problem } from './problems.ts';

export type Input = { readonly params: unknown; readonly query: unknown; readonly body: unknown };
export type Rejected = { readonly problem: Problem };

/** Whether an operation takes something of this kind at all. */
export function isTaken(schema: z.ZodType): boolean {
  return schema.def.type !== 'undefined';
}

/** Whether the body is optional: nothing in it is required. */
export function acceptsNothing({ body, bodyFormat }: AnyContract): boolean {
  return bodyFormat !== 'text' && body.safeParse({}).success;
}

/**
 * Reads everything a contract takes; all that is wrong is reported at once. What is wrong in the path alone is answered as
 * an id that does not exist (404). Specification: Errors.
 */
export function inputReader(contract: AnyContract) {
  const takes = { params: isTaken(contract.params), query: isTaken(contract.query), body: isTaken(contract.body) };
  return (request: Request, bytes?: Uint8Array): Input | Rejected => {
    const inPath: Issue[] = [];
    const elsewhere: Issue[] = [];
    function check(where: 'body' | 'query' | 'params', schema: z.ZodType, given: unknown): unknown {
      const parsed = schema.safeParse(given, { error: messageOf });
      if (parsed.success) return parsed.data;
      (where === 'params' ? inPath : elsewhere).push(...issuesOf(where, parsed.error, given));
      return undefined;
    }
    let body: unknown;
    if (takes.body) {
      const given = bodyOf(contract, request, bytes);
      if ('problem' in given) return given;
      body = check('body', contract.body, given.value);
    }
    const params = takes.params ? check('params', contract.params, request.params) : undefined;
    const query = takes.query ? check('query', contract.query, { ...request.query }) : undefined;
    if (elsewhere.length === 0 && inPath[0]) return { problem: wrongPath(contract, inPath[0]) };
    const [first, ...others] = [...elsewhere, ...inPath];
    return first ? { problem: invalidInput(first, ...others).error } : { params, query, body };
  };
}

/** An address that can name no record is refused like one that names none, where the operation declares such an error. */
function wrongPath({ path, errors }: AnyContract, issue: Issue): Problem {
  const name = issue.path.replace('params.', '');
  const position = pathParameters(recordPath(path)).indexOf(name);
  const reasons = errors[404] ?? [];
  const reason = reasons[position] ?? reasons[0];
  if (reason === undefined) return invalidInput(issue).error;
  const message = `Check the ${name} in the path: it ${issue.message}`;
  return { status: 404, message, metadata: { reason, issues: [issue] } };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function bodyOf(
  contract: AnyContract,
  request: Request,
  bytes: Uint8Array | undefined,
): { readonly value: unknown } | Rejected {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { problem: invalidInput({ path: '', message: 'is not valid UTF-8' }).error };
  }
  if (contract.bodyFormat === 'text') return textOf(contract, text);
  const isLeftOut = text === '' && request.headers['content-type'] === undefined;
  return isLeftOut && acceptsNothing(contract) ? { value: {} } : jsonOf(request, text);
}

function textOf({ bodyLimits }: AnyContract, text: string): { readonly value: string } | Rejected {
  const fields = text.split('&', (bodyLimits?.fields ?? 0) + 1).length;
  if (bodyLimits && fields > bodyLimits.fields)
    return { problem: { status: 413, message: `The body has more than ${bodyLimits.fields} fields` } };
  return { value: text };
}

function jsonOf(request: Request, text: string): { readonly value: unknown } | Rejected {
  const type = request.headers['content-type'];
  if (text === '' && !type) return { problem: invalidInput({ path: '', message: bodyMissing }).error };
  if (type === undefined || !/^application\/json *(;.*)?$/i.test(type))
    return { problem: { status: 415, message: 'The body must be JSON (Content-Type: application/json)' } };
  const charset = /; *charset *= *"?([^";]+)/i.exec(type)?.[1]?.trim();
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return { problem: { status: 415, message: 'The body must be UTF-8 (Content-Type: application/json)' } };
  const parsed = parseJson(text);
  return parsed.ok ? { value: parsed.value } : { problem: invalidInput({ path: '', message: parsed.why }).error };
}
