import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { ChangeLog } from '../businesses/change-log.ts';

/** One entry for a user and an operation within this time says enough. */
const quietMs = 10 * 60_000;
const maxKnown = 10_000;

export type PermissionRefusal = {
  readonly businessId: string;
  readonly portalUserId: string;
  readonly operation: { readonly name: string; readonly summary: string };
  readonly missingPermissions: unknown;
};

/** Records in the audit log that a user of the portal asked for what their role does not allow. */
export function permissionRefusals(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly changes: ChangeLog;
}) {
  const { database, clock, log, changes } = options;
  const recordedAt = new Map<string, Instant>();

  return ({ businessId, portalUserId, operation, missingPermissions }: PermissionRefusal): void => {
    const key = `${businessId} ${portalUserId} ${operation.name}`;
    const now = clock.now();
    if ((recordedAt.get(key) ?? 0) > now - quietMs) return;
    if (recordedAt.size >= maxKnown) recordedAt.clear();
    recordedAt.set(key, now);
    const detail = { operation: operation.summary, missingPermissions };
    const by = { kind: 'portal_user', portalUserId } as const;
    database
      .write(tx => changes.append(tx, { businessId, kind: 'permission_refused', by, detail }))
      .catch((error: unknown) => log.warn({ businessId, portalUserId, err: error }, 'a refusal was not recorded'));
  };
}
