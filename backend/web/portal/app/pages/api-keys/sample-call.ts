import type { Permission } from '@florin/shared/permissions.ts';

/** Lists that can be read with one permission and nothing else, the most telling ones first. */
export const sampleLists: readonly (readonly [Permission, path: string])[] = [
  ['sales:read', '/api/v1/transactions'],
  ['take-payments:read', '/api/v1/payments'],
  ['devices:read', '/api/v1/devices'],
  ['webhooks:read', '/api/v1/webhooks'],
  ['team:read', '/api/v1/staff'],
  ['tip-links:read', '/api/v1/tip-links'],
  ['api-keys:read', '/api/v1/api-keys'],
  ['notifications:write', '/api/v1/notification-recipients'],
];

/** The path of a list that a key with these permissions may read, if there is one. */
export function samplePathFor(permissions: readonly Permission[]): string | undefined {
  return sampleLists.find(([permission]) => permissions.includes(permission))?.[1];
}
