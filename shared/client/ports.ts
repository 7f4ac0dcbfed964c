import type { Clock, Random, Timers } from '@florin/shared/ports.ts';

/** The part of `fetch` that the client uses; the platform's own `fetch` satisfies it. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;
export type FetchRequest = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Redirects are not followed, because the key must not reach another host. */
  readonly redirect: 'error';
};
export type FetchResponse = {
  readonly status: number;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
};

/** What the client needs from its environment. */
export type Ports = {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
};
