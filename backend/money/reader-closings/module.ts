import { type Clock, type Ids, idPrefixes, type Log } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Module } from '../../foundation/module.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { readerComparisons } from './comparison.ts';
import { closingsConsumer } from './consumer.ts';
import { readerClosingRoutes } from './routes.ts';
import { type ReaderClosingService, readerClosingService } from './service.ts';

/** Ends of day of readers that authorise by themselves, compared with the records of what they took and returned. */
export function readerClosingsModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly discrepancies: Discrepancies;
}): Module<ReaderClosingService> {
  const { discrepancies, ids } = ports;
  const comparisons = readerComparisons({ discrepancies, nextId: () => ids.next(idPrefixes.discrepancy) });
  const service = readerClosingService({ ...ports, comparisons });
  return { service, routes: readerClosingRoutes(service), jobs: [], consumers: [closingsConsumer(comparisons)] };
}
