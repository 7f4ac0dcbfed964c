import { bitcoinText } from '@florin/shared/bitcoin.ts';
import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { AmountDue } from '../../bitcoin/invoices/excess.ts';
import type { InvoiceProgress } from '../../bitcoin/invoices/progress.ts';
import type { InvoiceChange } from '../../bitcoin/invoices/receipts.ts';
import type { BitcoinInvoiceRow } from '../../bitcoin/invoices/rows.ts';
import { timestamp } from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { SaleInvoiceRow } from './rows.ts';
import type { SaleState } from './terminal-sale.ts';

/** The status of an open request; a payment seen in time is waited for. A final status never changes. */
export function statusAfter(
  { status }: Pick<SaleInvoiceRow, 'status'>,
  { amountSats }: Pick<BitcoinInvoiceRow, 'amountSats'>,
  { confirmedSats, seenSats, isOver }: InvoiceProgress,
): SaleInvoiceRow['status'] {
  if (status !== 'open') return status;
  if (confirmedSats >= amountSats) return 'paid';
  if (!isOver || seenSats > 0) return 'open';
  return confirmedSats > 0 ? 'underpaid' : 'expired';
}

/** The amount to return now, if any. */
export function dueOf(
  { status }: Pick<SaleInvoiceRow, 'status'>,
  { amountSats }: Pick<BitcoinInvoiceRow, 'amountSats'>,
  { confirmedSats }: InvoiceProgress,
): AmountDue | undefined {
  switch (status) {
    case 'open':
      return undefined;
    case 'paid':
      return { reason: 'overpaid', amountSats: confirmedSats - amountSats };
    case 'underpaid':
      return { reason: 'underpaid', amountSats: confirmedSats };
    case 'expired':
    case 'withdrawn':
      return { reason: 'late', amountSats: confirmedSats };
    default:
      return unreachable(status);
  }
}

/** The sale's state by its invoice; undefined if the withdrawal decides it. */
export function stateByInvoice(
  { status }: Pick<SaleInvoiceRow, 'status'>,
  { seenSats }: InvoiceProgress,
): SaleState | undefined {
  switch (status) {
    case 'open':
      return { status: 'PROCESSING', statusReason: seenSats > 0 ? 'payment_seen' : 'awaiting_payment' };
    case 'paid':
      return { status: 'COMPLETE', statusReason: 'completed' };
    case 'underpaid':
      return { status: 'ERROR', statusReason: 'underpaid' };
    case 'expired':
      return { status: 'TIMED_OUT', statusReason: 'expired' };
    case 'withdrawn':
      return undefined;
    default:
      return unreachable(status);
  }
}

/** The bitcoin facts as API callers see them. */
export function bitcoinFactsOf(
  { amountSats, rate }: BitcoinInvoiceRow,
  { confirmedSats, seenSats, network, txIds }: InvoiceProgress,
  payment: Pick<PaymentRow, 'id' | 'invoiceNumber'> | undefined,
): TerminalSaleRecord['metadata']['bitcoin'] {
  return {
    satsAmount: amountSats,
    rate: rate ?? '',
    receivedSats: confirmedSats,
    processingSats: seenSats,
    network,
    txIds: [...txIds],
    invoiceNumber: payment?.invoiceNumber ?? null,
    paymentId: payment?.id ?? null,
  };
}

/** The bitcoin sale as the terminal shows it. */
export function bitcoinSaleOf(
  row: SaleInvoiceRow,
  { invoice, progress }: InvoiceChange,
  sale: SaleRecord | null,
  now: Instant,
): BitcoinSale {
  const state = stateOf(row, invoice, progress, now);
  return {
    saleId: row.saleId,
    sequence: row.sequence,
    state,
    amountInCents: invoice.amountMinor,
    currency: invoice.currency,
    amountSats: invoice.amountSats,
    rate: invoice.rate ?? '',
    receivedSats: progress.confirmedSats,
    processingSats: progress.seenSats,
    paymentUri: state === 'waiting' ? paymentUri(invoice, progress) : null,
    expiresAt: timestamp(invoice.expiresAt),
    sale,
  };
}

function stateOf(
  { status }: SaleInvoiceRow,
  { expiresAt }: BitcoinInvoiceRow,
  { seenSats }: InvoiceProgress,
  now: Instant,
): BitcoinSale['state'] {
  if (status !== 'open') return status;
  if (seenSats > 0) return 'seen';
  return now < expiresAt ? 'waiting' : 'checking';
}

/**
 * One code for every wallet: BIP 21 with the Lightning invoice. After a partial on-chain payment the rest is paid on
 * chain, because a Lightning invoice is for the whole amount.
 */
function paymentUri(
  { bolt11, address, amountSats }: BitcoinInvoiceRow,
  { confirmedSats }: InvoiceProgress,
): string | null {
  const lightning = confirmedSats > 0 ? null : bolt11;
  // Upper case makes a smaller code; only bech32 addresses are case-insensitive.
  const capital = (text: string) => (/^(bc|tb|bcrt)1/.test(text) ? text.toUpperCase() : text);
  if (address === null) return lightning === null ? null : `lightning:${lightning.toUpperCase()}`;
  const onChain = `bitcoin:${capital(address)}?amount=${bitcoinText(amountSats - confirmedSats)}`;
  return lightning === null ? onChain : `${onChain}&lightning=${lightning.toUpperCase()}`;
}
