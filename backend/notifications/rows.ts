import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';

export type RecipientRow = {
  id: string;
  businessId: string;
  email: string;
  /** In lower case: a business has an address once. */
  emailKey: string;
  createdAt: Instant;
};

export type EmailStatus = 'pending' | 'sent' | 'failed';

/** An e-mail to one recipient, written in the transaction that handles the event it is about. */
export type EmailRow = {
  id: string;
  businessId: string;
  recipient: string;
  subject: string;
  text: string;
  status: EmailStatus;
  attemptCount: number;
  isUnderWay: Flag;
  /** When the next attempt is due, or the lease of the one under way ends; null where none follows. */
  nextAttemptAt: Instant | null;
  lastError: string | null;
  createdAt: Instant;
  finishedAt: Instant | null;
};
