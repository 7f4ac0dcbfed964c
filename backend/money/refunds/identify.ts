import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database } from '../../foundation/database/database.ts';
import { isBitcoin, newestFirst, remainingMinor, remainingSats, returnedMinor } from '../payments/payment.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { PaymentSettlement } from '../payments/settlement.ts';
import { paymentsOfLink } from '../payments/store.ts';
import type { RefundKind } from './rows.ts';

export type IdentifyRequest = {
  readonly businessId: string;
  readonly paymentLinkId: string;
  /** The payment of the link that the caller names, if any. */
  readonly paymentId: string | null;
  readonly kind: RefundKind;
};

export type IdentifyRefusal =
  | { readonly kind: 'payment_link_not_found' }
  | { readonly kind: 'payment_not_found' }
  | { readonly kind: 'payment_link_not_paid' }
  | { readonly kind: 'payment_not_identified'; readonly paymentIds: readonly string[] };

export type HasLink = (businessId: string, paymentLinkId: string) => Promise<boolean>;

export type IdentifyPayment = (request: IdentifyRequest) => Promise<Result<PaymentRow, IdentifyRefusal>>;

/**
 * Which payment of a link a refund means, as last seen: the one named, the only one there is, or the only one that this kind
 * of refund fits. Whether it may be refunded is decided later, under its lock.
 */
export function paymentIdentification(options: {
  database: Database;
  /** Whether the business has this payment link. */
  hasLink: HasLink;
  paymentSettlement: Pick<PaymentSettlement, 'refresh'>;
}): IdentifyPayment {
  const { database, hasLink, paymentSettlement } = options;

  return async ({ businessId, paymentLinkId, paymentId, kind }) => {
    const payments = newestFirst(await database.all(paymentsOfLink, { businessId, paymentLinkId }));
    if (payments.length === 0 && !(await hasLink(businessId, paymentLinkId)))
      return err({ kind: 'payment_link_not_found' });
    if (paymentId !== null) {
      const named = payments.find(({ id }) => id === paymentId);
      return named ? ok(named) : err({ kind: 'payment_not_found' });
    }
    const taken = payments.filter(payment => isBitcoin(payment.method) === (kind === 'BITCOIN') && wasTaken(payment));
    const [only] = taken;
    // The refusal for the newest payment gives the reason.
    const untaken = payments.find(payment => isBitcoin(payment.method) === (kind === 'BITCOIN')) ?? payments[0];
    if (!only) return untaken ? ok(untaken) : err({ kind: 'payment_link_not_paid' });
    if (taken.length === 1) return ok(only);
    // What fits depends on which of them have settled by now.
    const current = await Promise.all(
      taken.map(async payment =>
        payment.status === 'unsettled' ? (await paymentSettlement.refresh(payment)).payment : payment,
      ),
    );
    const fitting = current.filter(payment => fits(payment, kind));
    const [fit] = fitting;
    // If none can be refunded, the refusal for the newest one gives the reason.
    if (fitting.length <= 1) return ok(fit ?? only);
    return err({ kind: 'payment_not_identified', paymentIds: fitting.map(({ id }) => id) });
  };
}

function wasTaken({ status }: PaymentRow): boolean {
  return status === 'unsettled' || status === 'settled' || status === 'cancelled';
}

function fits(payment: PaymentRow, kind: RefundKind): boolean {
  switch (kind) {
    case 'CANCEL':
      return payment.status === 'unsettled' && returnedMinor(payment) === 0;
    case 'REFUND_SALE':
      return payment.status === 'settled' && remainingMinor(payment) > 0;
    case 'REFUND':
      return payment.status !== 'cancelled';
    case 'BITCOIN':
      return remainingSats(payment) > 0;
  }
}
