import type { Actor } from '@florin/shared/actor.ts';
import type { refundLogStatus, rejectionReason, StaffLogDetail } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import type { NewAuditEntry } from '../audit/log.ts';
import type { CheckedTerminal } from './lockout.ts';
import type { StaffRow } from './rows.ts';

/** The sale of a refund or void, as logged. */
export type CheckedSale = {
  readonly paymentId: string;
  readonly invoiceNumber: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly takenAt: Instant | null;
};

/** The result of a password check, in the terms of the refund log and the void log. */
export type CheckOutcome = {
  readonly status: z.infer<typeof refundLogStatus>;
  readonly reason: z.infer<typeof rejectionReason> | null;
  readonly detail?: StaffLogDetail | null;
  /** The authorised refund. */
  readonly refundId?: string;
};

/**
 * The entry of a check in the refund log or void log, with names at the time, so that it stays readable when they
 * change.
 */
export function checkEntry(check: {
  readonly staff: StaffRow;
  readonly terminal: CheckedTerminal;
  readonly sale: CheckedSale;
  readonly kind: 'CANCEL' | 'REFUND_SALE';
  readonly amountMinor: number | null;
  readonly outcome: CheckOutcome;
  /** The staff member if the password was right; otherwise the terminal. */
  readonly by: Actor;
  /** The staff member whose request was to be approved by this check. */
  readonly requestedBy?: StaffRow | null;
}): NewAuditEntry {
  const { staff, terminal, sale, kind, amountMinor, outcome, by, requestedBy = null } = check;
  const { status, reason, detail = null } = outcome;
  return {
    businessId: staff.businessId,
    kind: kind === 'REFUND_SALE' ? 'refund_check' : 'void_check',
    by,
    status,
    reason,
    staffId: staff.id,
    terminalId: terminal.id,
    paymentId: sale.paymentId,
    refundId: outcome.refundId ?? null,
    // A void has no amount.
    amountMinor: kind === 'REFUND_SALE' ? amountMinor : null,
    detail: {
      staff: staffReferenceOf(staff),
      ...(requestedBy === null ? {} : { requestedBy: staffReferenceOf(requestedBy) }),
      terminalName: terminal.name,
      sale,
      ...(detail === null ? {} : { detail }),
    },
  };
}

/** The staff member as written to the audit log: with the name at that time, and without key, salt and limits. */
export function staffReferenceOf(staff: Pick<StaffRow, 'id' | 'name' | 'staffNumber'>): {
  id: string;
  name: string;
  staffNumber: string;
} {
  return { id: staff.id, name: staff.name, staffNumber: staff.staffNumber };
}
