/** Somewhere that says what one bitcoin costs. */
export interface RateSource {
  readonly name: string;
  /** The price of one bitcoin in a currency, in decimals; what goes wrong on the way counts as no price. */
  price(currency: string): Promise<SourcePrice>;
}

export type SourcePrice =
  | { readonly kind: 'price'; readonly price: string }
  /** It has no market in this currency: asking again does not help soon. */
  | { readonly kind: 'not_listed' }
  | { readonly kind: 'failed'; readonly reason: string };
