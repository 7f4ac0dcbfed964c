import type { Transaction } from '../../foundation/database/database.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import type { BitcoinClaims } from './claims.ts';
import { excessFirst } from './progress.ts';
import type { InvoiceChange } from './receipts.ts';
import type { BitcoinClaimRow } from './rows.ts';

/** The amount that has to be returned to the customer of an invoice, and the reason. */
export type AmountDue = Pick<BitcoinClaimRow, 'reason' | 'amountSats'>;

/** Records an excess payment: an amount due to the customer, and a task for the merchant. */
export type Excess = (
  tx: Transaction,
  change: Pick<InvoiceChange, 'invoice' | 'receipts'>,
  due: AmountDue,
  /** The record that it does not pay for. */
  about: Readonly<Record<string, string>>,
) => Promise<void>;

/**
 * Records the claim and raises `bitcoin_payment_in_excess`, once per amount due, unless bitcoin refunds already cover
 * the claim.
 */
export function excessPayments(options: {
  claims: () => Pick<BitcoinClaims, 'record'>;
  discrepancies: Pick<Discrepancies, 'raise'>;
}): Excess {
  return async (tx, { invoice, receipts }, due, about) => {
    const claim = await options.claims().record(tx, invoice, due);
    // Bitcoin refunds cover all of it.
    if (claim.status === 'returned') return;
    const paymentId = excessFirst(receipts, claim.amountSats)[0]?.paymentId;
    if (!paymentId) return;
    await options.discrepancies.raise(tx, {
      businessId: invoice.businessId,
      paymentId,
      kind: 'bitcoin_payment_in_excess',
      evidence: String(due.amountSats),
      recorded: { ...about, askedSats: invoice.amountSats },
      gateway: { ...due, txIds: receipts.map(({ txId }) => txId) },
    });
  };
}
