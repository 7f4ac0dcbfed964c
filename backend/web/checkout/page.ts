import { formatAmount, formatSats } from '@florin/shared/bitcoin.ts';
import encodeQr from 'qr';
import type { CheckoutView, PaymentRequest } from '../../checkouts/customer.ts';
import type { Assets } from '../ui/assets.ts';
import { documentOf } from '../ui/document.ts';
import { Html, html } from '../ui/html.ts';

export type PageOptions = { readonly isEmbedded: boolean };

/** The page of a checkout. */
export function checkoutPage(view: CheckoutView, options: PageOptions, assets: Assets): string {
  const { checkout, business } = view;
  const { status } = checkout;
  const waits = status === 'PENDING' || status === 'PROCESSING';
  return documentOf(
    {
      title: `${titles[status]} – ${business.name}`,
      language: 'en',
      merchant: business.name,
      body: html`<div class="stack-large" id="checkout" data-checkout="${checkout.id}" data-status="${status}" data-sequence="${
        checkout.sequence
      }" data-origins="${options.isEmbedded && view.frameOrigins.join(' ')}">
${heading(view)}
<div class="stack" role="status">${stateOf(view)}</div>
${request(view, options)}
${claimForm(view, options)}
${wayBack(view, options)}
</div>`,
      script: 'checkout.js',
      ...(waits ? { refreshWithoutScriptSeconds: 15 } : {}),
    },
    assets,
  );
}

/** For an address that never was one. */
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

function heading({ checkout, business }: CheckoutView): Html {
  const { amountMinor, currency, amountSats, orderId, rate } = checkout;
  const amount = formatAmount(amountMinor, currency, business.locale);
  const price = rate === null ? null : formatRate(rate, currency, business.locale);
  return html`<div class="stack">
<h1 class="description">Order ${orderId}</h1>
<p class="amount${amount.length > 12 && ' amount-long'}">${amount}</p>
${rate !== null && html`<p class="muted small">${formatSats(amountSats, business.locale)} at ${price} for one bitcoin</p>`}
</div>`;
}

function formatRate(rate: string, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(rate as Intl.StringNumericLiteral);
}

/** What is the case now, in words. */
function stateOf(view: CheckoutView): Html {
  const { checkout, business, paid, isNodeDown, request: payable } = view;
  const sats = (amount: number) => formatSats(amount, business.locale);
  switch (checkout.status) {
    case 'PENDING':
      if (isNodeDown)
        return notice('attention', 'Payments are interrupted', [
          `${business.name} cannot be reached for payments just now. This page tries again by itself; nothing was charged.`,
        ]);
      if (!payable)
        return notice('attention', 'Checking', ['The time is up. Whether a payment arrived is being checked.']);
      if (paid.receivedSats > 0)
        return notice('attention', 'Part of the amount has arrived', [
          `${sats(paid.receivedSats)} of ${sats(checkout.amountSats)} are here. Please send the other ${sats(payable.amountSats)}.`,
        ]);
      return html`<p class="muted"><span class="spinner"></span> Waiting for your payment</p>`;
    case 'PROCESSING':
      return notice('attention', 'Payment seen', [
        `${sats(paid.processingSats)} are on their way. The payment is complete with its first confirmation on the bitcoin network, mostly within 10 to 30 minutes. You may close this page.`,
        paid.processingSats + paid.receivedSats < checkout.amountSats &&
          `That is less than the ${sats(checkout.amountSats)} that were asked for.`,
      ]);
    case 'COMPLETE':
      return notice('success', 'Payment successful', [
        `${business.name} has received ${sats(paid.receivedSats)}.`,
        paid.claim && `That is ${sats(paid.claim.amountSats)} more than was asked for. ${claimWords(view)}`,
      ]);
    case 'UNDERPAID':
      return notice('refused', 'Not enough was paid', [
        `${sats(paid.receivedSats)} of ${sats(checkout.amountSats)} arrived before the time was up. The order is not paid. ${claimWords(view)}`,
      ]);
    case 'EXPIRED':
      if (paid.claim)
        return notice('refused', 'Your payment came too late', [
          `${sats(paid.receivedSats)} arrived after the time was up. The order is not paid. ${claimWords(view)}`,
        ]);
      return notice('ended', 'The time is up', [
        `Nothing was paid. Please do not pay any more; go back to ${business.name} to begin again.`,
      ]);
    case 'CANCELLED':
      return notice('ended', 'Cancelled', [
        paid.claim
          ? `${sats(paid.receivedSats)} arrived all the same. ${claimWords(view)}`
          : 'This checkout was cancelled. Please do not pay any more.',
      ]);
  }
}

function claimWords({ paid, business }: CheckoutView): string {
  switch (paid.claim?.status) {
    case 'requested':
      return `${business.name} knows where you want it back.`;
    case 'returned':
      return `${business.name} has returned it.`;
    case 'open':
    case undefined:
      return `${business.name} owes it to you: say below where to return it.`;
  }
}

type Line = string | false | null | undefined;

function notice(tone: 'success' | 'attention' | 'refused' | 'ended', title: string, lines: readonly Line[]): Html {
  return html`<div class="notice notice-${tone}"><h2>${title}</h2>${lines.map(line => line && html`<p>${line}</p>`)}</div>`;
}

const networkNames = { lightning: 'Lightning', onchain: 'On chain' } as const;

/** How to pay. All of it is there without JavaScript, but for the buttons that copy. */
function request(view: CheckoutView, options: PageOptions): Html | null {
  const { request: payable, networks, chosen, checkout } = view;
  if (!payable) return null;
  const tab = (network: CheckoutView['chosen']) =>
    html`<a class="tab" href="?network=${network}${options.isEmbedded && '&iframe=true'}"${
      network === chosen && new Html(' aria-current="page"')
    }>${networkNames[network]}</a>`;
  return html`<section class="stack" aria-label="How to pay">
${networks.length > 1 && html`<nav class="tabs" aria-label="Ways to pay">${networks.map(tab)}</nav>`}
${codeOf(payable)}
<a class="button" href="${payable.walletUrl}" target="_blank" rel="noopener">Open in wallet</a>
${toCopy(payable.network === 'lightning' ? 'Lightning invoice' : 'Address', payable.text)}
${payable.network === 'onchain' && toCopy('Amount in satoshis', String(payable.amountSats))}
${payable.network === 'onchain' && html`<p class="muted small">Send exactly this amount in one payment. It is complete once the network has confirmed it.</p>`}
<p class="muted small">The amount is fixed until <time datetime="${new Date(checkout.expiresAt).toISOString()}" data-countdown>${timeOf(
    checkout.expiresAt,
  )} UTC</time>.</p>
</section>`;
}

function codeOf({ codeText, network }: PaymentRequest): Html {
  const svg = encodeQr(codeText, 'svg', { ecc: 'medium', border: 2 });
  const label = `QR code to pay over ${networkNames[network]}`;
  return html`<div class="qr" role="img" aria-label="${label}">${new Html(svg)}</div>`;
}

function toCopy(label: string, text: string): Html {
  return html`<div class="to-copy"><span class="small muted">${label}</span><code>${text}</code>
<button class="button button-quiet" type="button" data-copy="${text}" hidden>Copy</button></div>`;
}

function claimForm({ checkout, paid }: CheckoutView, { isEmbedded }: PageOptions): Html | null {
  if (paid.claim?.status !== 'open') return null;
  return html`<form class="stack" method="post" action="/checkout/${checkout.id}/claim">
<label for="destination">Where to return it</label>
<input class="field" id="destination" name="destination" required maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="bc1…, lnbc… or you@wallet.example">
<p class="muted small">A bitcoin address, a Lightning invoice or a Lightning address of yours. It cannot be changed afterwards.</p>
${isEmbedded && html`<input type="hidden" name="iframe" value="true">`}
<button class="button" type="submit">Ask for it back</button>
</form>`;
}

function wayBack({ redirectUrl, checkout, paid, business }: CheckoutView, { isEmbedded }: PageOptions): Html | null {
  if (redirectUrl === null) return null;
  // The page that embeds this one is told, and goes on by itself; whoever is owed something is not sent away.
  const goes = checkout.status === 'COMPLETE' && !paid.claim && !isEmbedded;
  return html`<a class="button${!goes && ' button-quiet'}" href="${redirectUrl}" target="_top"${
    goes && new Html(' data-redirect')
  }>Back to ${business.name}</a>`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}
