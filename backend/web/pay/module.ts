import type { PaymentLinkService } from '../../channels/payment-links/service.ts';
import type { Module } from '../../foundation/module.ts';
import type { Assets } from '../ui/assets.ts';
import type { ReceiptUrl } from '../ui/confirmation.ts';
import { paymentPageRoutes } from './routes.ts';

/** The page on which a customer pays a payment link. The rules are in payment-links. */
export function paymentPageModule(ports: {
  readonly paymentLinks: Pick<PaymentLinkService, 'customers'>;
  readonly assets: () => Promise<Assets>;
  readonly publicUrl: string;
  readonly receiptOf: ReceiptUrl;
}): Module<undefined> {
  const { paymentLinks, ...rest } = ports;
  return { service: undefined, routes: paymentPageRoutes({ links: paymentLinks.customers, ...rest }), jobs: [] };
}
