import { bugsIn } from './mutant.ts';

/** Bugs in sales that software starts on terminals. */
export const driving = bugsIn({
  'backend/channels/terminal-sales/transitions.ts': [
    {
      name: 'an ended sale is sent to the bank',
      find: "if (sale.endedAt !== null || sale.type !== 'sale') return err({ kind: 'sale_ended' });",
      replace: '',
      flow: 'drivenSaleCancelled',
    },
    {
      name: 'the sequence number does not increase',
      find: 'sequence: isSame ? sale.sequence : sale.sequence + 1,',
      replace: 'sequence: sale.sequence,',
    },
    {
      name: 'a change that ends a sale leaves it open',
      find: 'endedAt: isOver ? now : null,',
      replace: 'endedAt: null,',
    },
    {
      name: 'a sale cancelled by its caller is not reversed',
      find: 'const reversed = await options.endings.markForReversal(tx, reversal, by);',
      replace: 'const reversed = { ...payment, reversalReason: reversal.reason };',
    },
    {
      name: 'the command is not sent',
      find: 'await tx.run(insertCommand, row);',
      replace: "if (kind === 'end_sale') await tx.run(insertCommand, row);",
    },
  ],
  'backend/channels/terminal-sales/service.ts': [
    {
      name: 'a sale can be cancelled during the authorisation',
      find: 'if (money) return transitions.cancelUnanswered(tx, sale, money, by);',
      replace: '',
      flow: 'drivenSaleCancelled',
    },
    {
      name: 'the start of a sale is not stored under its Idempotency-Key',
      find: 'await write.finish(tx, sale);',
      replace: '',
    },
  ],
  'backend/channels/terminal-sales/jobs.ts': [
    {
      name: 'a sale can expire during the authorisation',
      find: 'if (money) await followLate(tx, sale, money);',
      replace: 'if (money && now < sale.expiresAt) await followLate(tx, sale, money);',
    },
  ],
  'backend/channels/terminal-sales/commands.ts': [
    {
      name: 'the terminal’s report decides whether money was taken',
      find: 'if (!wasUnknown) return transitions.follow(tx, { ...sale, reportSequence, leftTerminalAt }, money);',
      replace: '',
    },
  ],
  'backend/channels/terminal-sales/terminal-sale.ts': [
    {
      name: 'a payment that is approved but not completed makes the sale complete',
      find: "return { status: 'PROCESSING', statusReason: 'approved' };\n}",
      replace: "return { status: 'COMPLETE', statusReason: 'completed' };\n}",
    },
    {
      name: 'a reversed sale is complete',
      find: "case 'card_refused':\n      return { status: 'ERROR', statusReason: 'card_refused' };\n    case 'partial_approval':",
      replace:
        "case 'card_refused':\n      return { status: 'COMPLETE', statusReason: 'completed' };\n    case 'partial_approval':",
    },
    {
      name: 'a sale cancelled without the bank’s answer is complete',
      find: "return { status: 'ERROR', statusReason: 'bank_timeout' };",
      replace: "return { status: 'COMPLETE', statusReason: 'completed' };",
    },
  ],
});
