import type { Random } from '@florin/shared/ports.ts';
import { secretBox } from '../gateway-accounts/secret-box.ts';
import type { Module } from '../module.ts';
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
