import type { Module } from '../../foundation/module.ts';
import { paymentLinkRoutes } from './routes.ts';
import { type PaymentLinkOptions, type PaymentLinkService, paymentLinkService } from './service.ts';

/** `publicUrl`: the public base URL, without a trailing slash. */
export function paymentLinksModule(
  ports: PaymentLinkOptions & { readonly publicUrl: string },
): Module<PaymentLinkService> {
  const paymentLinks = paymentLinkService(ports);
  return { service: paymentLinks, routes: paymentLinkRoutes({ ...ports, paymentLinks }), jobs: [] };
}
