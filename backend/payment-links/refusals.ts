import type { NoGatewayAccount } from '../payments/sale.ts';

export type LinkCreationRefusal =
  | { readonly kind: 'payment_links_disabled' }
  /** Customers would have nothing to pay with. */
  | { readonly kind: 'no_payment_method' };

/** An earlier payment may take the money, or may have taken it. */
export type Undecided = {
  readonly kind: 'payment_in_progress' | 'payment_outcome_unknown';
  /** Where that is an open request in bitcoin. */
  readonly bitcoin?: {
    readonly amountSats: number;
    /** Confirmed, or on its way. */
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
