import type { Random } from '@florin/shared/ports.ts';
import type { Module } from '../../foundation/module.ts';
import { secretBox } from '../../foundation/secret-box.ts';
import { bitcoinBackendRoutes } from './routes.ts';
import { type BitcoinBackendOptions, type BitcoinBackendService, bitcoinBackendService } from './service.ts';

export type BitcoinBackendPorts = Omit<BitcoinBackendOptions, 'box'> & { readonly random: Random };

/** The bitcoin nodes of businesses and their management API; stopping the module closes all connections to nodes. */
export function bitcoinBackendsModule(ports: BitcoinBackendPorts): Module<BitcoinBackendService> {
  const service = bitcoinBackendService({ ...ports, box: secretBox({ ...ports, purpose: 'bitcoin backend' }) });
  return {
    service,
    routes: bitcoinBackendRoutes({ backends: service, clock: ports.clock }),
    jobs: [],
    stop: service.close,
  };
}
