import { bitcoin } from '@florin/shared/bitcoin.ts';
import { cardNameOf } from '@florin/shared/card-schemes.ts';
import type { PaymentConfirmation } from '../../money/payments/confirmation.ts';
import { isBitcoin } from '../../money/payments/payment.ts';
import { type Html, html } from './html.ts';
import type { Writing } from './writing.ts';

/** The customer's confirmation of payments, on screen and on one printed page. */
export function confirmation(
  payments: readonly PaymentConfirmation[],
  about: {
    readonly merchant: string;
    readonly reference: string | null;
    /** The address of a payment's receipt. */
    readonly receiptOf: ReceiptUrl;
  },
  writing: Writing,
): Html | null {
  if (payments.length === 0) return null;
  const [first] = payments;
  return html`<section class="stack confirmation" aria-labelledby="confirmation-title">
<h2 id="confirmation-title">${payments.length === 1 ? 'Payment confirmation' : 'Payments'}</h2>
<dl class="facts">
${row('Paid to', about.merchant)}
${about.reference !== null && row('Reference', about.reference)}
${payments.length === 1 && first && rowsOf(first, writing)}
</dl>
${payments.length > 1 && payments.map(payment => html`<dl class="facts">${rowsOf(payment, writing)}</dl>`)}
${payments
  .filter(isOfReader)
  .map(
    ({ id, invoiceNumber }) =>
      html`<a class="button button-quiet" href="${about.receiptOf(id)}" target="_blank" rel="noreferrer">Receipt${payments.length > 1 && ` for ${invoiceNumber}`}</a>`,
  )}
<button class="button button-quiet" type="button" data-print hidden>Print or save</button>
</section>`;
}

export type ReceiptUrl = (paymentId: string) => string;

/** A receipt names the card, so only the customer who paid with it gets its address. */
const isOfReader = ({ method, cardLastFour }: PaymentConfirmation) => isBitcoin(method) || cardLastFour !== null;

function rowsOf(payment: PaymentConfirmation, { amount, dateTime, sats }: Writing): Html {
  const { amountMinor, amountSats, currency, returned, method, takenAt, invoiceNumber, id } = payment;
  const worth = amount(amountMinor, currency);
  return html`${row('Paid on', dateTime(takenAt))}
${row('Amount', amountSats === null || currency === bitcoin ? worth : `${sats(amountSats)} (${worth})`)}
${row('Paid with', paidWith(payment))}
${returned > 0 && row('Returned since', isBitcoin(method) ? sats(returned) : amount(returned, currency))}
${row('Payment number', invoiceNumber)}
<div><dt>Payment ID</dt><dd class="fact-long"><bdi>${id}</bdi></dd></div>`;
}

const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`;

export const methodNames = {
  card: 'Card',
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  lightning: 'Bitcoin over Lightning',
  onchain: 'Bitcoin network',
} as const satisfies Record<PaymentConfirmation['method'], string>;

/** Only the last four digits of a card number are stored. */
function paidWith({ method, cardScheme, cardLastFour }: PaymentConfirmation): string {
  if (cardLastFour === null) return methodNames[method];
  const card = `${cardNameOf(cardScheme)} •••• ${cardLastFour}`.replaceAll(' ', '\u00a0');
  return method === 'card' ? card : `${methodNames[method]}, ${card}`;
}
