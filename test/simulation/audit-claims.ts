import type { BitcoinClaimRow } from '../../backend/bitcoin-invoices/rows.ts';
import type { BitcoinRows, PaymentRows, Rows } from './bitcoin-rows.ts';

/** What became of what is owed to customers: it only grows, and the same satoshis are not given back twice. */
export function* claimFaults(before: Rows<BitcoinClaimRow>, bitcoin: BitcoinRows, payments: PaymentRows) {
  const invoices = new Set<string>();
  for (const { id, amountSats } of before.values()) {
    const row = bitcoin.claims.get(id);
    if (!row || row.amountSats < amountSats) yield `claim ${id} has become less`;
  }
  for (const row of bitcoin.claims.values()) {
    const { invoiceId, amountSats } = row;
    if (invoices.has(invoiceId) || amountSats <= 0) yield `invoice ${invoiceId} has claims over ${amountSats}`;
    invoices.add(invoiceId);
    yield* givenBackFaults(row, bitcoin, payments);
  }
}

function* givenBackFaults(row: BitcoinClaimRow, bitcoin: BitcoinRows, payments: PaymentRows) {
  const { id, invoiceId, amountSats, returnedSats, refundedSats, status } = row;
  const receivedSats = bitcoin.sats(invoiceId, 'confirmed');
  const paid = bitcoin.receiptsOf(invoiceId).flatMap(({ paymentId }) => payments.get(paymentId ?? '') ?? []);
  const givenBackSats = paid.reduce((sats, payment) => sats + payment.refundedSats, 0);
  const remaining = amountSats - returnedSats - refundedSats;
  if (amountSats > receivedSats) yield `claim ${id} over ${amountSats} is more than the ${receivedSats} received`;
  if (remaining < 0 || (remaining === 0) !== (status === 'returned'))
    yield `claim ${id} is ${status}, and ${remaining} of it remains`;
  if (remaining > receivedSats - givenBackSats)
    yield `claim ${id} still owes ${remaining}, and ${givenBackSats} of ${receivedSats} was given back`;
  if (returnedSats > givenBackSats) yield `claim ${id}: ${returnedSats} was returned, and ${givenBackSats} is recorded`;
  const returns = bitcoin.returns.filter(({ claimId }) => claimId === id);
  const sum = returns.reduce((sats, one) => sats + one.amountSats, 0);
  if (sum !== returnedSats) yield `claim ${id} says ${returnedSats} returned, and its returns add up to ${sum}`;
}
