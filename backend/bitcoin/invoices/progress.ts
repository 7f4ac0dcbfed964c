import type { BitcoinInvoiceRow, BitcoinReceiptRow, InvoiceNetwork } from './rows.ts';

/** The payments of an invoice in satoshis, summed. */
export type InvoiceProgress = {
  readonly confirmedSats: number;
  /** Seen, not confirmed. */
  readonly seenSats: number;
  /** Expired or cancelled, and the node has reported everything up to then. */
  readonly isOver: boolean;
  /** The payments that paid it; while it is unpaid, all payments in the order seen. */
  readonly txIds: readonly string[];
  /** The network of the last of these; null if there is none. */
  readonly network: InvoiceNetwork | null;
};

/** Sums the payments of an invoice; replaced transactions do not count, and only confirmed ones can pay it. */
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

/** The confirmed payments that paid a paid invoice, oldest first. */
export function payingReceipts(amountSats: number, receipts: readonly BitcoinReceiptRow[]): BitcoinReceiptRow[] {
  const confirmed = receipts.filter(({ status }) => status === 'confirmed');
  const confirmedSats = confirmed.reduce((sats, receipt) => sats + receipt.amountSats, 0);
  return confirmedSats < amountSats ? [] : splitByExcess(receipts, confirmedSats - amountSats).paying.toReversed();
}

/**
 * Splits confirmed payments, newest first, for a return of this amount: excess payments, without which the rest still
 * pays, and the others.
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

/** Excess payments come first in a return, then part of the paying ones. */
export function excessFirst(receipts: readonly BitcoinReceiptRow[], excessSats: number): readonly BitcoinReceiptRow[] {
  const { excess, paying } = splitByExcess(receipts, excessSats);
  return [...excess, ...paying];
}

function lastConfirmedFirst(a: BitcoinReceiptRow, b: BitcoinReceiptRow): number {
  return (b.confirmedAt ?? 0) - (a.confirmedAt ?? 0) || b.seenAt - a.seenAt || (a.id < b.id ? 1 : -1);
}
