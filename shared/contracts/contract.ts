import { z } from 'zod';
import type { Permission } from '../permissions.ts';

/** Who may call: an API key of a business, an enrolled terminal's token, a kiosk installation's key, or anyone. */
export type Caller = 'apiKey' | 'device' | 'kioskKey' | 'anyone';

/**
 * One operation of the HTTP interface. The server's validation, the types, the typed clients and the OpenAPI
 * description all come from this object; there is no endpoint without one.
 */
export type Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answers extends Record<number, z.ZodType> = Record<number, z.ZodType>,
  Who extends Caller = Caller,
> = {
  /** operationId: a verb and a noun, unique in the API. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI path, parameters in braces. */
  readonly path: string;
  readonly caller: Who;
  /** Permissions an API key needs, all of them. Some operations need more for some bodies; their description says so. */
  readonly permissions: readonly Permission[];
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** How the body is read: JSON unless told; `text` hands over the bytes as they came, for bodies that are signed. */
  readonly bodyFormat?: 'json' | 'text';
  readonly answers: Answers;
  /** Reasons of refusal (`metadata.reason`) by status, beyond 400, 401, 403, 404, 429 and 500. */
  readonly refusals?: Readonly<Record<number, readonly string[]>>;
  /** Whether the operation creates or moves something, so that an Idempotency-Key is honoured. */
  readonly idempotent?: boolean;
  /** Set where the operation rests on this project's own choice rather than on the specification. */
  readonly origin?: 'project';
};

export const nothing = z.undefined();

/** Declares an operation; what is left out takes nothing. */
export function contract<
  Answers extends Record<number, z.ZodType>,
  const Who extends Caller,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  options: Omit<Contract<Params, Query, Body, Answers, Who>, 'params' | 'query' | 'body' | 'permissions'> & {
    params?: Params;
    query?: Query;
    body?: Body;
    permissions?: readonly Permission[];
  },
): Contract<Params, Query, Body, Answers, Who> {
  return {
    permissions: [],
    ...options,
    params: options.params ?? (nothing as unknown as Params),
    query: options.query ?? (nothing as unknown as Query),
    body: options.body ?? (nothing as unknown as Body),
  };
}

export type AnyContract = Contract;
export type ParamsOf<C> =
  C extends Contract<infer P, z.ZodType, z.ZodType, Record<number, z.ZodType>> ? z.output<P> : never;
export type QueryOf<C> =
  C extends Contract<z.ZodType, infer Q, z.ZodType, Record<number, z.ZodType>> ? z.output<Q> : never;
export type BodyOf<C> =
  C extends Contract<z.ZodType, z.ZodType, infer B, Record<number, z.ZodType>> ? z.output<B> : never;
export type BodyInputOf<C> =
  C extends Contract<z.ZodType, z.ZodType, infer B, Record<number, z.ZodType>> ? z.input<B> : never;
export type AnswersOf<C> = C extends Contract<z.ZodType, z.ZodType, z.ZodType, infer A> ? A : never;
/** Every answer an operation may give: its status with the body of that status. */
export type AnswerOf<C> = {
  [Status in keyof AnswersOf<C> & number]: { readonly status: Status; readonly body: z.input<AnswersOf<C>[Status]> };
}[keyof AnswersOf<C> & number];

/** ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, milliseconds', example: '2026-11-21T09:30:00.000Z' });

export function id(prefix: string) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{6,64}$`), { error: `must be an id that starts with ${prefix}_` })
    .meta({ description: 'Opaque, sortable by time', example: `${prefix}_019a8f3e6b7c7d2e8a1b2c3d4e5f6071` });
}

/** `?limit=&cursor=` of every list; newest first. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  cursor: z.string().max(200).optional(),
});

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}
