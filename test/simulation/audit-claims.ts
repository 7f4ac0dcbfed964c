import type { BitcoinClaimRow } from '../../backend/bitcoin/invoices/rows.ts';
import type { BitcoinRows, PaymentRows, Rows } from './bitcoin-rows.ts';

/** The transitions of claims: amounts only grow, and no satoshi is returned twice. */
export function* claimFaults(before: Rows<BitcoinClaimRow>, bitcoin: BitcoinRows, payments: PaymentRows) {
  const invoices = new Set<string>();
  for (const { id, amountSats } of before.values()) {
    const row = bitcoin.claims.get(id);
    if (!row || row.amountSats < amountSats) yield `claim ${id} has decreased`;
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
    yield `claim ${id} has ${remaining} due, and ${givenBackSats} of ${receivedSats} was returned`;
  if (returnedSats > givenBackSats) yield `claim ${id}: ${returnedSats} was returned, and ${givenBackSats} is recorded`;
  const returns = bitcoin.returns.filter(({ claimId }) => claimId === id);
  const sum = returns.reduce((sats, one) => sats + one.amountSats, 0);
  if (sum !== returnedSats) yield `claim ${id} has ${returnedSats} returned, and its returns add up to ${sum}`;
}

type Returned = {
  readonly returns: BitcoinRows['returns'];
  readonly refundedSats: ReadonlyMap<string, number>;
};

/** A return refunds excess payments first, then the surplus of paying ones. */
export function* returnFaults(before: Returned, bitcoin: BitcoinRows, payments: PaymentRows) {
  const made = bitcoin.returns.filter(one => !before.returns.some(({ id }) => id === one.id));
  for (const [claimId, returns] of Map.groupBy(made, one => one.claimId)) {
    const claim = bitcoin.claims.get(claimId);
    if (!claim) continue;
    const rows = inExcessAndPaying(claim, bitcoin);
    const [inExcess = [], paying = []] = rows.map(some =>
      some.flatMap(({ paymentId }) => payments.get(paymentId ?? '') ?? []),
    );
    const grown = (payment: { id: string; refundedSats: number }) =>
      payment.refundedSats - (before.refundedSats.get(payment.id) ?? 0);
    const sum = [...inExcess, ...paying].reduce((sats, payment) => sats + grown(payment), 0);
    const wanted = returns.reduce((sats, one) => sats + one.amountSats, 0);
    if (sum !== wanted) yield `claim ${claimId}: ${wanted} was returned, and ${sum} is recorded on its payments`;
    const isLeft = inExcess.some(({ amountSats, refundedSats }) => refundedSats < (amountSats ?? 0));
    if (isLeft && paying.some(payment => grown(payment) > 0))
      yield `claim ${claimId} was returned of paying payments before the excess ones`;
  }
}

/** The last payments that are excess as a whole, and the others. */
function inExcessAndPaying({ invoiceId, amountSats }: BitcoinClaimRow, bitcoin: BitcoinRows) {
  const confirmed = bitcoin.receiptsOf(invoiceId).filter(({ status }) => status === 'confirmed');
  const lastFirst = confirmed.toSorted(
    (a, b) => (b.confirmedAt ?? 0) - (a.confirmedAt ?? 0) || b.seenAt - a.seenAt || (a.id < b.id ? 1 : -1),
  );
  let left = amountSats;
  const inExcess = lastFirst.filter(receipt => {
    const isWhole = receipt.amountSats <= left;
    if (isWhole) left -= receipt.amountSats;
    return isWhole;
  });
  return [inExcess, confirmed.filter(receipt => !inExcess.includes(receipt))] as const;
}
