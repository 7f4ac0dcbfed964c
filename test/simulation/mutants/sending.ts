import type { Mutant } from './mutant.ts';

const refundService = 'backend/money/refunds/service.ts';
const paymentService = 'backend/money/payments/service.ts';

/** Bugs in sending an operation once, and only under a lease. */
export const sending: readonly Mutant[] = [
  {
    name: 'a refund is sent again after a timeout',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = await send(view.refund, view.payment);",
    why: 'the customer is paid twice',
  },
  {
    name: 'an unknown outcome counts as failed',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'notSent', cause: outcome.cause };",
    why: 'the refund is repeated although the first one was carried out',
  },
  {
    name: 'an unknown outcome counts as declined',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'declined', code: '5', message: '' };",
    why: 'the refund is repeated although the first one was carried out',
  },
  {
    name: 'an unknown outcome counts as approved',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'approved', gatewayReference: '', message: '' };",
    why: 'the customer never gets the money',
  },
  {
    name: 'an unsent refund counts as unknown',
    file: refundService,
    find: 'const outcome = await send(view.refund, view.payment);',
    replace:
      "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'notSent') outcome = { kind: 'unknown', cause: 'timeout' };",
    why: 'an amount is held for ten minutes for nothing',
    flow: 'refund',
  },
  {
    name: 'the lease of a refund is not checked before sending',
    file: refundService,
    find: 'if (refund.nextPollAt === null || clock.now() >= refund.nextPollAt)',
    replace: 'if (refund.nextPollAt === null)',
    why: 'a refund is sent after it was recorded as failed',
  },
  {
    name: 'the lease of a sale is not checked before sending',
    file: paymentService,
    find: 'if (payment.nextPollAt === null || clock.now() >= payment.nextPollAt)',
    replace: 'if (payment.nextPollAt === null)',
    why: 'the customer is charged after the sale was recorded as failed',
    flow: 'saleHeldUp',
  },
  {
    name: 'a void is sent as a credit',
    file: refundService,
    find: 'return await gateway.cancel(cancelRequest);',
    replace: 'return await gateway.refund(refundRequest);',
    why: 'the customer’s statement has two lines instead of none',
  },
  {
    name: 'a refund is sent uncapped',
    file: refundService,
    find: 'return await gateway.refundSale(refundRequest);',
    replace: 'return await gateway.refund(refundRequest);',
    why: 'the gateway no longer caps it',
  },
  {
    name: 'the whole payment is sent for a part',
    file: refundService,
    find: 'const refundRequest = { ...cancelRequest, invoiceNumber',
    replace:
      'const refundRequest = { ...cancelRequest, amount: { amountMinor: payment.amountMinor, currency: payment.currency }, invoiceNumber',
    why: 'more is returned than was recorded',
  },
  {
    name: 'a sale is sent twice',
    file: paymentService,
    find: 'return isSame ? ok({ payment: known, isNew: false })',
    replace: 'return isSame ? ok({ payment: known, isNew: true })',
    why: 'the customer is charged twice',
    flow: 'sale',
  },
  {
    name: 'a reversed sale is sent',
    file: paymentService,
    find: "if (await tx.first(earlyReversal, { machineId, saleId })) return err({ kind: 'sale_reversed' });",
    replace: '',
    why: 'the customer is charged although the terminal had reversed the sale',
  },
  {
    name: 'an unknown sale counts as failed',
    file: 'backend/money/payments/authorisation.ts',
    find: 'return { open: outcome.cause };',
    replace: "return { kind: 'failed', message: outcome.cause };",
    why: 'the customer is charged without a record of it',
  },
];
