import type { Ids, Log } from '@florin/shared/ports.ts';
import { discrepancies } from '../discrepancies/discrepancies.ts';
import type { Module } from '../module.ts';
import { paymentTimeline } from '../payments/timeline.ts';
import { paymentLinkRoutes } from './routes.ts';
import { type PaymentLinkOptions, type PaymentLinkService, paymentLinkService } from './service.ts';

/** `publicUrl`: the public base URL, without a trailing slash. */
export function paymentLinksModule(
  ports: Omit<PaymentLinkOptions, 'discrepancies'> & {
    readonly ids: Ids;
    readonly log: Log;
    readonly publicUrl: string;
  },
): Module<PaymentLinkService> {
  const raised = discrepancies({ ...ports, timeline: paymentTimeline(ports) });
  const paymentLinks = paymentLinkService({ ...ports, discrepancies: raised });
  return { service: paymentLinks, routes: paymentLinkRoutes({ ...ports, paymentLinks }), jobs: [] };
}
