import type { Module } from '../module.ts';
import { type Idempotency, type IdempotencyOptions, idempotencyService } from './service.ts';

const purgeEveryMs = 10 * 60_000;

/** Stored responses by Idempotency-Key for the HTTP server, and the job that deletes them after their retention. */
export function idempotencyModule(ports: IdempotencyOptions): Module<Idempotency> {
  const service = idempotencyService(ports);
  const purge = { name: 'idempotency-purge', everyMs: purgeEveryMs, run: () => service.deleteExpired() };
  return { service, routes: [], jobs: [purge] };
}
