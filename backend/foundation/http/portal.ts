import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { Request } from 'express';
import type { AnyCaller } from './callers.ts';
import { missingPermissions, type Problem } from './problems.ts';
import type { Route } from './route.ts';

/** Where the portal calls the operations of the main API: the business is named, because a user may belong to several. */
const portalBase = '/portal/api/{businessId}';

const apiBase = '/api/v1';

/**
 * What the server serves of these routes. Each operation that takes an API key is also served to signed-in users of the
 * portal; one for the portal alone is served there only.
 */
export function withPortal(routes: readonly Route[]): Route[] {
  return routes.flatMap(route => {
    const { contract } = route;
    if (!contract.path.startsWith(`${apiBase}/`)) return [route];
    if (contract.authentication.includes('portalSession')) return [inPortal(route)];
    return contract.authentication.includes('apiKey') ? [route, inPortal(route)] : [route];
  });
}

function inPortal({ contract, ...rest }: Route): Route {
  const path = portalBase + contract.path.slice(apiBase.length);
  return {
    ...rest,
    contract: { ...contract, name: `${contract.name}InPortal`, path, authentication: ['portalSession'] },
  };
}

/** The parameters of a path that name records: the business of the portal is not one of them. */
export function recordPath(path: string): string {
  return path.replace(portalBase, '');
}

const portalApi = '/portal/api/';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origins of the portal's own page: that of the configured address. Where none is configured, that of the address it
 * listens on, and the names of this machine at the same port.
 */
export function ownOrigins(configured: string | undefined, listening: string): ReadonlySet<string> {
  if (configured !== undefined) return new Set([new URL(configured).origin]);
  const { origin, port } = new URL(listening);
  return new Set([origin, ...loopbackNames.map(name => new URL(`http://${name}:${port}`).origin)]);
}

/** Whether the portal's own page sent it: a person reads what it is answered. */
export function isOfPortal({ path }: Pick<Request, 'path'>): boolean {
  return path.startsWith(portalApi);
}

/**
 * Whether a request may not have been sent by the portal's own page. A browser sends the cookie of a session with every
 * request, so writes must come from our origin: as the browser reports it, or else by the configured address, because the
 * Host header is the caller's. Other programs have no business here and use a key.
 */
export function isFromElsewhereThanPortal(
  contract: AnyContract,
  request: Request,
  origins: ReadonlySet<string>,
): boolean {
  if (contract.method === 'GET' || !isOfPortal(contract)) return false;
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site !== 'same-origin';
  return !origins.has(request.get('Origin') ?? '');
}

/** 403 for a user of the portal who may not do this, or must first confirm who they are. */
export function portalRefusal(contract: AnyContract, caller: AnyCaller, body: unknown): Problem | undefined {
  if (caller.kind !== 'portalSession' && caller.kind !== 'portalUser') return undefined;
  if (contract.adminsOnly && !(caller.kind === 'portalSession' && caller.isAdmin)) return adminsOnly;
  const { stepUp } = contract;
  const isStepUpNeeded = stepUp === true || stepUp?.isNeeded(body) === true;
  return isStepUpNeeded && !caller.isSteppedUp ? stepUpRequired : undefined;
}

const adminsOnly: Problem = {
  status: 403,
  message: 'Only owners and administrators of the business may do this',
  metadata: { reason: 'admins_only' },
};

const stepUpRequired: Problem = {
  status: 403,
  message: 'Confirm your password or passkey first',
  metadata: { reason: 'step_up_required' },
};

/** 403 where the caller's scheme has permissions and these are not among them. */
export function lacking(caller: AnyCaller, needed: Parameters<typeof missingPermissions>[0]): Problem | undefined {
  if (!('permissions' in caller)) return undefined;
  const holder = caller.kind === 'apiKey' ? 'The API key' : 'Your role';
  return missingPermissions(needed, caller.permissions, holder);
}
