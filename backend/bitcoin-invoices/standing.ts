import type { BitcoinInvoiceRow, BitcoinReceiptRow, InvoiceNetwork } from './rows.ts';

/** What has come of an invoice, in satoshis. */
export type Standing = {
  readonly confirmedSats: number;
  /** Seen, and not confirmed yet. */
  readonly seenSats: number;
  /** Time is up or it is no longer wanted, and the node has reported everything up to then. */
  readonly isOver: boolean;
  /** Of the payments that are there, in the order in which they were seen. */
  readonly txIds: readonly string[];
  /** Over which the last of them came; null where there is none. */
  readonly network: InvoiceNetwork | null;
};

export function standingOf(
  { status }: Pick<BitcoinInvoiceRow, 'status'>,
  receipts: readonly BitcoinReceiptRow[],
): Standing {
  const there = receipts.filter(receipt => receipt.status !== 'replaced');
  const sum = (wanted: BitcoinReceiptRow['status']) =>
    there.filter(receipt => receipt.status === wanted).reduce((sats, receipt) => sats + receipt.amountSats, 0);
  return {
    confirmedSats: sum('confirmed'),
    seenSats: sum('seen'),
    isOver: status === 'ended',
    txIds: there.map(({ txId }) => txId),
    network: there.at(-1)?.network ?? null,
  };
}
