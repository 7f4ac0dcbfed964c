import type { Module } from '../module.ts';
import { apiKeyRoutes } from './routes.ts';
import { type ApiKeyOptions, type ApiKeyService, apiKeyService } from './service.ts';

export function apiKeysModule(ports: ApiKeyOptions): Module<ApiKeyService> {
  const service = apiKeyService(ports);
  return { service, routes: apiKeyRoutes(service), jobs: [] };
}
