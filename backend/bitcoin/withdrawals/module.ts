import type { Module } from '../../foundation/module.ts';
import { withdrawalRoutes } from './routes.ts';
import { type WithdrawalOptions, type WithdrawalService, withdrawalService } from './service.ts';

export type WithdrawalPorts = WithdrawalOptions & { readonly recoveryEveryMs: number };

/** Withdrawals from businesses' nodes, with their API and the job that polls for unknown outcomes. */
export function withdrawalsModule(ports: WithdrawalPorts): Module<WithdrawalService> {
  const service = withdrawalService(ports);
  return {
    service,
    routes: withdrawalRoutes(service),
    jobs: [
      {
        name: 'withdrawal-recovery',
        everyMs: ports.recoveryEveryMs,
        batch: ports.polling.batch,
        run: () => service.recover(),
      },
    ],
  };
}
