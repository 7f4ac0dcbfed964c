import { type Html, html } from './html.ts';

/** What is the case now, its heading first; with a spinner where it is about to change by itself. */
export function notice(
  tone: 'success' | 'attention' | 'refused' | 'ended',
  title: string,
  lines: readonly string[],
  isUnderWay = false,
): Html {
  return html`<div class="notice notice-${tone}">
<h2>${isUnderWay && html`<span class="spinner" aria-hidden="true"></span> `}${title}</h2>
${lines.map(line => html`<p>${line}</p>`)}
</div>`;
}
