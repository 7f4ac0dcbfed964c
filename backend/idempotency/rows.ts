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
  /** A run that died stops blocking its key when this is past. */
  leaseUntil: Instant;
  createdAt: Instant;
};
