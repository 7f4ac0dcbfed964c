import encodeQr from 'qr';
import type { PayerWords } from '../words/payer-words.ts';
import { Html, html } from './html.ts';

/** The parts of every page with a bitcoin payment. Everything except the copy buttons works without a script. */

/** Dark on light in every colour scheme, because scanners need it. */
export function code(text: string, label: string): Html {
  const svg = encodeQr(text, 'svg', { ecc: 'low', border: 2 });
  return html`<div class="qr" role="img" aria-label="${label}">${new Html(svg)}</div>`;
}

/** In a new window if the page is framed, because a frame cannot open a wallet. */
export function openInWallet(
  url: string,
  words: PayerWords,
  { isFramed = false }: { readonly isFramed?: boolean } = {},
): Html {
  const target = isFramed && html` target="_blank" rel="noopener"`;
  return html`<a class="button" id="open-wallet" href="${url}"${target}>${words.openInWallet}</a>`;
}

/** A read-only field with a copy button, which stays hidden until the script shows it. */
export function copyField(
  field: { readonly label: string; readonly id: string; readonly text: string },
  words: PayerWords,
): Html {
  const { label, id, text } = field;
  return html`<div class="copy"><label for="${id}">${label}</label>
<div class="copy-row"><input id="${id}" value="${text}" readonly>
<button class="button button-quiet" type="button" data-copy="${id}" hidden>${words.copy}<span class="visually-hidden"> ${label}</span></button></div></div>`;
}

/** The payment deadline, above the code so that phones show it too; the script counts down. */
export function payWithin(
  deadline: { readonly expiresAt: number; readonly time: string; readonly isPartPaid: boolean },
  { payRestBy, payWholeBy, script }: PayerWords,
): Html {
  const { expiresAt, time, isPartPaid } = deadline;
  const [by, within] = isPartPaid ? [payRestBy, script.payRestWithin] : [payWholeBy, script.payWholeWithin];
  return html`<p class="muted small" data-countdown="${expiresAt}" data-within="${within}">${by(time)}</p>`;
}

/** Shown if the script did not load and the page cannot update itself. */
export function reloadToSee({ noScript }: PayerWords): Html {
  return html`<a class="button button-quiet without-script" data-reload href="">${noScript.paidReload}</a>`;
}

/** Shown by the script if the browser can write NFC tags. */
export function writeTag(url: string, words: PayerWords): Html {
  return html`<button class="button button-quiet" type="button" data-nfc="${url}" hidden>${words.writeTag}</button>
<p class="muted small" id="nfc-notice" role="status" hidden></p>`;
}
