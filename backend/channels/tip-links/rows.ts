import type { Instant } from '@florin/shared/ports.ts';

export type TipLinkRow = {
  id: string;
  businessId: string;
  name: string;
  /** The part before the @ of its Lightning address; never reused, even after the link is deleted. */
  lightningName: string | null;
  minimumSats: number;
  maximumSats: number;
  receivedSats: number;
  tipCount: number;
  createdAt: Instant;
  /** Tips are refused from then on. */
  deletedAt: Instant | null;
};
