import type { CheckoutRow } from '../../backend/channels/checkouts/rows.ts';
import type { LinkInvoiceRow } from '../../backend/channels/payment-links/rows.ts';
import type { EventRow } from '../../backend/foundation/events/rows.ts';
import type { DiscrepancyRow } from '../../backend/money/discrepancies/rows.ts';
import { saleInvoicesAtRest } from './audit-terminal-bitcoin.ts';
import { ucpAtRest } from './audit-tips.ts';
import { withdrawalsAtRest } from './audit-withdrawals.ts';
import type { BitcoinRows } from './bitcoin-rows.ts';

type Seen = {
  readonly bitcoin: BitcoinRows;
  readonly sales: Parameters<typeof saleInvoicesAtRest>[1];
  readonly events: readonly EventRow[];
  readonly discrepancies: readonly DiscrepancyRow[];
};

/**
 * Once nothing is pending: every satoshi the node received pays for something or is to be returned, and every
 * notification was sent.
 */
export function* bitcoinFaults(seen: Seen) {
  yield* receiptFaults(seen);
  for (const checkout of seen.bitcoin.checkouts.values()) yield* checkoutFaults(checkout, seen);
  for (const asked of seen.bitcoin.linkInvoices.values()) yield* linkFaults(asked, seen);
  yield* linkEventFaults(seen);
  yield* claimEventFaults(seen);
  yield* withdrawalsAtRest(seen.bitcoin);
  yield* ucpAtRest(seen.bitcoin);
  yield* saleInvoicesAtRest(seen.bitcoin, seen.sales);
}

/** The merchant was notified of each destination once. */
function* claimEventFaults({ bitcoin, events }: Seen) {
  for (const id of bitcoin.claims.keys()) {
    const recorded = events.filter(event => event.subjectId === id).map(({ type }) => type);
    const given = bitcoin.destinations.get(id) ?? [];
    const wanted = given.map((_, at) => (at === 0 ? 'bitcoin_claim.requested' : 'bitcoin_claim.disputed'));
    if (recorded.join() !== wanted.join())
      yield `claim ${id} has ${given.length} destinations, and announced ${recorded.join()}`;
  }
}

function* receiptFaults({ bitcoin, discrepancies }: Seen) {
  const { nodeLedger } = bitcoin.shop;
  for (const { id, txId, vout, network, status, paymentId, revertedAt, isBuried } of bitcoin.receipts.values()) {
    if (network === 'lightning') continue;
    const output = nodeLedger.outputs.get(`${txId}:${vout}`);
    const isThere = output?.minedAt != null;
    if (status === 'replaced' && isThere) yield `${txId} is in the chain, and counts as replaced`;
    const reported = discrepancies.filter(
      row => row.paymentId === paymentId && row.kind === 'bitcoin_payment_reverted',
    );
    if (bitcoin.everReverted.has(id) && reported.length !== 1)
      yield `${txId} was reverted, and the merchant was notified ${reported.length} times`;
    if (status !== 'confirmed' || isBuried === 1) continue;
    if (isThere !== (revertedAt === null)) yield `${txId} is in the chain: ${isThere}, reverted at ${revertedAt}`;
  }
}

function* checkoutFaults({ id, status, invoiceId, amountSats, paidJson }: CheckoutRow, seen: Seen) {
  const { bitcoin, events } = seen;
  const received = bitcoin.sats(invoiceId, 'confirmed');
  const claim = bitcoin.claimOf(invoiceId);
  const due = status === 'COMPLETE' ? received - amountSats : received;
  if ((claim?.amountSats ?? 0) !== due)
    yield `checkout ${id} is ${status} with ${received} of ${amountSats}, and ${claim?.amountSats ?? 0} is due`;
  if (status === 'UNDERPAID' && received === 0) yield `checkout ${id} is ${status} with nothing`;
  const paid = JSON.parse(paidJson) as { receivedSats: number; processingSats: number; claim: unknown };
  if (paid.receivedSats !== received || paid.processingSats !== 0 || (paid.claim === null) !== (claim === undefined))
    yield `checkout ${id} shows ${paidJson}, and received ${received}`;
  const eventCount = (type: string) => events.filter(event => event.subjectId === id && event.type === type).length;
  const wanted = {
    'checkout.payment_started': bitcoin.receiptsOf(invoiceId).length > 0,
    'checkout.payment_completed': status === 'COMPLETE',
    'checkout.cancelled': status === 'CANCELLED',
  };
  for (const [type, isWanted] of Object.entries(wanted))
    if (eventCount(type) !== (isWanted ? 1 : 0))
      yield `${type} of ${id}, which is ${status}, has ${eventCount(type)} times`;
}

/** Money that did not pay the link is due to be returned, and the merchant was notified. */
function* linkFaults({ invoiceId, status, dueSats }: LinkInvoiceRow, { bitcoin, discrepancies }: Seen) {
  const received = bitcoin.sats(invoiceId, 'confirmed');
  const asked = bitcoin.invoices.get(invoiceId)?.amountSats ?? 0;
  const due = status === 'paid' ? received - asked : received;
  const claimed = bitcoin.claimOf(invoiceId)?.amountSats ?? 0;
  if (dueSats !== due || claimed !== due)
    yield `link invoice ${invoiceId} is ${status} with ${received} of ${asked}, ${dueSats} is due and ${claimed} claimed`;
  const payments = new Set(bitcoin.receiptsOf(invoiceId).map(({ paymentId }) => paymentId));
  const recorded = discrepancies.filter(
    ({ kind, paymentId, gatewayJson }) =>
      kind === 'bitcoin_payment_in_excess' && payments.has(paymentId) && gatewayJson.includes(`"amountSats":${due}`),
  );
  if (due > 0 && recorded.length !== 1)
    yield `${due} is due of ${invoiceId}, and the merchant was notified ${recorded.length} times`;
}

function* linkEventFaults({ bitcoin, events }: Seen) {
  const asked = [...bitcoin.linkInvoices.values()];
  const wanted = {
    'payment_link.bitcoin_started': asked.filter(({ invoiceId }) => bitcoin.receiptsOf(invoiceId).length > 0),
    'payment_link.bitcoin_completed': asked.filter(({ status }) => status === 'paid'),
  };
  for (const [type, rows] of Object.entries(wanted)) {
    const recorded = events.filter(event => event.type === type).length;
    if (recorded !== rows.length) yield `${type} was announced ${recorded} times of ${rows.length}`;
  }
}
