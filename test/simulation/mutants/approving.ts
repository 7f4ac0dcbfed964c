import { bugsIn } from './mutant.ts';

/** Bugs in the approval of refused refunds and voids by a second staff member. */
export const approving = bugsIn({
  'backend/people/staff/approval.ts': [
    {
      name: 'staff approve their own requests',
      find: 'if (approval.staffId === staffId)',
      replace: 'if (approval.staffId !== approval.staffId)',
    },
    {
      name: 'another request than the refused one is approved',
      find: 'const stands = staff?.disabledAt === null && verifyText(staff.publicKey, requestText(operation), signature);',
      replace: 'const stands = staff?.disabledAt === null;',
    },
    {
      name: 'an approval is used twice',
      find: 'await tx.run(setApprovable, { nonce, refusedSignature: signature, approvableUntil: null });',
      replace: '',
    },
  ],
  'backend/people/staff/store.ts': [
    {
      name: 'a refused request can be approved for ever',
      find: "    .where('approvableUntil', '>', arg('now')),",
      replace: '    ,',
    },
  ],
  'backend/people/staff/authorisation.ts': [
    {
      name: 'the log does not name who requested what was approved',
      find: 'checkEntry({ ...checked, by, sale, kind, amountMinor, outcome, requestedBy })',
      replace: 'checkEntry({ ...checked, by, sale, kind, amountMinor, outcome })',
    },
  ],
  'backend/money/refunds/reservation.ts': [
    {
      name: 'an approved refund does not name who requested it',
      find: 'requestedByStaffId: requestedBy?.id ?? null,',
      replace: 'requestedByStaffId: null,',
    },
  ],
});
