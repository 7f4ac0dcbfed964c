import type { ApiRequestOutcome } from '@florin/shared/contracts/api-v1/api-requests.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type ApiRequestRow = {
  /** The request id that its response named. */
  id: string;
  businessId: string;
  apiKeyId: string;
  method: string;
  /** The path of the operation, with its parameters in braces. */
  route: string;
  /** The path as it was called, without what may be secret and without the query. */
  path: string;
  status: number;
  outcome: ApiRequestOutcome;
  /** The code and the message of the error. */
  reason: string | null;
  message: string | null;
  /** What was wrong with the input, of each field, if anything. */
  issuesJson: string | null;
  durationMs: number;
  idempotencyKey: string | null;
  isReplay: Flag;
  /** When it arrived. */
  createdAt: Instant;
};
