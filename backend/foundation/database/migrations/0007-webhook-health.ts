import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns } from './schema.ts';

/** The columns that it adds to `webhooks`. */
export const webhookHealthColumns = {
  disabledReason: 'text?',
  failingSince: 'bigint?',
  failureOutcome: 'text?',
  failureStatus: 'integer?',
} satisfies Columns;

/** The column that it adds to `apiRequests`. */
export const apiRequestIssueColumns = { issuesJson: 'text?' } satisfies Columns;

/** Since when an endpoint fails, with what, and why it was disabled; what was wrong with the input of a call. */
export const webhookHealth: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db, 'webhooks', webhookHealthColumns);
    await addColumns(db, 'apiRequests', apiRequestIssueColumns);
  },
};
