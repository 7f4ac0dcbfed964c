import { operator } from '@florin/shared/actor.ts';
import { createStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Backend } from '../../backend.ts';
import type { StaffRow } from '../../people/staff/rows.ts';
import { businessFlag, command, done, failed, noBusiness, type Outcome, theBusiness, typedAmount } from './command.ts';

const by = operator;
const business = z.string().optional();
const { staffNumber, name } = createStaff.body.shape;
const numberFlag = { about: 'Staff number, as typed at the terminal' };

export const staffCreate = command({
  summary: 'Create a staff member; the temporary password is shown this once',
  flags: {
    business: businessFlag,
    number: numberFlag,
    name: { about: 'Name' },
    mayRefundAndVoid: { about: 'Give the Refund & void permission', boolean: true },
    mayManageTerminals: { about: 'Let them begin and leave kiosk mode on terminals', boolean: true },
    perTransactionLimit: { about: 'Most in one refund, in the smallest currency unit' },
    dailyLimit: { about: 'Most in a day, in the smallest currency unit' },
  },
  input: z.object({
    business,
    number: staffNumber,
    name,
    mayRefundAndVoid: z.boolean().default(false),
    mayManageTerminals: z.boolean().default(false),
    perTransactionLimit: typedAmount.optional(),
    dailyLimit: typedAmount.optional(),
  }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const made = await backend.services.staff.create({
      businessId,
      staffNumber: input.number,
      name: input.name,
      mayRefundAndVoid: input.mayRefundAndVoid,
      mayManageTerminals: input.mayManageTerminals,
      perTransactionLimitMinor: input.perTransactionLimit ?? null,
      dailyLimitMinor: input.dailyLimit ?? null,
      by,
    });
    if (!made.ok) return failed(`Staff number ${input.number} is taken`, { reason: made.refusal.kind });
    const { staff, temporaryPassword } = made.value;
    return done({ staff: recordOf(staff), temporaryPassword }, [
      `Staff member ${staff.staffNumber} ${staff.name}: ${staff.id}`,
      `Temporary password, shown this once: ${temporaryPassword}`,
    ]);
  },
});

export const staffList = command({
  summary: 'List the staff of a business',
  flags: { business: businessFlag },
  input: z.object({ business }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const staff = await backend.services.staff.all(businessId);
    return done(
      { staff: staff.map(recordOf) },
      staff.map(member => `${member.staffNumber}  ${member.name}  ${member.id}${lockWords(member.lockedUntil)}`),
    );
  },
});

export const staffUnlock = command({
  summary: 'End a staff member’s lockout',
  flags: { business: businessFlag, number: numberFlag },
  input: z.object({ business, number: staffNumber }),
  run: (input, backend) =>
    withMember(input, backend, async ({ businessId, id }) => {
      const unlocked = await backend.services.staff.unlock(businessId, id, by);
      return unlocked && done({ staff: recordOf(unlocked) }, [`Unlocked ${unlocked.staffNumber} ${unlocked.name}`]);
    }),
});

export const staffResetPassword = command({
  summary: 'Give a staff member a new temporary password, shown this once',
  flags: { business: businessFlag, number: numberFlag },
  input: z.object({ business, number: staffNumber }),
  run: (input, backend) =>
    withMember(input, backend, async ({ businessId, id }) => {
      const reset = await backend.services.staff.resetPassword(businessId, id, by);
      if (!reset) return undefined;
      const { staff, temporaryPassword } = reset;
      return done({ staff: recordOf(staff), temporaryPassword }, [
        `Temporary password of ${staff.staffNumber} ${staff.name}, shown this once: ${temporaryPassword}`,
      ]);
    }),
});

/** Changes the staff member with this number; fails if there is none. */
async function withMember(
  input: { readonly business?: string | undefined; readonly number: string },
  backend: Backend,
  change: (member: StaffRow) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const businessId = await theBusiness(backend, input.business);
  if (businessId === undefined) return noBusiness(input.business);
  const member = (await backend.services.staff.all(businessId)).find(({ staffNumber }) => staffNumber === input.number);
  return (member && (await change(member))) ?? failed(`There is no staff member ${input.number}`);
}

/** A staff member without password columns. */
function recordOf(staff: StaffRow) {
  const { publicKey: _publicKey, salt: _salt, argon2Json: _argon2Json, ...record } = staff;
  return record;
}

function lockWords(lockedUntil: Instant | null): string {
  return lockedUntil === null ? '' : `  locked out until ${new Date(lockedUntil).toISOString()}`;
}
