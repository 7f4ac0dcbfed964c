import type { Clock } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Module } from '../../foundation/module.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { settlementRoutes } from './routes.ts';
import { type SettlementService, settlementService } from './service.ts';

/** Daily sums per gateway account and currency, computed from the transactions on each read; it stores nothing. */
export function settlementsModule(ports: {
  database: Database;
  clock: Clock;
  businesses: BusinessService;
}): Module<SettlementService> {
  const service = settlementService(ports);
  return { service, routes: settlementRoutes(service), jobs: [] };
}
