/** How money moves: phone wallets are cards underneath. */
export type Rail = 'card' | 'wallet' | 'lightning' | 'onchain';

/** The money that moved within a quarter of an hour. Amounts are positive. */
export type MoneyTotalRow = {
  businessId: string;
  /** Since 1970-01-01T00:00Z. Every time zone's days are made of whole ones. */
  quarterHour: number;
  rail: Rail;
  currency: string;
  takenMinor: number;
  takenCount: number;
  voidedMinor: number;
  voidedCount: number;
  rejectedMinor: number;
  rejectedCount: number;
  returnedMinor: number;
  returnedCount: number;
  /** The tips in `takenMinor` less those given back: negative where more were given back. */
  tipMinor: number;
  tipCount: number;
};
