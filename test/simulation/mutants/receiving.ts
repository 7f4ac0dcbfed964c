import { bugsIn } from './mutant.ts';

/** Bugs in bitcoin payments and checkouts. */
export const receiving = bugsIn({
  'backend/bitcoin/invoices/receipts.ts': [
    {
      name: 'a Lightning payment is counted again when the stream reconnects',
      find: "if (settled && !receipts.some(({ network }) => network === 'lightning')) {",
      replace: 'if (settled) {',
    },
    {
      name: 'a payment on chain is counted at every poll',
      find: "if (receipt.status === 'confirmed') {",
      replace: "if (receipt.status === 'confirmed' && receipt.isBuried === 1) {",
    },
    {
      name: 'a payment counts as confirmed before it has its blocks',
      find: 'if (confirmations >= settings.confirmations)',
      replace: 'if (confirmations >= 0)',
    },
    {
      name: 'a payment counts as confirmed one block too early',
      find: 'if (confirmations >= settings.confirmations)',
      replace: 'if (confirmations >= settings.confirmations - 1)',
    },
    {
      name: 'a replaced transaction stays seen',
      find: "if (receipt.status === 'seen') await put({ ...receipt, status: 'replaced' }, false);",
      replace: "if (receipt.status === 'seen') continue;",
    },
    { name: 'a receipt has no payment', find: 'await tx.run(insertPayment, payment);', replace: '' },
    {
      name: 'a late payment is ignored',
      find: 'for (const payment of onChain ?? []) {',
      replace: "for (const payment of invoice.status === 'ended' ? [] : (onChain ?? [])) {",
    },
    {
      name: 'a payment removed from the chain is not announced',
      find: 'await options.onReverted(tx, invoice, receipt);',
      replace: '',
      flow: 'checkoutReverted',
    },
  ],
  'backend/bitcoin/invoices/polling.ts': [
    {
      name: 'a poll ignores a settled invoice',
      find: 'return { settled: state, isLightningClosed: true, isComplete: true };',
      replace: 'return { isLightningClosed: true, isComplete: true };',
    },
    {
      name: 'invoices are not polled',
      find: 'const claim = { now: clock.now(), nextPollAt: leases.fromNow(), limit };',
      replace: 'const claim = { now: 0, nextPollAt: leases.fromNow(), limit };',
    },
    {
      name: 'Lightning is not closed before the last poll',
      find: 'isToBeClosed ? await node.cancelInvoice(paymentHash) : undefined',
      replace: 'undefined',
    },
    {
      name: 'a partial answer of the node is treated as complete',
      find: "case 'unknown':\n      return { isComplete: false };",
      replace: "case 'unknown':\n      return { isComplete: true };",
    },
    {
      name: 'addresses are not watched',
      find: 'watched.map(({ address }) => address),\n      fromHeight,',
      replace: '[],\n      fromHeight,',
    },
  ],
  'backend/channels/checkouts/status.ts': [
    {
      name: 'a late payment is not claimed',
      find: "return confirmedSats > 0 ? ({ reason: 'late', amountSats: confirmedSats } as const) : undefined;",
      replace: 'return undefined;',
    },
    {
      name: 'an excess is not recorded',
      find: "? ({ reason: 'overpaid', amountSats: confirmedSats - amountSats } as const)",
      replace: '? undefined',
    },
    { name: 'a final checkout can change', find: 'if (isFinalCheckout(status)) return status;', replace: '' },
    {
      name: 'a part of the amount completes a checkout',
      find: "if (progress.confirmedSats >= amountSats) return 'COMPLETE';",
      replace: "if (progress.confirmedSats > 0) return 'COMPLETE';",
    },
    {
      name: 'a checkout expires while a transaction is unconfirmed',
      find: "if (progress.seenSats > 0) return 'PROCESSING';",
      replace: "if (progress.seenSats > 0 && !progress.isOver) return 'PROCESSING';",
    },
    {
      name: 'a transaction completes a checkout before it has its blocks',
      find: "if (progress.confirmedSats >= amountSats) return 'COMPLETE';",
      replace: "if (progress.confirmedSats + progress.seenSats >= amountSats) return 'COMPLETE';",
    },
    {
      name: 'a claim is larger than the excess',
      find: "? ({ reason: 'overpaid', amountSats: confirmedSats - amountSats } as const)",
      replace: "? ({ reason: 'overpaid', amountSats: confirmedSats } as const)",
    },
  ],
  'backend/bitcoin/invoices/claims.ts': [
    {
      name: 'a claim does not grow',
      find: 'if (amountSats <= known.amountSats) return known;',
      replace: 'if (known.amountSats > 0) return known;',
    },
    {
      name: 'a claim can be made twice',
      find: ": { ...claim, status: 'disputed', destination: null };",
      replace: ': { ...claim, destination };',
    },
    {
      name: 'the destination of a return is not announced',
      find: 'await notifyMerchant(tx, changed, destination);',
      replace: '',
    },
  ],
  'backend/channels/checkouts/service.ts': [
    { name: 'a checkout is cancelled without querying the node', find: 'await invoices.stop(invoiceId);', replace: '' },
    {
      name: 'a cancellation overrides a receipt',
      find: "if (checkout.status !== 'PENDING') return checkout;",
      replace: '',
    },
  ],
  'backend/bitcoin/invoices/store.ts': [
    { name: 'an address is given twice', find: "\n    .where('address', 'is', null)", replace: '' },
  ],
  'backend/bitcoin/rates/service.ts': [
    {
      name: 'a stale rate is accepted',
      find: 'return price !== undefined && clock.now() - at < settings.staleMs ? { source: source.name, price, at } : undefined;',
      replace: 'return price !== undefined ? { source: source.name, price, at } : undefined;',
    },
  ],
  'backend/channels/checkouts/changes.ts': [
    {
      name: 'a completion on chain is not announced',
      find: "if (status === 'COMPLETE' && before.status !== 'COMPLETE')",
      replace: "if (status === 'COMPLETE' && before.status === 'PENDING')",
    },
  ],
  'backend/bitcoin/claims/service.ts': [
    {
      name: 'a refund leaves the claim open',
      find: 'await settleByRefund(tx, claim, refundedBefore, by);',
      replace: '',
      flow: 'checkoutOverpaidReturned',
    },
    {
      name: 'more can be returned than was claimed',
      find: "return (amountSats ?? remaining) > remaining ? { kind: 'return_exceeds_claim', remaining } : null;",
      replace: 'return null;',
    },
    {
      name: 'a return is not recorded as a refund',
      find: 'await recordRefunds(tx, before, amountSats, request);',
      replace: '',
      flow: 'checkoutOverpaidReturned',
    },
  ],
  'backend/bitcoin/invoices/progress.ts': [
    {
      name: 'a return is recorded on the paying payment',
      find: 'return [...excess, ...paying];',
      replace: 'return [...paying, ...excess];',
      flow: 'checkoutPaidTwiceReturned',
    },
    {
      name: 'an excess payment is not distinguished from a paying one',
      find: 'if (receipt.amountSats <= leftSats) {',
      replace: 'if (receipt.amountSats < 0) {',
      flow: 'checkoutPaidTwiceReturned',
    },
  ],
});
