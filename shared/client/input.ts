import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { z } from 'zod';

/** The input of a call, as its contract types it. */
export type InputOf<C extends AnyContract> = Given<'params', z.input<C['params']>> &
  Given<'query', z.input<C['query']>> &
  Given<'body', z.input<C['body']>>;
type Given<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : Record<string, never> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value };

/** The same for an operation that is not known at compile time. */
export type Input = {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
};

/** The URL of an operation, with its parameters filled in. */
export function urlOf(baseUrl: string, path: string, { params = {}, query = {} }: Input): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `${baseUrl.replace(/\/+$/, '')}${filled}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}
