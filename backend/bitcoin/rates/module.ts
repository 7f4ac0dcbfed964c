import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Module } from '../../foundation/module.ts';
import { type RateSettings, type Rates, rateService } from './service.ts';
import type { RateSource } from './source.ts';

/** Bitcoin prices from several sources, cached in the memory of the process; it has no routes and no jobs. */
export function ratesModule(ports: {
  readonly sources: readonly RateSource[];
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: RateSettings;
}): Module<Rates> {
  return { service: rateService(ports), routes: [], jobs: [] };
}
