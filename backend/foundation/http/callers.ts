import { type Actor, actorReference, type MerchantActor } from '@florin/shared/actor.ts';
import type { AnyContract, Scheme } from '@florin/shared/contracts/contract.ts';
import type { Permission } from '@florin/shared/permissions.ts';

/** Who is calling, already authenticated; `kind` is the scheme they used. */
export type ApiKeyCaller = {
  readonly kind: 'apiKey';
  readonly businessId: string;
  readonly apiKeyId: string;
  readonly permissions: ReadonlySet<Permission>;
};
export type TerminalCaller = {
  readonly kind: 'deviceToken';
  readonly businessId: string;
  readonly terminalId: string;
  /** The terminal as which this machine was first enrolled: names its requests across enrolments. */
  readonly machineId: string;
};
export type KioskCaller = {
  readonly kind: 'kioskKey';
  readonly businessId: string;
  readonly kioskKeyId: string;
  /** The installation's display name. */
  readonly name: string;
  readonly terminalIds: ReadonlySet<string>;
};
export type PortalCaller = {
  readonly kind: 'portalSession';
  readonly businessId: string;
  readonly portalUserId: string;
  readonly sessionId: string;
  readonly permissions: ReadonlySet<Permission>;
  /** An owner or administrator of the business. */
  readonly isAdmin: boolean;
  /** Has confirmed their password or passkey within the last minutes. */
  readonly isSteppedUp: boolean;
};
/** A signed-in user of the portal, whatever businesses they belong to. */
export type PortalUserCaller = Omit<PortalCaller, 'kind' | 'businessId' | 'permissions' | 'isAdmin'> & {
  readonly kind: 'portalUser';
};
/** A business's own software or people: an operation that takes an API key also serves the portal. */
export type MerchantCaller = ApiKeyCaller | PortalCaller;
/** Another system: what it signed, in its body or its headers, is verified by the operation, which knows whose key it must be. */
export type CallbackCaller = {
  readonly kind: 'signedCallback';
  /** By lower-case name; values of one that came more than once are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
};
export type AnonymousCaller = { readonly kind: 'none' };

export type AnyCaller =
  | ApiKeyCaller
  | TerminalCaller
  | KioskCaller
  | PortalCaller
  | PortalUserCaller
  | CallbackCaller
  | AnonymousCaller;

/** Callers that belong to a business. */
export type KnownCaller = Extract<AnyCaller, { readonly businessId: string }>;

/** Callers that a contract's authentication lets through. */
export type CallerOf<C extends AnyContract> = CallerBy<C['authentication'][number]>;
type CallerBy<S extends Scheme> = S extends 'apiKey' ? MerchantCaller : Extract<AnyCaller, { readonly kind: S }>;

/** Under which a caller's requests are counted and found in the log; undefined for callers known by their address alone. */
export function callerId(caller: AnyCaller): string | undefined {
  switch (caller.kind) {
    case 'apiKey':
      return caller.apiKeyId;
    case 'deviceToken':
      return caller.terminalId;
    case 'kioskKey':
      return caller.kioskKeyId;
    case 'portalSession':
    case 'portalUser':
      return caller.portalUserId;
    case 'signedCallback':
    case 'none':
      return undefined;
  }
}

/** The actor of a caller's requests. */
export function actorOf(caller: MerchantCaller): MerchantActor;
export function actorOf(caller: TerminalCaller): Extract<Actor, { kind: 'terminal' }>;
export function actorOf(caller: KnownCaller): Actor;
export function actorOf(caller: KnownCaller): Actor {
  switch (caller.kind) {
    case 'apiKey':
      return { kind: 'api_key', apiKeyId: caller.apiKeyId };
    case 'deviceToken':
      return { kind: 'terminal', terminalId: caller.terminalId };
    case 'kioskKey':
      return { kind: 'kiosk_key', kioskKeyId: caller.kioskKeyId };
    case 'portalSession':
      return { kind: 'portal_user', portalUserId: caller.portalUserId };
  }
}

/** The caller as written to the log. */
export function callerFacts(caller: AnyCaller): Readonly<Record<string, unknown>> {
  return 'businessId' in caller ? { businessId: caller.businessId, by: actorReference(actorOf(caller)) } : {};
}
