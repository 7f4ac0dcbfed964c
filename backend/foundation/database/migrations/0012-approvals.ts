import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns } from './schema.ts';

/** The columns that it adds to `staffNonces`: the refused request that was signed with it and may be approved. */
export const approvalNonceColumns = { refusedSignature: 'text?', approvableUntil: 'bigint?' } satisfies Columns;

/** The column that it adds to `refunds`. */
export const approvalRefundColumns = { requestedByStaffId: 'text?' } satisfies Columns;

/** A second staff member may approve a void or refund that the first one was refused. */
export const approvals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db, 'staffNonces', approvalNonceColumns);
    await addColumns(db, 'refunds', approvalRefundColumns);
  },
};
