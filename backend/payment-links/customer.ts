import type { PaymentLinkStatus } from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { Business, BusinessService } from '../businesses/service.ts';
import type { Database } from '../database/database.ts';
import { linkStatusOf } from './link.ts';
import { linkForCustomer } from './store.ts';

/** A link as customers see it. */
export type CustomerLink = {
  readonly id: string;
  readonly business: Pick<Business, 'name' | 'locale' | 'timeZone'>;
  readonly description: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: PaymentLinkStatus;
  readonly expiresAt: Instant;
};

/** What customers do with links: whoever has a link's id may. */
export type CustomerLinks = {
  /** Undefined where there is none, or none any more. */
  view(linkId: string): Promise<CustomerLink | undefined>;
};

export function customerLinks(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly businesses: Pick<BusinessService, 'find'>;
}): CustomerLinks {
  const { database, clock, businesses } = options;
  return {
    async view(linkId) {
      const link = await database.first(linkForCustomer, { id: linkId });
      const business = link && (await businesses.find(link.businessId));
      if (!link || !business) return undefined;
      const { id, description, amountMinor, currency, expiresAt } = link;
      return { id, business, description, amountMinor, currency, expiresAt, status: linkStatusOf(link, clock.now()) };
    },
  };
}
