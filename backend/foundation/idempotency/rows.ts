import type { Instant } from '@florin/shared/ports.ts';

export type IdempotencyRecordRow = {
  businessId: string;
  key: string;
  requestHash: string;
  /** The run that has the lease. */
  runId: string;
  /** Null while the first call runs. */
  responseStatus: number | null;
  responseBody: string | null;
  /** After this, a crashed run no longer blocks its key. */
  leaseUntil: Instant;
  createdAt: Instant;
};
