import type { Clock, Ids, Log, Random, SteadyClock } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Module } from '../../foundation/module.ts';
import type { AuditLog } from '../audit/log.ts';
import { type StaffChecks, staffChecks } from './authorisation.ts';
import { staffExceptionReader } from './exceptions.ts';
import type { LockoutSettings } from './lockout.ts';
import { type OfflineChecks, offlineChecks } from './offline-checks.ts';
import type { DerivePassword } from './password.ts';
import { staffRoutes } from './routes.ts';
import { type StaffService, type StaffSettings, staffService } from './service.ts';

export type StaffPorts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly steadyClock: SteadyClock;
  readonly log: Log;
  readonly random: Random;
  readonly ids: Ids;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly derivePassword: DerivePassword;
  readonly lockout: LockoutSettings;
  readonly settings: StaffSettings;
};

const purgeEveryMs = 10 * 60_000;

/**
 * Staff, their management API, and the password checks that refunds, voids, password changes and mode changes require.
 */
export function staffModule(
  ports: StaffPorts,
): Module<StaffService & { readonly checks: StaffChecks & OfflineChecks }> {
  const checks = { ...staffChecks(ports), ...offlineChecks(ports) };
  const staff = staffService({ ...ports, checks });
  return {
    service: { ...staff, checks },
    routes: staffRoutes({ staff, clock: ports.clock, readExceptions: staffExceptionReader(ports) }),
    jobs: [{ name: 'nonce-purge', everyMs: purgeEveryMs, run: () => staff.deleteExpiredNonces() }],
  };
}
