import type { Module } from '../../foundation/module.ts';
import { tipPageRoutes } from './routes.ts';

/** The page of a tip link. The rules are in tip-links. */
export function tipPageModule(ports: Parameters<typeof tipPageRoutes>[0]): Module<undefined> {
  return { service: undefined, routes: tipPageRoutes(ports), jobs: [] };
}
