import type { Clock, Ids, Log, Timers } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Module } from '../../foundation/module.ts';
import type { SecretsKeys } from '../../foundation/secrets/keys.ts';
import type { Sealing } from '../../foundation/secrets/service.ts';
import { type AuditLog, auditLog } from './log.ts';
import { auditRoutes, staffLogRoutes } from './routes.ts';
import { headSeal, sealedHeads } from './seal.ts';
import { type AuditService, auditService } from './service.ts';
import { auditVerification } from './verification.ts';

export type AuditPorts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly log: Log;
  readonly secrets: Sealing;
  /** The keys that seal chain heads; kept outside the database. */
  readonly secretsKeys: () => SecretsKeys;
};

/**
 * The audit log of every business: appending for the other modules, verification and export, and the routes of the
 * refund and void logs.
 */
export function auditModule(ports: AuditPorts): Module<AuditLog & AuditService> {
  const seal = headSeal(ports.secretsKeys);
  ports.secrets.add(sealedHeads(seal));
  const log = auditLog({ ...ports, seal });
  const service = { ...log, ...auditService({ ...ports, seal, auditLog: log }) };
  const verify = auditVerification({ ...ports, audit: service });
  return { service, routes: [...staffLogRoutes(service), ...auditRoutes(service, verify)], jobs: [] };
}
