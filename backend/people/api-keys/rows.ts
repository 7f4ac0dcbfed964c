import type { Instant } from '@florin/shared/ports.ts';

export type ApiKeyRow = {
  id: string;
  businessId: string;
  name: string;
  preset: string;
  permissionsJson: string;
  /** SHA-256 of the whole key; the key itself is shown once and never stored. */
  keyHash: string;
  lastFour: string;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
  lastUsedAt: Instant | null;
  createdAt: Instant;
};
