import { z } from 'zod';

/** The permissions an API key can hold: code → [portal name, what it allows]. Specification: Authentication, Permissions. */
export const permissions = {
  'sales:read': ['View sales', 'Read sales and settlement history'],
  'bitcoin-backend:read': ['View Bitcoin backend', 'Read node and wallet configuration'],
  'bitcoin-backend:write': ['Manage Bitcoin backend', 'Change node and wallet configuration'],
  'take-payments:read': ['View payments', 'Read payments and hosted checkouts'],
  'take-payments:write': [
    'Take payments',
    'Create hosted checkouts, take payments, create and delete payment links, cancel and refund sales',
  ],
  'tip-links:read': ['View tip links', 'Read tip links'],
  'tip-links:write': ['Manage tip links', 'Create and delete tip links'],
  'refunds:write': ['Issue refunds', 'Issue refunds against sales (with take-payments:write, for kind REFUND)'],
  'withdraw:write': ['Withdraw funds', 'Move funds out of the balance'],
  'backup:read': ['View backup', 'Read wallet backup data'],
  'devices:read': ['View devices', 'Read enrolled terminals and settings'],
  'devices:write': ['Manage devices', 'Enrol, configure and remove terminals'],
  'team:read': ['View team', 'Read team members and roles'],
  'team:write': ['Manage team', 'Invite, edit and remove team members'],
  'api-keys:read': ['View API keys', 'List API keys'],
  'api-keys:write': ['Manage API keys', 'Create and revoke API keys'],
  'webhooks:read': ['View webhooks', 'List webhook endpoints and delivery history'],
  'webhooks:write': ['Manage webhooks', 'Create, edit and remove endpoints; rotate signing secrets'],
  'dashboard:write': ['Customise dashboard', 'Change the dashboard layout'],
  'ucp:verify': ['Verify UCP Lightning preimages', 'Verify Lightning payment preimages'],
  'notifications:write': ['Manage notification recipients', 'Manage who receives notifications'],
  'terminal-sales:read': ['View terminal sales', 'Read sales taken on a terminal'],
  'terminal-sales:write': ['Take terminal sales', 'Start, poll and cancel terminal sales'],
} as const satisfies Record<string, readonly [portalName: string, allows: string]>;

export type Permission = keyof typeof permissions;
export const permissionCodes = Object.keys(permissions) as [Permission, ...Permission[]];
export const permissionCode = z.enum(permissionCodes);

/** The permissions of each preset for new keys; CUSTOM has none. */
export const presets = {
  POINT_OF_SALE: ['devices:read', 'terminal-sales:read', 'terminal-sales:write'],
  ECOMMERCE: ['take-payments:read', 'take-payments:write', 'webhooks:read', 'webhooks:write'],
  REPORTING: ['sales:read', 'take-payments:read', 'terminal-sales:read', 'team:read', 'devices:read'],
  CUSTOM: [],
} as const satisfies Record<string, readonly Permission[]>;
export type Preset = keyof typeof presets;

/** All permissions of a key created with these. */
export function permissionsOfKey(key: { readonly preset: Preset; readonly permissions: readonly Permission[] }) {
  return [...new Set<Permission>([...presets[key.preset], ...key.permissions])].sort();
}

/** For schemas of new keys: a key without permissions is a mistake that would only show later as a 403. */
export const needsPermission = {
  path: ['permissions'],
  error: 'must have at least one permission, unless the preset has some',
};
