import type { Actor } from '@florin/shared/actor.ts';
import type { AnswerOf, AnyContract, BodyOf, ParamsOf, QueryOf } from '@florin/shared/contracts/contract.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import type { Once } from '../idempotency/once.ts';

/** Who is calling, already authenticated. */
export type ApiKeyCaller = {
  readonly kind: 'apiKey';
  readonly businessId: string;
  readonly apiKeyId: string;
  readonly permissions: ReadonlySet<Permission>;
};
export type DeviceCaller = { readonly kind: 'device'; readonly businessId: string; readonly terminalId: string };
export type AnyoneCaller = { readonly kind: 'anyone' };

/** By whom what a caller asks for is done. */
export function actorOf(caller: ApiKeyCaller): Extract<Actor, { kind: 'api_key' }>;
export function actorOf(caller: DeviceCaller): Extract<Actor, { kind: 'terminal' }>;
export function actorOf(caller: ApiKeyCaller | DeviceCaller): Actor;
export function actorOf(caller: ApiKeyCaller | DeviceCaller): Actor {
  switch (caller.kind) {
    case 'apiKey':
      return { kind: 'api_key', apiKeyId: caller.apiKeyId };
    case 'device':
      return { kind: 'terminal', terminalId: caller.terminalId };
  }
}

export type CallerOf<C extends AnyContract> = C['caller'] extends 'apiKey'
  ? ApiKeyCaller
  : C['caller'] extends 'device'
    ? DeviceCaller
    : C['caller'] extends 'anyone'
      ? AnyoneCaller
      : ApiKeyCaller | DeviceCaller | AnyoneCaller;

/** A refusal on its way to the one error shape. `problems.ts` of each domain maps its closed union to these. */
export type Refused = {
  readonly refused: {
    readonly status: number;
    readonly message: string;
    readonly metadata?: Readonly<Record<string, unknown>>;
  };
};

export type RouteRequest<C extends AnyContract> = {
  readonly caller: CallerOf<C>;
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly requestId: string;
  /** Present when the contract is idempotent and the caller sent a key. */
  readonly once?: Once;
};

export type Handler<C extends AnyContract> = (request: RouteRequest<C>) => Promise<AnswerOf<C> | Refused>;
export type Route = {
  readonly contract: AnyContract;
  readonly handler: Handler<AnyContract>;
  /** Whether the flow behind the handler calls `once` in its own transactions; where not, the server does it around it. */
  readonly flowKeepsOnce: boolean;
};

/**
 * Binds a contract to what serves it. The server parses, authenticates, authorises and answers; a handler translates.
 * A flow that moves money or creates something takes `once` into its own transactions and says so here: then no crash
 * can part what it did from the answer stored for its Idempotency-Key.
 */
export function route<const C extends AnyContract>(
  contract: C,
  handler: Handler<C>,
  options: { readonly flowKeepsOnce?: boolean } = {},
): Route {
  return {
    contract,
    handler: handler as unknown as Handler<AnyContract>,
    flowKeepsOnce: options.flowKeepsOnce ?? false,
  };
}

/** An answer with its status, typed so that a handler's branches add up to what the contract allows. */
export function answer<const Status extends number, Body>(status: Status, body: Body): { status: Status; body: Body } {
  return { status, body };
}

/** Stands in for the answer of the run that has an idempotent call; the server sends that one's. */
export const servedElsewhere = () =>
  refused(409, 'This call is being served already', { reason: 'idempotency_in_progress' });

/** A refusal, on its way to the one error shape. `reason` is the stable word a caller's program acts on. */
export function refused(
  status: number,
  message: string,
  metadata?: Readonly<Record<string, unknown>> & { readonly reason?: string },
): Refused {
  return { refused: metadata ? { status, message, metadata } : { status, message } };
}
