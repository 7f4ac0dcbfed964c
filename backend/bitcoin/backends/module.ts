import type { Module } from '../../foundation/module.ts';
import type { Sealing } from '../../foundation/secrets/service.ts';
import { bitcoinBackendRoutes } from './routes.ts';
import { type BitcoinBackendOptions, type BitcoinBackendService, bitcoinBackendService } from './service.ts';

export type BitcoinBackendPorts = Omit<BitcoinBackendOptions, 'box'> & { readonly secrets: Sealing };

/** The bitcoin nodes of businesses and their management API; stopping the module closes all connections to nodes. */
export function bitcoinBackendsModule(ports: BitcoinBackendPorts): Module<BitcoinBackendService> {
  const box = ports.secrets.box({
    purpose: 'bitcoin backend',
    table: 'bitcoinBackends',
    owner: 'id',
    columns: ['sealedSecrets'],
  });
  const service = bitcoinBackendService({ ...ports, box });
  return {
    service,
    routes: bitcoinBackendRoutes({ backends: service, clock: ports.clock }),
    jobs: [],
    stop: service.close,
  };
}
