import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import type { AuditLog } from '../audit/log.ts';
import type { Database } from '../database/database.ts';
import type { Events } from '../events/announce.ts';
import type { Module } from '../module.ts';
import { saleEndings } from '../payments/completion.ts';
import { paymentTimeline } from '../payments/timeline.ts';
import { discrepancies } from './discrepancies.ts';
import { discrepancyRoutes } from './routes.ts';
import { type DiscrepancyService, discrepancyService } from './service.ts';

export function discrepanciesModule(ports: {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
  events: Events;
  audit: AuditLog;
}): Module<DiscrepancyService> {
  const timeline = paymentTimeline(ports);
  const options = { ...ports, timeline, discrepancies: discrepancies({ ...ports, timeline }) };
  const service = discrepancyService({ ...options, endings: saleEndings(options) });
  return { service, routes: discrepancyRoutes(service), jobs: [] };
}
