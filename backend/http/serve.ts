import { hash } from 'node:crypto';
import { parse as parseQuery } from 'node:querystring';
import { type AnyContract, jsonSchemaOf, permissionsNeeded } from '@florin/shared/contracts/contract.ts';
import type { Request, Response } from 'router';
import type { z } from 'zod';
import type { IdempotentCall } from '../idempotency/call.ts';
import type { Idempotency } from '../idempotency/service.ts';
import { type Authenticators, authenticate, credentialInAddress } from './authenticate.ts';
import { type AnyCaller, callerId } from './callers.ts';
import type { Exchange, Exchanges } from './exchange.ts';
import { type Issue, invalidInput, issuesOf, missingPermissions, type Problem } from './problems.ts';
import type { Limiters } from './rate-limits.ts';
import { parseJson, readText } from './read-body.ts';
import type { AnyHandlerResult, AnyResponse, Route } from './route.ts';

export type Serving = {
  readonly authenticators: Authenticators;
  readonly idempotency: Idempotency;
  readonly exchanges: Exchanges;
  readonly limiters: Limiters;
  readonly addressOf: (request: Request) => string;
  readonly maxBodyBytes: number;
  readonly keyPrefixes: readonly string[];
  readonly checkResponses?: boolean;
};

type Input = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/** What the router calls for one route. */
export function serverOf(route: Route, serving: Serving) {
  const { contract } = route;
  const admit = admission(route, serving);

  return async (request: Request, response: Response): Promise<void> => {
    const exchange = serving.exchanges.open(request, response, contract.path);
    try {
      const caller = await admit(request, exchange);
      if (!caller) return;
      const input = await readInput(route, request, serving.maxBodyBytes);
      if (input === 'gone') return;
      if ('problem' in input) return exchange.refuse(input.problem);
      // Before a stored response is looked up: no key may get the response that only another one is entitled to.
      const forbidden = lacks(caller, permissionsNeeded(contract, input.body));
      if (forbidden) return exchange.refuse(forbidden);
      await respondTo(route, { request, exchange, caller, input, serving });
    } catch (error) {
      exchange.fail(error);
    }
  };
}

/** Authentication, rate limits and permissions, in this order; undefined when the request was answered with a refusal. */
function admission(route: Route, serving: Serving) {
  const { contract } = route;
  const { limiters, addressOf } = serving;
  const operationLimiter = limiters.perOperation.get(contract.name);
  const isUnlimited = limiters.unlimited.has(contract.name);

  /** Counts the request against its limits; false when it was answered with 429. */
  async function isAllowed(request: Request, exchange: Exchange, caller: AnyCaller | undefined): Promise<boolean> {
    const key = caller && callerId(caller);
    const who = key ?? addressOf(request);
    const allowances = [await (key === undefined ? limiters.perAddress : limiters.perKey)(who)];
    if (caller && operationLimiter) allowances.push(await operationLimiter(who));
    const telling = allowances.find(allowance => !allowance.allowed) ?? allowances.at(-1);
    if (!telling) return true;
    exchange.addHeaders(telling.headers);
    if (telling.allowed) return true;
    const { retryAfterSeconds } = telling;
    const refusal = { status: 429, message: 'Too many requests; wait a little', metadata: { retryAfterSeconds } };
    exchange.refuse(refusal, ['Retry-After', String(retryAfterSeconds)]);
    return false;
  }

  return async (request: Request, exchange: Exchange): Promise<AnyCaller | undefined> => {
    if (credentialInAddress(request.originalUrl, serving.keyPrefixes)) {
      const message = 'A key or token must be sent in the Authorization header, never in the address';
      exchange.refuse({ status: 401, message }, ['WWW-Authenticate', 'Bearer']);
      return undefined;
    }
    const found = await authenticate(request, contract.authentication, serving.authenticators);
    const caller = found.ok ? found.caller : undefined;
    if (!isUnlimited && !(await isAllowed(request, exchange, caller))) return undefined;
    if (!found.ok) {
      exchange.refuse(found.problem, ['WWW-Authenticate', found.challenge]);
      return undefined;
    }
    exchange.identify(found.caller);
    const forbidden = lacks(found.caller, contract.permissions);
    if (forbidden) exchange.refuse(forbidden);
    return forbidden ? undefined : found.caller;
  };
}

function lacks(caller: AnyCaller, needed: ReturnType<typeof permissionsNeeded>): Problem | undefined {
  return 'permissions' in caller ? missingPermissions(needed, caller.permissions) : undefined;
}

type Refused = { readonly problem: Problem };

/** Everything the contract takes, parsed by it; all that is wrong is told at once. */
async function readInput(route: Route, request: Request, maxBodyBytes: number): Promise<Input | Refused | 'gone'> {
  const { contract } = route;
  const issues: Issue[] = [];
  function check(where: 'body' | 'query' | 'params', schema: z.ZodType, given: unknown): unknown {
    const parsed = schema.safeParse(given);
    if (parsed.success) return parsed.data;
    issues.push(...issuesOf(where, parsed.error));
    return undefined;
  }
  const takes = takenBy(route);
  let body: unknown;
  if (takes.body) {
    const read = await readText(request, maxBodyBytes);
    if (read.kind === 'gone') return 'gone';
    if (read.kind === 'refused') return read;
    const given = contract.bodyFormat === 'text' ? { ok: true as const, value: read.text } : jsonOf(request, read.text);
    if ('problem' in given) return given;
    body = check('body', contract.body, given.value);
  }
  const params = takes.params ? check('params', contract.params, request.params) : undefined;
  const query = takes.query ? check('query', contract.query, queryOf(request.originalUrl)) : undefined;
  const [first, ...others] = issues;
  return first ? { problem: invalidInput(first, ...others).error } : { params, query, body };
}

type Takes = { readonly params: boolean; readonly query: boolean; readonly body: boolean };
const takesByRoute = new WeakMap<Route, Takes>();

function takenBy(route: Route): Takes {
  const known = takesByRoute.get(route);
  if (known) return known;
  const takesSomething = (schema: z.ZodType) => schema.def.type !== 'undefined';
  const { params, query, body } = route.contract;
  const takes = { params: takesSomething(params), query: takesSomething(query), body: takesSomething(body) };
  takesByRoute.set(route, takes);
  return takes;
}

function jsonOf(request: Request, text: string): { readonly value: unknown } | Refused {
  const type = request.headers['content-type'];
  if (text === '' && !type) {
    return { problem: invalidInput({ path: '', message: 'a JSON body is required' }).error };
  }
  if (type === undefined || !/^application\/json *(;.*)?$/i.test(type)) {
    return { problem: { status: 415, message: 'The body must be JSON (Content-Type: application/json)' } };
  }
  const parsed = parseJson(text);
  return parsed.ok ? { value: parsed.value } : { problem: invalidInput({ path: '', message: parsed.why }).error };
}

function queryOf(url: string): unknown {
  const at = url.indexOf('?');
  return at === -1 ? {} : { ...parseQuery(url.slice(at + 1)) };
}

type Call = {
  readonly request: Request;
  readonly exchange: Exchange;
  readonly caller: AnyCaller;
  readonly input: Input;
  readonly serving: Serving;
};

/** Runs the handler, once per Idempotency-Key where the contract honours it, and sends what it gives. */
async function respondTo(route: Route, call: Call): Promise<void> {
  const { exchange, serving } = call;
  const key = idempotencyKey(route, call);
  if (key === undefined) return send(await handle(route, call, serving.idempotency.unkeyed), exchange);
  if ('problem' in key) return exchange.refuse(key.problem);
  const outcome = await serving.idempotency.run({ ...key, runId: exchange.requestId, isGone: exchange.isOver }, keyed =>
    handle(route, call, keyed),
  );
  switch (outcome.kind) {
    case 'first':
      return send(outcome.response, exchange);
    case 'replayed':
      exchange.addHeaders(['Idempotency-Replayed', 'true']);
      return replay(route, call, outcome);
    case 'reused':
      return exchange.refuse({
        status: 409,
        message: 'This Idempotency-Key was used before, for another request',
        metadata: { reason: 'idempotency_key_reused' },
      });
    case 'gone':
      return undefined;
  }
}

/** The first response again; a 202 said that its record was not final, so that one is shown as it is now. */
async function replay(route: Route, call: Call, stored: { status: number; body: string }): Promise<void> {
  const { exchange, caller } = call;
  const current =
    stored.status === 202 && route.current
      ? await route.current(JSON.parse(stored.body) as never, { caller } as never)
      : undefined;
  if (current) send(current, exchange);
  else exchange.send(stored.status, stored.body);
}

function send(result: AnyHandlerResult, exchange: Exchange): void {
  if ('error' in result) exchange.refuse(result.error);
  else exchange.send(result.status, JSON.stringify(result.body));
}

const visibleCharacters = /^[\x21-\x7e]{1,255}$/;

type Key = { readonly businessId: string; readonly key: string; readonly requestHash: string };

function idempotencyKey(route: Route, { request, caller, input }: Call): Key | Refused | undefined {
  const { contract } = route;
  const header = request.headers['idempotency-key'];
  if (!contract.idempotent || header === undefined || !('businessId' in caller)) return undefined;
  if (typeof header !== 'string' || !visibleCharacters.test(header)) {
    return {
      problem: invalidInput({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }).error,
    };
  }
  return { businessId: caller.businessId, key: header, requestHash: requestHashOf(contract, input) };
}

/** What the contract understood, not the bytes: the same request written with other spaces is the same request. */
export function requestHashOf({ name }: Pick<AnyContract, 'name'>, { params, query, body }: Partial<Input>): string {
  return hash('sha256', JSON.stringify([name, params ?? null, query ?? null, body ?? null]));
}

async function handle(route: Route, call: Call, idempotent: IdempotentCall): Promise<AnyHandlerResult> {
  const { caller, input, exchange, serving } = call;
  const request = { caller, ...input, requestId: exchange.requestId, call: idempotent };
  const result = await route.handler(request as never);
  if (serving.checkResponses) checkResult(route.contract, result);
  return result;
}

/** @throws where the result is none that the contract declares. */
function checkResult(contract: AnyContract, result: AnyHandlerResult): void {
  if ('error' in result) {
    const { status, metadata } = result.error;
    const declared: readonly unknown[] = contract.errors[status] ?? [];
    const isInvalidInput = status === 400 && metadata?.issues !== undefined;
    if (isInvalidInput || declared.includes(metadata?.reason)) return;
    throw new Error(
      `${contract.name} answered an error its contract does not declare: ${JSON.stringify(result.error)}`,
    );
  }
  checkResponse(contract, result);
}

function checkResponse(contract: AnyContract, { status, body }: AnyResponse): void {
  if (!contract.responses[status]) throw new Error(`${contract.name} answered an undeclared status, ${status}`);
  const parsed = jsonSchemaOf(contract, status)?.safeParse(body);
  if (parsed && !parsed.success)
    throw new Error(`${contract.name} answered what its contract does not allow: ${parsed.error}`);
}
