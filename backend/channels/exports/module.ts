import type { Leases } from '../../foundation/jobs/leases.ts';
import { pruningJob } from '../../foundation/jobs/pruning.ts';
import { rowLeases } from '../../foundation/jobs/row-leases.ts';
import type { Module } from '../../foundation/module.ts';
import { exportRoutes, listReader } from './routes.ts';
import { type Exports, exportBatch, exportService, keptForMs } from './service.ts';
import { deleteExpiredChunks, deleteExpiredExports, renewExportLeases } from './store.ts';

/** Files of whole lists, written in the background and kept for a day. */
export function exportsModule(
  ports: Omit<Parameters<typeof exportService>[0], 'readPage' | 'leases'> & {
    readonly leases: Leases;
    /** The operations of all modules. */
    readonly routes: Parameters<typeof listReader>[0];
    readonly everyMs: number;
  },
): Module<Exports> {
  const leases = rowLeases(ports, 'exports', renewExportLeases);
  const service = exportService({ ...ports, leases, readPage: listReader(ports.routes) });
  return {
    service,
    routes: exportRoutes(service),
    jobs: [
      { name: 'exports', everyMs: ports.everyMs, batch: exportBatch, run: () => service.run() },
      pruningJob('export-pruning', { ...ports, retentionMs: keptForMs }, async (tx, expired) => {
        const deleted = (await tx.run(deleteExpiredChunks, expired)) + (await tx.run(deleteExpiredExports, expired));
        return deleted === 0 ? 0 : expired.limit;
      }),
    ],
  };
}
