import type { CustomerCheckouts } from '../../channels/checkouts/customer.ts';
import type { CheckoutService } from '../../channels/checkouts/service.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Module } from '../../foundation/module.ts';
import type { ReceiptsOffered } from '../ui/confirmation.ts';
import type { Present } from '../ui/presentation.ts';
import { checkoutPageRoutes } from './routes.ts';

/** The page on which a customer pays a checkout. The rules are in checkouts. */
export function checkoutPageModule(ports: {
  readonly database: Database;
  readonly checkouts: CheckoutService & { readonly customers: CustomerCheckouts };
  readonly present: Present;
  readonly receipts: ReceiptsOffered;
}): Module<undefined> {
  return { service: undefined, routes: checkoutPageRoutes(ports), jobs: [] };
}
