import type { Module } from '../module.ts';
import { type BusinessOptions, type BusinessService, businessService } from './service.ts';

export function businessesModule(ports: BusinessOptions): Module<BusinessService> {
  return { service: businessService(ports), routes: [], jobs: [] };
}
