import type { Mutant } from './mutant.ts';

const discrepancies = 'backend/money/discrepancies/discrepancies.ts';
const paymentStore = 'backend/money/payments/amounts-store.ts';

/** Bugs in discrepancies between the gateway and our records, and in their resolution. */
export const disputing: readonly Mutant[] = [
  {
    name: 'a discrepancy is not recorded',
    file: discrepancies,
    find: 'const written = await tx.run(insertDiscrepancy, {',
    replace: 'const written = contestedMinor < 0 ? 1 : 0;\n      Object.freeze({',
    why: 'the merchant does not learn of a double refund',
    flow: 'resolveDiscrepancy',
  },
  {
    name: 'resolving a discrepancy does not release its amount',
    file: discrepancies,
    find: '    if (contestedMinor > 0) {\n',
    replace: '    if (contestedMinor < 0) {\n',
    why: 'an amount is held indefinitely',
    flow: 'resolveDiscrepancy',
  },
  {
    name: 'resolving a discrepancy counts its amount twice',
    file: paymentStore,
    find: `creditedMinor: sql<number>\`"creditedMinor" + \${arg('returnedMinor')}\``,
    replace: `creditedMinor: sql<number>\`"creditedMinor" + 2 * \${arg('returnedMinor')}\``,
    why: 'less can be refunded than the payment has left',
    flow: 'resolveDiscrepancy',
  },
  {
    name: 'resolving a discrepancy releases other reservations',
    file: paymentStore,
    find: `"contestedMinor" - \${arg('contestedMinor')}`,
    replace: `"contestedMinor" - "contestedMinor" + 0 * \${arg('contestedMinor')}`,
    why: 'a refund is repeated although the first may have been carried out',
  },
  {
    name: 'evidence is accepted at once',
    file: 'backend/foundation/jobs/polling.ts',
    find: 'const leftMs = settings.evidenceAfterMs - polled.polledForMs;',
    replace: 'const leftMs = 0 - polled.polledForMs;',
    why: 'a manager releases an amount whose refund is still in transit to the gateway',
    flow: 'resolve',
  },
  {
    name: 'a second approval of a refund is ignored',
    file: 'backend/money/refunds/outcome.ts',
    find: 'if (isApproved === wasApproved && !isSecond) return;',
    replace: 'if (isApproved === wasApproved) return;',
    why: 'the money is returned twice and the merchant does not learn of it',
    flow: 'resolveDiscrepancy',
  },
  {
    name: 'a second approval of a sale is ignored',
    file: 'backend/money/payments/authorisation.ts',
    find: 'if (isApproved === wasApproved && !isSecond) return;',
    replace: 'if (isApproved === wasApproved) return;',
    why: 'the customer is charged twice and the merchant does not learn of it',
    flow: 'sale',
  },
  {
    name: 'polling releases a refund that was approved with another amount',
    file: 'backend/money/refunds/service.ts',
    find: "if (contradictions.some(({ kind, refundId }) => kind === 'refund_amount_differs' && refundId === refund.id))",
    replace: 'if (contradictions.length < 0)',
    why: 'a refund is repeated although the bank approved an amount for it',
    flow: 'refundSale',
  },
  {
    name: 'a withdrawn refund is still accepted',
    file: 'backend/money/refunds/reservation.ts',
    find: 'return (await isWithdrawn(tx, request))',
    replace: 'return (await isWithdrawn(tx, request)) && request.reason === request.paymentId',
    why: 'a second refund is made when the lost request arrives',
    flow: 'withdrawal',
  },
];
