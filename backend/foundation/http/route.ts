import type {
  AnyContract,
  BodyOf,
  JsonSchemaOf,
  ParamsOf,
  QueryOf,
  StatusOf,
} from '@florin/shared/contracts/contract.ts';
import type {
  AssetResponse,
  EventSchemas,
  EventStreamResponse,
  FileResponse,
  JsonResponse,
  PageResponse,
  RedirectResponse,
  ResponseKind,
} from '@florin/shared/contracts/responses.ts';
import type { z } from 'zod';
import type { IdempotentCall } from '../idempotency/call.ts';
import type { CallerOf } from './callers.ts';

/** An event of a stream. `id` lets a caller who lost the connection go on after it (Last-Event-ID). */
export type StreamEvent<Events extends EventSchemas> = {
  [Name in keyof Events & string]: { readonly event: Name; readonly data: z.input<Events[Name]>; readonly id?: string };
}[keyof Events & string];

/** The events of a stream: as they come, and the last one, if the source knows it for the last, as what it returns. */
export type EventsOf<Events extends EventSchemas> = {
  readonly events: AsyncIterable<StreamEvent<Events>, StreamEvent<Events> | undefined>;
};

/** What a handler gives for each kind of response. */
export type ResponseBy<Status, Kind extends ResponseKind> = { readonly status: Status } & (Kind extends JsonResponse<
  infer Schema
>
  ? { readonly body: z.input<Schema>; readonly cookie?: string }
  : Kind extends EventStreamResponse<infer Events>
    ? EventsOf<Events>
    : Kind extends PageResponse
      ? PageContent
      : Kind extends RedirectResponse
        ? { readonly location: string }
        : Kind extends FileResponse
          ? { readonly content: Uint8Array | AsyncIterable<Uint8Array>; readonly fileName: string }
          : Kind extends AssetResponse
            ? AssetContent
            : never);

/** A page; without a policy of its own it may load only from the service's origin and may not be framed. */
export type PageContent = {
  readonly html: string;
  readonly contentSecurityPolicy?: string;
  /** Whether windows of other origins that it opens, or that opened it, are cut off from it. */
  readonly isIsolated?: boolean;
  /** Whether a browser may keep it for its reader; other pages are not kept at all. Search engines may not. */
  readonly isKept?: boolean;
};

/** An asset, and its compressed forms by content coding where it has any. */
export type AssetContent = {
  readonly content: string | Uint8Array;
  readonly compressed?: Readonly<Record<string, Uint8Array>>;
};

/** Every response an operation may succeed with. */
export type ResponseOf<C extends AnyContract> = {
  [Status in StatusOf<C>]: ResponseBy<Status, C['responses'][Status]>;
}[StatusOf<C>];

/** An error before it is formatted. `problems.ts` of each domain maps its closed union to these. */
export type ErrorResponse<Status extends number = number, Reason extends string = string> = {
  readonly error: {
    readonly status: Status;
    readonly message: string;
    readonly metadata: Readonly<Record<string, unknown>> & { readonly reason: Reason };
  };
};

/** A 400 for a rule that a schema cannot express, in the same form as schema errors; every operation may return it. */
export type InvalidInput = {
  readonly error: {
    readonly status: 400;
    readonly message: string;
    readonly metadata: { readonly issues: readonly { readonly path: string; readonly message: string }[] };
  };
};

/** The errors a contract declares. A handler that gives another one does not compile. */
export type ErrorOf<C extends AnyContract> = {
  [Status in keyof C['errors'] & number]: ErrorResponse<Status, C['errors'][Status][number]>;
}[keyof C['errors'] & number];

export type RouteRequest<C extends AnyContract> = {
  readonly caller: CallerOf<C>;
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly requestId: string;
  /** Where the request came from, behind proxies that are trusted. */
  remoteAddress(): string;
  /** The browser or program, as it names itself. */
  userAgent(): string;
  /** What the caller reads best, first (Accept-Language). */
  languages(): readonly string[];
  /** The value of a cookie, as it was sent. */
  cookie(name: string): string | undefined;
} & (C['idempotent'] extends true ? { readonly call: IdempotentCall } : unknown) &
  (Extract<C['responses'][StatusOf<C>], EventStreamResponse> extends never ? unknown : StreamRequest);

/** What the handler of an event stream receives besides its input. */
export type StreamRequest = {
  /** The last event the caller saw before it lost the connection (Last-Event-ID). */
  readonly lastEventId: string | null;
  /** The caller left, or the service is stopping. */
  readonly over: AbortSignal;
};

export type HandlerResult<C extends AnyContract> = ResponseOf<C> | ErrorOf<C> | InvalidInput;
export type Handler<C extends AnyContract> = (request: RouteRequest<C>) => Promise<HandlerResult<C>>;

/**
 * What a repetition of a 202 returns: the current state of the record it names. Required exactly where an idempotent
 * operation may return 202; `stored` is the body of the first response.
 */
export type CurrentResponse<C extends AnyContract> = (
  stored: z.output<JsonSchemaOf<C, 202 & StatusOf<C>>>,
  request: Pick<RouteRequest<C>, 'caller'>,
) => Promise<ResponseOf<C> | undefined>;

type RouteOptions<C extends AnyContract> = C['idempotent'] extends true
  ? 202 extends StatusOf<C>
    ? [options: { readonly current: CurrentResponse<C> }]
    : []
  : [];

export type Route = {
  readonly contract: AnyContract;
  readonly handler: (request: never) => Promise<AnyHandlerResult>;
  readonly current: ((stored: never, request: never) => Promise<AnyResponse | undefined>) | undefined;
};

/** A handler's result when its contract is no longer known to the types. */
export type AnyResponse = { readonly status: number; readonly body?: unknown; readonly cookie?: string };
export type AnyError = {
  readonly error: {
    readonly status: number;
    readonly message: string;
    readonly metadata?: Readonly<Record<string, unknown>>;
  };
};
export type AnyHandlerResult = AnyResponse | AnyError;

/** Binds a contract to what serves it. The server parses, authenticates, authorises and responds; a handler translates. */
export function route<const C extends AnyContract>(
  contract: C,
  handler: Handler<C>,
  ...[options]: RouteOptions<C>
): Route {
  return { contract, handler: handler as Route['handler'], current: options?.current as Route['current'] };
}

/** A JSON response with its status, typed so that a handler's branches add up to what the contract allows. */
export function respond<const Status extends number, Body>(status: Status, body: Body): { status: Status; body: Body } {
  return { status, body };
}

/** A JSON response that also sets a cookie. */
export function respondWithCookie<const Status extends number, Body>(status: Status, body: Body, cookie: string) {
  return { status, body, cookie };
}

/** The same for the other kinds of response. */
export function respondEvents<const Status extends number, Event>(
  status: Status,
  events: AsyncIterable<Event, Event | undefined>,
) {
  return { status, events };
}
/** An HTML page. */
export function respondPage<const Status extends number>(status: Status, html: string, contentSecurityPolicy?: string) {
  return { status, html, ...(contentSecurityPolicy === undefined ? {} : { contentSecurityPolicy }) };
}
/** A static file of a page, cached permanently by browsers: its address must change with its content. */
export function respondAsset<const Status extends number>(
  status: Status,
  content: string | Uint8Array,
  compressed: Readonly<Record<string, Uint8Array>> = {},
) {
  return { status, content, compressed };
}
/** A redirect with an empty body; `location` is sent as given and not checked. */
export function respondRedirect<const Status extends number>(status: Status, location: string) {
  return { status, location };
}
/** A download under this name. Content given as an iterable is streamed, so a file may be larger than memory. */
export function respondFile<const Status extends number>(
  status: Status,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  fileName: string,
) {
  return { status, content, fileName };
}

/** An error that the contract declares; `reason` is the stable code for the caller's program. */
export function fail<const Status extends number, const Reason extends string>(
  status: Status,
  reason: Reason,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): ErrorResponse<Status, Reason> {
  return { error: { status, message, metadata: { reason, ...facts } } };
}
