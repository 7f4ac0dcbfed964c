import type { Mutant } from './mutant.ts';

const refundService = 'backend/refunds/service.ts';
const paymentService = 'backend/payments/service.ts';

/** Sending once, and only under a lease. */
export const sending: readonly Mutant[] = [
  {
    name: 'sent again after a timeout',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = await send(view.refund, view.payment);",
    why: 'paid twice',
  },
  {
    name: 'unknown taken for failed',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'notSent', cause: outcome.cause };",
    why: 'refunded again although the first went through',
  },
  {
    name: 'unknown taken for declined',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'declined', code: '5', message: '' };",
    why: 'refunded again although the first went through',
  },
  {
    name: 'unknown taken for approved',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'approved', gatewayReference: '', message: '' };",
    why: 'the customer never gets the money',
  },
  {
    name: 'not sent taken for unknown',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'notSent') outcome = { kind: 'unknown', cause: 'timeout' };",
    why: 'an amount held for ten minutes for nothing',
    flow: 'refund',
  },
  {
    name: 'lease not looked at before sending',
    file: refundService,
    find: 'if (refund.nextPollAt === null || clock.now() >= refund.nextPollAt)',
    replace: 'if (refund.nextPollAt === null)',
    why: 'sent after it was given up',
  },
  {
    name: 'lease of a sale not looked at before sending',
    file: paymentService,
    find: 'if (payment.nextPollAt === null || clock.now() >= payment.nextPollAt)',
    replace: 'if (payment.nextPollAt === null)',
    why: 'charged after the sale was given up',
    flow: 'saleHeldUp',
  },
  {
    name: 'void sent as credit',
    file: refundService,
    find: 'return await gateway.cancel(cancelRequest);',
    replace: 'return await gateway.refund(refundRequest);',
    why: 'two lines on the statement instead of none',
  },
  {
    name: 'refund sent uncapped',
    file: refundService,
    find: 'return await gateway.refundSale(refundRequest);',
    replace: 'return await gateway.refund(refundRequest);',
    why: 'the gateway no longer caps it',
  },
  {
    name: 'whole payment sent for a part',
    file: refundService,
    find: 'const refundRequest = { ...cancelRequest, invoiceNumber',
    replace:
      'const refundRequest = { ...cancelRequest, amount: { amountMinor: payment.amountMinor, currency: payment.currency }, invoiceNumber',
    why: 'more goes back than was recorded',
  },
  {
    name: 'sale sent twice',
    file: paymentService,
    find: 'return isSame ? ok({ payment: known, isNew: false })',
    replace: 'return isSame ? ok({ payment: known, isNew: true })',
    why: 'charged twice',
    flow: 'sale',
  },
  {
    name: 'sale given up and charged',
    file: paymentService,
    find: "if (await tx.first(earlyReversal, { machineId, saleId })) return err({ kind: 'sale_given_up' });",
    replace: '',
    why: 'charged although the terminal had given up',
  },
  {
    name: 'sale unknown taken for failed',
    file: 'backend/payments/authorisation.ts',
    find: 'return { open: outcome.cause };',
    replace: "return { kind: 'failed', message: outcome.cause };",
    why: 'charged, and no record of it',
  },
];
