import type { Mutant } from './mutant.ts';

const refund = 'backend/refunds/refund.ts';
const reservation = 'backend/refunds/reservation.ts';
const paymentStore = 'backend/payments/store.ts';

/** Deciding what may be refunded, and holding it. */
export const reserving: readonly Mutant[] = [
  {
    name: 'headroom not checked',
    file: refund,
    find: 'if (amountMinor > remaining) return {',
    replace: 'if (amountMinor < 0) return {',
    why: 'a refund above what is left',
  },
  {
    name: 'credits not counted',
    file: 'backend/payments/payment.ts',
    find: 'return payment.refundedMinor + payment.creditedMinor;',
    replace: 'return payment.refundedMinor;',
    why: 'the same money goes back by a credit and by a refund',
  },
  {
    name: 'reserved amounts not counted',
    file: 'backend/payments/payment.ts',
    find: 'takenMinor(payment) - returnedMinor(payment) - heldMinor(payment)',
    replace: 'takenMinor(payment) - returnedMinor(payment)',
    why: 'two refunds at once exceed the payment',
  },
  {
    name: 'nothing reserved',
    file: reservation,
    find: 'if (isCapped(kind)) tx.send(reserveMinor, { id: payment.id, amountMinor });',
    replace: '',
    why: 'two refunds at once exceed the payment',
  },
  {
    name: 'uncapped credit reserved',
    file: refund,
    find: "return kind === 'CANCEL' || kind === 'REFUND_SALE';",
    replace: "return kind === 'CANCEL' || kind === 'REFUND_SALE' || kind === 'REFUND';",
    why: 'a credit takes headroom that refunds need',
  },
  {
    name: 'void beside a pending refund',
    file: refund,
    find: 'if (payment.reservedMinor > 0 || payment.contestedMinor > 0 || others.pending)',
    replace: 'if (payment.contestedMinor > 0)',
    why: 'the money goes back twice',
  },
  {
    name: 'void after a refund',
    file: refund,
    find: 'if (payment.refundedMinor > 0 || others.final)',
    replace: 'if (payment.refundedMinor > payment.amountMinor)',
    why: 'the money goes back twice',
  },
  {
    name: 'void after settlement',
    file: refund,
    find: "return isSettled ? { kind: 'payment_already_settled' } : null;",
    replace: 'return null;',
    why: 'a void the bank cannot carry out',
  },
  {
    name: 'refund before settlement',
    file: refund,
    find: "return awaitsSettlement(payment) ? settling : { kind: 'payment_not_settled' };",
    replace: 'return awaitsSettlement(payment) ? settling : null;',
    why: 'a refund beside a void',
  },
  {
    name: 'bitcoin cap not checked',
    file: refund,
    find: 'return amountSats > remaining ? {',
    replace: 'return amountSats < 0 ? {',
    why: 'more bitcoin recorded than was received',
  },
  {
    name: 'intent not saved',
    file: reservation,
    find: '      await save(tx, refund, payment);\n      const view = { refund, payment: { ...payment, reservedMinor }',
    replace: '      const view = { refund, payment: { ...payment, reservedMinor }',
    why: 'a crash loses a refund that was sent',
  },
  {
    name: 'request id not looked up',
    file: reservation,
    find: "request.clientRequestId !== null && begun !== 'new' ? await",
    replace: "request.clientRequestId === '' && begun !== 'new' ? await",
    why: 'a repeated request fails instead of telling what became of it',
  },
  {
    name: 'payment of another business',
    file: paymentStore,
    find: `    .where('id', '=', arg('id'))
    .where('businessId', '=', arg('businessId'))
    .$if(isPostgres, query => query.forUpdate()),`,
    replace: `    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),`,
    why: 'a merchant refunds from another merchant',
  },
  {
    name: 'payment read by another business',
    file: paymentStore,
    find: `db.selectFrom('payments').selectAll().where('id', '=', arg('id')).where('businessId', '=', arg('businessId')),`,
    replace: `db.selectFrom('payments').selectAll().where('id', '=', arg('id')),`,
    why: 'a merchant reads another merchant',
  },
  {
    name: 'invoice number given twice',
    file: 'backend/database/counters.ts',
    find: `"counters"."value" + 1`,
    replace: `"counters"."value" + 0`,
    why: 'two sales under one number',
  },
];
