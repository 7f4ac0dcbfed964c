import type { Module } from '../module.ts';
import { kioskKeyRoutes } from './routes.ts';
import { type KioskKeyService, kioskKeyService } from './service.ts';

export function kioskKeysModule(ports: Parameters<typeof kioskKeyService>[0]): Module<KioskKeyService> {
  const service = kioskKeyService(ports);
  return { service, routes: kioskKeyRoutes(service), jobs: [] };
}
