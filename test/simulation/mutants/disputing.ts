import { bugsIn } from './mutant.ts';

/** Bugs in discrepancies between the gateway and our records, and in their resolution. */
export const disputing = bugsIn({
  'backend/money/discrepancies/discrepancies.ts': [
    {
      name: 'a discrepancy is not recorded',
      find: 'const written = await tx.run(insertDiscrepancy, {',
      replace: 'const written = contestedMinor < 0 ? 1 : 0;\n      Object.freeze({',
      flow: 'resolveDiscrepancy',
    },
    {
      name: 'resolving a discrepancy does not release its amount',
      find: '    if (paymentId !== null && contestedMinor > 0) {\n',
      replace: '    if (paymentId !== null && contestedMinor < 0) {\n',
      flow: 'resolveDiscrepancy',
    },
  ],
  'backend/money/payments/amounts-store.ts': [
    {
      name: 'resolving a discrepancy counts its amount twice',
      find: `creditedMinor: sql<number>\`"creditedMinor" + \${arg('returnedMinor')}\``,
      replace: `creditedMinor: sql<number>\`"creditedMinor" + 2 * \${arg('returnedMinor')}\``,
      flow: 'resolveDiscrepancy',
    },
    {
      name: 'resolving a discrepancy releases other reservations',
      find: `"contestedMinor" - \${arg('contestedMinor')}`,
      replace: `"contestedMinor" - "contestedMinor" + 0 * \${arg('contestedMinor')}`,
    },
  ],
  'backend/foundation/jobs/polling.ts': [
    {
      name: 'evidence is accepted at once',
      find: 'const leftMs = settings.evidenceAfterMs - polled.polledForMs;',
      replace: 'const leftMs = 0 - polled.polledForMs;',
      flow: 'resolve',
    },
  ],
  'backend/money/refunds/outcome.ts': [
    {
      name: 'a second approval of a refund is ignored',
      find: 'if (isApproved === wasApproved && !isSecond) return;',
      replace: 'if (isApproved === wasApproved) return;',
      flow: 'resolveDiscrepancy',
    },
  ],
  'backend/money/payments/authorisation.ts': [
    {
      name: 'a second approval of a sale is ignored',
      find: 'if (isApproved === wasApproved && !isSecond) return;',
      replace: 'if (isApproved === wasApproved) return;',
      flow: 'sale',
    },
  ],
  'backend/money/refunds/service.ts': [
    {
      name: 'polling releases a refund that was approved with another amount',
      find: "if (contradictions.some(({ kind, refundId }) => kind === 'refund_amount_differs' && refundId === refund.id))",
      replace: 'if (contradictions.length < 0)',
      flow: 'refundSale',
    },
  ],
  'backend/money/refunds/reservation.ts': [
    {
      name: 'a withdrawn refund is still accepted',
      find: 'return (await isWithdrawn(tx, request))',
      replace: 'return (await isWithdrawn(tx, request)) && request.reason === request.paymentId',
      flow: 'withdrawal',
    },
  ],
});
