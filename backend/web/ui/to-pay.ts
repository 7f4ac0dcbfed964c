import encodeQr from 'qr';
import { Html, html } from './html.ts';

/** What every page with something to pay in bitcoin is made of. All of it is there without a script, but for the buttons that copy. */

/** Dark on light whatever the colours of the page: scanners need that. */
export function code(text: string, label: string): Html {
  const svg = encodeQr(text, 'svg', { ecc: 'low', border: 2 });
  return html`<div class="qr" role="img" aria-label="${label}">${new Html(svg)}</div>`;
}

/** In a window of its own where the page is framed: a frame opens no wallet. */
export function openInWallet(url: string, { isFramed = false }: { readonly isFramed?: boolean } = {}): Html {
  const target = isFramed && html` target="_blank" rel="noopener"`;
  return html`<a class="button" id="open-wallet" href="${url}"${target}>Open in wallet</a>`;
}

export function copyField(label: string, id: string, text: string): Html {
  return html`<div class="copy"><label for="${id}">${label}</label>
<div class="copy-row"><input id="${id}" value="${text}" readonly>
<button class="button button-quiet" type="button" data-copy="${id}" hidden>Copy<span class="visually-hidden"> ${label}</span></button></div></div>`;
}

/** Until when the price holds; the script counts down. */
export function priceHolds(expiresAt: number, time: string, { isPartPaid }: { readonly isPartPaid: boolean }): Html {
  const toPay = isPartPaid ? 'the rest' : 'the whole amount';
  return html`<p class="muted small" data-countdown="${expiresAt}" data-to-pay="${toPay}">The price holds until ${time}. Pay ${toPay}, once, and not later than that.</p>`;
}

/** For a page whose script did not load, and which cannot know: shown once it would have run. */
export const reloadToSee = html`<a class="button button-quiet without-script" data-reload href="">I have paid: load this page again</a>`;

/** Shown by the script where the browser writes NFC tags, which wallets read. */
export function writeTag(url: string): Html {
  return html`<button class="button button-quiet" type="button" data-nfc="${url}" hidden>Write to an NFC tag</button>
<p class="muted small" id="nfc-notice" role="status" hidden></p>`;
}
