import type { Clock, Random, Timers } from '@florin/shared/ports.ts';

/** What the client takes of `fetch`; the platform's own fits. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;
export type FetchRequest = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** A key must not follow a redirect to another host. */
  readonly redirect: 'error';
};
export type FetchResponse = {
  readonly status: number;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
};

/** What the client takes from outside itself. */
export type Ports = {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
};
