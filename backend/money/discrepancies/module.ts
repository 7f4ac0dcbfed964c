import type { Clock, Ids } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Module } from '../../foundation/module.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import type { SaleEndings } from '../payments/completion.ts';
import { type Discrepancies, discrepancies } from './discrepancies.ts';
import { discrepancyRoutes } from './routes.ts';
import { type DiscrepancyService, discrepancyService } from './service.ts';

/** Discrepancies: raised and closed by other modules, and resolved by a person over the API. */
export function discrepanciesModule(ports: {
  database: Database;
  clock: Clock;
  ids: Ids;
  events: Events;
  audit: AuditLog;
  endings: () => SaleEndings;
}): Module<Discrepancies & DiscrepancyService> {
  const raised = discrepancies(ports);
  const service = discrepancyService({ ...ports, discrepancies: raised });
  return { service: { ...raised, ...service }, routes: discrepancyRoutes(service), jobs: [] };
}
