import type { AnyContract, JsonResponseOf } from '@florin/shared/contracts/contract.ts';
import type { Problem } from '@florin/shared/contracts/problem.ts';
import { type Dispatcher, request } from 'undici';
import type { z } from 'zod';

type InputOf<C extends AnyContract> = Given<'params', z.input<C['params']>> &
  Given<'query', z.input<C['query']>> &
  Given<'body', z.input<C['body']>>;
type Given<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : Record<string, never> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value };

export type Answered<C extends AnyContract> = (
  | JsonResponseOf<C>
  | { readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503; readonly body: Problem }
) & { readonly headers: Readonly<Record<string, string>> };

export type CallOptions = {
  /** API key or device token. */
  readonly key?: string;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Client = {
  /** Calls one operation; whatever the service answers comes back as a value. */
  readonly call: <C extends AnyContract>(contract: C, input: InputOf<C>, options?: CallOptions) => Promise<Answered<C>>;
};

/** A typed client of the API, made from the same contracts the service is. */
export function clientOf(url: string, dispatcher?: Dispatcher): Client {
  return {
    async call(contract, input, options = {}) {
      const given = input as {
        params?: Record<string, string>;
        query?: Record<string, string | number | boolean | undefined>;
        body?: unknown;
      };
      const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(given.params?.[name] ?? ''),
      );
      const query = new URLSearchParams(
        Object.entries(given.query ?? {}).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)]],
        ),
      );
      const response = await request(`${url}${path}${query.size > 0 ? `?${query}` : ''}`, {
        method: contract.method,
        headers: {
          ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
          ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
          ...options.headers,
        },
        body: given.body === undefined ? null : JSON.stringify(given.body),
        ...(dispatcher ? { dispatcher } : {}),
      });
      const text = await response.body.text();
      return {
        status: response.statusCode,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
        headers: response.headers as Record<string, string>,
      } as Answered<typeof contract>;
    },
  };
}
