import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { Request } from 'express';
import { addressGroup } from './address.ts';
import { type Authenticators, authenticate, credentialInAddress } from './authenticate.ts';
import { type AnyCaller, callerId } from './callers.ts';
import type { Exchange } from './exchange.ts';
import { lacking } from './portal.ts';
import type { Problem } from './problems.ts';
import type { Limiter, Limiters } from './rate-limits.ts';

export type AdmissionOptions = {
  readonly authenticators: Authenticators;
  readonly limiters: Limiters;
  /** Prefixes of our keys and tokens, which are refused in an address. */
  readonly credentialPrefixes: readonly string[];
  /** Called when a caller lacks a permission. */
  readonly onForbidden?: ((caller: AnyCaller, contract: AnyContract, problem: Problem) => void) | undefined;
};

/** Authentication, rate limits and permissions, in this order; undefined when an error was sent. */
export function admission(contract: AnyContract, options: AdmissionOptions) {
  const { authenticators, limiters, credentialPrefixes, onForbidden } = options;
  const perOperation = limiters.perOperation.get(contract.name);
  const perKey = contract.isCountedInProcess ? limiters.perKeyInProcess : limiters.perKey;

  return async (request: Request, exchange: Exchange): Promise<AnyCaller | undefined> => {
    if (credentialInAddress(request.originalUrl, credentialPrefixes)) {
      if (!(await isAllowed(exchange, limiters.perAddress, addressOf(request)))) return undefined;
      const message = 'A key or token must be sent in a header, never in the address';
      exchange.refuse({ status: 401, message }, ['WWW-Authenticate', 'Bearer']);
      return undefined;
    }
    const found = await authenticate(request, contract.authentication, authenticators);
    const id = found.ok ? callerId(found.caller) : undefined;
    if (found.ok) exchange.identify(found.caller);
    // An operation's own limit takes the place of the one for callers known by their address alone.
    const general = id === undefined ? (found.ok && perOperation ? undefined : limiters.perAddress) : perKey;
    for (const limiter of [general, found.ok ? perOperation : undefined]) {
      if (limiter && !(await isAllowed(exchange, limiter, id ?? addressOf(request)))) return undefined;
    }
    if (!found.ok) {
      if (found.ended) exchange.attribute(found.ended);
      exchange.refuse(found.problem, ['WWW-Authenticate', found.challenge]);
      return undefined;
    }
    const forbidden = lacking(found.caller, contract.permissions);
    if (!forbidden) return found.caller;
    exchange.refuse(forbidden);
    onForbidden?.(found.caller, contract, forbidden);
    return undefined;
  };
}

/** Counts the request against a limit; false when 429 was sent. */
export async function isAllowed(exchange: Exchange, limiter: Limiter, who: string): Promise<boolean> {
  const { allowed, isFirstRefused, retryAfterSeconds, headers } = await limiter(who);
  exchange.addHeaders(headers);
  if (isFirstRefused) exchange.warn({ who }, 'a rate limit was reached');
  if (!allowed) {
    const message = `Too many requests: try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
    exchange.refuse({ status: 429, message, metadata: { retryAfterSeconds } });
  }
  return allowed;
}

/** The rate limit key of a caller without credentials. */
export function addressOf(request: Request): string {
  return addressGroup(request.ip ?? '');
}
