import type { Module } from '../../foundation/module.ts';
import { type BusinessOptions, type BusinessService, businessService } from './service.ts';

/** Businesses and their settings. It has no routes: operators change them by command. */
export function businessesModule(ports: BusinessOptions): Module<BusinessService> {
  return { service: businessService(ports), routes: [], jobs: [] };
}
