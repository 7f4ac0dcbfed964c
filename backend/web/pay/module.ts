import type { PaymentLinkService } from '../../channels/payment-links/service.ts';
import type { Module } from '../../foundation/module.ts';
import type { ReceiptsOffered } from '../ui/confirmation.ts';
import type { Present } from '../ui/presentation.ts';
import { paymentPageRoutes } from './routes.ts';

/** The page on which a customer pays a payment link. The rules are in payment-links. */
export function paymentPageModule(ports: {
  readonly paymentLinks: Pick<PaymentLinkService, 'customers'>;
  readonly present: Present;
  readonly publicUrl: string;
  readonly receipts: ReceiptsOffered;
}): Module<undefined> {
  const { paymentLinks, ...rest } = ports;
  return { service: undefined, routes: paymentPageRoutes({ links: paymentLinks.customers, ...rest }), jobs: [] };
}
