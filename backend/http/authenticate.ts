import type { IncomingMessage } from 'node:http';
import type { Caller } from '@florin/shared/contracts/contract.ts';
import type { AnyoneCaller, ApiKeyCaller, DeviceCaller, Refused } from './route.ts';

/** Finds who a credential belongs to; undefined for one that is unknown, revoked, expired or removed. */
export type Credentials = {
  /** Asked at every request and never cached, so that a revocation holds from the next request on, in every process. */
  apiKey(key: string): Promise<ApiKeyCaller | undefined>;
  deviceToken(token: string): Promise<DeviceCaller | undefined>;
};

export type AnyCaller = ApiKeyCaller | DeviceCaller | AnyoneCaller;
export type Authenticated =
  | { readonly ok: true; readonly caller: AnyCaller }
  | { readonly ok: false; readonly refused: Refused['refused'] };

const anyone: Authenticated = { ok: true, caller: { kind: 'anyone' } };

/** Who is calling, or 401. Specification: Authentication, Main API. */
export async function authenticate(
  request: IncomingMessage,
  wanted: Caller,
  credentials: Credentials,
): Promise<Authenticated> {
  if (wanted === 'anyone') return anyone;
  if (wanted === 'kioskKey') throw new Error('no kiosk installation can be authenticated here');
  const what = wanted === 'apiKey' ? 'API key' : 'device token';
  const header = request.headers.authorization;
  if (header === undefined) return unauthorised(`The ${what} is missing: send Authorization: Bearer <${what}>`);
  const token = bearerToken(header);
  if (token === undefined) return unauthorised('The Authorization header is malformed: it must read Bearer <token>');
  const caller = wanted === 'apiKey' ? await credentials.apiKey(token) : await credentials.deviceToken(token);
  return caller ? { ok: true, caller } : unauthorised(`The ${what} is unknown, revoked or expired`);
}

const bearer = /^bearer +([\x21-\x7e]{1,200}) *$/i;

function bearerToken(header: string): string | undefined {
  return bearer.exec(header)?.[1];
}

function unauthorised(message: string): Authenticated {
  return { ok: false, refused: { status: 401, message } };
}

const credentialNames = /[?&](?:x-)?(?:api|access|auth|device|kiosk)?[-_]?(?:key|token|apikey|authorization)=/i;

/** Whether the address itself carries a credential, which servers and proxies on the way would write to their logs. */
export function credentialInAddress(url: string, keyPrefixes: readonly string[]): boolean {
  const query = url.indexOf('?');
  if (query === -1) return false;
  return credentialNames.test(url.slice(query)) || keyPrefixes.some(prefix => url.includes(prefix, query));
}
