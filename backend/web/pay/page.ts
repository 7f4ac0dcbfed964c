import type { CustomerLink } from '../../channels/payment-links/customer.ts';
import { claimForm, isClaimRefusal } from '../ui/claim.ts';
import { confirmation, type ReceiptsOffered } from '../ui/confirmation.ts';
import { amountLine, around, documentOf } from '../ui/document.ts';
import { type Html, html } from '../ui/html.ts';
import { connectionLost, notice, saidAlone } from '../ui/notice.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import { inLanguage, type Presentation } from '../ui/presentation.ts';
import type { Writing } from '../ui/writing.ts';
import { bitcoinRequest, claimNotice } from './bitcoin.ts';
import { type PageProblem, problemOf, statusOf } from './status.ts';

export type Shown = { readonly html: string; readonly contentSecurityPolicy: string };

/** The page of an available link, for the payment of `attempt`. */
export function linkPage(
  link: CustomerLink,
  options: {
    readonly attempt?: string | undefined;
    readonly problem?: PageProblem | undefined;
    readonly receipts: ReceiptsOffered;
  },
  presentation: Presentation,
): Shown {
  const { attempt, problem, receipts } = options;
  const { business, description, state, amountMinor, currency, progress, cardFields } = link;
  const { writing } = presentation;
  const { words } = writing;
  const canPay = mayPay(link);
  const { id } = link;
  const [subject = ''] = description.split('\n', 1);
  const document = documentOf(
    {
      title: `${subject} – ${business.name}`,
      preview: { title: `${business.name} – ${writing.amount(amountMinor, currency)}`, description: subject },
      query: { attempt },
      script: 'pay.js',
      servedAt: link.now,
      body: html`${connectionLost(words)}
<div class="stack-large" id="pay" data-link="${id}" data-attempt="${attempt}" data-state="${state}"
 data-progress="${progress.kind}" data-amount="${amountMinor}" data-pay-until="${canPay && link.expiresAt}">
${heading(link, writing)}
<div class="stack" id="status" role="status">${problem !== undefined && !isClaimRefusal(problem) && problemOf(problem, words)}${statusOf(link, writing)}${claimNotice(link, writing)}${canPay && html`<p class="muted small">${words.pay.payableUntil(writing.dateTime(link.expiresAt))}</p>`}</div>
${link.claim && claimForm({ status: link.claim.status, merchant: business.name, action: inLanguage(`/pay/${id}/claim`, presentation), refusal: problem !== undefined && isClaimRefusal(problem) ? problem : undefined }, words)}
${confirmation(link.payments, { merchant: business.name, reference: link.externalReference, receipts }, presentation)}
${progress.kind === 'at_bank' && bankStep(progress, writing)}
${progress.kind === 'bitcoin' && bitcoinRequest(link, progress, presentation)}
${canPay && methods(link, presentation)}
</div>`,
    },
    presentation,
  );
  const bank = progress.kind === 'at_bank' ? [new URL(progress.url).origin] : [];
  const frames = canPay && cardFields ? [new URL(cardFields.url).origin] : bank.flatMap(origin => [origin, "'self'"]);
  return { html: document, contentSecurityPolicy: contentSecurityPolicy({ frames, formTargets: bank }) };
}

/** The same page for an unknown and a deleted link, so that they cannot be distinguished. */
export function noLinkPage(presentation: Presentation): Shown {
  const { unavailable } = presentation.writing.words.pay;
  const page = { title: unavailable.title, query: {}, body: saidAlone(unavailable) };
  return { html: documentOf(page, presentation), contentSecurityPolicy: contentSecurityPolicy() };
}

/** The hidden frame's content after the method step; the page around it continues. */
export function methodDonePage({ writing: { language, words } }: Presentation): Shown {
  const { title, lines } = words.pay.bankChecked;
  const { text } =
    html`<!doctype html><html lang="${language}"><title>${title}</title>${lines.map(line => html`<p>${line}</p>`)}</html>`;
  return { html: text, contentSecurityPolicy: contentSecurityPolicy({ ancestors: ["'self'"] }) };
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

/** Submitted by the script; the button works without it. */
function bankStep(
  { url, fields, step }: Extract<CustomerLink['progress'], { kind: 'at_bank' }>,
  { words: { pay } }: Writing,
): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const isMethod = step === 'method';
  return html`<form id="bank" method="post" action="${url}" class="stack"${isMethod && html` target="bank-method" data-method="true"`}>
${inputs}
${!isMethod && html`<button class="button" type="submit">${pay.toBank}</button>`}
</form>
${isMethod && html`<iframe name="bank-method" title="${pay.bankFrame}" hidden></iframe>`}
${!isMethod && html`<button class="button button-quiet" type="button" id="abandon">${pay.startAgain}</button>`}`;
}

function methods(link: CustomerLink, presentation: Presentation): Html {
  const { cardFields, takesBitcoin, business } = link;
  const { pay } = presentation.writing.words;
  if (!cardFields && !takesBitcoin) return notice('attention', pay.notPayable, [pay.contact(business.name)]);
  return html`${cardFields && byCard(link, cardFields, presentation.writing)}${takesBitcoin && inBitcoin(link, presentation)}`;
}

function byCard(
  { business, amountMinor, currency }: CustomerLink,
  cardFields: NonNullable<CustomerLink['cardFields']>,
  { amount, words: { pay }, receiptWords }: Writing,
): Html {
  const ways = [pay.card, ...cardFields.wallets.map(wallet => receiptWords.methods[wallet])];
  // Not Intl.ListFormat, which loads 6 MB of locale data.
  const anyWay = ways.join(', ').replace(/, (?=[^,]*$)/, ` ${pay.or} `);
  return html`<section class="stack" aria-labelledby="card-title">
<h2 id="card-title">${pay.payBy(anyWay)}</h2>
<div id="card-without-script" class="without-script">${notice('attention', pay.needsScript, [pay.needsScriptWhy(business.name)])}</div>
<div id="card" class="stack" hidden>
<div id="card-fields" class="card-fields" data-url="${cardFields.url}" data-wallets="${cardFields.wallets.join(',')}" data-shop="${business.name}" data-total="${amount(amountMinor, currency)}">
<p class="muted" id="card-loading">${pay.loading}</p>
</div>
<p id="card-problem" class="notice notice-refused" role="alert" hidden></p>
<button class="button" type="button" id="pay-card" disabled><span>${around(pay.payAmount, amount(amountMinor, currency))}</span></button>
<p class="muted small">${pay.cardPrivacy(business.name)}</p>
</div>
</section>`;
}

/** A form, so that it works without JavaScript. */
function inBitcoin({ id, cardFields }: CustomerLink, presentation: Presentation): Html {
  const { pay } = presentation.writing.words;
  return html`<div class="stack another-way">${cardFields && html`<p class="divider">${pay.or}</p>`}
<form method="post" action="${inLanguage(`/pay/${id}/bitcoin`, presentation)}"><button class="button${cardFields && ' button-quiet'}" type="submit">${pay.inBitcoin}</button></form></div>`;
}
