import type { ClaimRefusal } from '@florin/shared/contracts/claims.ts';
import type { pageProblems } from '@florin/shared/contracts/pages.ts';
import type { CustomerLink } from '../../channels/payment-links/customer.ts';
import { isBitcoin } from '../../money/payments/payment.ts';
import type { Assets } from '../ui/assets.ts';
import { claimForm, isClaimRefusal } from '../ui/claim.ts';
import { confirmation, methodNames, type ReceiptUrl } from '../ui/confirmation.ts';
import { amountLine, documentOf } from '../ui/document.ts';
import { type Html, html } from '../ui/html.ts';
import { connectionLost, goesByItself, notice } from '../ui/notice.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import { type Writing, writingFor } from '../ui/writing.ts';
import { bitcoinRequest, bitcoinStatus, claimNotice } from './bitcoin.ts';

type PageProblem = (typeof pageProblems)[number];

export type Shown = { readonly html: string; readonly contentSecurityPolicy: string };

/** The page of an available link, for the payment of `attempt`. */
export function linkPage(
  link: CustomerLink,
  options: {
    readonly attempt?: string | undefined;
    readonly problem?: PageProblem | undefined;
    readonly languages: readonly string[];
    readonly receiptOf: ReceiptUrl;
  },
  assets: Assets,
): Shown {
  const { attempt, problem, receiptOf } = options;
  const { business, description, state, amountMinor, progress, cardFields } = link;
  const writing = writingFor(options.languages, business);
  const canPay = mayPay(link);
  const { id } = link;
  const document = documentOf(
    {
      title: `${description.split('\n', 1)[0]} – ${business.name}`,
      language: 'en',
      merchant: business.name,
      script: 'pay.js',
      servedAt: link.now,
      body: html`${connectionLost}
<div class="stack-large" id="pay" data-link="${id}" data-attempt="${attempt}" data-state="${state}"
 data-progress="${progress.kind}" data-amount="${amountMinor}" data-pay-until="${canPay && link.expiresAt}">
${heading(link, writing)}
<div class="stack" id="status" role="status">${problem !== undefined && !isClaimRefusal(problem) && problemOf(problem)}${statusOf(link, writing)}${claimNotice(link, writing)}${canPay && html`<p class="muted small">Can be paid until ${writing.dateTime(link.expiresAt)}.</p>`}</div>
${link.claim && claimForm({ status: link.claim.status, merchant: business.name, action: `/pay/${id}/claim`, refusal: problem !== undefined && isClaimRefusal(problem) ? problem : undefined })}
${confirmation(link.payments, { merchant: business.name, reference: link.externalReference, receiptOf }, writing)}
${progress.kind === 'at_bank' && bankStep(progress)}
${progress.kind === 'bitcoin' && bitcoinRequest(link, progress, writing)}
${canPay && methods(link, writing)}
</div>`,
    },
    assets,
  );
  const bank = progress.kind === 'at_bank' ? [new URL(progress.url).origin] : [];
  const frames = canPay && cardFields ? [new URL(cardFields.url).origin] : bank.flatMap(origin => [origin, "'self'"]);
  return { html: document, contentSecurityPolicy: contentSecurityPolicy({ frames, formTargets: bank }) };
}

/** The same page for an unknown and a deleted link, so that they cannot be distinguished. */
export function noLinkPage(assets: Assets): Shown {
  const body = html`<div class="stack">
<h1>This payment link is not available</h1>
<p>It may have been withdrawn, or the address is not complete. Please ask the sender for a new one. Nothing was charged by opening this page.</p>
</div>`;
  const document = documentOf({ title: 'Payment link not available', language: 'en', merchant: null, body }, assets);
  return { html: document, contentSecurityPolicy: contentSecurityPolicy() };
}

/** The hidden frame's content after the method step; the page around it continues. */
export function methodDonePage(): Shown {
  const { text } =
    html`<!doctype html><html lang="en"><title>Checked</title><p>Your bank&rsquo;s check goes on.</p></html>`;
  return { html: text, contentSecurityPolicy: contentSecurityPolicy({ ancestors: ["'self'"] }) };
}

/** Whether the page shows the link's status instead of this customer's payment. */
function showsLinkStatus({ status, progress }: CustomerLink): boolean {
  if (progress.kind === 'none' || status === 'PARTIALLY_PAID') return true;
  return status === 'EXPIRED' && ['declined', 'failed', 'voided'].includes(progress.kind);
}

/** Whether the page offers a way to pay. */
function mayPay({ status, progress }: CustomerLink): boolean {
  return status === 'ACTIVE' && ['none', 'declined', 'failed', 'voided'].includes(progress.kind);
}

function heading({ description, amountMinor, currency }: CustomerLink, writing: Writing): Html {
  return html`<div class="stack">
<h1 class="description${description.length > 80 && ' description-long'}" dir="auto">${description}</h1>
${amountLine(writing.amount(amountMinor, currency))}
</div>`;
}

function statusOf(link: CustomerLink, writing: Writing): Html | undefined {
  const { status, progress, business } = link;
  const isMine = progress.kind === 'paid';
  if (status === 'PAID' && link.paidMinor < link.amountMinor)
    return voided(
      business.name,
      'This link takes no other payment: if you still want to pay, please ask them for a new one.',
    );
  if (status === 'PAID' || (isMine && link.paidMinor >= link.amountMinor)) return paid(link, isMine);
  if (isMine) return html`${paidInPart(link, writing)}${balance(link, writing)}`;
  if (!showsLinkStatus(link)) return progressOf(link, writing);
  switch (status) {
    case 'ACTIVE':
      return undefined;
    case 'PARTIALLY_PAID':
      return html`${partPayment(link, writing)}${balance(link, writing)}`;
    case 'EXPIRED':
      return expired(link, writing);
  }
}

/** Expired takes precedence; the page states what was paid before. */
function expired({ paidMinor, amountMinor, currency, business }: CustomerLink, { amount }: Writing): Html {
  const words =
    paidMinor >= amountMinor
      ? 'It was paid in full before. Nothing is left to pay.'
      : paidMinor > 0
        ? `${amount(paidMinor, currency)} of it was paid. For the rest, please contact ${business.name}.`
        : `It can no longer be paid. Please ask ${business.name} for a new one.`;
  return notice('ended', 'This payment link has expired', [words]);
}

/** A bitcoin payment cannot be attributed to a browser. */
function paid({ business: { name: merchant }, successUrl, payments }: CustomerLink, isMine: boolean): Html {
  const isSuccess = isMine || payments.some(({ method }) => isBitcoin(method));
  return html`${notice('success', isSuccess ? 'Payment successful' : 'Paid', [`${merchant} has received this payment. Nothing is left to pay.`])}
${isMine && successUrl !== null && html`<a class="button" href="${successUrl}" rel="noreferrer" data-redirect>Continue to ${merchant}</a>${goesByItself}`}`;
}

/** The bank approved less than requested. */
function paidInPart({ amountMinor, paidMinor, currency, business }: CustomerLink, { amount }: Writing): Html {
  return notice('attention', 'Only part of the amount was taken', [
    `Your bank approved less than was asked: ${amount(paidMinor, currency)} of ${amount(amountMinor, currency)} is paid. The rest cannot be paid online: please contact ${business.name}.`,
  ]);
}

/** The specification's message, and how to pay the rest. */
function partPayment({ amountMinor, paidMinor, currency, business }: CustomerLink, { amount }: Writing): Html {
  return notice('attention', 'Part of this has been paid', [
    `Online part payment is not available, so the other ${amount(amountMinor - paidMinor, currency)} cannot be paid on this page.`,
    `To pay the rest, please contact ${business.name}. What has been paid counts towards it.`,
  ]);
}

function balance({ amountMinor, paidMinor, currency }: CustomerLink, { amount }: Writing): Html {
  return html`<dl class="facts">
<div><dt>Paid so far</dt><dd><bdi>${amount(paidMinor, currency)}</bdi></dd></div>
<div><dt>Left to pay</dt><dd><bdi>${amount(amountMinor - paidMinor, currency)}</bdi></dd></div>
</dl>`;
}

function progressOf(link: CustomerLink, writing: Writing): Html | undefined {
  const { progress, business } = link;
  switch (progress.kind) {
    case 'none':
    case 'paid':
      return undefined;
    case 'sending':
      return notice('attention', 'Your payment is being made', ['Please wait, and do not pay again.'], true);
    case 'checking':
      return notice(
        'attention',
        'We are checking your payment',
        [
          'Do not pay again: we are asking the bank whether it went through. This page shows the answer by itself.',
          `You may close it and open the link again later. If this takes longer than an hour, contact ${business.name}.`,
        ],
        true,
      );
    case 'at_bank':
      return progress.step === 'method'
        ? notice('attention', 'Contacting your bank', ['This takes a few seconds. Please keep this page open.'], true)
        : notice('attention', 'Your bank asks you to confirm this payment', [
            'Continue to your bank’s own page. You come back here when you are done. Nothing has been taken yet.',
          ]);
    case 'at_bank_elsewhere':
      return notice('attention', 'A payment of this link waits for confirmation', [
        `Someone with this link is on their bank’s page now. If that is you, in another window or on another device, finish it there. Otherwise it ends by itself by ${writing.time(progress.endsAt)}, and you can pay here then. Nothing has been taken yet.`,
      ]);
    case 'bitcoin':
      return bitcoinStatus(link, progress, writing);
    case 'declined':
      return declined(progress.by);
    case 'voided':
      return voided(business.name, 'If you still want to pay, you can below.');
    case 'failed':
      return notice('refused', 'The payment was not made', [
        'The bank could not be reached. Nothing was taken. Please try again.',
      ]);
  }
}

function voided(merchant: string, next: string): Html {
  return notice('ended', 'The payment was cancelled', [
    `${merchant} cancelled it, and nothing is taken from the card. ${next}`,
  ]);
}

function declined(by: 'bank' | 'bank_check' | 'bank_check_incomplete'): Html {
  switch (by) {
    case 'bank':
      return notice('refused', 'Card declined', [
        'Your bank did not authorise the payment. Nothing was taken. Try another card, or ask your bank.',
      ]);
    case 'bank_check':
      return notice('refused', 'Card declined: the bank’s extra check failed', [
        'Your bank did not confirm that it was you. Nothing was taken. Try again, or use another card.',
      ]);
    case 'bank_check_incomplete':
      return notice('attention', 'The bank’s check could not be completed', ['Nothing was taken. You can try again.']);
  }
}

/** Submitted by the script; the button works without it. */
function bankStep({ url, fields, step }: Extract<CustomerLink['progress'], { kind: 'at_bank' }>): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const isMethod = step === 'method';
  return html`<form id="bank" method="post" action="${url}" class="stack"${isMethod && html` target="bank-method" data-method="true"`}>
${inputs}
${!isMethod && html`<button class="button" type="submit">Continue to your bank</button>`}
</form>
${isMethod && html`<iframe name="bank-method" title="Check by your bank" hidden></iframe>`}
${!isMethod && startAgain}`;
}

const startAgain = html`<button class="button button-quiet" type="button" id="abandon">Start again</button>`;

function methods(link: CustomerLink, writing: Writing): Html {
  const { cardFields, takesBitcoin, business } = link;
  if (!cardFields && !takesBitcoin)
    return notice('attention', 'This link cannot be paid online just now', [`Please contact ${business.name}.`]);
  return html`${cardFields && byCard(link, cardFields, writing)}${takesBitcoin && inBitcoin(link)}`;
}

/** Created on use: the first one loads 6 MB of locale data. */
const anyOf = (names: readonly string[]) => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

function byCard(
  { business, amountMinor, currency }: CustomerLink,
  cardFields: NonNullable<CustomerLink['cardFields']>,
  { amount }: Writing,
): Html {
  return html`<section class="stack" aria-labelledby="card-title">
<h2 id="card-title">Pay by ${anyOf(['card', ...cardFields.wallets.map(wallet => methodNames[wallet])])}</h2>
<div id="card-without-script" class="without-script">${notice('attention', 'Paying by card needs JavaScript', [
    `Your card details are typed into fields of the payment provider, which did not load. Switch JavaScript on and reload this page, or contact ${business.name}.`,
  ])}</div>
<div id="card" class="stack" hidden>
<div id="card-fields" class="card-fields" data-url="${cardFields.url}" data-wallets="${cardFields.wallets.join(',')}">
<p class="muted" id="card-loading">Loading the card fields&hellip;</p>
</div>
<p id="card-problem" class="notice notice-refused" role="alert" hidden></p>
<button class="button" type="button" id="pay-card" disabled><span>Pay <bdi>${amount(amountMinor, currency)}</bdi></span></button>
<p class="muted small">Your card details go straight to the payment provider. ${business.name} never sees them.</p>
</div>
</section>`;
}

/** A form, so that it works without JavaScript. */
function inBitcoin({ id, cardFields }: CustomerLink): Html {
  return html`<div class="stack another-way">${cardFields && html`<p class="divider">or</p>`}
<form method="post" action="/pay/${id}/bitcoin"><button class="button${cardFields && ' button-quiet'}" type="submit">Pay in bitcoin</button></form></div>`;
}

function problemOf(problem: Exclude<PageProblem, ClaimRefusal>): Html {
  switch (problem) {
    case 'rate_unavailable':
    case 'bitcoin_unavailable':
      return notice('attention', 'Bitcoin is not available just now', [
        'Nothing was taken. Please try again in a minute, or pay another way.',
      ]);
    case 'bitcoin_amount_out_of_range':
      return notice('attention', 'This amount cannot be paid in bitcoin', [
        'Nothing was taken. Please pay another way, or ask the merchant.',
      ]);
    case 'payment_in_progress':
      return notice('attention', 'A payment is on its way', [
        'Please wait until it has arrived, and do not pay again.',
      ]);
  }
}
