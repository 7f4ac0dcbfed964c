import { bugsIn } from './mutant.ts';

/** Bugs in staff checks, their limits, lockouts and log. */
export const authorising = bugsIn({
  'backend/people/staff/authorisation.ts': [
    {
      name: 'the signature is not checked',
      find: 'if (!verifyText(staff.publicKey, text, signature)) {',
      replace: 'if (verifyText(staff.publicKey, text, signature) === undefined) {',
    },
    {
      name: 'permissions are not checked',
      find: "if (staff.mayRefundAndVoid === 0) return { refusal: { kind: 'permission_denied' }, outcome: denied() };",
      replace: '',
    },
    {
      name: 'a temporary password is enough',
      find: 'if (staff.passwordIsTemporary === 1)',
      replace: 'if (staff.passwordIsTemporary === 0 && false)',
    },
    {
      name: 'the lockout is not checked',
      find: 'if (lockedUntil !== undefined || terminalLocked !== undefined) {',
      replace: 'if (lockedUntil === 0 || terminalLocked !== undefined) {',
    },
    {
      name: 'the limit per transaction is not checked',
      find: 'if (perTransaction !== null && amountMinor > perTransaction)',
      replace: 'if (perTransaction !== null && amountMinor < perTransaction && amountMinor < 0)',
    },
    {
      name: 'the daily limit omits the current refund',
      find: 'if (used + amountMinor <= staff.dailyLimitMinor) return undefined;',
      replace: 'if (used < staff.dailyLimitMinor) return undefined;',
    },
    { name: 'limits apply to voids', find: "if (operation.kind === 'CANCEL') return undefined;", replace: '' },
    {
      name: 'an authorised refund has no log entry',
      find: 'await log(proven.value, by, outcome);',
      replace: 'if (refused) await log(proven.value, by, outcome);',
    },
    {
      name: 'a wrong password has no log entry',
      find: "await log(checked, by, { status: 'failed', reason: 'invalid_signature' });",
      replace: '',
    },
    { name: 'the log entry of a refund does not name it', find: 'refundId: operation.refundId };', replace: '};' },
    {
      name: 'the check of a temporary password has no log entry',
      find: 'await log(proven.value, by, outcome);',
      replace: "if (refused?.refusal.kind !== 'password_change_required') await log(proven.value, by, outcome);",
    },
  ],
  'backend/people/staff/store.ts': [
    {
      name: 'a nonce can be used twice',
      find: "    .where('usedAt', 'is', null)\n    .where('expiresAt'",
      replace: "    .where('expiresAt'",
    },
    {
      name: 'the nonce of another staff member is accepted',
      find: "    .where('staffId', '=', arg('staffId'))\n    .where('terminalId', '=', arg('terminalId'))",
      replace: "    .where('terminalId', '=', arg('terminalId'))",
    },
    {
      name: 'the nonce of another terminal is accepted',
      find: "    .where('terminalId', '=', arg('terminalId'))\n    .where('usedAt'",
      replace: "    .where('usedAt'",
    },
    {
      name: 'nonces never expire',
      find: "    .where('usedAt', 'is', null)\n    .where('expiresAt', '>', arg('now')),",
      replace: "    .where('usedAt', 'is', null),",
    },
    {
      name: 'the daily limit omits pending refunds',
      find: `and "status" in ('declined', 'failed')`,
      replace: `and "status" in ('declined', 'failed', 'pending')`,
    },
    {
      name: 'the daily limit omits approved refunds',
      find: `and "status" in ('declined', 'failed')`,
      replace: `and "status" in ('declined', 'failed', 'approved')`,
    },
    {
      name: 'the daily limit counts declined refunds',
      find: `and "status" in ('declined', 'failed')`,
      replace: 'and 1 = 0',
    },
    { name: 'the daily limit counts voids', find: `and "kind" = 'REFUND_SALE'`, replace: '' },
  ],
  'backend/people/staff/failures.ts': [
    {
      name: 'wrong passwords are not counted',
      find: 'await tx.run(updateLockout, { id: staff.id, ...next });',
      replace: '',
    },
    {
      name: 'each failure counts as the first',
      find: 'const next = afterFailure(staff, at, lockout);',
      replace: 'const next = afterFailure(notLockedOut, at, lockout);',
    },
    {
      name: 'a lockout is not announced',
      find: 'if (next.lockedUntil !== null) announce(tx, staff, terminal, next.lockedUntil);',
      replace: '',
    },
    {
      name: 'failures never expire',
      find: 'await tx.run(updateLockout, { id: staff.id, ...notLockedOut });',
      replace: '',
    },
  ],
  'backend/people/staff/lockout.ts': [
    {
      name: 'later lockouts are not longer',
      find: 'lockoutRound: state.lockoutRound + 1,',
      replace: 'lockoutRound: state.lockoutRound,',
    },
    {
      name: 'one failure more than the maximum is allowed',
      find: 'if (failedAttempts < settings.attemptsPerRound)',
      replace: 'if (failedAttempts <= settings.attemptsPerRound)',
    },
    {
      name: 'a terminal is locked out by its first lockout',
      find: '(lockouts ?? 0) < perTerminal.count',
      replace: '(lockouts ?? 0) < 1',
    },
  ],
  'backend/people/staff/business-day.ts': [
    {
      name: 'the day of a limit is that of UTC',
      find: 'toZonedDateTimeISO(timeZone)',
      replace: "toZonedDateTimeISO('UTC')",
    },
    {
      name: 'the day of a limit has 24 hours',
      find: 'start.add({ days: 1 }).startOfDay()',
      replace: 'start.add({ hours: 24 })',
    },
  ],
  'shared/signing/canonical.ts': [
    { name: 'the amount is not signed', find: '    amount: request.amount,\n', replace: '' },
    { name: 'the payment is not signed', find: '    paymentId: request.paymentId,\n', replace: '' },
  ],
  'backend/people/audit/log.ts': [
    { name: 'the hash chain is not linked', find: 'previousHash: head.hash,', replace: 'previousHash: genesisHash,' },
  ],
  'backend/people/staff/offline-checks.ts': [
    {
      name: 'a wrong password offline is not counted',
      find: 'if (counts) await failures.add(tx, { staff, terminal, at });',
      replace: '',
    },
  ],
});
