import type { IncomingMessage } from 'node:http';
import type { Scheme } from '@florin/shared/contracts/contract.ts';
import type { CredentialUse } from '../secret.ts';
import type {
  AnyCaller,
  ApiKeyCaller,
  KioskCaller,
  PortalCaller,
  PortalUserCaller,
  TerminalCaller,
} from './callers.ts';
import type { Problem } from './problems.ts';

/** Whose API key it is. */
export type KeyOwner = Pick<ApiKeyCaller, 'businessId' | 'apiKeyId'>;

/** One authentication scheme. */
export type Authenticator<Caller extends AnyCaller = AnyCaller> = {
  /** The credential's name in messages. */
  readonly credential: string;
  /** Where it is sent, for messages. */
  readonly howToSend: string;
  /** Sent back with a 401 (WWW-Authenticate). */
  readonly challenge: string;
  /** What the request carries of it: undefined where nothing of the kind, null where it is malformed. */
  read(request: IncomingMessage): string | null | undefined;
  /**
   * The caller of a credential; undefined if it is unknown, revoked, expired or removed. Read at every request and
   * never cached, so that a revocation takes effect with the next request in every process. `refused` for a valid
   * credential that is not good for this address, `ended` for an API key that was revoked or has expired.
   */
  find(
    credential: string,
    use: CredentialUse,
    request: IncomingMessage,
  ): Promise<Caller | { readonly refused: Problem } | { readonly ended: KeyOwner } | undefined>;
};

/** Authenticators by scheme. `none` and `signedCallback` need none. */
export type Authenticators = {
  readonly apiKey?: Authenticator<ApiKeyCaller>;
  readonly deviceToken?: Authenticator<TerminalCaller>;
  readonly kioskKey?: Authenticator<KioskCaller>;
  readonly portalSession?: Authenticator<PortalCaller>;
  readonly portalUser?: Authenticator<PortalUserCaller>;
};

export type Authenticated =
  | { readonly ok: true; readonly caller: AnyCaller }
  | { readonly ok: false; readonly problem: Problem; readonly challenge: string; readonly ended?: KeyOwner };

type Refusal = Extract<Authenticated, { readonly ok: false }>;

/** Who is calling by the first of these schemes that the request has credentials for, or 401. */
export async function authenticate(
  request: IncomingMessage,
  schemes: readonly Scheme[],
  authenticators: Authenticators,
  use: CredentialUse = 'request',
): Promise<Authenticated> {
  let refusal: Authenticated | undefined;
  for (const scheme of schemes) {
    // Invalid credentials are refused even where none are needed, because the caller expects to be identified.
    if (scheme === 'none') return refusal ?? { ok: true, caller: { kind: scheme } };
    if (scheme === 'signedCallback')
      return refusal ?? { ok: true, caller: { kind: scheme, headers: headersOf(request) } };
    const authenticator = authenticators[scheme];
    if (!authenticator) throw new Error(`nothing authenticates callers by ${scheme}`);
    const found = await authenticateBy(authenticator, request, use);
    if (found?.ok) return found;
    refusal ??= found;
  }
  return refusal ?? missingCredential(schemes, authenticators);
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Undefined where the request carries no credential of this kind. */
async function authenticateBy(
  authenticator: Authenticator,
  request: IncomingMessage,
  use: CredentialUse,
): Promise<Authenticated | undefined> {
  const { credential: name, howToSend } = authenticator;
  const credential = authenticator.read(request);
  if (credential === undefined) return undefined;
  if (credential === null) return unauthorised(authenticator, `The ${name} is malformed: send ${howToSend}`);
  const caller = await authenticator.find(credential, use, request);
  if (caller && 'refused' in caller) return { ok: false, problem: caller.refused, challenge: authenticator.challenge };
  const unknown = unauthorised(authenticator, `The ${name} is unknown, revoked or expired`);
  if (caller && 'ended' in caller) return { ...unknown, ended: caller.ended };
  return caller ? { ok: true, caller } : unknown;
}

function missingCredential(schemes: readonly Scheme[], authenticators: Authenticators): Authenticated {
  const accepted = schemes.flatMap(scheme => authenticators[scheme as keyof Authenticators] ?? []);
  const [first] = accepted;
  if (!first) throw new Error('an operation has no authentication');
  const names = accepted.map(({ credential }) => credential).join(' or ');
  const ways = accepted.map(({ howToSend }) => howToSend).join(' or ');
  return unauthorised(first, `The ${names} is missing: send ${ways}`);
}

function unauthorised({ challenge }: Pick<Authenticator, 'challenge'>, message: string): Refusal {
  return { ok: false, problem: { status: 401, message }, challenge };
}

/** A cookie that the service set, which browsers send by themselves. */
export function cookieAuthenticator<Caller extends AnyCaller>(
  cookie: string,
  find: Authenticator<Caller>['find'],
): Authenticator<Caller> {
  const read = ({ headers }: IncomingMessage) => cookieValue(headers.cookie, cookie);
  return { credential: 'session', howToSend: 'it by signing in', challenge: `Cookie name="${cookie}"`, read, find };
}

/** The first cookie of this name; undefined if there is none. */
function cookieValue(header: string | undefined, name: string): string | undefined {
  const found = header?.split(';').find(part => part.trimStart().startsWith(`${name}=`));
  return found?.slice(found.indexOf('=') + 1).trim();
}

/** Credentials sent as `Authorization: Bearer <token>`. */
export function bearerAuthenticator<Caller extends AnyCaller>(
  credential: string,
  find: Authenticator<Caller>['find'],
): Authenticator<Caller> {
  const howToSend = `Authorization: Bearer <${credential}>`;
  return { credential, howToSend, challenge: 'Bearer', read: bearerToken, find };
}

/** Credentials sent in a header of their own. */
export function headerAuthenticator<Caller extends AnyCaller>(
  credential: string,
  header: string,
  find: Authenticator<Caller>['find'],
): Authenticator<Caller> {
  const read = ({ headers: { [header]: value } }: IncomingMessage) =>
    value === undefined ? undefined : typeof value === 'string' && headerValue.test(value) ? value : null;
  return { credential, howToSend: `${header}: <${credential}>`, challenge: `ApiKey header="${header}"`, read, find };
}

const headerValue = /^[\x21-\x7e]{1,200}$/;
const bearer = /^bearer +([\x21-\x7e]{1,200}) *$/i;

function bearerToken({ headers: { authorization } }: IncomingMessage): string | null | undefined {
  return authorization === undefined ? undefined : (bearer.exec(authorization)?.[1] ?? null);
}

const credentialNames = /[?&](?:x-)?(?:api|access|auth|device|kiosk)?[-_]?(?:key|token|apikey|authorization)=/i;

/** Whether the address itself carries a credential, which servers and proxies on the way would write to their logs. */
export function credentialInAddress(url: string, credentialPrefixes: readonly string[]): boolean {
  const query = url.indexOf('?');
  if (query === -1) return false;
  return credentialNames.test(url.slice(query)) || credentialPrefixes.some(prefix => url.includes(prefix, query));
}
