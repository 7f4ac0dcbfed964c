import { type AnyContract, type PermissionRule, permissionsNeeded } from '@florin/shared/contracts/contract.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import { type BuiltInRole, builtInRoles } from '@florin/shared/roles.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { aBackend, type BackendWorld } from '../support/backend.ts';
import { isInPart } from '../support/part.ts';
import { aPortalUser, type PortalBrowser } from '../support/portal.ts';
import { inputSchema, sample, validBodies } from '../support/samples.ts';

/** What the portal serves of the API: all that a key may call. What ends or removes something comes last. */
const served = operations
  .filter(({ authentication }) => authentication.includes('apiKey') || authentication.includes('portalSession'))
  .filter(({ path }) => path.startsWith('/api/v1/'))
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

const isHeld = (rule: PermissionRule, held: readonly Permission[]) =>
  typeof rule === 'string' ? held.includes(rule) : rule.anyOf.some(permission => held.includes(permission));

describe('in the portal', () => {
  let world: BackendWorld;
  let businessId: string;
  let otherId: string;
  const until: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    const env = { RATE_LIMIT_PER_ADDRESS: '1000000', RATE_LIMIT_PER_KEY: '1000000' };
    world = await aBackend({ env, until });
    ({ id: businessId } = await world.aBusiness({ name: 'Harbour' }));
    ({ id: otherId } = await world.aBusiness({ name: 'Other' }));
    return async () => {
      for (const end of until.reverse()) await end();
    };
  });

  /** Calls the operation with input that its contract accepts, about records that do not exist. */
  function call(browser: PortalBrowser, contract: AnyContract, body: unknown, business = businessId) {
    const params = inputSchema(contract, 'params')?.properties ?? {};
    const { properties = {}, required = [] } = inputSchema(contract, 'query') ?? {};
    const query = new URLSearchParams(required.map(name => [name, String(sample(properties[name] ?? {}))])).toString();
    const path = contract.path
      .replace('/api/v1', `/portal/api/${business}`)
      .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(sample(params[name] ?? {}))));
    return browser.request(contract.method, query === '' ? path : `${path}?${query}`, body);
  }

  test.each(Object.keys(builtInRoles) as BuiltInRole[])('a member with the role %s may do what it says', async role => {
    const browser = await (await aPortalUser(world, businessId, role)).signIn();
    const held: readonly Permission[] = builtInRoles[role].permissions;
    const isAdmin = role === 'owner' || role === 'admin';
    for (const contract of served) {
      if (isStream(contract) || !isInPart(`${contract.name} ${role}`, 3)) continue;
      for (const body of validBodies(contract)) {
        const needed = permissionsNeeded(contract, contract.body.parse(body));
        const isAllowed = needed.every(rule => isHeld(rule, held)) && (contract.adminsOnly !== true || isAdmin);
        const { status, json } = await call(browser, contract, body);
        const { reason, missingPermissions } = metadataOf(json);
        const isRefused = status === 403 && (missingPermissions !== undefined || reason === 'admins_only');
        expect([role, contract.name, body, isRefused]).toEqual([role, contract.name, body, !isAllowed]);
        expect([contract.name, status]).not.toEqual([contract.name, 500]);
      }
    }
  });

  test('nothing of another business is found, whatever the role in the own one', async () => {
    const browser = await (await aPortalUser(world, businessId, 'owner')).signIn();
    for (const contract of served) {
      const { status, json } = await call(browser, contract, validBodies(contract)[0], otherId);
      expect([contract.name, status, metadataOf(json).reason]).toEqual([contract.name, 404, 'business_not_found']);
    }
  });
});

function isStream({ responses }: AnyContract): boolean {
  return Object.values(responses).some(response => response?.kind === 'eventStream' || response?.kind === 'file');
}

type Metadata = { readonly reason?: string; readonly missingPermissions?: readonly string[] };

function metadataOf(json: unknown): Metadata {
  return (json as { error?: { metadata?: Metadata } } | null)?.error?.metadata ?? {};
}
