import type { Mutant } from './mutant.ts';

const refund = 'backend/money/refunds/refund.ts';
const reservation = 'backend/money/refunds/reservation.ts';
const paymentStore = 'backend/money/payments/store.ts';

/** Bugs in deciding what may be refunded, and in reserving it. */
export const reserving: readonly Mutant[] = [
  {
    name: 'headroom is not checked',
    file: refund,
    find: 'if (amountMinor > remaining) return {',
    replace: 'if (amountMinor < 0) return {',
    why: 'a refund exceeds the rest of the payment',
  },
  {
    name: 'credits are not counted',
    file: 'backend/money/payments/payment.ts',
    find: 'return payment.refundedMinor + payment.creditedMinor;',
    replace: 'return payment.refundedMinor;',
    why: 'the same money is returned by a credit and by a refund',
  },
  {
    name: 'reserved amounts are not counted',
    file: 'backend/money/payments/payment.ts',
    find: 'takenMinor(payment) - returnedMinor(payment) - heldMinor(payment)',
    replace: 'takenMinor(payment) - returnedMinor(payment)',
    why: 'two refunds at once exceed the payment',
  },
  {
    name: 'nothing is reserved',
    file: reservation,
    find: 'if (isCapped(kind)) tx.send(reserveMinor, { id: payment.id, amountMinor });',
    replace: '',
    why: 'two refunds at once exceed the payment',
  },
  {
    name: 'an uncapped credit is reserved',
    file: refund,
    find: "return kind === 'CANCEL' || kind === 'REFUND_SALE';",
    replace: "return kind === 'CANCEL' || kind === 'REFUND_SALE' || kind === 'REFUND';",
    why: 'a credit takes headroom that refunds need',
  },
  {
    name: 'a void is accepted beside a pending refund',
    file: refund,
    find: 'if (payment.reservedMinor > 0 || payment.contestedMinor > 0 || others.pending)',
    replace: 'if (payment.contestedMinor > 0)',
    why: 'the money is returned twice',
  },
  {
    name: 'a void is accepted after a refund',
    file: refund,
    find: 'if (payment.refundedMinor > 0 || others.final)',
    replace: 'if (payment.refundedMinor > payment.amountMinor)',
    why: 'the money is returned twice',
  },
  {
    name: 'a void is accepted after settlement',
    file: refund,
    find: "return isSettled ? { kind: 'payment_already_settled' } : null;",
    replace: 'return null;',
    why: 'the bank cannot carry out the void',
  },
  {
    name: 'a refund is accepted before settlement',
    file: refund,
    find: "return awaitsSettlement(payment) ? settling : { kind: 'payment_not_settled' };",
    replace: 'return awaitsSettlement(payment) ? settling : null;',
    why: 'a refund and a void are accepted for the same money',
  },
  {
    name: 'the bitcoin cap is not checked',
    file: refund,
    find: 'return amountSats > remaining ? {',
    replace: 'return amountSats < 0 ? {',
    why: 'more bitcoin is recorded as returned than was received',
  },
  {
    name: 'the refund is not stored before it is sent',
    file: reservation,
    find: '      save(tx, refund, payment);\n      const view = { refund, payment: { ...payment, reservedMinor }',
    replace: '      const view = { refund, payment: { ...payment, reservedMinor }',
    why: 'a crash loses a refund that was sent',
  },
  {
    name: 'the request id is not looked up',
    file: reservation,
    find: "request.clientRequestId !== null && begun !== 'new' ? await",
    replace: "request.clientRequestId === '' && begun !== 'new' ? await",
    why: 'a repeated request fails instead of returning the refund',
  },
  {
    name: 'the payment of another business is refunded',
    file: paymentStore,
    find: `    .where('id', '=', arg('id'))
    .where('businessId', '=', arg('businessId'))
    .$if(isPostgres, query => query.forUpdate()),`,
    replace: `    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),`,
    why: 'a merchant refunds another merchant’s payment',
  },
  {
    name: 'the payment of another business is readable',
    file: paymentStore,
    find: `db.selectFrom('payments').selectAll().where('id', '=', arg('id')).where('businessId', '=', arg('businessId')),`,
    replace: `db.selectFrom('payments').selectAll().where('id', '=', arg('id')),`,
    why: 'a merchant reads another merchant’s payment',
  },
  {
    name: 'an invoice number is given twice',
    file: 'backend/foundation/database/counters.ts',
    find: `"counters"."value" + 1`,
    replace: `"counters"."value" + 0`,
    why: 'two sales have one number',
  },
];
