import { receiptTokenIn } from '@florin/shared/contracts/receipts.ts';

/**
 * The text by which the service finds the sale of a scanned or typed code: the token of a receipt's address, or an invoice
 * number. Undefined if the code is of no sale.
 */
export function saleCodeIn(text: string): string | undefined {
  const given = text.trim();
  return receiptTokenIn(given) ?? (/^INV-\d+$/i.test(given) ? given.toUpperCase() : undefined);
}
