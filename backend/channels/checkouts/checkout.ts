import type { CheckoutFacts } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { InvoiceProgress } from '../../bitcoin/invoices/progress.ts';
import type { BitcoinClaimRow, BitcoinReceiptRow } from '../../bitcoin/invoices/rows.ts';
import { timestamp, timestampOf } from '../../money/payments/payment.ts';
import type { CheckoutRow } from './rows.ts';

/** What was paid of a checkout, as the API shows it. */
type Paid = Pick<CheckoutFacts, 'receivedSats' | 'processingSats' | 'receipts' | 'claim'>;

export const nothingPaid: Paid = { receivedSats: 0, processingSats: 0, receipts: [], claim: null };

/**
 * `receivedSats` are confirmed and `processingSats` are not; the receipts include replaced transactions, each with its
 * status.
 */
export function paidOf(
  receipts: readonly BitcoinReceiptRow[],
  { confirmedSats, seenSats }: InvoiceProgress,
  claim: BitcoinClaimRow | undefined,
): Paid {
  return {
    receivedSats: confirmedSats,
    processingSats: seenSats,
    receipts: receipts.map(({ network, txId, amountSats, status, seenAt, confirmedAt }) => ({
      network,
      txId,
      amountSats,
      status,
      seenAt: timestamp(seenAt),
      confirmedAt: timestampOf(confirmedAt),
    })),
    claim: claim ? { reason: claim.reason, amountSats: claim.amountSats, status: claim.status } : null,
  };
}

/** What was paid as of the row's last change, as it was announced; receipts and claim are not read again. */
export function paidIn(row: CheckoutRow): Paid {
  return JSON.parse(row.paidJson) as Paid;
}

/**
 * The part of a checkout's API record that its row determines: the page's URL and the signed redirect URL are added by
 * routes.ts.
 */
export function checkoutFactsOf(row: CheckoutRow): CheckoutFacts {
  const { id, businessId, status, sequence, amountMinor: amount, currency, amountSats, rate, orderId } = row;
  const { externalReference, successUrl } = row;
  const about = { id, businessId, status, sequence, amount, currency, amountSats, rate, orderId };
  return {
    ...about,
    externalReference,
    successUrl,
    ...paidIn(row),
    expiresAt: timestamp(row.expiresAt),
    createdAt: timestamp(row.createdAt),
    endedAt: timestampOf(row.endedAt),
  };
}
