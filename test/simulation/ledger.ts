import type { Booking, GatewayObserver, Sending } from './gateway-model.ts';

/** The expected content of our records, derived only from the operations sent and the bank's bookings. */
export type BankRow = {
  readonly uniqueReference: string;
  readonly operation: Sending['operation'];
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentReference: string | undefined;
  sends: number;
  isDropped: boolean;
  booking: Booking | undefined;
  /** The reference under which a callback named another amount than the bank booked. */
  wrongAmountReference: string | undefined;
  /** Every gateway reference that the bank gave it, in replies, lookups and callbacks. */
  readonly references: Set<string>;
};

/** A callback that the service accepted or rejected. */
export type Acknowledged = { readonly notified: Booking; readonly outcome: 'taken' | 'rejected' };

export class Ledger implements GatewayObserver {
  readonly rows = new Map<string, BankRow>();
  /** By gateway reference of the payment: the amount taken, and the amount returned by voids and capped refunds. */
  readonly taken = new Map<string, number>();
  readonly returned = new Map<string, number>();
  /** The amount returned by uncapped credits. */
  readonly credited = new Map<string, number>();
  readonly acknowledgements: Acknowledged[] = [];
  readonly #onSent: (row: BankRow) => void;
  readonly #onBooked: (row: BankRow, booking: Booking) => void;

  constructor(watchers: {
    onSent: (row: BankRow) => void;
    onBooked: (row: BankRow, booking: Booking) => void;
  }) {
    this.#onSent = watchers.onSent;
    this.#onBooked = watchers.onBooked;
  }

  sent(sending: Sending): void {
    const { uniqueReference, operation, amountMinor, currency, paymentReference, isDropped } = sending;
    const known = this.rows.get(uniqueReference);
    const row = known ?? {
      uniqueReference,
      operation,
      amountMinor,
      currency,
      paymentReference,
      sends: 0,
      isDropped,
      booking: undefined,
      wrongAmountReference: undefined,
      references: new Set(),
    };
    row.sends += 1;
    row.isDropped &&= isDropped;
    this.rows.set(uniqueReference, row);
    this.#onSent(row);
  }

  booked(booking: Booking): void {
    const row = this.rows.get(booking.uniqueReference);
    if (!row) throw new Error(`the bank booked ${booking.uniqueReference}, which was never sent`);
    row.booking = booking;
    row.references.add(booking.gatewayReference);
    if (booking.approved && booking.operation === 'authorise')
      this.taken.set(booking.gatewayReference, booking.amountMinor);
    if (booking.approved && booking.operation !== 'authorise') {
      const sums = booking.operation === 'refund' ? this.credited : this.returned;
      sums.set(booking.paymentReference, (sums.get(booking.paymentReference) ?? 0) + booking.amountMinor);
    }
    this.#onBooked(row, booking);
  }

  posted(notified: Booking): void {
    const row = this.rows.get(notified.uniqueReference);
    if (!row) return;
    row.references.add(notified.gatewayReference);
    if (notified.operation === 'authorise' && row.booking?.approved)
      this.taken.set(notified.gatewayReference, row.booking.amountMinor);
    if (notified.amountMinor !== row.booking?.amountMinor) row.wrongAmountReference = notified.gatewayReference;
  }

  acknowledged(notified: Booking, outcome: Acknowledged['outcome']): void {
    this.acknowledgements.push({ notified, outcome });
  }

  rejected(paymentReference: string): void {
    this.taken.delete(paymentReference);
  }

  /** Ends the wrong amount: later messages of the bank are correct. */
  requoted(uniqueReference: string): void {
    const row = this.rows.get(uniqueReference);
    if (row) row.wrongAmountReference = undefined;
  }

  isApproved(uniqueReference: string | null): boolean {
    return this.rows.get(uniqueReference ?? '')?.booking?.approved === true;
  }

  /** Whether the bank may still receive and decide it. */
  isUnderWay(uniqueReference: string): boolean {
    const row = this.rows.get(uniqueReference);
    return row !== undefined && !row.booking && !row.isDropped;
  }

  /** Payments that returned more than they took. */
  overdrawn(): string[] {
    return [...this.returned].filter(([reference, sum]) => sum > (this.taken.get(reference) ?? 0)).map(([one]) => one);
  }
}
