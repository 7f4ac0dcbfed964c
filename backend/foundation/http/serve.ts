import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AnyContract, jsonSchemaOf, permissionsNeeded } from '@florin/shared/contracts/contract.ts';
import type { Request, RequestHandler } from 'express';
import { type ReplicaReads, readsPrimary } from '../database/replica.ts';
import type { IdempotentCall } from '../idempotency/call.ts';
import type { Idempotency } from '../idempotency/service.ts';
import { type AdmissionOptions, addressOf, admission } from './admission.ts';
import { authenticate } from './authenticate.ts';
import { readBody } from './body.ts';
import { type AnyCaller, callerId } from './callers.ts';
import { cookieOf } from './cookies.ts';
import { isFromElsewhere, sentFromElsewhere } from './cross-origin.ts';
import { messageDifference } from './description/error-messages.ts';
import type { EventStreams, StreamOpener } from './event-stream.ts';
import { type Exchange, exchangeOf, operationOf } from './exchange.ts';
import { replayed } from './headers.ts';
import { type Input, inputReader, isTaken, type Rejected } from './input.ts';
import { isFromElsewhereThanPortal, lacking, portalRefusal } from './portal.ts';
import { idempotencyKeyReused, invalidInput } from './problems.ts';
import { sendResponse } from './respond.ts';
import type { AnyHandlerResult, AnyResponse, Route } from './route.ts';
import { streamHolders } from './stream-limits.ts';

export type Serving = AdmissionOptions & {
  readonly idempotency: Idempotency;
  readonly replicaReads: ReplicaReads;
  readonly maxBodyBytes: number;
  readonly streams: EventStreams;
  readonly ownOrigins: ReadonlySet<string>;
  readonly checkResponses?: boolean;
};

const neverOver = new AbortController();

/** What Express calls for one route. */
export function handlerOf(route: Route, serving: Serving): RequestHandler {
  const { contract } = route;
  const operation = operationOf(contract);
  const admit = admission(contract, serving);
  const readInput = inputReader(contract);
  const takesBody = isTaken(contract.body);
  const maxBytes = contract.bodyLimits?.bytes ?? serving.maxBodyBytes;
  const isStream = Object.values(contract.responses).some(({ kind }) => kind === 'eventStream');
  return async (request, response) => {
    const exchange = exchangeOf(response);
    exchange.locate(operation);
    const isForeign = contract.isOwnForm
      ? isFromElsewhere(request, serving.ownOrigins)
      : isFromElsewhereThanPortal(contract, request, serving.ownOrigins);
    if (isForeign) return exchange.refuse(sentFromElsewhere);
    const caller = await admit(request, exchange);
    if (!caller) return;
    // The body is read only after the caller is authenticated.
    const body = takesBody ? await readBody(request, maxBytes) : undefined;
    if (body === 'aborted') return void response.destroy();
    if (body && 'problem' in body) return exchange.refuse(body.problem);
    const input = readInput(request, body?.bytes);
    if ('problem' in input) return exchange.refuse(input.problem);
    // Before a stored response is looked up: no key may get the response that only another one is entitled to.
    const forbidden = contract.permissionsFor && lacking(caller, permissionsNeeded(contract, input.body));
    if (forbidden) serving.onForbidden?.(caller, contract, forbidden);
    const refused = forbidden ?? portalRefusal(contract, caller, input.body);
    if (refused) return exchange.refuse(refused);
    const over = isStream ? new AbortController() : neverOver;
    await respondTo(route, { request, exchange, caller, input, over, serving });
  };
}

type Call = {
  readonly request: Request;
  readonly exchange: Exchange;
  readonly caller: AnyCaller;
  readonly input: Input;
  /** Ends an event stream. */
  readonly over: AbortController;
  readonly serving: Serving;
};

/** Runs the handler, once per Idempotency-Key if the contract supports it, and sends the response. */
async function respondTo(route: Route, call: Call): Promise<void> {
  const { exchange, serving } = call;
  if (route.contract.mayBeStale && call.request.headers['read-from'] !== undefined)
    return respondFromSource(route, call);
  const key = idempotencyKey(route, call);
  if (key === undefined) return send(route, await handle(route, call, serving.idempotency.unkeyed), call);
  if ('problem' in key) return exchange.refuse(key.problem);
  const outcome = await serving.idempotency.run({ ...key, runId: exchange.requestId, isGone: exchange.isOver }, keyed =>
    handle(route, call, keyed),
  );
  switch (outcome.kind) {
    case 'first':
      return send(route, outcome.response, call);
    case 'replayed':
      exchange.addHeaders(replayed);
      return replay(route, call, outcome);
    case 'reused':
      return exchange.refuse(idempotencyKeyReused);
    case 'gone':
      return undefined;
  }
}

/** Reads where the caller asked to, and says where it was read. */
async function respondFromSource(route: Route, call: Call): Promise<void> {
  const { exchange, serving, request } = call;
  const wanted = request.headers['read-from'];
  if (wanted !== 'replica' && wanted !== 'primary')
    return exchange.refuse(invalidInput({ path: 'Read-From', message: 'must be replica or primary' }).error);
  const reads = wanted === 'replica' ? serving.replicaReads : readsPrimary;
  const { value, from } = await reads(() => handle(route, call, serving.idempotency.unkeyed));
  exchange.addHeaders(['Read-From', from]);
  return send(route, value, call);
}

/** The first response again; a 202 means that its record was not final, so its current state is returned. */
async function replay(route: Route, call: Call, stored: { status: number; body: string }): Promise<void> {
  const { exchange, caller } = call;
  const current =
    stored.status === 202 && route.current
      ? await route.current(JSON.parse(stored.body) as never, { caller } as never)
      : undefined;
  if (current && call.serving.checkResponses) checkResult(route.contract, current);
  if (current) await send(route, current, call);
  else exchange.sendJson(stored.status, stored.body);
}

async function send({ contract }: Route, result: AnyHandlerResult, call: Call): Promise<void> {
  const { exchange, over, serving } = call;
  if ('error' in result) exchange.refuse(result.error);
  else
    await sendResponse(contract, result, exchange, {
      streams: serving.streams,
      over,
      opener: () => openerOf(contract, call),
    });
}

function openerOf(contract: AnyContract, { request, caller, input, serving }: Call): StreamOpener {
  const { name, authentication, permissions } = contract;
  const record = JSON.stringify([name, input.params ?? null, input.query ?? null]);
  const holders = streamHolders(caller, { record, address: addressOf(request) });
  const isSame = async () => {
    const found = await authenticate(request, authentication, serving.authenticators, 'openStream');
    return found.ok && callerId(found.caller) === callerId(caller) && lacking(found.caller, permissions) === undefined;
  };
  return { caller, holders, isAllowed: callerId(caller) === undefined ? undefined : isSame };
}

const visibleCharacters = /^[\x21-\x7e]{1,255}$/;

type Key = { readonly businessId: string; readonly key: string; readonly requestHash: string };

function idempotencyKey(route: Route, { request, caller, input }: Call): Key | Rejected | undefined {
  const { contract } = route;
  const header = request.headers['idempotency-key'];
  if (!contract.idempotent || header === undefined || !('businessId' in caller)) return undefined;
  if (typeof header !== 'string' || !visibleCharacters.test(header)) {
    return {
      problem: invalidInput({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }).error,
    };
  }
  return { businessId: caller.businessId, key: scopeOf(caller) + header, requestHash: requestHashOf(contract, input) };
}

/**
 * Kiosks of other terminals have other Idempotency-Keys, so that those that number their orders alike do not collide. A new key
 * for the same terminals continues with theirs. The space cannot occur in a key that a caller sends.
 */
function scopeOf(caller: AnyCaller): string {
  return caller.kind === 'kioskKey' ? `${hash('sha256', [...caller.terminalIds].sort().join())} ` : '';
}

/** What the contract understood, not the bytes: the same request written with other spaces is the same request. */
export function requestHashOf({ name }: Pick<AnyContract, 'name'>, { params, query, body }: Partial<Input>): string {
  return hash('sha256', JSON.stringify([name, params ?? null, query ?? null, body ?? null]));
}

async function handle(route: Route, call: Call, idempotent: IdempotentCall): Promise<AnyHandlerResult> {
  const { caller, input, exchange, over, serving } = call;
  const { requestId } = exchange;
  const lastEventId = call.request.get('Last-Event-ID') ?? null;
  const request = {
    caller,
    ...input,
    requestId,
    remoteAddress: () => call.request.ip ?? '',
    userAgent: () => call.request.get('User-Agent') ?? '',
    languages: () => call.request.acceptsLanguages().filter(language => language !== '*'),
    cookie: (name: string) => cookieOf(call.request, name),
    call: idempotent,
    lastEventId,
    over: over.signal,
  };
  const result = await route.handler(request as never);
  if (serving.checkResponses) checkResult(route.contract, result);
  return result;
}

/** @throws where the result is none that the contract declares. */
function checkResult(contract: AnyContract, result: AnyHandlerResult): void {
  if ('error' in result) {
    const { status, metadata } = result.error;
    const declared: readonly unknown[] = contract.errors[status] ?? [];
    const isInvalidInput = status === 400 && metadata?.issues !== undefined && metadata.reason === undefined;
    if (isInvalidInput) return;
    if (declared.includes(metadata?.reason)) {
      const difference = messageDifference(contract, {
        message: result.error.message,
        reason: String(metadata?.reason),
      });
      if (difference === undefined) return;
      throw new Error(`${contract.name}: ${difference}`);
    }
    throw new Error(
      `${contract.name} returned an error its contract does not declare: ${JSON.stringify(result.error)}`,
    );
  }
  checkResponse(contract, result);
}

function checkResponse(contract: AnyContract, { status, body }: AnyResponse): void {
  if (!contract.responses[status]) throw new Error(`${contract.name} returned an undeclared status, ${status}`);
  const parsed = jsonSchemaOf(contract, status)?.safeParse(body);
  if (parsed && !parsed.success)
    throw new Error(`${contract.name} returned what its contract does not allow: ${parsed.error}`);
  // Undeclared members would be sent too.
  if (parsed && !isDeepStrictEqual(parsed.data, JSON.parse(JSON.stringify(body))))
    throw new Error(`${contract.name} returned more than its contract declares: ${JSON.stringify(body)}`);
}
