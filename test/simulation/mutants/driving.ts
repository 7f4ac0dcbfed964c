import type { Mutant } from './mutant.ts';

const transitions = 'backend/channels/terminal-sales/transitions.ts';
const service = 'backend/channels/terminal-sales/service.ts';
const commands = 'backend/channels/terminal-sales/commands.ts';
const jobs = 'backend/channels/terminal-sales/jobs.ts';
const sale = 'backend/channels/terminal-sales/terminal-sale.ts';

/** Bugs in sales that software starts on terminals. */
export const driving: readonly Mutant[] = [
  {
    name: 'an ended sale is sent to the bank',
    file: transitions,
    find: "if (sale.endedAt !== null || sale.type !== 'sale') return { kind: 'sale_ended' };",
    replace: '',
    why: 'the customer is charged after the software was told that nothing was charged',
    flow: 'drivenSaleCancelled',
  },
  {
    name: 'a sale can be cancelled during the authorisation',
    file: service,
    find: 'if (money) return transitions.cancelUnanswered(tx, sale, money, by);',
    replace: '',
    why: 'the software charges again for a sale that was charged',
    flow: 'drivenSaleCancelled',
  },
  {
    name: 'a sale can expire during the authorisation',
    file: jobs,
    find: 'if (money) await followLate(tx, sale, money);',
    replace: 'if (money && now < sale.expiresAt) await followLate(tx, sale, money);',
    why: 'a sale that was charged is reported as timed out',
  },
  {
    name: 'the sequence number does not increase',
    file: transitions,
    find: 'sequence: isSame ? sale.sequence : sale.sequence + 1,',
    replace: 'sequence: sale.sequence,',
    why: 'a late answer is treated as a newer one',
  },
  {
    name: 'a change that ends a sale leaves it open',
    file: transitions,
    find: 'endedAt: isOver ? now : null,',
    replace: 'endedAt: null,',
    why: 'the terminal stays busy indefinitely',
  },
  {
    name: 'the terminal’s report decides whether money was taken',
    file: commands,
    find: 'if (!wasUnknown) return transitions.follow(tx, { ...sale, reportSequence, leftTerminalAt }, money);',
    replace: '',
    why: 'a sale that was charged is reported as failed',
  },
  {
    name: 'a payment that is approved but not completed makes the sale complete',
    file: sale,
    find: "return { status: 'PROCESSING', statusReason: 'approved' };\n}",
    replace: "return { status: 'COMPLETE', statusReason: 'completed' };\n}",
    why: 'the software hands over goods, and the sale is reversed',
  },
  {
    name: 'a reversed sale is complete',
    file: sale,
    find: "case 'card_refused':\n      return { status: 'ERROR', statusReason: 'card_refused' };\n    case 'partial_approval':",
    replace:
      "case 'card_refused':\n      return { status: 'COMPLETE', statusReason: 'completed' };\n    case 'partial_approval':",
    why: 'goods are handed over for money that was returned',
  },
  {
    name: 'a sale cancelled without the bank’s answer is complete',
    file: sale,
    find: "return { status: 'ERROR', statusReason: 'bank_timeout' };",
    replace: "return { status: 'COMPLETE', statusReason: 'completed' };",
    why: 'goods are handed over for money that was returned',
  },
  {
    name: 'a sale cancelled by its caller is not reversed',
    file: transitions,
    find: 'const reversed = await options.endings.markForReversal(tx, reversal, by);',
    replace: 'const reversed = { ...payment, reversalReason: reversal.reason };',
    why: 'the caller takes the money again, and the late approval is kept',
  },
  {
    name: 'the start of a sale is not stored under its Idempotency-Key',
    file: service,
    find: 'await write.finish(tx, sale);',
    replace: '',
    why: 'a repeated start is answered that the terminal is busy',
  },
  {
    name: 'the command is not sent',
    file: transitions,
    find: 'await tx.run(insertCommand, row);',
    replace: "if (kind === 'end_sale') await tx.run(insertCommand, row);",
    why: 'the terminal does not learn of the sale',
  },
];
