import type { receiptEmailOutcomes } from '@florin/shared/contracts/pages.ts';
import { type WrittenReceipt, writtenReceipt } from '../../money/receipts/lines.ts';
import type { Receipt } from '../../money/receipts/receipt.ts';
import type { ReceiptWords } from '../../money/receipts/words/receipt-words.ts';
import { amountLine, documentOf } from '../ui/document.ts';
import { type Html, html } from '../ui/html.ts';
import { saidAlone } from '../ui/notice.ts';
import { inLanguage, type Presentation } from '../ui/presentation.ts';

type EmailOutcome = (typeof receiptEmailOutcomes)[number];

export type PageOptions = {
  readonly token: string;
  readonly email: EmailOutcome | undefined;
  readonly sendsEmails: boolean;
};

/** The page of a receipt, for the screen and for paper. */
export function receiptPage({ facts, business }: Receipt, options: PageOptions, presentation: Presentation): string {
  const { locale, receiptWords: words } = presentation.writing;
  const written = writtenReceipt(facts, { words, locale });
  const { amount, worth } = written;
  const title = words.titles[facts.kind];
  const body = html`<article class="stack-large receipt">
<div class="stack">
<div>${facts.business.addressLines.map(line => html`<p class="muted" dir="auto">${line}</p>`)}</div>
<h1>${title}</h1>
${amountLine(amount)}
${worth !== null && html`<p class="muted"><bdi>${worth}</bdi></p>`}
${saleLine(written, facts.sale?.url, presentation)}
${written.meaning !== null && html`<p>${written.meaning}</p>`}
</div>
<dl class="facts">${[...written.facts, ...written.ids].map(([name, value]) => fact(name, value))}</dl>
${returnsOf(written, presentation)}
${business.receiptFooter !== null && html`<p class="description" dir="auto">${business.receiptFooter}</p>`}
<button class="button button-quiet" type="button" data-print hidden>${words.page.print}</button>
</article>
${options.sendsEmails && emailForm(words, options, presentation)}
${proof(words, options.token, presentation)}`;
  const preview = { title: `${business.name} – ${amount}`, description: title };
  return documentOf(
    { title: `${title} – ${business.name}`, preview, query: {}, body, script: 'receipt.js' },
    presentation,
  );
}

/** The page for an address of which there is no receipt. */
export function noReceiptPage(presentation: Presentation): string {
  const { none: title, noneWhy } = presentation.writing.receiptWords.page;
  return documentOf({ title, query: {}, body: saidAlone({ title, lines: [noneWhy] }) }, presentation);
}

/** Longer words, such as ids, are written small. */
const longestWord = 24;

function fact(name: string, value: string): Html {
  const isLong = value.split(' ').some(word => word.length > longestWord);
  return html`<div><dt>${name}</dt><dd${isLong && html` class="fact-long"`}><bdi>${value}</bdi></dd></div>`;
}

function saleLine({ ofSale }: WrittenReceipt, url: string | undefined, presentation: Presentation): Html | null {
  if (ofSale === null || url === undefined) return null;
  return html`<p><a href="${inLanguage(url, presentation)}">${ofSale}</a></p>`;
}

function returnsOf({ words, returns, left }: WrittenReceipt, presentation: Presentation): Html | null {
  if (returns.length === 0) return null;
  const rows = returns.map(({ name, at, amount, url }) => {
    const what = html`${name}<br><span class="small">${at}</span>`;
    return html`<div><dt class="returned">${url === null ? what : html`<a href="${inLanguage(url, presentation)}">${what}</a>`}</dt><dd class="figure"><bdi>${amount}</bdi></dd></div>`;
  });
  return html`<section class="stack" aria-labelledby="returns-title">
<h2 id="returns-title">${words.returnsTitle}</h2>
<dl class="facts">${rows}${fact(words.facts.left, left)}</dl>
</section>`;
}

function emailForm({ page }: ReceiptWords, { token, email }: PageOptions, presentation: Presentation): Html {
  const refusal = email === undefined || email === 'sent' ? undefined : page.refused[email];
  const described = refusal === undefined ? 'email-hint' : 'email-problem email-hint';
  return html`<section class="stack receipt-screen" aria-labelledby="email-title" id="email">
<h2 id="email-title">${page.email}</h2>
<div role="status">${email === 'sent' && html`<p class="notice notice-success">${page.sent}</p>`}</div>
<form class="stack" method="post" action="${inLanguage(`/r/${token}/email`, { chosen: presentation.writing.language })}">
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

function proof({ page }: ReceiptWords, token: string, presentation: Presentation): Html {
  return html`<details class="receipt-screen">
<summary>${page.proof}</summary>
<div class="stack">
<p class="muted">${page.proofWhy}</p>
<a class="button button-quiet" href="/r/${token}/receipt.json" download>${page.download}</a>
<a class="button button-quiet" href="${inLanguage('/receipts/verify', presentation)}">${page.verify}</a>
</div>
</details>`;
}
