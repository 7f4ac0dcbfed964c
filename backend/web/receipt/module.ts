import type { Module } from '../../foundation/module.ts';
import { receiptPageRoutes } from './routes.ts';

/** The page of a receipt, and the one that checks signed receipts. What a receipt says is in money/receipts. */
export function receiptPageModule(ports: Parameters<typeof receiptPageRoutes>[0]): Module<undefined> {
  return { service: undefined, routes: receiptPageRoutes(ports), jobs: [] };
}
