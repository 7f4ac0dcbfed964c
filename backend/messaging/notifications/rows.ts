import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type RecipientRow = {
  id: string;
  businessId: string;
  email: string;
  /** Lower case: an address is unique in a business. */
  emailKey: string;
  createdAt: Instant;
};

export type EmailStatus = 'pending' | 'sent' | 'failed';

/** An e-mail to one recipient, created in the transaction that handles its event. */
export type EmailRow = {
  id: string;
  businessId: string;
  recipient: string;
  subject: string;
  text: string;
  status: EmailStatus;
  attemptCount: number;
  isUnderWay: Flag;
  /** When the next attempt is due or the current lease expires; null if none follows. */
  nextAttemptAt: Instant | null;
  lastError: string | null;
  createdAt: Instant;
  finishedAt: Instant | null;
};
