import type { receiptEmailOutcomes } from '@florin/shared/contracts/pages.ts';
import type { InLanguages, Language } from '@florin/shared/languages.ts';
import { type WrittenReceipt, writtenReceipt } from '../../money/receipts/lines.ts';
import type { Receipt } from '../../money/receipts/receipt.ts';
import type { ReceiptWords } from '../../money/receipts/words/receipt-words.ts';
import { receiptWordsFor } from '../../money/receipts/words/words.ts';
import type { Assets } from '../ui/assets.ts';
import { amountLine, documentOf } from '../ui/document.ts';
import { type Html, html } from '../ui/html.ts';

type EmailOutcome = (typeof receiptEmailOutcomes)[number];

export type PageOptions = {
  readonly token: string;
  /** What is read best, first. */
  readonly languages: readonly string[];
  /** Chosen on the page, instead of the browser's. */
  readonly chosen: string | undefined;
  readonly email: EmailOutcome | undefined;
  readonly sendsEmails: boolean;
};

/** The page of a receipt, for the screen and for paper. */
export function receiptPage({ facts, business }: Receipt, options: PageOptions, assets: Assets): string {
  const accepted = [...(options.chosen === undefined ? [] : [options.chosen]), ...options.languages];
  const written = writtenReceipt(facts, accepted, business.locale);
  const { words, language, amount, worth } = written;
  const title = words.titles[facts.kind];
  const body = html`<article class="stack-large receipt">
<div class="stack">
<div>${facts.business.addressLines.map(line => html`<p class="muted" dir="auto">${line}</p>`)}</div>
<h1>${title}</h1>
${amountLine(amount)}
${worth !== null && html`<p class="muted"><bdi>${worth}</bdi></p>`}
${saleLine(written, facts.sale?.url)}
</div>
<dl class="facts">${written.facts.map(([name, value]) => fact(name, value))}</dl>
${returnsOf(written)}
${business.receiptFooter !== null && html`<p class="description" dir="auto">${business.receiptFooter}</p>`}
<button class="button button-quiet" type="button" data-print hidden>${words.page.print}</button>
</article>
${options.sendsEmails && emailForm(words, options, language)}
${proof(words, options.token)}
${languageSwitch(options.token, language)}`;
  return documentOf(
    { title: `${title} – ${business.name}`, language, merchant: business.name, body, script: 'receipt.js' },
    assets,
  );
}

/** The page for an address of which there is no receipt. */
export function noReceiptPage(languages: readonly string[], assets: Assets): string {
  const { words, language } = receiptWordsFor(languages, 'en-GB');
  const { none: title, noneWhy } = words.page;
  const body = html`<div class="stack"><h1>${title}</h1><p>${noneWhy}</p></div>`;
  return documentOf({ title, language, merchant: null, body }, assets);
}

/** Longer words, such as ids, are written small. */
const longestWord = 24;

function fact(name: string, value: string): Html {
  const isLong = value.split(' ').some(word => word.length > longestWord);
  return html`<div><dt>${name}</dt><dd${isLong && html` class="fact-long"`}><bdi>${value}</bdi></dd></div>`;
}

function saleLine({ ofSale }: WrittenReceipt, url: string | undefined): Html | null {
  if (ofSale === null || url === undefined) return null;
  return html`<p><a href="${url}">${ofSale}</a></p>`;
}

function returnsOf({ words, returns, left }: WrittenReceipt): Html | null {
  if (returns.length === 0) return null;
  const rows = returns.map(({ name, at, amount, url }) => {
    const what = html`${name}<br><span class="small">${at}</span>`;
    return html`<div><dt class="returned">${url === null ? what : html`<a href="${url}">${what}</a>`}</dt><dd class="figure"><bdi>&minus;${amount}</bdi></dd></div>`;
  });
  return html`<section class="stack" aria-labelledby="returns-title">
<h2 id="returns-title">${words.returnsTitle}</h2>
<dl class="facts">${rows}${fact(words.facts.left, left)}</dl>
</section>`;
}

function emailForm({ page }: ReceiptWords, { token, email }: PageOptions, language: string): Html {
  const refusal = email === undefined || email === 'sent' ? undefined : page.refused[email];
  const described = refusal === undefined ? 'email-hint' : 'email-problem email-hint';
  return html`<section class="stack receipt-screen" aria-labelledby="email-title" id="email">
<h2 id="email-title">${page.email}</h2>
<div role="status">${email === 'sent' && html`<p class="notice notice-success">${page.sent}</p>`}</div>
<form class="stack" method="post" action="/r/${token}/email">
<input type="hidden" name="language" value="${language}">
<div class="labelled">
<label for="email-address">${page.emailLabel}</label>
<input class="field" id="email-address" name="address" type="email" autocomplete="email" required maxlength="254" aria-describedby="${described}"${
    refusal !== undefined && html` aria-invalid="true"`
  }>
${refusal !== undefined && html`<p class="problem" id="email-problem">${refusal}</p>`}
<p class="muted small" id="email-hint">${page.emailHint}</p>
</div>
<button class="button" type="submit">${page.send}</button>
</form>
</section>`;
}

function proof({ page }: ReceiptWords, token: string): Html {
  return html`<details class="receipt-screen">
<summary>${page.proof}</summary>
<div class="stack">
<p class="muted">${page.proofWhy}</p>
<a class="button button-quiet" href="/r/${token}/receipt.json" download>${page.download}</a>
<a class="button button-quiet" href="/receipts/verify">${page.verify}</a>
</div>
</details>`;
}

const languageNames: InLanguages<string> = { en: 'English', de: 'Deutsch' };

function languageSwitch(token: string, language: Language): Html {
  const others = Object.entries(languageNames).filter(([code]) => code !== language);
  return html`<nav class="receipt-screen receipt-languages">${others.map(
    ([code, name]) =>
      html`<a href="/r/${token}?language=${code}" lang="${code}" hreflang="${code}" rel="nofollow">${name}</a>`,
  )}</nav>`;
}
