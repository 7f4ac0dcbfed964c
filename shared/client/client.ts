import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { apiOperations, kioskOperations } from '@florin/shared/contracts/operations.ts';
import type { Answer } from './answer.ts';
import { type CallOptions, type Connection, callOperation } from './call.ts';
import type { Input, InputOf } from './input.ts';
import { platform } from './platform/platform.ts';
import type { Ports } from './ports.ts';
import { followEvents, type StreamContract, type StreamEventOf, type StreamOptions } from './stream.ts';

export type ClientOptions = {
  /** The base URL of the service, such as `https://payments.example`. */
  readonly baseUrl: string;
  /** The timeout of one attempt; 60 s by default. */
  readonly timeoutMs?: number;
  /** The number of attempts for a call that is safe to repeat; 4 by default. */
  readonly maxAttempts?: number;
  readonly ports?: Partial<Ports>;
};

/** One method per operation of a set, by the operation's name. */
type Client<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends AnyContract ? Method<Operations[Name]> : never;
};
type Method<C extends AnyContract> = C extends StreamContract
  ? (input: InputOf<C>, options?: StreamOptions) => AsyncGenerator<StreamEventOf<C>, void, void>
  : CallMethod<C>;
type CallMethod<C extends AnyContract> =
  Record<string, never> extends InputOf<C>
    ? (input?: InputOf<C>, options?: CallOptions) => Promise<Answer<C>>
    : (input: InputOf<C>, options?: CallOptions) => Promise<Answer<C>>;

export type FlorinClient = Client<typeof apiOperations>;
export type KioskClient = Client<typeof kioskOperations>;

/** A client of the main API (`/api/v1`). Keep its key on a server; never put it in a page or an app. */
export function createClient({ apiKey, ...options }: ClientOptions & { readonly apiKey: string }): FlorinClient {
  return clientOf(apiOperations, connectionOf(options, { authorization: `Bearer ${apiKey}` }));
}

/** A client of the kiosk API (`/kiosk/v1`), for Node.js and browsers. */
export function createKioskClient({
  kioskKey,
  ...options
}: ClientOptions & { readonly kioskKey: string }): KioskClient {
  return clientOf(kioskOperations, connectionOf(options, { 'x-api-key': kioskKey }));
}

/** How a client reaches the service. */
export function connectionOf(
  { baseUrl, timeoutMs = 60_000, maxAttempts = 4, ports }: ClientOptions,
  headers: Readonly<Record<string, string>>,
): Connection {
  return { baseUrl, headers, timeoutMs, maxAttempts, ports: { ...platform, ...ports } };
}

function clientOf<Operations extends object>(operations: Operations, connection: Connection): Client<Operations> {
  const methods = Object.entries(operations).map(([name, operation]: [string, AnyContract]) => [
    name,
    operation.responses[200]?.kind === 'eventStream'
      ? (input: Input, options: StreamOptions = {}) => followEvents(operation, input, connection, options)
      : (input: Input = {}, options?: CallOptions) => callOperation(operation, input, connection, options),
  ]);
  return Object.fromEntries(methods) as Client<Operations>;
}
