import type { Module } from '../../foundation/module.ts';
import { apiKeyAuthenticators, apiKeyRoutes } from './routes.ts';
import { type ApiKeyOptions, type ApiKeyService, apiKeyPrefix, apiKeyService } from './service.ts';

/** API keys with their management API; authenticates the `apiKey` scheme for all modules. */
export function apiKeysModule(ports: ApiKeyOptions): Module<ApiKeyService> {
  const service = apiKeyService(ports);
  return {
    service,
    routes: apiKeyRoutes(service),
    jobs: [],
    authenticators: apiKeyAuthenticators(service),
    credentialPrefix: apiKeyPrefix(ports.brand),
  };
}
