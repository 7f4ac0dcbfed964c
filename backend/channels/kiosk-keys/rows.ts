import type { Instant } from '@florin/shared/ports.ts';

export type KioskKeyRow = {
  id: string;
  businessId: string;
  name: string;
  /** The terminals it may use, as a JSON list of ids. */
  terminalIdsJson: string;
  /** SHA-256 of the whole key; the key itself is shown once and never stored. */
  keyHash: string;
  lastFour: string;
  revokedAt: Instant | null;
  lastUsedAt: Instant | null;
  createdAt: Instant;
};
