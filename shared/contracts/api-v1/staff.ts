import { z } from 'zod';
import { amountMinor } from '../../money.ts';
import { changesOf, contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { oneLine } from '../text.ts';

export const staffRecord = z
  .object({
    id: id('staff'),
    staffNumber: z.string(),
    name: z.string().meta({ description: 'The display name', example: 'Ada' }),
    mayRefundAndVoid: z.boolean().meta({ description: 'The Refund & void permission' }),
    mayManageTerminals: z.boolean().meta({ description: 'Whether they may enter and leave kiosk mode on a terminal' }),
    perTransactionLimitInCents: z.int().nullable(),
    dailyLimitInCents: z.int().nullable(),
    refundedTodayInCents: z.int(),
    passwordIsTemporary: z.boolean(),
    failedAttempts: z.int(),
    lockedUntil: timestamp.nullable(),
    disabled: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'StaffMember' });
export type StaffRecord = z.infer<typeof staffRecord>;

const staffNumber = z
  .string()
  .regex(/^[0-9A-Za-z-]{1,32}$/, { error: 'must be 1 to 32 letters, digits or hyphens' })
  .meta({ example: '104' });
const staffName = oneLine(100).meta({ description: 'The display name', example: 'Ada' });
const limit = amountMinor.nullable();

const temporaryPassword = z.object({
  staff: staffRecord,
  temporaryPassword: z.string().nullable().meta({
    description: 'Shown once and not stored; must be changed before the first refund',
    example: 'k7mp-2xq9-vt4d',
  }),
});
const staffParams = z.object({ id: id('staff') });

export const listStaff = contract({
  name: 'listStaff',
  method: 'GET',
  path: '/api/v1/staff',
  authentication: ['apiKey'],
  permissions: ['team:read'],
  summary: 'List terminal staff, newest first',
  tag: 'Staff',
  query: pageQuery('staff'),
  responses: { 200: json(listOf(staffRecord)) },
  origin: 'project',
});

export const getStaff = contract({
  name: 'getStaff',
  method: 'GET',
  path: '/api/v1/staff/{id}',
  authentication: ['apiKey'],
  permissions: ['team:read'],
  summary: 'Read one staff member',
  tag: 'Staff',
  params: staffParams,
  responses: { 200: json(staffRecord) },
  errors: { 404: ['staff_not_found'] },
  origin: 'project',
});

const shownOnce = 'A repetition with the same Idempotency-Key returns `temporaryPassword` null.';

export const createStaff = contract({
  name: 'createStaff',
  method: 'POST',
  path: '/api/v1/staff',
  authentication: ['apiKey'],
  permissions: ['team:write'],
  stepUp: true,
  summary: 'Add a staff member with a temporary password',
  description: shownOnce,
  tag: 'Staff',
  body: z.object({
    staffNumber,
    name: staffName,
    mayRefundAndVoid: z.boolean().default(false),
    mayManageTerminals: z.boolean().default(false),
    perTransactionLimitInCents: limit.default(null),
    dailyLimitInCents: limit.default(null),
  }),
  responses: { 201: json(temporaryPassword) },
  errors: { 409: ['staff_number_taken'] },
  idempotent: true,
  origin: 'project',
});

const staffChanges = changesOf({
  name: staffName,
  mayRefundAndVoid: z.boolean(),
  mayManageTerminals: z.boolean(),
  perTransactionLimitInCents: limit,
  dailyLimitInCents: limit,
  disabled: z.boolean(),
});

/** Whether a change can let somebody refund more: it gives the permission or names another limit. */
function mayAllowMore(changes: z.output<typeof staffChanges>): boolean {
  const { mayRefundAndVoid, perTransactionLimitInCents, dailyLimitInCents } = changes;
  return mayRefundAndVoid === true || perTransactionLimitInCents !== undefined || dailyLimitInCents !== undefined;
}

export const updateStaff = contract({
  name: 'updateStaff',
  method: 'PATCH',
  path: '/api/v1/staff/{id}',
  authentication: ['apiKey'],
  permissions: ['team:write'],
  stepUp: { isNeeded: mayAllowMore },
  summary: 'Change a staff member: name, permission, limits, disabled',
  tag: 'Staff',
  params: staffParams,
  body: staffChanges,
  responses: { 200: json(staffRecord) },
  errors: { 404: ['staff_not_found'] },
  origin: 'project',
});

export const unlockStaff = contract({
  name: 'unlockStaff',
  method: 'POST',
  path: '/api/v1/staff/{id}/unlock',
  authentication: ['apiKey'],
  permissions: ['team:write'],
  summary: 'End a lockout',
  tag: 'Staff',
  params: staffParams,
  responses: { 200: json(staffRecord) },
  errors: { 404: ['staff_not_found'] },
  idempotent: true,
  origin: 'project',
});

export const resetStaffPassword = contract({
  name: 'resetStaffPassword',
  method: 'POST',
  path: '/api/v1/staff/{id}/reset-password',
  authentication: ['apiKey'],
  permissions: ['team:write'],
  stepUp: true,
  summary: 'Reset a password to a new temporary one',
  description: shownOnce,
  tag: 'Staff',
  params: staffParams,
  responses: { 200: json(temporaryPassword) },
  errors: { 404: ['staff_not_found'] },
  idempotent: true,
  origin: 'project',
});
