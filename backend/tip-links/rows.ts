import type { Instant } from '@florin/shared/ports.ts';

export type TipLinkRow = {
  id: string;
  businessId: string;
  name: string;
  minimumSats: number;
  maximumSats: number;
  receivedSats: number;
  tipCount: number;
  createdAt: Instant;
  /** No tips from then on. */
  deletedAt: Instant | null;
};
