import type { Module } from '../../foundation/module.ts';
import { businessRoutes } from './routes.ts';
import { type BusinessOptions, type BusinessService, businessService } from './service.ts';

/** Businesses and their settings, which owners and operators change. */
export function businessesModule(ports: BusinessOptions): Module<BusinessService> {
  const service = businessService(ports);
  return { service, routes: businessRoutes(service.settings), jobs: [] };
}
