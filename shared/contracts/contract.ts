import { z } from 'zod';
import type { Permission } from '../permissions.ts';
import { madeOnce } from './made-once.ts';
import type { JsonResponse, ResponseKind } from './responses.ts';

/**
 * How a caller authenticates. `portalSession`: a signed-in user of the portal, in a business they belong to; every
 * operation that takes an API key also takes it, under `/portal/api/{businessId}`. `portalUser`: the same session without
 * a business. `signedCallback`: the body is signed by another system and verified by the operation; `none`: no
 * authentication. An operation that lists `none` after another scheme also serves callers without credentials.
 */
export type Scheme = 'apiKey' | 'deviceToken' | 'kioskKey' | 'portalSession' | 'portalUser' | 'signedCallback' | 'none';

/** One permission, or any of several. */
export type PermissionRule = Permission | { readonly anyOf: readonly Permission[] };

/** Permissions that depend on the body, in addition to the general ones. */
export type BodyPermissions<Body = unknown> = {
  /** For the API description. */
  readonly description: string;
  of(body: Body): readonly PermissionRule[];
};

/** Always, or for some bodies. */
export type StepUp<Body = unknown> = true | { isNeeded(body: Body): boolean };

/**
 * Codes (`metadata.reason`) of the errors an operation may return, by status. Those of 404 begin with the records that the
 * path names, in its order.
 */
export type ErrorReasons = Readonly<Record<number, readonly string[]>>;
export type Responses = Readonly<Record<number, ResponseKind>>;

/**
 * An operation of the HTTP interface. The server's validation, the types, the typed clients, the OpenAPI description
 * and many tests derive from this object; every endpoint has one.
 */
export type Contract<
  Authentication extends readonly Scheme[] = readonly Scheme[],
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Success extends Responses = Responses,
  Errors extends ErrorReasons = ErrorReasons,
  Idempotent extends boolean = boolean,
> = {
  /** operationId: a verb and a noun, unique in the API. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI path, parameters in braces. */
  readonly path: string;
  /** The accepted schemes, tried in this order. */
  readonly authentication: Authentication;
  /** All of these are required of callers whose scheme has permissions. */
  readonly permissions: readonly PermissionRule[];
  readonly permissionsFor: BodyPermissions<z.output<Body>> | undefined;
  /**
   * Whether a user of the portal must have confirmed their password or passkey within the last minutes; or for which
   * bodies. API keys cannot, and need not.
   */
  readonly stepUp?: StepUp<z.output<Body>>;
  /** Of the users of the portal, only owners and administrators of the business may. */
  readonly adminsOnly?: true;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** How the body is parsed: JSON by default; `text` passes it unchanged, for signed bodies. */
  readonly bodyFormat?: 'json' | 'text';
  /** Limits of the body, if they differ from the service's setting. */
  readonly bodyLimits?: { readonly bytes: number; readonly fields: number };
  /** Set for forms of the service's own pages: browsers that send them from elsewhere are refused (403). */
  readonly isOwnForm?: true;
  readonly responses: Success;
  /**
   * The operation's own errors, without those common to all: invalid input (400), credentials (401), missing
   * permissions (403), rate limits (429) and failures of the service (500, 503).
   */
  readonly errors: Errors;
  /** Whether the operation creates or moves something, so that an Idempotency-Key is honoured. */
  readonly idempotent: Idempotent;
  /**
   * Whether a caller may have its records read from a replica (`Read-From: replica`), where they may be some seconds old: only
   * for lists and reports, which nobody decides about money on.
   */
  readonly mayBeStale?: true;
  /**
   * Whether each process counts its calls by itself towards the limit of a key or terminal: for what is called all the time
   * and costs less than a count that all processes share.
   */
  readonly isCountedInProcess?: true;
  /** The error format of another specification; default: the standard one. */
  readonly errorShape?: 'ucp' | 'lnurl';
  /** Set if the operation is this project's own design instead of the specification's. */
  readonly origin?: 'project';
};

type Optional = 'permissions' | 'permissionsFor' | 'params' | 'query' | 'body' | 'errors' | 'idempotent';

const nothing = z.undefined();

/** Declares an operation; omitted parts accept nothing. */
export function contract<
  const Authentication extends readonly Scheme[],
  Success extends Responses,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  const Errors extends ErrorReasons = Record<never, never>,
  const Idempotent extends boolean = false,
>(
  declared: Omit<Contract<Authentication, Params, Query, Body, Success, Errors, Idempotent>, Optional> &
    Partial<Pick<Contract<Authentication, Params, Query, Body, Success, Errors, Idempotent>, Optional>>,
): Contract<Authentication, Params, Query, Body, Success, Errors, Idempotent> {
  return {
    ...declared,
    permissions: declared.permissions ?? [],
    permissionsFor: declared.permissionsFor,
    params: declared.params ?? (nothing as unknown as Params),
    query: declared.query ?? (nothing as unknown as Query),
    body: declared.body ?? (nothing as unknown as Body),
    errors: declared.errors ?? ({} as Errors),
    idempotent: declared.idempotent ?? (false as Idempotent),
  };
}

export type AnyContract = Contract;

/** The names of a path's parameters, in its order. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

export type ParamsOf<C extends AnyContract> = z.output<C['params']>;
export type QueryOf<C extends AnyContract> = z.output<C['query']>;
export type BodyOf<C extends AnyContract> = z.output<C['body']>;
export type BodyInputOf<C extends AnyContract> = z.input<C['body']>;
/** Every success status of an operation. */
export type StatusOf<C extends AnyContract> = keyof C['responses'] & number;
/** The schema of a JSON response; never for other kinds. */
export type JsonSchemaOf<C extends AnyContract, Status extends StatusOf<C>> =
  C['responses'][Status] extends JsonResponse<infer Schema> ? Schema : never;

/** Every JSON response of an operation, as a client parses it. */
export type JsonResponseOf<C extends AnyContract> = {
  [Status in StatusOf<C>]: { readonly status: Status; readonly body: z.output<JsonSchemaOf<C, Status>> };
}[StatusOf<C>];

/** The schema of the response with this status, if it is JSON. */
export function jsonSchemaOf(contract: AnyContract, status: number): z.ZodType | undefined {
  const response = contract.responses[status];
  return response?.kind === 'json' ? response.schema : undefined;
}

/**
 * Whether an operation reads one record that callers poll. Its response has an ETag; a matching If-None-Match gets 304
 * without a body. Terminals keep their own records.
 */
export function isPolledRecord({
  method,
  path,
  responses,
}: Pick<AnyContract, 'method' | 'path' | 'responses'>): boolean {
  return method === 'GET' && path.endsWith('}') && !path.startsWith('/device/') && responses[200]?.kind === 'json';
}

/** Every permission a call with this body requires. */
export function permissionsNeeded(contract: AnyContract, body: unknown): readonly PermissionRule[] {
  return [...contract.permissions, ...(contract.permissionsFor?.of(body) ?? [])];
}

/** ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, milliseconds', example: '2026-11-21T09:30:00.000Z' });

export const id = madeOnce((prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{6,64}$`), { error: `must be an id that starts with ${prefix}_` })
    .meta({ description: 'Opaque, sortable by time', example: `${prefix}_019a8f3e6b7c7d2e8a1b2c3d4e5f6071` }),
);

/** A time given by a caller: milliseconds are optional, an offset is allowed. */
export const timeGiven = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      input === undefined ? 'is required' : 'must be an ISO 8601 time with its offset, such as 2026-11-21T09:30:00Z',
  })
  .meta({ description: 'ISO 8601', example: '2026-11-21T09:30:00Z' });

/** A body that changes some fields of a record, at least one. */
export function changesOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z
    .object(shape)
    .partial()
    .refine(body => Object.values(body).some(value => value !== undefined), {
      error: `must name at least one of ${names}`,
    });
}
