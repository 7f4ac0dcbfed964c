import type { Mutant } from './mutant.ts';

const staffService = 'backend/people/staff/service.ts';
const issued = 'await database.write(tx => tx.run(insertNonce, row));';

/** Bugs in which staff member is checked, and under which enrolment. */
export const enrolling: readonly Mutant[] = [
  {
    name: 'every refund names the first staff member checked',
    file: 'backend/people/staff/log-entry.ts',
    find: '    staffId: staff.id,\n',
    replace:
      '    staffId: ((globalThis as { first?: Record<string, string> }).first ??= {})[terminal.id] ??= staff.id,\n',
    why: 'the log names the wrong colleague',
    flow: 'takeOver',
  },
  {
    name: 'every challenge names the first staff member requested',
    file: staffService,
    find: 'const row = { nonce, businessId, staffId: staff.id, terminalId,',
    replace:
      'const staffId = ((globalThis as { first?: Record<string, string> }).first ??= {})[terminalId] ??= staff.id;\n      const row = { nonce, businessId, staffId, terminalId,',
    why: 'a colleague who takes over cannot authorise anything',
    flow: 'takeOver',
  },
  {
    name: 'a log entry is written without a password check',
    file: staffService,
    find: issued,
    replace: `${issued}
      const by = { kind: 'terminal', terminalId } as const;
      const blamed = { businessId, staffId: staff.id, terminalId, by, detail: {} };
      await database.write(tx =>
        audit.append(tx, { ...blamed, kind: 'refund_check', status: 'failed', reason: 'permission_denied' }),
      );`,
    why: 'the log accuses a staff member whose staff ID another person typed',
    flow: 'takeOver',
  },
  {
    name: 'entries of an earlier enrolment are dropped',
    file: 'backend/channels/terminals/sync.ts',
    find: 'if (await tx.first(entryTaken,',
    replace:
      "if (terminalId !== sender.terminalId) return { entryId, outcome: 'accepted' };\n    if (await tx.first(entryTaken,",
    why: 'removing and enrolling a terminal again erases its failed attempts',
    flow: 'enrolAgain',
  },
  {
    name: 'sales of an earlier enrolment are unknown',
    file: 'backend/money/payments/store.ts',
    find: "'enrolment.machineId', 'own.machineId')",
    replace: "'enrolment.id', 'own.id')",
    why: 'the customer pays for a sale that was reversed',
    flow: 'enrolAgain',
  },
];
