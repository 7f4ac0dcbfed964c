import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type RecipientRow = {
  id: string;
  businessId: string;
  email: string;
  /** Lower case: an address is unique in a business. */
  emailKey: string;
  /** The kinds of notifications it gets, as a JSON array. */
  kindsJson: string;
  /** The end of the last day that was reported to it, or when it chose daily reports. */
  reportedUntil: Instant;
  createdAt: Instant;
};

/** The last silence of a terminal that recipients were told of: since its last report. */
export type TerminalSilenceRow = { terminalId: string; since: Instant };

export type EmailStatus = 'pending' | 'sent' | 'failed';

/** An e-mail to one recipient, created in the transaction that handles its event. */
export type EmailRow = {
  id: string;
  /** Empty for one to a person, whatever businesses they belong to. */
  businessId: string;
  recipient: string;
  subject: string;
  text: string;
  /** The same for mail programs that show HTML; null for a plain one. */
  html: string | null;
  status: EmailStatus;
  attemptCount: number;
  isUnderWay: Flag;
  /** When the next attempt is due or the current lease expires; null if none follows. */
  nextAttemptAt: Instant | null;
  lastError: string | null;
  createdAt: Instant;
  finishedAt: Instant | null;
};
