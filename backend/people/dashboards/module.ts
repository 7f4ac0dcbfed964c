import type { Module } from '../../foundation/module.ts';
import { type DashboardOptions, dashboardRoutes } from './routes.ts';

/** How each user of the portal has arranged the overview. */
export function dashboardsModule(ports: DashboardOptions): Module<undefined> {
  return { service: undefined, routes: dashboardRoutes(ports), jobs: [] };
}
