import type { Clock, Ids, Log, Random } from '@florin/shared/ports.ts';
import type { BitcoinInvoices } from '../../bitcoin/invoices/service.ts';
import type { Rates } from '../../bitcoin/rates/service.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { EventFeed } from '../../foundation/events/feed.ts';
import type { Module } from '../../foundation/module.ts';
import type { Outbound } from '../../foundation/outbound/outbound.ts';
import type { Sealing } from '../../foundation/secrets/service.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { type CheckoutChanges, checkoutChanges } from './changes.ts';
import { type CustomerCheckouts, customerCheckouts } from './customer.ts';
import { liveCheckouts } from './live.ts';
import { checkoutRoutes } from './routes.ts';
import { type CheckoutService, checkoutService } from './service.ts';
import type { HostedCheckoutSettings } from './settings.ts';
import { type CheckoutSettingsOf, checkoutSettings } from './signing-keys.ts';

/** Hosted checkouts, their API and their customer view. The page itself is in web/checkout. */
export function checkoutsModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: Log;
  readonly events: Events & Pick<EventFeed, 'follow' | 'at'>;
  readonly discrepancies: Discrepancies;
  readonly rates: Rates;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly invoices: BitcoinInvoices;
  readonly outbound: Outbound;
  readonly changes: ChangeLog;
  readonly secrets: Sealing;
  readonly publicUrl: string;
  /** Allows redirects to this machine. For demo, sandbox and tests. */
  readonly allowLoopback: boolean;
  readonly settings: HostedCheckoutSettings;
}): Module<
  CheckoutService &
    Pick<CheckoutChanges, 'onInvoiceChanged' | 'onClaimChanged'> & {
      readonly settings: CheckoutSettingsOf;
      readonly customers: CustomerCheckouts;
    }
> {
  const settings = checkoutSettings(ports);
  const changes = checkoutChanges({ ...ports, claims: () => ports.invoices.claims });
  const { onInvoiceChanged, onClaimChanged } = changes;
  const checkouts = checkoutService({ ...ports, changes });
  const customers = customerCheckouts({ ...ports, checkouts, settings });
  return {
    service: { ...checkouts, onInvoiceChanged, onClaimChanged, settings, customers },
    routes: checkoutRoutes({ ...ports, checkouts, settings, live: recordOf => liveCheckouts({ ...ports, recordOf }) }),
    jobs: [],
  };
}
