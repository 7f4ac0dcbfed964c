import type { Instant } from '@florin/shared/ports.ts';
import { isBitcoin, returnedMinor, takenMinor } from './payment.ts';
import type { PaymentRow } from './rows.ts';

/** A payment that took money, as its customer may keep it. */
export type PaymentConfirmation = Pick<
  PaymentRow,
  'id' | 'invoiceNumber' | 'method' | 'amountSats' | 'currency' | 'cardScheme' | 'cardLastFour'
> & {
  readonly amountMinor: number;
  readonly takenAt: Instant;
  /** The amount returned to the customer: of bitcoin in satoshis, otherwise in the smallest unit of the currency. */
  readonly returned: number;
};

/** For a payment that took money. The card details are for the customer who paid with it. */
export function confirmationOf(payment: PaymentRow, options: { readonly showsCard: boolean }): PaymentConfirmation {
  const { id, invoiceNumber, method, amountSats, currency, cardScheme, cardLastFour, takenAt, createdAt } = payment;
  return {
    id,
    invoiceNumber,
    method,
    amountSats,
    currency,
    cardScheme: options.showsCard ? cardScheme : null,
    cardLastFour: options.showsCard ? cardLastFour : null,
    amountMinor: takenMinor(payment),
    takenAt: takenAt ?? createdAt,
    returned: isBitcoin(method) ? payment.refundedSats : returnedMinor(payment),
  };
}
