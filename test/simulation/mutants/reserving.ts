import { bugsIn } from './mutant.ts';

/** Bugs in deciding what may be refunded, and in reserving it. */
export const reserving = bugsIn({
  'backend/money/refunds/refund.ts': [
    {
      name: 'headroom is not checked',
      find: 'if (amountMinor > remaining) return {',
      replace: 'if (amountMinor < 0) return {',
    },
    {
      name: 'an uncapped credit is reserved',
      find: "return kind === 'CANCEL' || kind === 'REFUND_SALE';",
      replace: "return kind === 'CANCEL' || kind === 'REFUND_SALE' || kind === 'REFUND';",
    },
    {
      name: 'a void is accepted beside a pending refund',
      find: 'if (payment.reservedMinor > 0 || payment.contestedMinor > 0 || others.pending)',
      replace: 'if (payment.contestedMinor > 0)',
    },
    {
      name: 'a void is accepted after a refund',
      find: 'if (payment.refundedMinor > 0 || others.final)',
      replace: 'if (payment.refundedMinor > payment.amountMinor)',
    },
    {
      name: 'a void is accepted after settlement',
      find: "return isSettled ? { kind: 'payment_already_settled' } : null;",
      replace: 'return null;',
    },
    {
      name: 'a refund is accepted before settlement',
      find: "return awaitsSettlement(payment) ? settling : { kind: 'payment_not_settled' };",
      replace: 'return awaitsSettlement(payment) ? settling : null;',
    },
    {
      name: 'the bitcoin cap is not checked',
      find: 'return amountSats > remaining ? {',
      replace: 'return amountSats < 0 ? {',
    },
  ],
  'backend/money/payments/payment.ts': [
    {
      name: 'credits are not counted',
      find: 'return payment.refundedMinor + payment.creditedMinor;',
      replace: 'return payment.refundedMinor;',
    },
    {
      name: 'reserved amounts are not counted',
      find: 'takenMinor(payment) - returnedMinor(payment) - heldMinor(payment)',
      replace: 'takenMinor(payment) - returnedMinor(payment)',
    },
  ],
  'backend/money/refunds/reservation.ts': [
    {
      name: 'nothing is reserved',
      find: 'if (isCapped(kind)) tx.send(reserveMinor, { id: payment.id, amountMinor });',
      replace: '',
    },
    {
      name: 'the refund is not stored before it is sent',
      find: '      save(tx, refund, payment);\n      const view = { refund, payment: { ...payment, reservedMinor }',
      replace: '      const view = { refund, payment: { ...payment, reservedMinor }',
    },
    {
      name: 'the request id is not looked up',
      find: "request.clientRequestId !== null && begun !== 'new' ? await",
      replace: "request.clientRequestId === '' && begun !== 'new' ? await",
    },
  ],
  'backend/money/payments/store.ts': [
    {
      name: 'the payment of another business is refunded',
      find: `selectForUpdateBy('payments', 'id', 'businessId')`,
      replace: `selectForUpdateBy('payments', 'id')`,
    },
    {
      name: 'the payment of another business is readable',
      find: `selectBy('payments', 'id', 'businessId')`,
      replace: `selectBy('payments', 'id')`,
    },
  ],
  'backend/foundation/database/counters.ts': [
    { name: 'an invoice number is given twice', find: `"counters"."value" + 1`, replace: `"counters"."value" + 0` },
  ],
});
