import { hash } from 'node:crypto';
import { parse as parseQuery } from 'node:querystring';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { Request, Response } from 'router';
import type { z } from 'zod';
import type { Once } from '../idempotency/once.ts';
import type { Idempotency } from '../idempotency/service.ts';
import { type AnyCaller, authenticate, type Credentials, credentialInAddress } from './authenticate.ts';
import type { Exchange, Exchanges } from './exchange.ts';
import { type Issue, invalidInput, issuesOf, lacksPermissions, problemOf } from './problems.ts';
import type { Limiters } from './rate-limits.ts';
import { parseJson, readText } from './read-body.ts';
import type { Refused, Route, RouteRequest } from './route.ts';

export type Serving = {
  readonly credentials: Credentials;
  readonly idempotency: Idempotency;
  readonly exchanges: Exchanges;
  readonly limiters: Limiters;
  readonly addressOf: (request: Request) => string;
  readonly maxBodyBytes: number;
  readonly keyPrefixes: readonly string[];
  readonly checkAnswers?: boolean;
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
      if ('refused' in input) return exchange.refuse(input.refused);
      await answerTo(route, { request, exchange, caller, input, serving });
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
    const key = caller && callerKey(caller);
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
      exchange.refuse({ status: 401, message });
      return undefined;
    }
    const found = await authenticate(request, contract.caller, serving.credentials);
    const caller = found.ok ? found.caller : undefined;
    if (!isUnlimited && !(await isAllowed(request, exchange, caller))) return undefined;
    if (!found.ok) {
      exchange.refuse(found.refused);
      return undefined;
    }
    exchange.identify(found.caller);
    const missing = missingPermissions(route, found.caller);
    if (missing.length > 0) {
      exchange.refuse(lacksPermissions(missing));
      return undefined;
    }
    return found.caller;
  };
}

function callerKey(caller: AnyCaller): string | undefined {
  if (caller.kind === 'apiKey') return caller.apiKeyId;
  if (caller.kind === 'device') return caller.terminalId;
  return undefined;
}

function missingPermissions(route: Route, caller: AnyCaller): string[] {
  if (caller.kind !== 'apiKey') return [];
  return route.contract.permissions.filter(permission => !caller.permissions.has(permission));
}

type Refusal = { readonly refused: Refused['refused'] };

/** Everything the contract takes, parsed by it; all that is wrong is told at once. */
async function readInput(route: Route, request: Request, maxBodyBytes: number): Promise<Input | Refusal | 'gone'> {
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
    if ('refused' in given) return given;
    body = check('body', contract.body, given.value);
  }
  const params = takes.params ? check('params', contract.params, request.params) : undefined;
  const query = takes.query ? check('query', contract.query, queryOf(request.originalUrl)) : undefined;
  return issues.length > 0 ? { refused: invalidInput(issues) } : { params, query, body };
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

function jsonOf(request: Request, text: string): { readonly value: unknown } | Refusal {
  const type = request.headers['content-type'];
  if (text === '' && !type) {
    return { refused: invalidInput([{ path: '', message: 'a JSON body is required' }]) };
  }
  if (type === undefined || !/^application\/json *(;.*)?$/i.test(type)) {
    return { refused: { status: 415, message: 'The body must be JSON (Content-Type: application/json)' } };
  }
  const parsed = parseJson(text);
  return parsed.ok ? { value: parsed.value } : { refused: invalidInput([{ path: '', message: parsed.why }]) };
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

/** Runs the handler, once per Idempotency-Key where the contract honours it, and sends what it answers. */
async function answerTo(route: Route, call: Call): Promise<void> {
  const { exchange, serving } = call;
  const key = idempotencyKey(route, call);
  if (key === undefined) {
    const { status, body } = await handle(route, call);
    return exchange.send(status, JSON.stringify(body));
  }
  if ('refused' in key) return exchange.refuse(key.refused);
  const outcome = await serving.idempotency.run(
    { ...key, flowKeepsOnce: route.flowKeepsOnce, isGone: exchange.isOver },
    once => handle(route, call, once),
  );
  switch (outcome.kind) {
    case 'first':
      return exchange.send(outcome.status, outcome.body);
    case 'replayed':
      return exchange.send(outcome.status, outcome.body, ['Idempotency-Replayed', 'true']);
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

const visibleCharacters = /^[\x21-\x7e]{1,255}$/;

type IdempotentCall = { readonly businessId: string; readonly key: string; readonly requestHash: string };

function idempotencyKey(route: Route, call: Call): IdempotentCall | Refusal | undefined {
  const { contract } = route;
  const header = call.request.headers['idempotency-key'];
  if (!contract.idempotent || header === undefined || call.caller.kind === 'anyone') return undefined;
  if (typeof header !== 'string' || !visibleCharacters.test(header)) {
    return {
      refused: invalidInput([{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }]),
    };
  }
  const { businessId } = call.caller;
  return { businessId, key: header, requestHash: requestHashOf(contract, call.input) };
}

/** What the contract understood, not the bytes: the same request written with other spaces is the same request. */
export function requestHashOf({ name }: Pick<AnyContract, 'name'>, { params, query, body }: Partial<Input>): string {
  return hash('sha256', JSON.stringify([name, params ?? null, query ?? null, body ?? null]));
}

async function handle(route: Route, call: Call, once?: Once): Promise<{ status: number; body: unknown }> {
  const request = {
    caller: call.caller,
    ...call.input,
    requestId: call.exchange.requestId,
    ...(once ? { once } : {}),
  } as unknown as RouteRequest<Route['contract']>;
  const answered = await route.handler(request);
  if ('refused' in answered) return { status: answered.refused.status, body: problemOf(answered.refused) };
  if (call.serving.checkAnswers) checkAnswer(route, answered);
  return answered;
}

function checkAnswer(route: Route, answered: { readonly status: number; readonly body: unknown }): void {
  const schema = route.contract.answers[answered.status];
  if (!schema) throw new Error(`${route.contract.name} answered ${answered.status}, which its contract does not know`);
  const parsed = schema.safeParse(answered.body);
  if (!parsed.success)
    throw new Error(`${route.contract.name} answered what its contract does not allow: ${parsed.error}`);
}
