import { bugsIn } from './mutant.ts';

const issued = 'await database.write(tx => tx.run(insertNonce, row));';

/** Bugs in which staff member is checked, and under which enrolment. */
export const enrolling = bugsIn({
  'backend/people/staff/log-entry.ts': [
    {
      name: 'every refund names the first staff member checked',
      find: '    staffId: staff.id,\n',
      replace:
        '    staffId: ((globalThis as { first?: Record<string, string> }).first ??= {})[terminal.id] ??= staff.id,\n',
      flow: 'takeOver',
    },
  ],
  'backend/people/staff/service.ts': [
    {
      name: 'every challenge names the first staff member requested',
      find: 'const parties = { businessId, staffId: staff.id, terminalId };',
      replace:
        'const staffId = ((globalThis as { first?: Record<string, string> }).first ??= {})[terminalId] ??= staff.id;\n      const parties = { businessId, staffId, terminalId };',
      flow: 'takeOver',
    },
    {
      name: 'a log entry is written without a password check',
      find: issued,
      replace: `${issued}
      const by = { kind: 'terminal', terminalId } as const;
      const blamed = { businessId, staffId: staff.id, terminalId, by, detail: {} };
      await database.write(tx =>
        audit.append(tx, { ...blamed, kind: 'refund_check', status: 'failed', reason: 'permission_denied' }),
      );`,
      flow: 'takeOver',
    },
  ],
  'backend/channels/terminals/sync.ts': [
    {
      name: 'entries of an earlier enrolment are dropped',
      find: 'if (await tx.first(entryTaken,',
      replace:
        "if (terminalId !== sender.terminalId) return { entryId, outcome: 'accepted' };\n    if (await tx.first(entryTaken,",
      flow: 'enrolAgain',
    },
  ],
  'backend/money/payments/store.ts': [
    {
      name: 'sales of an earlier enrolment are unknown',
      find: "'enrolment.machineId', 'own.machineId')",
      replace: "'enrolment.id', 'own.id')",
      flow: 'enrolAgain',
    },
  ],
});
