import type { PayerWords, Said } from '../words/payer-words.ts';
import { type Html, html } from './html.ts';

type Line = string | false | null | undefined;
type Tone = 'success' | 'attention' | 'refused' | 'ended';

/** A status with a heading; with a spinner if it is about to change by itself. */
export function notice(tone: Tone, title: string, lines: readonly Line[], isUnderWay = false): Html {
  return html`<div class="notice notice-${tone}">
<h2>${isUnderWay && spinner}${title}</h2>
${lines.map(line => line && html`<p>${line}</p>`)}
</div>`;
}

/** A status whose words are complete; `more` is said after them. */
export function noticeOf(tone: Tone, { title, lines }: Said, more: readonly Line[] = [], isUnderWay = false): Html {
  return notice(tone, title, [...lines, ...more], isUnderWay);
}

/** What a page says that has nothing else. */
export function saidAlone({ title, lines }: Said): Html {
  return html`<div class="stack">
<h1>${title}</h1>
${lines.map(line => html`<p>${line}</p>`)}
</div>`;
}

const spinner = html`<span class="spinner" aria-hidden="true"></span> `;

/** Waiting for a payment, which the page shows by itself. */
export function waiting({ waiting: title, showsByItself, noScript }: PayerWords): Html {
  return html`<p class="muted">${spinner}${title} <span data-by-itself hidden>${showsByItself}</span><span class="without-script" data-reload>${noScript.waitReload}</span></p>`;
}

/** Shown by the script that redirects the customer. */
export function goesByItself({ goesByItself: words }: PayerWords): Html {
  return html`<p class="muted small" data-goes-by-itself hidden>${words}</p>`;
}

/** Shown by the script while the service is unreachable. */
export function connectionLost({ connectionLost: words, codeStillWorks }: PayerWords): Html {
  return html`<p class="notice notice-attention" id="connection-lost" role="status" hidden><span>${words} <span data-with-code hidden>${codeStillWorks}</span></span></p>`;
}
