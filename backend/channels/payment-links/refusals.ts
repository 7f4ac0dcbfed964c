import type { NoGatewayAccount } from '../../money/payments/sale.ts';

export type LinkCreationRefusal =
  | { readonly kind: 'payment_links_disabled' }
  /** Customers would have no way to pay. */
  | { readonly kind: 'no_payment_method' };

/** An earlier payment may take or have taken the money. */
export type Undecided = {
  readonly kind: 'payment_in_progress' | 'payment_outcome_unknown';
  /** Set for an open bitcoin request. */
  readonly bitcoin?: {
    readonly amountSats: number;
    /** Confirmed or in transit. */
    readonly receivedSats: number;
    readonly expiresAt: string;
  };
};

export type LinkRemovalRefusal =
  | { readonly kind: 'payment_link_not_found' }
  | { readonly kind: 'payment_link_paid' }
  | Undecided;

export type LinkPaymentRefusal =
  | NoGatewayAccount
  | { readonly kind: 'payment_link_not_found' }
  | { readonly kind: 'payment_link_deleted' }
  | { readonly kind: 'payment_link_expired' }
  | { readonly kind: 'payment_link_paid' }
  | Undecided
  | { readonly kind: 'amount_exceeds_balance'; readonly balanceMinor: number }
  | { readonly kind: 'part_payment_refused'; readonly minimumMinor: number };
