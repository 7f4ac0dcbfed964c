import type { Clock, Ids } from '@florin/shared/ports.ts';
import type { Database } from '../database/database.ts';
import type { Module } from '../module.ts';
import { staffLogRoutes } from './routes.ts';
import { type AuditService, auditService } from './service.ts';
import { type AuditLog, type AuditStore, auditLog, auditStore } from './store.ts';

export type AuditPorts = { readonly database: Database; readonly clock: Clock; readonly ids: Ids };

export function auditModule(ports: AuditPorts): Module<AuditLog & AuditStore & AuditService> {
  const store = auditStore(ports.database);
  const service = { ...auditLog(ports), ...store, ...auditService({ ...ports, store }) };
  return { service, routes: staffLogRoutes(service), jobs: [] };
}
