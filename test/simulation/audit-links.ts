import type { LinkInvoiceRow, PaymentLinkRow } from '../../backend/channels/payment-links/rows.ts';
import type { BitcoinRows, PaymentRows, Rows } from './bitcoin-rows.ts';

type LinkRows = {
  readonly links: Rows<PaymentLinkRow>;
  readonly linkInvoices: Rows<LinkInvoiceRow>;
  /** Payments that existed before. */
  readonly known: Pick<ReadonlySet<string>, 'has'>;
};

/** The transitions of payment links: paid once, on one rail at a time, by existing payments. */
export function* linkFaults(before: LinkRows, bitcoin: BitcoinRows, payments: PaymentRows) {
  for (const row of bitcoin.linkInvoices.values())
    yield* invoiceFaults(before.linkInvoices.get(row.invoiceId), row, bitcoin);
  const paidBy = Map.groupBy(payments.values(), ({ paymentLinkId }) => paymentLinkId);
  const askedBy = Map.groupBy(bitcoin.linkInvoices.values(), ({ paymentLinkId }) => paymentLinkId);
  for (const link of bitcoin.links.values()) {
    const cards = (paidBy.get(link.id) ?? []).filter(({ method }) => method === 'card');
    const asked = askedBy.get(link.id) ?? [];
    const sum = (rows: readonly { readonly amountMinor: number }[]) =>
      rows.reduce((total, { amountMinor }) => total + amountMinor, 0);
    const inBitcoin = (wanted: LinkInvoiceRow['status']) =>
      sum(asked.filter(({ status }) => status === wanted).flatMap(one => bitcoin.invoices.get(one.invoiceId) ?? []));
    const byCard = sum(cards.filter(({ status }) => status === 'unsettled' || status === 'settled'));
    const paid = byCard + inBitcoin('paid');
    const reserved = sum(cards.filter(({ status }) => status === 'pending')) + inBitcoin('open');
    if (link.amountPaidMinor !== paid) yield `link ${link.id} says ${link.amountPaidMinor} paid, and ${paid} was`;
    if (paid + reserved > link.amountMinor)
      yield `link ${link.id} over ${link.amountMinor} is paid ${paid}, and ${reserved} more is requested`;
    const newCards = cards.filter(({ id }) => !before.known.has(id));
    for (const card of newCards) yield* partFaults(link, card.amountMinor, paid + reserved - card.amountMinor);
    if (newCards.length > 0 && before.links.get(link.id)?.paidAt)
      yield `a card is taken for link ${link.id}, which was paid`;
    yield* closureFaults(before.links.get(link.id), link, paid, cards);
    const isNewlyDeleted = link.deletedAt !== null && before.links.get(link.id)?.deletedAt === null;
    if (isNewlyDeleted && (paid >= link.amountMinor || reserved > 0))
      yield `link ${link.id} was deleted with ${paid} paid and ${reserved} in progress`;
  }
}

/**
 * After full payment nothing more is accepted, also after a void; only a settlement rejected by the bank reopens the
 * link.
 */
function* closureFaults(
  before: PaymentLinkRow | undefined,
  { id, amountMinor, paidAt }: PaymentLinkRow,
  paid: number,
  cards: readonly { readonly status: string }[],
) {
  if (paidAt === null && paid >= amountMinor) yield `link ${id} over ${amountMinor} is paid ${paid} and not closed`;
  const isRejected = cards.some(({ status }) => status === 'settlement_rejected');
  if (before && before.paidAt !== null && paidAt === null && !isRejected)
    yield `link ${id} was paid, and is open again`;
}

/** A card pays the whole balance or a permitted part. */
function* partFaults(link: PaymentLinkRow, amountMinor: number, othersMinor: number) {
  const leftMinor = link.amountMinor - othersMinor;
  const minMinor = link.allowPartPayment === 1 ? (link.minimumAmountMinor ?? 1) : leftMinor;
  if (amountMinor < Math.min(leftMinor, minMinor))
    yield `${amountMinor} is taken of link ${link.id}, of which ${leftMinor} is left, and ${minMinor} at least`;
}

function* invoiceFaults(before: LinkInvoiceRow | undefined, row: LinkInvoiceRow, bitcoin: BitcoinRows) {
  const { invoiceId, status, dueSats, paymentLinkId } = row;
  const link = bitcoin.links.get(paymentLinkId);
  if (!before) {
    if (status !== 'open' || dueSats !== 0) yield `link invoice ${invoiceId} began as ${status}`;
    if (link?.deletedAt !== null) yield `link ${paymentLinkId} has a bitcoin request after it was deleted`;
    return;
  }
  if (dueSats < before.dueSats) yield `link invoice ${invoiceId} has less due than before`;
  if (before.status === status) return;
  if (before.status !== 'open') yield `link invoice ${invoiceId} went from ${before.status} to ${status}`;
  const asked = bitcoin.invoices.get(invoiceId)?.amountSats ?? 0;
  const [confirmed, seen] = [bitcoin.sats(invoiceId, 'confirmed'), bitcoin.sats(invoiceId, 'seen')];
  if (confirmed >= asked !== (status === 'paid'))
    yield `link invoice ${invoiceId} is ${status} with ${confirmed} of ${asked}`;
  if (status !== 'ended') return;
  if (seen > 0) yield `link invoice ${invoiceId} is ended with ${seen} unconfirmed`;
  yield* bitcoin.stillPayable(`link invoice ${invoiceId}`, invoiceId);
}
