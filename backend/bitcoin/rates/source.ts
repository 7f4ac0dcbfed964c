/** A source of bitcoin prices. */
export interface RateSource {
  readonly name: string;
  /** The price of one bitcoin in a currency, as a decimal string; errors count as no price. */
  price(currency: string): Promise<SourcePrice>;
}

export type SourcePrice =
  | { readonly kind: 'price'; readonly price: string }
  /** It has no market in this currency; retried later. */
  | { readonly kind: 'not_listed' }
  | { readonly kind: 'failed'; readonly reason: string };
