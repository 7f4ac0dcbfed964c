import { bitcoinText, minorOfSats } from '@florin/shared/bitcoin.ts';
import type { ClaimRefusal } from '@florin/shared/contracts/claims.ts';
import type { CheckoutView, PaymentRequest } from '../../channels/checkouts/customer.ts';
import type { Assets } from '../ui/assets.ts';
import { claimedAmount, claimForm, claimText } from '../ui/claim.ts';
import { confirmation, type ReceiptUrl } from '../ui/confirmation.ts';
import { amountLine, documentOf } from '../ui/document.ts';
import { Html, html } from '../ui/html.ts';
import { connectionLost, goesByItself, notice, waiting } from '../ui/notice.ts';
import { code, copyField, openInWallet, payWithin, reloadToSee, writeTag } from '../ui/to-pay.ts';
import { type Writing, writingFor } from '../ui/writing.ts';

export type PageOptions = {
  readonly isEmbedded: boolean;
  readonly languages: readonly string[];
  readonly problem?: ClaimRefusal | undefined;
  readonly receiptOf: ReceiptUrl;
};

/** The page of a checkout. */
export function checkoutPage(view: CheckoutView, options: PageOptions, assets: Assets): string {
  const { checkout, business, now } = view;
  const { status } = checkout;
  const waits = waitsForPayment(status);
  const writing = writingFor(options.languages, business);
  return documentOf(
    {
      title: `${titles[status]} – ${business.name}`,
      language: 'en',
      merchant: business.name,
      servedAt: now,
      body: html`${connectionLost}
<div class="stack-large" id="checkout" data-checkout="${checkout.id}" data-status="${status}" data-sequence="${
        checkout.sequence
      }" data-origins="${options.isEmbedded && view.frameOrigins.join(' ')}">
${heading(view, writing)}
<div class="stack" role="status">${stateOf(view, writing)}</div>
${askedBack(view, options)}
${confirmation(view.payments, { merchant: business.name, reference: checkout.externalReference, receiptOf: options.receiptOf }, writing)}
${request(view, options)}
${wayBack(view, options)}
</div>`,
      script: 'checkout.js',
      ...(waits ? { refreshWithoutScriptSeconds: 15 } : {}),
    },
    assets,
  );
}

const waitsForPayment = (status: CheckoutView['checkout']['status']) => status === 'PENDING' || status === 'PROCESSING';

/** The page for an unknown checkout. */
export function noCheckoutPage(assets: Assets): string {
  const body = html`<div class="stack">
<h1>This checkout is not available</h1>
<p>The address is not complete, or never was one. Please go back to the shop and begin again. Nothing was charged by opening this page.</p>
</div>`;
  return documentOf({ title: 'Checkout not available', language: 'en', merchant: null, body }, assets);
}

const titles = {
  PENDING: 'Pay',
  PROCESSING: 'Payment on its way',
  COMPLETE: 'Paid',
  UNDERPAID: 'Paid in part',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
} as const;

function heading({ checkout, request: payable, paid }: CheckoutView, writing: Writing): Html {
  const { amountMinor, currency, amountSats, orderId, rate, status, expiresAt } = checkout;
  return html`<div class="stack">
<h1 class="description${orderId.length > 40 && ' description-long'}">Order <bdi>${orderId}</bdi></h1>
${amountLine(writing.amount(amountMinor, currency))}
<div>${rate !== null && waitsForPayment(status) && html`<p class="muted small">${writing.sats(amountSats)} at <bdi>${writing.price(rate, currency)}</bdi> for one bitcoin</p>`}
${payable && payWithin(expiresAt, writing.time(expiresAt), { isPartPaid: paid.receivedSats > 0 })}</div>
</div>`;
}

/** The status in words. */
function stateOf(view: CheckoutView, writing: Writing): Html {
  const { sats } = writing;
  const { checkout, business, paid, isNodeDown, request: payable } = view;
  const claimed = (count: number) =>
    claimedAmount({ sats: count, worthMinor: worthOf(checkout, count), currency: checkout.currency }, writing);
  switch (checkout.status) {
    case 'PENDING':
      if (isNodeDown)
        return notice(
          'attention',
          'Payments are interrupted',
          [
            `${business.name} cannot take payments just now. Nothing was charged. This page tries again by itself: please wait a moment.`,
          ],
          true,
        );
      if (!payable)
        return notice(
          'attention',
          'The time is up',
          ['Please do not pay any more. Whether a payment arrived in time is being checked; this takes a moment.'],
          true,
        );
      if (paid.receivedSats > 0)
        return notice('attention', 'Part of the amount has arrived', [
          `${sats(paid.receivedSats)} of ${sats(checkout.amountSats)} are here. Please send the other ${sats(payable.amountSats)}.`,
        ]);
      return waiting;
    case 'PROCESSING':
      return onTheirWay(view, sats);
    case 'COMPLETE':
      return notice('success', 'Payment successful', [
        `${business.name} has received ${sats(paid.receivedSats)}.`,
        paid.claim && `That is ${claimed(paid.claim.amountSats)} more than was asked for. ${claimTextOf(view)}`,
      ]);
    case 'UNDERPAID':
      return notice('refused', 'Not enough was paid', [
        `${claimed(paid.receivedSats)} of ${sats(checkout.amountSats)} arrived before the time was up. The order is not paid. ${claimTextOf(view)}`,
      ]);
    case 'EXPIRED':
      if (paid.claim)
        return notice('refused', 'Your payment came too late', [
          `${claimed(paid.receivedSats)} arrived after the time was up. The order is not paid. ${claimTextOf(view)}`,
        ]);
      return notice('ended', 'The time is up', [
        `Nothing was paid. Please do not pay any more; go back to ${business.name} to begin again.`,
      ]);
    case 'CANCELLED':
      return notice('ended', 'Cancelled', [
        paid.claim
          ? `${claimed(paid.receivedSats)} arrived all the same. ${claimTextOf(view)}`
          : 'This checkout was cancelled. Please do not pay any more.',
      ]);
  }
}

/** The amount in money at the checkout's price; null if it was requested in bitcoin. */
function worthOf({ rate, amountMinor, amountSats }: CheckoutView['checkout'], sats: number): number | null {
  return rate === null ? null : minorOfSats({ sats, wholeSats: amountSats, wholeMinor: amountMinor });
}

/** An unconfirmed on-chain payment, complete or partial. */
function onTheirWay({ checkout, paid }: CheckoutView, sats: Writing['sats']): Html {
  const { processingSats, receivedSats } = paid;
  if (processingSats + receivedSats >= checkout.amountSats)
    return notice(
      'attention',
      'Payment seen',
      [
        `${sats(processingSats)} are on their way. They count once the bitcoin network has confirmed them, usually within the hour. Do not pay again; you may close this page.`,
      ],
      true,
    );
  return notice(
    'attention',
    'Not the whole amount is on its way',
    [
      `${sats(processingSats + receivedSats)} of ${sats(checkout.amountSats)} were sent. Once the bitcoin network has confirmed them, usually within the hour, this page says how to pay the rest or, where the time is up by then, how to get them back.`,
    ],
    true,
  );
}

function claimTextOf({ paid, business }: CheckoutView): string {
  return claimText(business.name, paid.claim?.status ?? 'open');
}

const networkNames = { lightning: 'Lightning', onchain: 'Bitcoin network' } as const;

/** How to pay. Everything except the copy buttons works without JavaScript. */
function request(view: CheckoutView, options: PageOptions): Html | null {
  const { request: payable, networks, chosen } = view;
  if (!payable) return null;
  const tab = (network: CheckoutView['chosen']) =>
    html`<a class="tab" href="?network=${network}${options.isEmbedded && '&iframe=true'}"${
      network === chosen && new Html(' aria-current="page"')
    }>${networkNames[network]}</a>`;
  return html`<section class="stack" aria-label="How to pay">
${networks.length > 1 && html`<nav class="tabs" aria-label="Ways to pay">${networks.map(tab)}</nav>`}
${code(payable.codeText, payable.network === 'lightning' ? 'QR code to pay over Lightning' : 'QR code to pay over the bitcoin network')}
${openInWallet(payable.walletUrl, { isFramed: options.isEmbedded })}
${toCopy(payable)}
${writeTag(payable.walletUrl)}
${reloadToSee}
</section>`;
}

function toCopy({ network, text, amountSats }: PaymentRequest): Html {
  if (network === 'lightning') return copyField('Lightning invoice', 'bolt11', text);
  return html`${copyField('Bitcoin address', 'address', text)}${copyField('Amount in bitcoin', 'btc', bitcoinText(amountSats))}`;
}

function askedBack({ checkout, paid, business }: CheckoutView, { isEmbedded, problem }: PageOptions): Html | null {
  if (!paid.claim) return null;
  return claimForm({
    status: paid.claim.status,
    merchant: business.name,
    action: `/checkout/${checkout.id}/claim`,
    refusal: problem,
    hidden: isEmbedded && html`<input type="hidden" name="iframe" value="true">`,
  });
}

function wayBack({ redirectUrl, checkout, paid, business }: CheckoutView, { isEmbedded }: PageOptions): Html | null {
  if (redirectUrl === null) return null;
  // The embedding page is notified and redirects by itself; a customer with a claim stays on the page.
  const goes = checkout.status === 'COMPLETE' && !paid.claim && !isEmbedded;
  return html`<div class="stack"><a class="button${!goes && ' button-quiet'}" href="${redirectUrl}" target="_top"${
    goes && new Html(' data-redirect')
  }>Back to ${business.name}</a>${goes && goesByItself}</div>`;
}
