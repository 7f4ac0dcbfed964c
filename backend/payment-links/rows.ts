import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';

export type PaymentLinkRow = {
  id: string;
  businessId: string;
  description: string;
  amountMinor: number;
  currency: string;
  allowPartPayment: Flag;
  minimumAmountMinor: number | null;
  amountPaidMinor: number;
  externalReference: string | null;
  successUrl: string | null;
  expiresAt: Instant;
  createdAt: Instant;
  deletedAt: Instant | null;
};
