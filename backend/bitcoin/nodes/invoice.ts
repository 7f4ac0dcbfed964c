import { createHash } from 'node:crypto';
import { parseBolt11 } from './bolt11.ts';
import type { CreatedInvoice, InvoiceRequest, PaymentHash } from './node.ts';

/** The created invoice; undefined if it does not parse or has another payment hash. */
export async function createdInvoice(bolt11: string, paymentHash: PaymentHash): Promise<CreatedInvoice | undefined> {
  const parsed = await parseBolt11(bolt11);
  return parsed?.paymentHash === paymentHash ? { bolt11, paymentHash, expiresAt: parsed.expiresAt } : undefined;
}

/** Whether an invoice matches the amount and description of a request. */
export async function matchesRequest(
  bolt11: string,
  { amountSats, description }: Pick<InvoiceRequest, 'amountSats' | 'description'>,
): Promise<boolean> {
  const parsed = await parseBolt11(bolt11);
  if (parsed?.amountMsat !== BigInt(amountSats) * 1000n) return false;
  return 'memo' in description
    ? (parsed.description ?? '') === description.memo
    : parsed.descriptionHash === description.sha256;
}

/** Whether a preimage proves the payment of this payment hash. */
export function provesPayment(preimage: string, paymentHash: PaymentHash): boolean {
  return createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') === paymentHash;
}
