import type { TipLinkRow } from '../../backend/channels/tip-links/rows.ts';
import type { UcpInvoiceRow } from '../../backend/channels/ucp/rows.ts';
import type { BitcoinRows, Rows } from './bitcoin-rows.ts';

/** A tip link's total equals the payments to it. */
export function* tipFaults(before: Rows<TipLinkRow>, bitcoin: BitcoinRows) {
  for (const { id } of before.values()) if (!bitcoin.tipLinks.has(id)) yield `tip link ${id} is gone`;
  for (const { id, receivedSats, tipCount } of bitcoin.tipLinks.values()) {
    const asked = [...bitcoin.invoices.values()].filter(one => one.purpose === 'tip' && one.purposeId === id);
    const sats = asked.reduce((sum, invoice) => sum + bitcoin.sats(invoice.id, 'confirmed'), 0);
    const count = asked.filter(invoice => bitcoin.sats(invoice.id, 'confirmed') > 0).length;
    if (receivedSats !== sats || tipCount !== count)
      yield `tip link ${id} has ${receivedSats} of ${tipCount} tips, and received ${sats} of ${count}`;
  }
}

/** Of a UCP checkout's invoices, one is payable at a time, and one paid it. */
export function* ucpFaults(before: Rows<UcpInvoiceRow>, bitcoin: BitcoinRows) {
  for (const row of bitcoin.ucpInvoices.values()) {
    const { id, settledAt, acceptedAt, invoiceId, amountSats } = row;
    const earlier = before.get(id);
    if (!earlier) yield* anotherPayable(row, bitcoin);
    const isChanged = earlier?.settledAt != null && settledAt !== earlier.settledAt;
    if (isChanged || (earlier?.acceptedAt != null && acceptedAt !== earlier.acceptedAt))
      yield `UCP invoice ${id} was settled, and no longer is`;
    if (settledAt !== null && earlier?.settledAt == null && bitcoin.sats(invoiceId, 'confirmed') !== amountSats)
      yield `UCP invoice ${id} over ${amountSats} is settled with ${bitcoin.sats(invoiceId, 'confirmed')}`;
    if (acceptedAt !== null && settledAt === null) yield `UCP invoice ${id} is accepted, and was not settled`;
  }
}

function* anotherPayable({ id, checkoutId }: UcpInvoiceRow, { ucpInvoices, invoices, shop }: BitcoinRows) {
  for (const other of ucpInvoices.values()) {
    if (other.id === id || other.checkoutId !== checkoutId) continue;
    const booked = shop.nodeLedger.invoices.get(invoices.get(other.invoiceId)?.paymentHash ?? '');
    if (booked && booked.settled === null && !booked.isCancelled && shop.now() < booked.expiresAt)
      yield `UCP checkout ${checkoutId} has a second invoice while the first can be paid`;
  }
}

/** Once nothing is pending, one exact payment pays a UCP checkout; all others are to be returned. */
export function* ucpAtRest(bitcoin: BitcoinRows) {
  for (const [checkoutId, rows] of Map.groupBy(bitcoin.ucpInvoices.values(), row => row.checkoutId)) {
    const received = (row: UcpInvoiceRow) => bitcoin.sats(row.invoiceId, 'confirmed');
    const exact = rows.filter(row => received(row) === row.amountSats);
    const total = rows.reduce((sum, row) => sum + received(row), 0);
    const due = rows.reduce((sum, row) => sum + (bitcoin.claimOf(row.invoiceId)?.amountSats ?? 0), 0);
    const kept = exact.map(({ amountSats }) => amountSats);
    if (exact.length === 0 ? due !== total : !kept.includes(total - due))
      yield `UCP checkout ${checkoutId} received ${total}, and ${due} is due`;
    if (rows.some(row => (row.settledAt !== null) !== exact.includes(row)))
      yield `UCP checkout ${checkoutId} has ${exact.length} paid invoices, and counts others`;
    if (rows.filter(({ acceptedAt }) => acceptedAt !== null).length > 1)
      yield `UCP checkout ${checkoutId} was completed twice`;
  }
}
