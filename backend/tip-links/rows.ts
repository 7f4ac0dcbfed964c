import type { Instant } from '@florin/shared/ports.ts';

export type TipLinkRow = {
  id: string;
  businessId: string;
  name: string;
  /** Before the @ of its Lightning address; nobody else ever gets it, also once the link is deleted. */
  lightningName: string | null;
  minimumSats: number;
  maximumSats: number;
  receivedSats: number;
  tipCount: number;
  createdAt: Instant;
  /** No tips from then on. */
  deletedAt: Instant | null;
};
