import { z } from 'zod';
import { contract, id, timeGiven, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { daysBack } from './overview.ts';
import { staffReference } from './refunds.ts';

/** "authorized" is the specification's spelling. */
export const refundLogStatus = z.enum(['authorized', 'failed', 'limit_exceeded', 'daily_limit_exceeded']);
export const voidLogStatus = z.enum(['authorized', 'failed']);
export const rejectionReason = z.enum([
  'invalid_signature',
  'permission_denied',
  'limit_exceeded',
  'daily_limit_exceeded',
]);

/** The reason for `permission_denied`, if it is not the permission itself. */
export const staffLogDetail = z.enum([
  'password_change_required',
  'staff_disabled',
  'locked_out',
  'terminal_locked_out',
  'service_unreachable',
]);
export type StaffLogDetail = z.infer<typeof staffLogDetail>;

/** A password check on a terminal, successful or not. Specification: Refund log entry, Void log entry. */
export const staffLogEntry = z
  .object({
    id: z.string(),
    status: refundLogStatus,
    reason: rejectionReason.nullable().meta({ description: 'Why it was refused; null if it was authorised' }),
    detail: staffLogDetail.nullable(),
    offline: z.boolean().meta({ description: 'Decided by the terminal while offline' }),
    staff: staffReference,
    requestedBy: staffReference.nullable().default(null).meta({
      description: 'The staff member whose request was to be approved by this check; null if it was their own request',
    }),
    terminal: z.object({ id: id('dev'), name: z.string().nullable() }),
    sale: z.object({
      invoiceNumber: z.string(),
      amountInCents: z.int(),
      currency: z.string(),
      takenAt: timestamp.nullable(),
    }),
    amountInCents: z.int().nullable().meta({ description: 'The amount to refund; null for a void' }),
    attemptedAt: timestamp,
    recordedAt: timestamp,
    previousHash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'StaffLogEntry' });
export type StaffLogEntry = z.infer<typeof staffLogEntry>;

const filters = {
  staffId: id('staff').optional(),
  deviceId: id('dev').optional(),
  from: timeGiven.optional(),
  to: timeGiven.optional().meta({ description: 'Before this time' }),
};

export const listRefundLog = contract({
  name: 'listRefundLog',
  method: 'GET',
  path: '/api/v1/refund-log',
  authentication: ['apiKey'],
  permissions: ['team:read'],
  summary: 'List the refund log, newest first',
  tag: 'Staff logs',
  mayBeStale: true,
  query: pageQuery('refund-log').extend({ ...filters, status: refundLogStatus.optional() }),
  responses: { 200: json(listOf(staffLogEntry)) },
  origin: 'project',
});

export const listVoidLog = contract({
  name: 'listVoidLog',
  method: 'GET',
  path: '/api/v1/void-log',
  authentication: ['apiKey'],
  permissions: ['team:read'],
  summary: 'List the void log, newest first',
  tag: 'Staff logs',
  mayBeStale: true,
  query: pageQuery('void-log').extend({ ...filters, status: voidLogStatus.optional() }),
  responses: { 200: json(listOf(staffLogEntry)) },
  origin: 'project',
});

/** What a look at somebody's checks should find, the most urgent first. */
export const staffExceptionKinds = [
  'locked_out',
  'wrong_passwords',
  'without_permission',
  'over_limit',
  'more_refunds_than_others',
  'more_voids_than_others',
] as const;
const count = (what: string) => z.int().meta({ description: `Number of ${what}`, example: 3 });

export const staffExceptionRecord = z
  .object({
    staff: staffReference,
    exceptions: z.array(z.enum(staffExceptionKinds)).meta({
      description:
        '`locked_out`: checks while locked out; `wrong_passwords`: five or more; `without_permission` and `over_limit`: any; `more_refunds_than_others`, `more_voids_than_others`: at least five, and more than three times the median of the others',
    }),
    refundCount: count('authorised refunds'),
    refundedInCents: z.int().meta({ description: 'The amount of authorised refunds', example: 4250 }),
    voidCount: count('authorised voids'),
    wrongPasswordCount: count('checks with a wrong password'),
    withoutPermissionCount: count('checks refused for want of the permission'),
    overLimitCount: count('refunds refused for a limit'),
    lockedOutCount: count('checks while they or the terminal were locked out'),
    offlineCount: count('checks that a terminal decided while offline'),
  })
  .meta({ id: 'StaffException' });
export type StaffExceptionRecord = z.infer<typeof staffExceptionRecord>;

export const listStaffExceptions = contract({
  name: 'listStaffExceptions',
  method: 'GET',
  path: '/api/v1/staff/exceptions',
  authentication: ['apiKey'],
  permissions: ['team:read'],
  summary: 'List what the staff refunded and voided, those to look at first',
  description:
    'Counted from the refund log and the void log. Everyone with a check in these days is listed, so that one person can be compared with the others.',
  tag: 'Staff logs',
  query: z.strictObject({ days: daysBack.default(30) }),
  responses: {
    200: json(
      z.object({
        since: timestamp.meta({ description: 'The start of the first day, in the time zone of the business' }),
        items: z.array(staffExceptionRecord),
      }),
    ),
  },
  origin: 'project',
});
