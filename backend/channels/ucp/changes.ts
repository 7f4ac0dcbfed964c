import type { Clock } from '@florin/shared/ports.ts';
import type { BitcoinClaims } from '../../bitcoin/invoices/claims.ts';
import { excessPayments } from '../../bitcoin/invoices/excess.ts';
import type { OnInvoiceChanged } from '../../bitcoin/invoices/receipts.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import { settleUcpInvoice, ucpInvoiceById, ucpInvoicesForUpdate } from './store.ts';

/** Records changes of UCP checkouts' invoices; the invoice is locked first, the checkout's rows second. */
export function ucpChanges(options: {
  clock: Clock;
  claims: () => BitcoinClaims;
  discrepancies: Pick<Discrepancies, 'raise'>;
}): OnInvoiceChanged {
  const { clock } = options;
  const excess = excessPayments(options);
  return async (tx, change) => {
    const { invoice, progress } = change;
    const { confirmedSats } = progress;
    const known = await tx.first(ucpInvoiceById, { id: invoice.purposeId });
    if (!known) throw new Error(`invoice ${invoice.id} is for no UCP checkout`);
    if (confirmedSats === 0) return;
    const all = await tx.all(ucpInvoicesForUpdate, known);
    const isPaidAlready = all.some(({ id, settledAt }) => id !== known.id && settledAt !== null);
    const isExact = confirmedSats === invoice.amountSats;
    if (isExact && known.settledAt === null) await tx.run(settleUcpInvoice, { id: known.id, settledAt: clock.now() });
    // A platform accepts only the exact amount, so all of it is to be returned.
    const reason = confirmedSats > invoice.amountSats ? 'overpaid' : isExact ? 'late' : 'underpaid';
    if (isExact && !isPaidAlready) return;
    await excess(tx, change, { reason, amountSats: confirmedSats }, { checkoutId: known.checkoutId });
  };
}
