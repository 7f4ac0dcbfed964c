import type { Database } from '../database/database.ts';
import type { Module } from '../module.ts';
import { transactionRoutes } from './routes.ts';
import { type TransactionService, transactionService } from './service.ts';

export function transactionsModule(ports: { database: Database }): Module<TransactionService> {
  const service = transactionService(ports);
  return { service, routes: transactionRoutes(service), jobs: [] };
}
