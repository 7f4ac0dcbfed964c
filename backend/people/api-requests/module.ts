import type { Clock } from '@florin/shared/ports.ts';
import { pruningJob } from '../../foundation/jobs/pruning.ts';
import type { Module } from '../../foundation/module.ts';
import { apiRequestRoutes } from './routes.ts';
import { type ApiRequestOptions, type ApiRequestService, apiRequestService } from './service.ts';
import { deleteApiRequests } from './store.ts';

const retentionMs = 7 * 86_400_000;

/** The request log of API keys, and the job that deletes what is older than seven days. */
export function apiRequestsModule(ports: ApiRequestOptions & { readonly clock: Clock }): Module<ApiRequestService> {
  const service = apiRequestService(ports);
  const pruning = pruningJob('request-log-pruning', { ...ports, retentionMs }, (tx, options) =>
    tx.run(deleteApiRequests, options),
  );
  return { service, routes: apiRequestRoutes(service), jobs: [pruning], stop: service.stop };
}
