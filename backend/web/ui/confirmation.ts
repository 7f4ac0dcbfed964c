import { bitcoin } from '@florin/shared/bitcoin.ts';
import type { PaymentConfirmation } from '../../money/payments/confirmation.ts';
import { isBitcoin } from '../../money/payments/payment.ts';
import { paidWithText } from '../../money/receipts/lines.ts';
import { type Html, html } from './html.ts';
import { inLanguage, type Presentation } from './presentation.ts';
import type { Writing } from './writing.ts';

/** Where the receipts of payments are, and whether the service can send them by e-mail. */
export type ReceiptsOffered = { readonly urlOf: (paymentId: string) => string; readonly sendsEmails: boolean };

/** The customer's confirmation of payments, on screen and on one printed page. */
export function confirmation(
  payments: readonly PaymentConfirmation[],
  about: { readonly merchant: string; readonly reference: string | null; readonly receipts: ReceiptsOffered },
  presentation: Presentation,
): Html | null {
  if (payments.length === 0) return null;
  const { writing } = presentation;
  const { confirmation: words } = writing.words;
  const { facts, page } = writing.receiptWords;
  const [first] = payments;
  const isOne = payments.length === 1;
  const receiptsOf = payments.filter(isOfReader).map(({ id, invoiceNumber }) => {
    const url = about.receipts.urlOf(id);
    const link = (address: string, label: string) =>
      html`<a class="button button-quiet" href="${inLanguage(address, presentation)}" target="_blank" rel="noreferrer">${label}</a>`;
    return html`${link(url, isOne ? words.receipt : words.receiptFor(invoiceNumber))}
${about.receipts.sendsEmails && isOne && link(`${url}#email`, words.receiptByEmail)}`;
  });
  return html`<section class="stack confirmation" aria-labelledby="confirmation-title">
<h2 id="confirmation-title">${isOne ? words.one : words.several}</h2>
<dl class="facts">
${row(words.paidTo, about.merchant)}
${about.reference !== null && row(facts.reference, about.reference)}
${isOne && first && rowsOf(first, writing)}
</dl>
${!isOne && payments.map(payment => html`<dl class="facts">${rowsOf(payment, writing)}</dl>`)}
${receiptsOf}
<button class="button button-quiet" type="button" data-print hidden>${page.print}</button>
</section>`;
}

/** A receipt names the card, so only the customer who paid with it gets its address. */
const isOfReader = ({ method, cardLastFour }: PaymentConfirmation) => isBitcoin(method) || cardLastFour !== null;

function rowsOf(payment: PaymentConfirmation, writing: Writing): Html {
  const { amountMinor, amountSats, currency, returned, method, takenAt, invoiceNumber, id } = payment;
  const { amount, dateTime, sats, receiptWords } = writing;
  const { confirmation: words } = writing.words;
  const { facts } = receiptWords;
  const worth = amount(amountMinor, currency);
  return html`${row(facts.paidOn, dateTime(takenAt))}
${row(facts.amount, amountSats === null || currency === bitcoin ? worth : `${sats(amountSats)} (${worth})`)}
${row(facts.paidWith, paidWithText(payment, receiptWords))}
${returned > 0 && row(words.returnedSince, isBitcoin(method) ? sats(returned) : amount(returned, currency))}
${row(words.invoice, invoiceNumber)}
<div><dt>${facts.payment}</dt><dd class="fact-long"><bdi>${id}</bdi></dd></div>`;
}

const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`;
