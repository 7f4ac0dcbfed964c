import { takeGatewayCallback } from '@florin/shared/contracts/callbacks.ts';
import type { Random } from '@florin/shared/ports.ts';
import type { Module } from '../../foundation/module.ts';
import { secretBox } from '../../foundation/secret-box.ts';
import { gatewayAccountRoutes } from './routes.ts';
import { type GatewayAccountOptions, type GatewayAccountService, gatewayAccountService } from './service.ts';

export type GatewayAccountPorts = Omit<GatewayAccountOptions, 'box' | 'callbackUrlOf'> & {
  readonly random: Random;
  /** Encrypts the accounts' secrets. */
  readonly secretsKey: () => Uint8Array;
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
    box: secretBox({ ...ports, purpose: 'gateway account' }),
    callbackUrlOf,
  });
  return { service, routes: gatewayAccountRoutes(service), jobs: [] };
}
