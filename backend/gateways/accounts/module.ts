import { takeGatewayCallback } from '@florin/shared/contracts/callbacks.ts';
import type { Module } from '../../foundation/module.ts';
import type { Sealing } from '../../foundation/secrets/service.ts';
import { gatewayAccountRoutes } from './routes.ts';
import { type GatewayAccountOptions, type GatewayAccountService, gatewayAccountService } from './service.ts';

export type GatewayAccountPorts = Omit<GatewayAccountOptions, 'box' | 'callbackUrlOf'> & {
  readonly secrets: Sealing;
  /** The base URL for gateway callbacks, without a trailing slash. */
  readonly publicUrl: string;
};

/**
 * The card gateway accounts of businesses, with their encrypted secrets. Owners and administrators of a business change
 * them in the portal, operators by command.
 */
export function gatewayAccountsModule(ports: GatewayAccountPorts): Module<GatewayAccountService> {
  const callbackUrlOf = (accountId: string) =>
    `${ports.publicUrl}${takeGatewayCallback.path.replace('{accountId}', accountId)}`;
  const service = gatewayAccountService({
    ...ports,
    box: ports.secrets.box({
      purpose: 'gateway account',
      table: 'gatewayAccounts',
      owner: 'id',
      columns: ['sealedSecrets'],
    }),
    callbackUrlOf,
  });
  return { service, routes: gatewayAccountRoutes(service), jobs: [] };
}
