import type { Instant } from '@florin/shared/ports.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';
import type { Counter } from '../matrix/counter.ts';
import type { TradeShop } from './shop.ts';

/** One movement of money that the bank made, and when the service says that it happened. */
export type Banked = {
  readonly kind: 'sales' | 'voids' | 'refunds';
  readonly amountMinor: number;
  readonly at: Instant;
  /** The terminal's id: whose totals it belongs to. */
  readonly terminalId: string | null;
  /** Undefined where the service has no record of it. */
  readonly recordedAt: Instant | undefined;
  /** Whether the service may learn of it, and date it, later than the bank. */
  readonly mayBeLate: boolean;
  readonly reference: string;
};

export type Records = { readonly payments: readonly PaymentRow[]; readonly refunds: readonly RefundRow[] };

/** Every movement behind the gateway and behind the readers, dated by the bank, with the service's record of it. */
export function bankBook(shop: TradeShop, records: Records): Banked[] {
  return [...gatewayBook(shop, records), ...shop.counters.flatMap(counter => readerBook(counter, records))].sort(
    (one, other) => one.at - other.at,
  );
}

function gatewayBook({ world }: TradeShop, { payments, refunds }: Records): Banked[] {
  const kinds = { authorise: 'sales', cancel: 'voids', refundSale: 'refunds', refund: 'refunds' } as const;
  const paymentOf = new Map(payments.map(payment => [payment.uniqueReference, payment]));
  const refundOf = new Map(refunds.map(refund => [refund.uniqueReference, refund]));
  const voidedAt = new Map(payments.map(({ id, voidedOrRejectedAt }) => [id, voidedOrRejectedAt]));
  return world.gateway.bookings
    .filter(({ approved }) => approved)
    .map(({ operation, uniqueReference, amountMinor, at }) => {
      const payment = paymentOf.get(uniqueReference);
      const refund = refundOf.get(uniqueReference);
      const refundedAt = refund?.kind === 'CANCEL' ? voidedAt.get(refund.paymentId) : refund?.outcomeAt;
      return {
        kind: kinds[operation],
        amountMinor,
        at,
        terminalId: payment?.terminalId ?? refund?.terminalId ?? null,
        recordedAt: (operation === 'authorise' ? payment?.takenAt : refundedAt) ?? undefined,
        mayBeLate: true,
        reference: uniqueReference,
      };
    });
}

/** What the reader's own processor moved, without what the reader took back before the terminal had its approval. */
function readerBook(counter: Counter, { payments, refunds }: Records): Banked[] {
  const movements = counter.reader.zvt?.processor.movements ?? [];
  const isUndone = (reference: number) => movements.some(one => one.kind === 'reversal' && one.reference === reference);
  const ownPayments = new Map(
    payments
      .filter(({ terminalId, authorisedBy }) => terminalId === counter.id && authorisedBy === 'reader')
      .map(payment => [payment.authorisationCode, payment]),
  );
  // A refund at a reader names no sale: those of a terminal came in this order.
  const ownRefunds = refunds
    .filter(
      ({ terminalId, status, kind }) => terminalId === counter.id && status === 'approved' && kind === 'REFUND_SALE',
    )
    .toSorted((one, other) => one.createdAt - other.createdAt);
  const banked: Banked[] = [];
  for (const [index, { kind, amountMinor, reference, at }] of movements.entries()) {
    const own = { amountMinor, at, terminalId: counter.id, reference: `${counter.name} ${index + 1}` };
    const payment = ownPayments.get(String(700_000 + reference));
    if (kind === 'payment' && (payment || !isUndone(reference)))
      banked.push({ ...own, kind: 'sales', mayBeLate: false, recordedAt: payment?.takenAt ?? undefined });
    if (kind === 'reversal' && payment)
      banked.push({ ...own, kind: 'voids', mayBeLate: true, recordedAt: payment.voidedOrRejectedAt ?? undefined });
    if (kind === 'refund' && !isUndone(reference)) {
      const found = ownRefunds.findIndex(refund => refund.amountMinor === amountMinor);
      const [refund] = found < 0 ? [] : ownRefunds.splice(found, 1);
      banked.push({ ...own, kind: 'refunds', mayBeLate: true, recordedAt: refund?.outcomeAt ?? undefined });
    }
  }
  return banked;
}
