import type { SaleInvoiceRow, TerminalSaleRow } from '../../backend/channels/terminal-sales/rows.ts';
import type { BitcoinRows, PaymentRows, Rows } from './bitcoin-rows.ts';

const counts = ['pending', 'unsettled', 'settled'];

/** A terminal sale is requested on one rail at a time, and an ended request does not change. */
export function* saleInvoiceFaults(before: Rows<SaleInvoiceRow>, bitcoin: BitcoinRows, payments: PaymentRows) {
  for (const row of bitcoin.saleInvoices.values()) {
    const { invoiceId, saleId, status, dueSats, sequence } = row;
    const earlier = before.get(invoiceId);
    if (earlier && earlier.status !== 'open' && status !== earlier.status)
      yield `bitcoin of ${saleId} went from ${earlier.status} to ${status}`;
    if (earlier && (dueSats < earlier.dueSats || (status !== earlier.status && sequence <= earlier.sequence)))
      yield `bitcoin of ${saleId} went from ${earlier.sequence} to ${sequence}, with ${dueSats} due`;
    const asked = bitcoin.invoices.get(invoiceId)?.amountSats ?? 0;
    const received = bitcoin.sats(invoiceId, 'confirmed');
    if (earlier?.status === 'open' && status !== 'open' && status !== 'withdrawn')
      if (received >= asked !== (status === 'paid'))
        yield `bitcoin of ${saleId} is ${status} with ${received} of ${asked}`;
    if (status !== 'open' && status !== 'paid') continue;
    for (const payment of payments.values())
      if (payment.saleId === saleId && payment.method === 'card' && counts.includes(payment.status))
        yield `sale ${saleId} is requested by card while its bitcoin is ${status}`;
  }
}

/** Once nothing is pending, the first fully paid request pays the sale, and everything else is to be returned. */
export function* saleInvoicesAtRest(bitcoin: BitcoinRows, sales: Rows<TerminalSaleRow>) {
  for (const [saleId, rows] of Map.groupBy(bitcoin.saleInvoices.values(), row => row.saleId)) {
    const last = rows.toSorted((a, b) => b.createdAt - a.createdAt || (a.invoiceId < b.invoiceId ? 1 : -1))[0];
    const sale = sales.get(saleId);
    const received = bitcoin.sats(last?.invoiceId ?? '', 'confirmed');
    const { bitcoin: shown } = JSON.parse(sale?.metadataJson ?? '{}') as { bitcoin?: { receivedSats: number } };
    if (sale && shown && shown.receivedSats !== received)
      yield `sale ${saleId} shows ${shown.receivedSats} received, and ${received} was`;
  }
  for (const { invoiceId, saleId, status, dueSats } of bitcoin.saleInvoices.values()) {
    const received = bitcoin.sats(invoiceId, 'confirmed');
    const due = status === 'paid' ? received - (bitcoin.invoices.get(invoiceId)?.amountSats ?? 0) : received;
    const claimed = bitcoin.claimOf(invoiceId)?.amountSats ?? 0;
    if (dueSats !== due || claimed !== due)
      yield `bitcoin of ${saleId} is ${status} with ${received}, ${dueSats} is due and ${claimed} claimed`;
  }
}
