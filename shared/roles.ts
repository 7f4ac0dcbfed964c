import { type Permission, permissionCodes } from './permissions.ts';

const without = (...held: Permission[]) => permissionCodes.filter(code => !held.includes(code));

/** The roles that every business has, with what they may do. A business may define more. */
export const builtInRoles = {
  owner: { name: 'Owner', permissions: permissionCodes },
  admin: { name: 'Administrator', permissions: without('withdraw:write', 'bitcoin-backend:write', 'backup:read') },
  manager: {
    name: 'Manager',
    permissions: [
      'sales:read',
      'take-payments:read',
      'take-payments:write',
      'refunds:write',
      'devices:read',
      'devices:write',
      'team:read',
      'team:write',
      'terminal-sales:read',
      'terminal-sales:write',
      'tip-links:read',
      'tip-links:write',
      'notifications:write',
      'dashboard:write',
    ],
  },
  cashier: {
    name: 'Cashier',
    permissions: ['sales:read', 'take-payments:read', 'terminal-sales:read', 'devices:read'],
  },
  developer: {
    name: 'Developer',
    permissions: [
      'api-keys:read',
      'api-keys:write',
      'webhooks:read',
      'webhooks:write',
      'devices:read',
      'take-payments:read',
      'sales:read',
      'ucp:verify',
    ],
  },
} as const satisfies Record<string, { readonly name: string; readonly permissions: readonly Permission[] }>;

export type BuiltInRole = keyof typeof builtInRoles;

/** Whether a role is one that every business has. */
export function isBuiltInRole(id: string): id is BuiltInRole {
  return Object.hasOwn(builtInRoles, id);
}
