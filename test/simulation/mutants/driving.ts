import type { Mutant } from './mutant.ts';

const transitions = 'backend/terminal-sales/transitions.ts';
const service = 'backend/terminal-sales/service.ts';
const commands = 'backend/terminal-sales/commands.ts';
const jobs = 'backend/terminal-sales/jobs.ts';
const sale = 'backend/terminal-sales/terminal-sale.ts';

/** Sales that software starts on terminals. */
export const driving: readonly Mutant[] = [
  {
    name: 'ended sale sent to the bank',
    file: transitions,
    find: "if (sale.endedAt !== null || sale.type !== 'sale') return { kind: 'sale_ended' };",
    replace: '',
    why: 'the customer is charged after the software was told that nothing was',
    flow: 'drivenSaleCancelled',
  },
  {
    name: 'cancelled while the bank is asked',
    file: service,
    find: 'if (money) return transitions.cancelUnanswered(tx, sale, money, by);',
    replace: '',
    why: 'the software sells again what was charged',
    flow: 'drivenSaleCancelled',
  },
  {
    name: 'expired while the bank is asked',
    file: jobs,
    find: 'if (money) await followLate(tx, sale, money);',
    replace: 'if (money && now < sale.expiresAt) await followLate(tx, sale, money);',
    why: 'a sale that was charged is said to have timed out',
  },
  {
    name: 'sequence stands still',
    file: transitions,
    find: 'sequence: isSame ? sale.sequence : sale.sequence + 1,',
    replace: 'sequence: sale.sequence,',
    why: 'a late answer is taken for a new one',
  },
  {
    name: 'a change that ends a sale leaves it open',
    file: transitions,
    find: 'endedAt: isOver ? now : null,',
    replace: 'endedAt: null,',
    why: 'the terminal stays busy for ever',
  },
  {
    name: 'terminal’s word believed about money',
    file: commands,
    find: 'if (!wasUnknown) return transitions.follow(tx, { ...sale, reportSequence, leftTerminalAt }, money);',
    replace: '',
    why: 'the terminal says failed of what was charged',
  },
  {
    name: 'payment approved but not completed counts as complete',
    file: sale,
    find: "return { status: 'PROCESSING', statusReason: 'approved' };\n}",
    replace: "return { status: 'COMPLETE', statusReason: 'completed' };\n}",
    why: 'the software hands over goods, and the sale is given back',
  },
  {
    name: 'given up sale complete',
    file: sale,
    find: "case 'card_refused':\n      return { status: 'ERROR', statusReason: 'card_refused' };\n    case 'partial_approval':",
    replace:
      "case 'card_refused':\n      return { status: 'COMPLETE', statusReason: 'completed' };\n    case 'partial_approval':",
    why: 'goods are handed over for money that went back',
  },
  {
    name: 'sale cancelled without the bank’s answer complete',
    file: sale,
    find: "return { status: 'ERROR', statusReason: 'bank_timeout' };",
    replace: "return { status: 'COMPLETE', statusReason: 'completed' };",
    why: 'goods are handed over for money that went back',
  },
  {
    name: 'sale that its caller cancels not reversed',
    file: transitions,
    find: 'const reversed = await options.endings.markForReversal(tx, reversal, by);',
    replace: 'const reversed = { ...payment, reversalReason: reversal.reason };',
    why: 'the caller takes the money again, and the late approval is kept',
  },
  {
    name: 'start not kept under its key',
    file: service,
    find: 'await write.finish(tx, sale);',
    replace: '',
    why: 'a repeated start is told that the terminal is busy',
  },
  {
    name: 'command not given',
    file: transitions,
    find: 'await tx.run(insertCommand, row);',
    replace: "if (kind === 'end_sale') await tx.run(insertCommand, row);",
    why: 'the terminal never hears of the sale',
  },
];
