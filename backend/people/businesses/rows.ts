import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type BusinessRow = {
  id: string;
  name: string;
  countryCode: string;
  currency: string;
  locale: string;
  timeZone: string;
  passwordProtectRefundsAndVoids: Flag;
  /** Whether it may create payment links. */
  paymentLinksEnabled: Flag;
  createdAt: Instant;
};
