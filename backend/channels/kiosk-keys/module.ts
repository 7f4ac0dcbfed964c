import type { Module } from '../../foundation/module.ts';
import { kioskKeyAuthenticators, kioskKeyRoutes } from './routes.ts';
import { type KioskKeyService, kioskKeyPrefix, kioskKeyService } from './service.ts';

/** Kiosk keys with their management API; authenticates the `kioskKey` scheme for all modules. */
export function kioskKeysModule(ports: Parameters<typeof kioskKeyService>[0]): Module<KioskKeyService> {
  const service = kioskKeyService(ports);
  return {
    service,
    routes: kioskKeyRoutes(service),
    jobs: [],
    authenticators: kioskKeyAuthenticators(service),
    credentialPrefix: kioskKeyPrefix(ports.brand),
  };
}
