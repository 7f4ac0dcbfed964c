import type { Mutant } from './mutant.ts';

const receipts = 'backend/bitcoin-invoices/receipts.ts';
const polling = 'backend/bitcoin-invoices/polling.ts';
const claims = 'backend/bitcoin-invoices/claims.ts';
const status = 'backend/checkouts/status.ts';
const checkouts = 'backend/checkouts/service.ts';
const changes = 'backend/checkouts/changes.ts';
const rates = 'backend/rates/service.ts';

/** Bitcoin that customers pay, and checkouts. */
export const receiving: readonly Mutant[] = [
  {
    name: 'Lightning payment counted again when the stream reconnects',
    file: receipts,
    find: "if (settled && !receipts.some(({ network }) => network === 'lightning')) {",
    replace: 'if (settled) {',
    why: 'one payment is counted as often as the node reports it',
  },
  {
    name: 'payment on chain counted at every poll',
    file: receipts,
    find: "if (receipt.status === 'confirmed') {",
    replace: "if (receipt.status === 'confirmed' && receipt.isBuried === 1) {",
    why: 'each poll makes another payment of the same money',
  },
  {
    name: 'confirmed before it has its blocks',
    file: receipts,
    find: 'if (confirmations >= settings.confirmations)',
    replace: 'if (confirmations >= 0)',
    why: 'goods are handed over for a transaction that can be replaced',
  },
  {
    name: 'one block too early',
    file: receipts,
    find: 'if (confirmations >= settings.confirmations)',
    replace: 'if (confirmations >= settings.confirmations - 1)',
    why: 'a payment counts one block before the merchant wanted',
  },
  {
    name: 'replaced transaction kept as seen',
    file: receipts,
    find: "if (receipt.status === 'seen') await put({ ...receipt, status: 'replaced' }, false);",
    replace: "if (receipt.status === 'seen') continue;",
    why: 'a checkout waits for ever for money that was taken back',
  },
  {
    name: 'receipt without a payment',
    file: receipts,
    find: 'await tx.run(insertPayment, payment);',
    replace: '',
    why: 'money is in no list of payments',
  },
  {
    name: 'settled invoice dropped by a poll',
    file: polling,
    find: 'return { settled: state, isLightningClosed: true, isComplete: true };',
    replace: 'return { isLightningClosed: true, isComplete: true };',
    why: 'what the stream does not report is lost',
  },
  {
    name: 'invoices not polled',
    file: polling,
    find: 'const due = await database.all(dueInvoices, { now: clock.now(), limit });',
    replace: 'const due = await database.all(dueInvoices, { now: 0, limit });',
    why: 'what the stream does not report is lost, and nothing ends',
  },
  {
    name: 'Lightning not closed before the last poll',
    file: polling,
    find: 'isToBeClosed ? await node.cancelInvoice(paymentHash) : undefined',
    replace: 'undefined',
    why: 'a checkout has expired, and its invoice can still be paid',
  },
  {
    name: 'answer of a part taken for the whole',
    file: polling,
    find: "case 'unknown':\n      return { isComplete: false };",
    replace: "case 'unknown':\n      return { isComplete: true };",
    why: 'a checkout expires that was paid while the node was down',
  },
  {
    name: 'addresses not watched',
    file: polling,
    find: 'watched.map(({ address }) => address),\n      fromHeight,',
    replace: '[],\n      fromHeight,',
    why: 'what is paid on chain is lost',
  },
  {
    name: 'late payment dropped',
    file: receipts,
    find: 'for (const payment of onChain ?? []) {',
    replace: "for (const payment of invoice.status === 'ended' ? [] : (onChain ?? [])) {",
    why: 'who pays late has paid for nothing',
  },
  {
    name: 'late payment not owed',
    file: status,
    find: "return confirmedSats > 0 ? ({ reason: 'late', amountSats: confirmedSats } as const) : undefined;",
    replace: 'return undefined;',
    why: 'who pays late gets nothing back',
  },
  {
    name: 'excess not recorded',
    file: status,
    find: "? ({ reason: 'overpaid', amountSats: confirmedSats - amountSats } as const)",
    replace: '? undefined',
    why: 'the shop keeps what was paid too much',
  },
  {
    name: 'claim does not grow',
    file: claims,
    find: 'if (amountSats <= known.amountSats) return known;',
    replace: 'if (known.amountSats > 0) return known;',
    why: 'a second payment in excess is lost',
  },
  {
    name: 'claim taken twice',
    file: claims,
    find: ": { ...claim, status: 'disputed', destination: null };",
    replace: ': { ...claim, destination };',
    why: 'somebody else sends the money to themselves',
  },
  {
    name: 'final checkout moves',
    file: status,
    find: 'if (isFinalCheckout(status)) return status;',
    replace: '',
    why: 'a cancelled checkout becomes complete, and is shipped',
  },
  {
    name: 'part of the amount completes',
    file: status,
    find: "if (standing.confirmedSats >= amountSats) return 'COMPLETE';",
    replace: "if (standing.confirmedSats > 0) return 'COMPLETE';",
    why: 'half the price is enough',
  },
  {
    name: 'expires while a transaction is on its way',
    file: status,
    find: "if (standing.seenSats > 0) return 'PROCESSING';",
    replace: "if (standing.seenSats > 0 && !standing.isOver) return 'PROCESSING';",
    why: 'who sent in time is told that it was too late',
  },
  {
    name: 'cancelled without asking the node',
    file: checkouts,
    find: 'await invoices.stop(invoiceId);',
    replace: '',
    why: 'who is just paying is told that nothing is to be paid',
  },
  {
    name: 'cancellation wins over a receipt',
    file: checkouts,
    find: "if (checkout.status !== 'PENDING') return checkout;",
    replace: '',
    why: 'a paid checkout is cancelled',
  },
  {
    name: 'address given twice',
    file: 'backend/bitcoin-invoices/store.ts',
    find: "\n    .where('address', 'is', null)",
    replace: '',
    why: 'who pays to the first one has paid for nothing',
  },
  {
    name: 'stale rate accepted',
    file: rates,
    find: 'return price !== undefined && clock.now() - at < settings.staleMs ? { source: source.name, price, at } : undefined;',
    replace: 'return price !== undefined ? { source: source.name, price, at } : undefined;',
    why: 'a price of yesterday is what the shop sells at',
  },
  {
    name: 'completion not told',
    file: changes,
    find: "if (status === 'COMPLETE' && before.status !== 'COMPLETE')",
    replace: "if (status === 'COMPLETE' && before.status === 'PENDING')",
    why: 'the shop never hears that a checkout was paid on chain',
  },
];
