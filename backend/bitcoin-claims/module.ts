import type { BusinessService } from '../businesses/service.ts';
import { discrepancies } from '../discrepancies/discrepancies.ts';
import type { Events } from '../events/announce.ts';
import type { Module } from '../module.ts';
import { paymentTimeline } from '../payments/timeline.ts';
import { bitcoinClaimRoutes } from './routes.ts';
import { type BitcoinClaimOptions, type BitcoinClaimService, bitcoinClaimService } from './service.ts';

export function bitcoinClaimsModule(
  ports: Omit<BitcoinClaimOptions, 'discrepancies'> &
    Parameters<typeof paymentTimeline>[0] & {
      readonly events: Events;
      readonly businesses: Pick<BusinessService, 'find'>;
    },
): Module<BitcoinClaimService> {
  const timeline = paymentTimeline(ports);
  const claims = bitcoinClaimService({ ...ports, discrepancies: discrepancies({ ...ports, timeline }) });
  return { service: claims, routes: bitcoinClaimRoutes({ ...ports, claims }), jobs: [] };
}
