import { type Html, html } from './html.ts';

type Line = string | false | null | undefined;

/** A status with a heading; with a spinner if it is about to change by itself. */
export function notice(
  tone: 'success' | 'attention' | 'refused' | 'ended',
  title: string,
  lines: readonly Line[],
  isUnderWay = false,
): Html {
  return html`<div class="notice notice-${tone}">
<h2>${isUnderWay && spinner}${title}</h2>
${lines.map(line => line && html`<p>${line}</p>`)}
</div>`;
}

const spinner = html`<span class="spinner" aria-hidden="true"></span> `;

/** Waiting for a payment, which the page shows by itself. */
export const waiting = html`<p class="muted">${spinner}Waiting for your payment. <span data-by-itself hidden>This page shows it by itself.</span><span class="without-script" data-reload>Once you have paid, load this page again.</span></p>`;

/** Shown by the script that redirects the customer. */
export const goesByItself = html`<p class="muted small" data-goes-by-itself hidden>This page goes there by itself in a few seconds.</p>`;

/** Shown by the script while the service is unreachable. */
export const connectionLost = html`<p class="notice notice-attention" id="connection-lost" role="status" hidden><span>No connection. This page goes on as soon as it is back. <span data-with-code hidden>You can still pay with the code below, once: your payment is noticed then.</span></span></p>`;
