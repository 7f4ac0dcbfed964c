import type { Module } from '../module.ts';
import { paymentLinkRoutes } from './routes.ts';
import { type PaymentLinkOptions, type PaymentLinkService, paymentLinkService } from './service.ts';

/** `publicUrl`: where customers reach this service, without a slash at the end. */
export function paymentLinksModule(
  ports: PaymentLinkOptions & { readonly publicUrl: string },
): Module<PaymentLinkService> {
  const paymentLinks = paymentLinkService(ports);
  return { service: paymentLinks, routes: paymentLinkRoutes({ ...ports, paymentLinks }), jobs: [] };
}
