import type { Mutant } from './mutant.ts';

const discrepancies = 'backend/discrepancies/discrepancies.ts';
const paymentStore = 'backend/payments/amounts-store.ts';

/** What the gateway says against our records, and what people make of it. */
export const disputing: readonly Mutant[] = [
  {
    name: 'discrepancy not written',
    file: discrepancies,
    find: 'const written = await tx.run(insertDiscrepancy, {',
    replace: 'const written = contestedMinor < 0 ? 1 : 0;\n      Object.freeze({',
    why: 'a double refund that nobody hears of',
    flow: 'resolveDiscrepancy',
  },
  {
    name: 'resolving does not release',
    file: discrepancies,
    find: '    if (contestedMinor > 0) {\n',
    replace: '    if (contestedMinor < 0) {\n',
    why: 'an amount held for ever',
    flow: 'resolveDiscrepancy',
  },
  {
    name: 'resolving returns twice',
    file: paymentStore,
    find: `creditedMinor: sql<number>\`"creditedMinor" + \${arg('returnedMinor')}\``,
    replace: `creditedMinor: sql<number>\`"creditedMinor" + 2 * \${arg('returnedMinor')}\``,
    why: 'headroom that the customer never got back',
    flow: 'resolveDiscrepancy',
  },
  {
    name: 'resolving releases other holds',
    file: paymentStore,
    find: `"contestedMinor" - \${arg('contestedMinor')}`,
    replace: `"contestedMinor" - "contestedMinor" + 0 * \${arg('contestedMinor')}`,
    why: 'refunded again although the money may have gone back',
  },
  {
    name: 'evidence accepted at once',
    file: 'backend/jobs/polling.ts',
    find: 'const leftMs = settings.evidenceAfterMs - polled.polledForMs;',
    replace: 'const leftMs = 0 - polled.polledForMs;',
    why: 'freed by a manager while the gateway still has it on its way',
    flow: 'resolve',
  },
  {
    name: 'second approval of a refund absorbed',
    file: 'backend/refunds/outcome.ts',
    find: 'if (outcome.kind === refund.status && !isSecond) return;',
    replace: 'if (outcome.kind === refund.status) return;',
    why: 'the money goes back twice and nobody hears of it',
    flow: 'resolveDiscrepancy',
  },
  {
    name: 'second approval of a sale absorbed',
    file: 'backend/payments/authorisation.ts',
    find: 'if (isApproved === wasApproved && !isSecond) return;',
    replace: 'if (isApproved === wasApproved) return;',
    why: 'the customer is charged twice and nobody hears of it',
    flow: 'sale',
  },
  {
    name: 'refund of another amount freed by polling',
    file: 'backend/refunds/service.ts',
    find: "if (contradictions.some(({ kind, refundId }) => kind === 'refund_amount_differs' && refundId === refund.id))",
    replace: 'if (contradictions.length < 0)',
    why: 'refunded again although the bank says that it approved something',
    flow: 'refundSale',
  },
  {
    name: 'withdrawn refund made late',
    file: 'backend/refunds/reservation.ts',
    find: 'return (await isWithdrawn(tx, request))',
    replace: 'return (await isWithdrawn(tx, request)) && request.reason === request.paymentId',
    why: 'refunded a second time when the lost request arrives',
    flow: 'withdrawal',
  },
];
