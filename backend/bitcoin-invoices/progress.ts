import type { BitcoinInvoiceRow, BitcoinReceiptRow, InvoiceNetwork } from './rows.ts';

/** What has come of an invoice, in satoshis. */
export type InvoiceProgress = {
  readonly confirmedSats: number;
  /** Seen, and not confirmed yet. */
  readonly seenSats: number;
  /** Time is up or it is no longer wanted, and the node has reported everything up to then. */
  readonly isOver: boolean;
  /** Of the payments that paid it; of all that are there, in the order in which they were seen, as long as it is not paid. */
  readonly txIds: readonly string[];
  /** Over which the last of these came; null where there is none. */
  readonly network: InvoiceNetwork | null;
};

export function progressOf(
  { status, amountSats }: Pick<BitcoinInvoiceRow, 'status' | 'amountSats'>,
  receipts: readonly BitcoinReceiptRow[],
): InvoiceProgress {
  const there = receipts.filter(receipt => receipt.status !== 'replaced');
  const sum = (wanted: BitcoinReceiptRow['status']) =>
    there.filter(receipt => receipt.status === wanted).reduce((sats, receipt) => sats + receipt.amountSats, 0);
  const confirmedSats = sum('confirmed');
  const named = confirmedSats >= amountSats ? payingReceipts(amountSats, receipts) : there;
  return {
    confirmedSats,
    seenSats: sum('seen'),
    isOver: status === 'ended',
    txIds: named.map(({ txId }) => txId),
    network: named.at(-1)?.network ?? null,
  };
}

/** Of the confirmed payments of an invoice that is paid: those that paid it, the first one first. */
export function payingReceipts(amountSats: number, receipts: readonly BitcoinReceiptRow[]): BitcoinReceiptRow[] {
  const confirmed = receipts.filter(({ status }) => status === 'confirmed');
  const confirmedSats = confirmed.reduce((sats, receipt) => sats + receipt.amountSats, 0);
  return confirmedSats < amountSats ? [] : splitByExcess(receipts, confirmedSats - amountSats).paying.toReversed();
}

/**
 * Confirmed payments, the last one first, where so much of them is to be returned: those that are in excess as a whole, without
 * which the rest still pays, and the others.
 */
export function splitByExcess(receipts: readonly BitcoinReceiptRow[], excessSats: number) {
  const excess: BitcoinReceiptRow[] = [];
  const paying: BitcoinReceiptRow[] = [];
  let leftSats = excessSats;
  for (const receipt of receipts.filter(({ status }) => status === 'confirmed').toSorted(lastConfirmedFirst))
    if (receipt.amountSats <= leftSats) {
      excess.push(receipt);
      leftSats -= receipt.amountSats;
    } else paying.push(receipt);
  return { excess, paying };
}

/** What is to be returned is first what is in excess as a whole, then part of what paid. */
export function excessFirst(receipts: readonly BitcoinReceiptRow[], excessSats: number): readonly BitcoinReceiptRow[] {
  const { excess, paying } = splitByExcess(receipts, excessSats);
  return [...excess, ...paying];
}

function lastConfirmedFirst(a: BitcoinReceiptRow, b: BitcoinReceiptRow): number {
  return (b.confirmedAt ?? 0) - (a.confirmedAt ?? 0) || b.seenAt - a.seenAt || (a.id < b.id ? 1 : -1);
}
