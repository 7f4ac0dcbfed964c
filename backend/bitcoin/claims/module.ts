import type { Module } from '../../foundation/module.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { bitcoinClaimRoutes } from './routes.ts';
import { type BitcoinClaimOptions, type BitcoinClaimService, bitcoinClaimService } from './service.ts';

/** Claims to bitcoin that is to be returned, with the merchant's API and the customer's; it never sends bitcoin. */
export function bitcoinClaimsModule(
  ports: BitcoinClaimOptions & { readonly businesses: Pick<BusinessService, 'find'> },
): Module<BitcoinClaimService> {
  const claims = bitcoinClaimService(ports);
  return { service: claims, routes: bitcoinClaimRoutes({ ...ports, claims }), jobs: [] };
}
