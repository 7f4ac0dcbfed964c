import { bugsIn } from './mutant.ts';

/** Bugs in sending an operation once, and only under a lease. */
export const sending = bugsIn({
  'backend/money/refunds/service.ts': [
    {
      name: 'a refund is sent again after a timeout',
      find: 'const outcome = await send(view.refund, view.payment);',
      replace:
        "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = await send(view.refund, view.payment);",
    },
    {
      name: 'an unknown outcome counts as failed',
      find: 'const outcome = await send(view.refund, view.payment);',
      replace:
        "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'notSent', cause: outcome.cause };",
    },
    {
      name: 'an unknown outcome counts as declined',
      find: 'const outcome = await send(view.refund, view.payment);',
      replace:
        "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'declined', code: '5', message: '' };",
    },
    {
      name: 'an unknown outcome counts as approved',
      find: 'const outcome = await send(view.refund, view.payment);',
      replace:
        "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'unknown') outcome = { kind: 'approved', gatewayReference: '', message: '' };",
    },
    {
      name: 'an unsent refund counts as unknown',
      find: 'const outcome = await send(view.refund, view.payment);',
      replace:
        "let outcome = await send(view.refund, view.payment);\n      if (outcome.kind === 'notSent') outcome = { kind: 'unknown', cause: 'timeout' };",
      flow: 'refund',
    },
    {
      name: 'a void is sent as a credit',
      find: 'return gateway.cancel(cancelRequest);',
      replace: 'return gateway.refund(refundRequest);',
    },
    {
      name: 'a refund is sent uncapped',
      find: 'return gateway.refundSale(refundRequest);',
      replace: 'return gateway.refund(refundRequest);',
    },
    {
      name: 'the whole payment is sent for a part',
      find: 'const refundRequest = { ...cancelRequest, invoiceNumber',
      replace:
        'const refundRequest = { ...cancelRequest, amount: { amountMinor: payment.amountMinor, currency: payment.currency }, invoiceNumber',
    },
  ],
  'backend/money/payments/send-once.ts': [
    {
      name: 'the lease of a sale is not checked before sending',
      find: 'if (nextPollAt === null || clock.now() >= nextPollAt)',
      replace: 'if (nextPollAt === null)',
      flow: 'saleHeldUp',
    },
  ],
  'backend/money/payments/service.ts': [
    {
      name: 'a sale is sent twice',
      find: 'return isSame ? ok({ payment: known, isNew: false })',
      replace: 'return isSame ? ok({ payment: known, isNew: true })',
      flow: 'sale',
    },
    {
      name: 'a reversed sale is sent',
      find: "if (await tx.first(earlyReversal, { machineId, saleId })) return err({ kind: 'sale_reversed' });",
      replace: '',
    },
  ],
  'backend/money/payments/authorisation.ts': [
    {
      name: 'an unknown sale counts as failed',
      find: 'return { open: outcome.cause };',
      replace: "return { kind: 'failed', message: outcome.cause };",
    },
  ],
});
