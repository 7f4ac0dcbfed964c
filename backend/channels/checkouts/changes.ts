import type { Actor } from '@florin/shared/actor.ts';
import { isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { BitcoinClaims } from '../../bitcoin/invoices/claims.ts';
import { excessPayments } from '../../bitcoin/invoices/excess.ts';
import type { OnInvoiceChanged } from '../../bitcoin/invoices/receipts.ts';
import type { BitcoinClaimRow } from '../../bitcoin/invoices/rows.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import { checkoutFactsOf, paidIn, paidOf } from './checkout.ts';
import type { CheckoutRow } from './rows.ts';
import { dueOf, statusAfter } from './status.ts';
import { checkoutForUpdate, updateCheckout } from './store.ts';

export type CheckoutChanges = {
  /** Records a change of the checkout's invoice, in the same transaction. */
  readonly onInvoiceChanged: OnInvoiceChanged;
  /** Cancels a locked unpaid checkout whose invoice has ended. */
  cancel(
    tx: Transaction,
    checkout: CheckoutRow,
    change: Parameters<OnInvoiceChanged>[1],
    by: Actor,
  ): Promise<CheckoutRow>;
  /** Records a claim's change on its checkout; no event if nothing changed. */
  claimed(tx: Transaction, checkout: CheckoutRow, claim: BitcoinClaimRow): Promise<CheckoutRow>;
  /** As `claimed`, from a claim whose invoice is locked; ignores claims for other purposes. */
  onClaimChanged(tx: Transaction, claim: BitcoinClaimRow): Promise<void>;
};

/** The state changes of a checkout; each locks the invoice before the checkout and emits events. */
export function checkoutChanges(options: {
  clock: Clock;
  events: Events;
  claims: () => BitcoinClaims;
  discrepancies: Pick<Discrepancies, 'raise'>;
}): CheckoutChanges {
  const { clock, events, claims } = options;
  const excess = excessPayments(options);

  async function save(
    tx: Transaction,
    before: CheckoutRow,
    to: Partial<CheckoutRow>,
    by?: Actor,
  ): Promise<CheckoutRow> {
    const changed = { ...before, ...to };
    const isNewlyFinal = isFinalCheckout(changed.status) && before.endedAt === null;
    const row: CheckoutRow = {
      ...changed,
      sequence: before.sequence + 1,
      endedAt: isNewlyFinal ? clock.now() : before.endedAt,
    };
    await tx.run(updateCheckout, row);
    const { businessId, id: subjectId } = row;
    events.announce(tx, {
      type: 'checkout.changed',
      businessId,
      subjectId,
      by,
      payload: { record: checkoutFactsOf(row) },
    });
    return row;
  }

  const claimed: CheckoutChanges['claimed'] = async (tx, before, { reason, amountSats, status }) => {
    const paidJson = JSON.stringify({ ...paidIn(before), claim: { reason, amountSats, status } });
    return paidJson === before.paidJson ? before : save(tx, before, { paidJson });
  };

  async function claimOf(tx: Transaction, change: Parameters<OnInvoiceChanged>[1], due: ReturnType<typeof dueOf>) {
    const { id, purposeId: checkoutId } = change.invoice;
    if (due) await excess(tx, change, due, { checkoutId });
    return claims().of(tx, id);
  }

  return {
    async onInvoiceChanged(tx, change) {
      const { invoice, receipts, progress } = change;
      const before = await tx.first(checkoutForUpdate, { id: invoice.purposeId });
      if (!before) throw new Error(`invoice ${invoice.id} is for no checkout`);
      const status = statusAfter(before, progress);
      const claim = await claimOf(tx, change, dueOf({ ...before, status }, progress));
      const paidJson = JSON.stringify(paidOf(receipts, progress, claim));
      if (status === before.status && paidJson === before.paidJson) return;
      const { network, txIds } = progress;
      const row = await save(tx, before, { status, paidJson, network });
      const { businessId, id: subjectId } = row;
      const record = checkoutFactsOf(row);
      const payload = { record, network, txIds: [...txIds] };
      if (paidIn(before).receipts.length === 0 && receipts.length > 0) {
        // A checkout that completes with its first payment had it started before.
        const { status: startedAs } = isFinalCheckout(status) ? before : row;
        const started = { ...payload, record: { ...record, status: startedAs } };
        events.announce(tx, { type: 'checkout.payment_started', businessId, subjectId, payload: started });
      }
      if (status === 'COMPLETE' && before.status !== 'COMPLETE')
        events.announce(tx, { type: 'checkout.payment_completed', businessId, subjectId, payload });
    },

    async cancel(tx, before, change, by) {
      const { receipts, progress } = change;
      const claim = await claimOf(tx, change, dueOf({ ...before, status: 'CANCELLED' }, progress));
      const paidJson = JSON.stringify(paidOf(receipts, progress, claim));
      const row = await save(tx, before, { status: 'CANCELLED', paidJson }, by);
      const { businessId, id: subjectId } = row;
      const payload = { record: checkoutFactsOf(row) };
      events.announce(tx, { type: 'checkout.cancelled', businessId, subjectId, by, payload });
      return row;
    },

    claimed,

    async onClaimChanged(tx, claim) {
      if (claim.purpose !== 'checkout') return;
      const before = await tx.first(checkoutForUpdate, { id: claim.purposeId });
      if (before) await claimed(tx, before, claim);
    },
  };
}
