import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { type Cancel, type Timers, wait } from '@florin/shared/ports.ts';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { traceHeaders } from '../context.ts';
import { type AddressPolicy, hostOf, mayConnectTo, urlProblem } from './address.ts';
import type { Outbound, PostResult } from './outbound.ts';

export type ResolvedAddress = { readonly address: string; readonly family: number };
/** Resolves all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

export type GuardOptions = {
  readonly policy: AddressPolicy;
  readonly timers: Timers;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve | undefined;
};

export type GuardedOutbound = Outbound & {
  /** Loads the HTTP client ahead of the first request. */
  prepare(): Promise<void>;
};

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

const resolvedWithinMs = 3_000;
const excerptBytes = 1_024;
const bodyWithinMs = 2_000;
const rememberedUrls = 1_000;

/**
 * HTTP to addresses given by merchants. The address is checked when connecting, and exactly that address is used, which
 * defeats DNS rebinding. Kept-alive connections stay with their checked address.
 */
export function guardedOutbound({ policy, timers, resolve = resolveBySystem }: GuardOptions): GuardedOutbound {
  let loading: Promise<Agent> | undefined;
  let agent: Agent | undefined;
  const targetOf = targets(policy);
  let isAborted = false;

  async function loaded(): Promise<Agent> {
    loading ??= load(policy, resolve);
    agent = await loading;
    return agent;
  }

  return {
    async problemWith(url) {
      const problem = urlProblem(url, policy);
      const parsed = URL.parse(url);
      if (problem !== undefined || parsed === null || isIP(hostOf(parsed)) !== 0) return problem;
      // A name that cannot be resolved now may resolve later; its address is checked again then.
      const given = resolve(parsed.hostname).catch(() => []);
      const late = new AbortController();
      const none = wait(timers, resolvedWithinMs, late.signal).then(() => []);
      const addresses = await Promise.race([given, none]);
      late.abort();
      const isPublic = addresses.every(({ address }) => mayConnectTo(address, policy));
      return isPublic ? undefined : 'must not lead to a private or internal address';
    },

    async post({ url, headers, body, timeoutMs }) {
      const target = targetOf(url);
      if ('problem' in target) return { kind: 'address_refused', reason: target.problem };
      const dispatcher = agent ?? (await loaded());
      if (isAborted) return { kind: 'aborted' };
      const { origin, path } = target;
      const result = await new Promise<PostResult>(done => {
        const request = { origin, path, method: 'POST', headers: { ...headers, ...traceHeaders() }, body } as const;
        dispatcher.dispatch(request, new Exchange(timers, timeoutMs, done));
      });
      // Ended by the end of its connection.
      return isAborted && result.kind === 'connection_failed' ? { kind: 'aborted' } : result;
    },

    abort() {
      isAborted = true;
      void loading?.then(loaded => loaded.destroy());
    },

    async prepare() {
      await loaded();
    },

    async close() {
      await (await loading)?.destroy();
    },
  };
}

async function resolveBySystem(name: string): Promise<readonly ResolvedAddress[]> {
  return systemLookup(name, { all: true });
}

/** Loaded lazily: undici would take a fifth of the service's start. */
async function load(policy: AddressPolicy, resolve: Resolve): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const connect = guardedConnector({ policy, resolve, build: buildConnector });
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
}

type Target = { readonly origin: string; readonly path: string };

/** Parsed URLs, cached because parsing takes as long as signing a request. */
function targets(policy: AddressPolicy): (url: string) => Target | { readonly problem: string } {
  const known = new Map<string, Target | { readonly problem: string }>();
  return text => {
    const found = known.get(text);
    if (found) return found;
    if (known.size === rememberedUrls) known.clear();
    const problem = urlProblem(text, policy);
    const { origin, pathname, search } = new URL(problem === undefined ? text : 'https://refused.invalid');
    const target = problem === undefined ? { origin, path: `${pathname}${search}` } : { problem };
    known.set(text, target);
    return target;
  };
}

/** Connects only to addresses that the policy permits. */
export function guardedConnector(options: {
  readonly policy: AddressPolicy;
  readonly resolve?: Resolve | undefined;
  readonly build: typeof buildConnector;
  /** PEM: the only trusted certificate or issuer. */
  readonly certificate?: string | undefined;
}): buildConnector.connector {
  const { policy, resolve = resolveBySystem, certificate } = options;
  const connector = options.build({
    lookup: guardedLookup(policy, resolve),
    timeout: 0,
    ...(certificate === undefined ? {} : { ca: certificate }),
  });
  return (target, done) => {
    // Node does no lookup for IP addresses.
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !mayConnectTo(host, policy)) return done(refused(host), null);
    connector(target, done);
  };
}

function refused(address: string): AddressRefused {
  return new AddressRefused(`${address} is a private or internal address`);
}

/** A lookup that fails if any address is not permitted. */
function guardedLookup(policy: AddressPolicy, resolve: Resolve): LookupFunction {
  const addressesOf = callbackify(async (name: string) => {
    const addresses = await resolve(name);
    const bad = addresses.find(({ address }) => !mayConnectTo(address, policy));
    if (bad) throw refused(bad.address);
    if (addresses.length === 0) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
    return addresses;
  });
  return (name, options, done) =>
    addressesOf(name, (error, addresses) => {
      if (error) done(error, '', 0);
      else if (options.all) done(null, [...addresses]);
      else for (const { address, family } of addresses.slice(0, 1)) done(null, address, family);
    });
}

/** One request, dispatched by undici itself, because its `request` doubles the cost of sending. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #timers: Timers;
  readonly #done: (result: PostResult) => void;
  readonly #beginning: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  #status: number | undefined;
  #connection: Dispatcher.DispatchController | undefined;
  #cancelTimeout: Cancel;

  constructor(timers: Timers, timeoutMs: number, done: (result: PostResult) => void) {
    this.#timers = timers;
    this.#done = done;
    this.#cancelTimeout = timers.after(timeoutMs, () => this.#cut({ kind: 'timeout' }));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#connection = controller;
    if (this.#isOver) controller.abort(noLongerWanted);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#status = status;
    // Most responses are over by then: what arrives with the head is read in the same turn.
    queueMicrotask(() => this.#limitBody(status));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#beginning.push(chunk);
    this.#bytes += chunk.length;
    if (this.#status !== undefined && this.#bytes >= excerptBytes) this.#cut(this.#answered(this.#status));
  }

  onResponseEnd(): void {
    if (this.#status !== undefined) this.#end(this.#answered(this.#status));
  }

  onResponseError(_: Dispatcher.DispatchController, error: unknown): void {
    this.#end(this.#status === undefined ? failure(error) : this.#answered(this.#status));
  }

  /** The status decides, however much of the body arrived. */
  #answered(status: number): PostResult {
    return { kind: 'response', status, excerpt: excerptOf(this.#beginning) };
  }

  /** A body has less time than its head. */
  #limitBody(status: number): void {
    if (this.#isOver) return;
    const cancelRequest = this.#cancelTimeout;
    const cancelBody = this.#timers.after(bodyWithinMs, () => this.#cut(this.#answered(status)));
    this.#cancelTimeout = () => {
      cancelRequest();
      cancelBody();
    };
  }

  #end(result: PostResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimeout();
    this.#done(result);
  }

  /** Ends the request at once; if there is no connection yet, nothing is sent later. */
  #cut(result: PostResult): void {
    this.#end(result);
    this.#connection?.abort(noLongerWanted);
  }
}

const noLongerWanted = new Error('the request is no longer wanted');

function excerptOf(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  return printable(Buffer.concat(chunks).subarray(0, excerptBytes).toString('utf8'));
}

/** Replaces characters that a database cannot store, and those that recolour a screen or turn the order of its text. */
function printable(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

function failure(error: unknown): PostResult {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const code = first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : 'unknown';
  if (first instanceof AddressRefused) return { kind: 'address_refused', reason: first.message };
  const isNotHttp = first instanceof Error && first.name === 'HTTPParserError';
  return { kind: 'connection_failed', reason: isNotHttp ? notHttp : (reasons[code] ?? code) };
}

const notHttp = 'the response was not valid HTTP';

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ETIMEDOUT: 'the connection could not be made in time',
  UND_ERR_SOCKET: 'the connection was closed before the response',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response were too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: notHttp,
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};
