import { bitcoinText, minorOfSats } from '@florin/shared/bitcoin.ts';
import type { ClaimRefusal } from '@florin/shared/contracts/claims.ts';
import type { CheckoutView, PaymentRequest } from '../../channels/checkouts/customer.ts';
import { claimedAmount, claimForm } from '../ui/claim.ts';
import { confirmation, type ReceiptsOffered } from '../ui/confirmation.ts';
import { amountLine, around, documentOf } from '../ui/document.ts';
import { Html, html } from '../ui/html.ts';
import { connectionLost, goesByItself, notice, saidAlone, waiting } from '../ui/notice.ts';
import { inLanguage, type Presentation } from '../ui/presentation.ts';
import { code, copyField, openInWallet, payWithin, reloadToSee, writeTag } from '../ui/to-pay.ts';
import type { Writing } from '../ui/writing.ts';
import type { PayerWords } from '../words/payer-words.ts';

export type PageOptions = {
  readonly isEmbedded: boolean;
  /** What the page's address asks for. */
  readonly query: {
    readonly network?: CheckoutView['chosen'] | undefined;
    readonly iframe?: string | undefined;
    readonly problem?: ClaimRefusal | undefined;
  };
  readonly receipts: ReceiptsOffered;
};

/** The page of a checkout. */
export function checkoutPage(view: CheckoutView, options: PageOptions, presentation: Presentation): string {
  const { checkout, business, now } = view;
  const { status, amountMinor, currency, externalReference } = checkout;
  const { writing } = presentation;
  const { words } = writing;
  const { network, iframe } = options.query;
  const about = { merchant: business.name, reference: externalReference, receipts: options.receipts };
  return documentOf(
    {
      title: `${words.checkout.titles[status]} – ${business.name}`,
      preview: { title: `${business.name} – ${writing.amount(amountMinor, currency)}` },
      query: { network, iframe },
      servedAt: now,
      body: html`${connectionLost(words)}
<div class="stack-large" id="checkout" data-checkout="${checkout.id}" data-status="${status}" data-sequence="${
        checkout.sequence
      }" data-origins="${options.isEmbedded && view.frameOrigins.join(' ')}">
${heading(view, writing)}
<div class="stack" role="status">${stateOf(view, writing)}</div>
${askedBack(view, options, presentation)}
${confirmation(view.payments, about, presentation)}
${request(view, options, presentation)}
${wayBack(view, options, words)}
</div>`,
      script: 'checkout.js',
      ...(waitsForPayment(status) ? { refreshWithoutScriptSeconds: 15 } : {}),
    },
    presentation,
  );
}

const waitsForPayment = (status: CheckoutView['checkout']['status']) => status === 'PENDING' || status === 'PROCESSING';

/** The page for an unknown checkout. */
export function noCheckoutPage(presentation: Presentation): string {
  const { unavailable } = presentation.writing.words.checkout;
  return documentOf({ title: unavailable.title, query: {}, body: saidAlone(unavailable) }, presentation);
}

function heading({ checkout, request: payable, paid }: CheckoutView, { words, ...writing }: Writing): Html {
  const { amountMinor, currency, amountSats, orderId, rate, status, expiresAt } = checkout;
  const isPartPaid = paid.receivedSats > 0;
  const satsAt = (price: string) => words.checkout.satsAt({ sats: writing.sats(amountSats), price });
  return html`<div class="stack">
<h1 class="description${orderId.length > 40 && ' description-long'}">${around(words.checkout.order, orderId)}</h1>
${amountLine(writing.amount(amountMinor, currency))}
${
  waitsForPayment(status) &&
  html`<div>${rate !== null && html`<p class="muted small">${around(satsAt, writing.price(rate, currency))}</p>`}
${payable && payWithin({ expiresAt, time: writing.time(expiresAt), isPartPaid }, words)}</div>`
}
</div>`;
}

/** The status in words. */
function stateOf(view: CheckoutView, writing: Writing): Html {
  const { words, sats } = writing;
  const { checkout, business, paid } = view;
  const said = words.checkout;
  const claimed = (count: number) =>
    claimedAmount({ sats: count, worthMinor: worthOf(checkout, count), currency: checkout.currency }, writing);
  const returning = () => words.claim.states[paid.claim?.status ?? 'open'](business.name);
  switch (checkout.status) {
    case 'PENDING':
      return pending(view, writing);
    case 'PROCESSING':
      return onTheirWay(view, writing);
    case 'COMPLETE':
      return notice('success', words.pay.success, [
        said.received({ merchant: business.name, sats: sats(paid.receivedSats) }),
        paid.claim && `${said.moreThanAsked(claimed(paid.claim.amountSats))} ${returning()}`,
      ]);
    case 'UNDERPAID': {
      const arrived = said.arrivedOf({ part: claimed(paid.receivedSats), whole: sats(checkout.amountSats) });
      return notice('refused', said.notEnough, [`${arrived} ${returning()}`]);
    }
    case 'EXPIRED':
      if (paid.claim)
        return notice('refused', said.tooLate, [`${said.arrivedAfter(claimed(paid.receivedSats))} ${returning()}`]);
      return notice('ended', said.timeIsUp, [said.nothingPaid(business.name)]);
    case 'CANCELLED':
      return notice('ended', said.titles.CANCELLED, [
        paid.claim ? `${said.cancelledArrived(claimed(paid.receivedSats))} ${returning()}` : said.cancelled,
      ]);
  }
}

function pending({ checkout, business, paid, isNodeDown, request: payable }: CheckoutView, writing: Writing): Html {
  const { words, sats } = writing;
  const said = words.checkout;
  if (isNodeDown) return notice('attention', said.interrupted, [said.interruptedWhy(business.name)], true);
  if (!payable) return notice('attention', said.timeIsUp, [said.beingChecked], true);
  if (paid.receivedSats === 0) return waiting(words);
  const [part, whole] = [sats(paid.receivedSats), sats(checkout.amountSats)];
  return notice('attention', said.partArrived, [said.sendTheOther({ part, whole, rest: sats(payable.amountSats) })]);
}

/** The amount in money at the checkout's price; null if it was requested in bitcoin. */
function worthOf({ rate, amountMinor, amountSats }: CheckoutView['checkout'], sats: number): number | null {
  return rate === null ? null : minorOfSats({ sats, wholeSats: amountSats, wholeMinor: amountMinor });
}

/** An unconfirmed on-chain payment, complete or partial. */
function onTheirWay({ checkout, paid }: CheckoutView, { words, sats }: Writing): Html {
  const said = words.onTheirWay;
  const { processingSats, receivedSats } = paid;
  const sentSats = processingSats + receivedSats;
  if (sentSats >= checkout.amountSats) return notice('attention', said.title, [said.whole(sats(processingSats))], true);
  const part = said.partOfCheckout({ part: sats(sentSats), whole: sats(checkout.amountSats) });
  return notice('attention', said.partTitle, [part], true);
}

/** How to pay. Everything except the copy buttons works without JavaScript. */
function request(view: CheckoutView, { isEmbedded }: PageOptions, presentation: Presentation): Html | null {
  const { request: payable, networks, chosen } = view;
  if (!payable) return null;
  const { words } = presentation.writing;
  const { checkout: said } = words;
  const tab = (network: CheckoutView['chosen']) => {
    const address = inLanguage(`?network=${network}${isEmbedded ? '&iframe=true' : ''}`, presentation);
    return html`<a class="tab" href="${address}"${network === chosen && new Html(' aria-current="page"')}>${said.networks[network]}</a>`;
  };
  return html`<section class="stack" aria-label="${said.howToPay}">
${networks.length > 1 && html`<nav class="tabs" aria-label="${said.waysToPay}">${networks.map(tab)}</nav>`}
${code(payable.codeText, words.codes[payable.network])}
${openInWallet(payable.walletUrl, words, { isFramed: isEmbedded })}
${toCopy(payable, words)}
${writeTag(payable.walletUrl, words)}
${reloadToSee(words)}
</section>`;
}

function toCopy({ network, text, amountSats }: PaymentRequest, words: PayerWords): Html {
  if (network === 'lightning') return copyField({ label: words.lightningInvoice, id: 'bolt11', text }, words);
  return html`${copyField({ label: words.bitcoinAddress, id: 'address', text }, words)}${copyField({ label: words.amountInBitcoin, id: 'btc', text: bitcoinText(amountSats) }, words)}`;
}

function askedBack(
  { checkout, paid, business }: CheckoutView,
  { isEmbedded, query: { problem } }: PageOptions,
  presentation: Presentation,
): Html | null {
  if (!paid.claim) return null;
  return claimForm(
    {
      status: paid.claim.status,
      merchant: business.name,
      action: inLanguage(`/checkout/${checkout.id}/claim`, presentation),
      refusal: problem,
      hidden: isEmbedded && html`<input type="hidden" name="iframe" value="true">`,
    },
    presentation.writing.words,
  );
}

function wayBack(
  { redirectUrl, checkout, paid, business }: CheckoutView,
  { isEmbedded }: PageOptions,
  words: PayerWords,
): Html | null {
  if (redirectUrl === null) return null;
  // The embedding page is notified and redirects by itself; a customer with a claim stays on the page.
  const goes = checkout.status === 'COMPLETE' && !paid.claim && !isEmbedded;
  return html`<div class="stack"><a class="button${!goes && ' button-quiet'}" href="${redirectUrl}" target="_top"${
    goes && new Html(' data-redirect')
  }>${words.checkout.backTo(business.name)}</a>${goes && goesByItself(words)}</div>`;
}
