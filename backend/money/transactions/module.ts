import type { Database } from '../../foundation/database/database.ts';
import type { Module } from '../../foundation/module.ts';
import { transactionRoutes } from './routes.ts';
import { type TransactionService, transactionService } from './service.ts';

/** The movements of money of all payments and refunds, read over the API; it writes nothing. */
export function transactionsModule(ports: { database: Database }): Module<TransactionService> {
  const service = transactionService(ports);
  return { service, routes: transactionRoutes(service), jobs: [] };
}
