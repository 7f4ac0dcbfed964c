/** A terminal's sale, by the id that the terminal gave it. */
export type SaleKey = { readonly businessId: string; readonly terminalId: string; readonly saleId: string };

/** Why a terminal's sale is not sent, or not recorded. */
export type SaleRefusal =
  /** The sale was authorised before, for another amount or currency. */
  | { readonly kind: 'sale_differs' }
  /** The terminal reversed the sale before its authorisation arrived. */
  | { readonly kind: 'sale_reversed' }
  /** Software started the sale and cancelled it, or it has expired. */
  | { readonly kind: 'sale_ended' }
  /** Software started it on another terminal: one sale never has two payments. */
  | { readonly kind: 'sale_of_another_terminal' }
  /** A bitcoin invoice is open for its amount: a card can pay it only once that is withdrawn. */
  | { readonly kind: 'bitcoin_in_progress' }
  | { readonly kind: 'currency_differs'; readonly currency: string }
  | NoGatewayAccount;

/** The business has no account at a card gateway, or has switched it off. */
export type NoGatewayAccount = { readonly kind: 'no_gateway_account' };
