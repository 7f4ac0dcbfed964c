import type { Leases } from '../../foundation/jobs/leases.ts';
import { rowLeases } from '../../foundation/jobs/row-leases.ts';
import type { Module } from '../../foundation/module.ts';
import { withdrawalRoutes } from './routes.ts';
import { type WithdrawalOptions, type WithdrawalService, withdrawalService } from './service.ts';
import { renewWithdrawalLeases } from './store.ts';

export type WithdrawalPorts = Omit<WithdrawalOptions, 'leases'> & {
  readonly leases: Leases;
  readonly recoveryEveryMs: number;
};

/** Withdrawals from businesses' nodes, with their API and the job that polls for unknown outcomes. */
export function withdrawalsModule(ports: WithdrawalPorts): Module<WithdrawalService> {
  const service = withdrawalService({ ...ports, leases: rowLeases(ports, 'withdrawals', renewWithdrawalLeases) });
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
