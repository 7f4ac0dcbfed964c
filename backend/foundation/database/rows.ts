/** Gapless numbers per business, such as the next invoice number. */
export type CounterRow = { businessId: string; name: string; value: number };
