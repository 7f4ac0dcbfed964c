import type { Clock } from '@florin/shared/ports.ts';
import type { BitcoinInvoices } from '../../bitcoin-invoices/service.ts';
import type { BusinessService } from '../../businesses/service.ts';
import { customerCheckouts } from '../../checkouts/customer.ts';
import type { CheckoutService } from '../../checkouts/service.ts';
import type { CheckoutSettingsOf } from '../../checkouts/signing-keys.ts';
import type { Database } from '../../database/database.ts';
import type { Module } from '../../module.ts';
import type { Assets } from '../ui/assets.ts';
import { checkoutPageRoutes } from './routes.ts';

export function checkoutPageModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly checkouts: CheckoutService & { readonly settings: CheckoutSettingsOf };
  readonly invoices: BitcoinInvoices;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly assets: () => Promise<Assets>;
}): Module<undefined> {
  const customers = customerCheckouts({ ...ports, settings: ports.checkouts.settings });
  return { service: undefined, routes: checkoutPageRoutes({ ...ports, customers }), jobs: [] };
}
