import { bitcoinText, formatSats } from '@florin/shared/bitcoin.ts';
import encodeQr from 'qr';
import type { BitcoinRequest, CustomerLink } from '../../payment-links/customer.ts';
import { Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.ts';

/** What is to be done, or has been seen, of a request in bitcoin. */
export function bitcoinStatus({ business }: CustomerLink, request: BitcoinRequest): Html {
  const { amountSats, confirmedSats, seenSats } = request;
  const sats = (count: number) => formatSats(count, business.locale);
  if (seenSats > 0)
    return notice(
      'attention',
      'Payment seen',
      ['It counts once it is in a block, usually within the hour. Do not pay again; you may close this page.'],
      true,
    );
  if (confirmedSats > 0)
    return notice('attention', 'Only part of the amount has arrived', [
      `${sats(confirmedSats)} arrived. Please send ${sats(amountSats - confirmedSats)} more to the bitcoin address below, or contact ${business.name}.`,
    ]);
  return html`<p class="muted">Waiting for your payment. This page notices it by itself.</p>`;
}

/** Everything a wallet needs: one code for both networks, a button for this device, and the texts to copy. */
export function bitcoinRequest({ id, business }: CustomerLink, request: BitcoinRequest): Html {
  const { amountSats, confirmedSats, seenSats, bolt11, address, expiresAt } = request;
  if (seenSats > 0) return html``;
  const isPart = confirmedSats > 0;
  const address21 = addressOf(request);
  const remaining = amountSats - confirmedSats;
  return html`<section class="stack" aria-labelledby="bitcoin-title">
<h2 id="bitcoin-title">Pay ${formatSats(remaining, business.locale)}</h2>
<div class="qr" role="img" aria-label="QR code to pay with a bitcoin wallet">${qrOf(address21)}</div>
<a class="button" id="open-wallet" href="${address21}">Open in wallet</a>
${!isPart && bolt11 !== null && copyField('Lightning invoice', 'bolt11', bolt11)}
${address !== null && copyField('Bitcoin address', 'address', address)}
${address !== null && copyField('Amount in bitcoin', 'btc', bitcoinText(remaining))}
<p class="muted small" id="countdown" data-expires-at="${expiresAt}">The price holds until ${timeOf(expiresAt, business)}. Pay the whole amount, once, and not later than that.</p>
${!isPart && html`<form method="post" action="/pay/${id}/bitcoin/leave"><button class="button button-quiet" type="submit">Pay another way</button></form>`}
</section>`;
}

/** What arrived and does not pay the link is nobody's to keep. */
export function owed({ owedSats, business }: CustomerLink): Html | undefined {
  if (owedSats === 0) return undefined;
  return notice('attention', `${formatSats(owedSats, business.locale)} are to be returned`, [
    `They arrived late, or were not the amount asked for, and did not pay this link. ${business.name} has been told to return them: please contact them.`,
  ]);
}

function copyField(label: string, id: string, text: string): Html {
  return html`<div class="copy"><label for="${id}">${label}</label>
<div class="copy-row"><input id="${id}" value="${text}" readonly>
<button class="button button-quiet" type="button" data-copy="${id}" hidden>Copy<span class="visually-hidden"> ${label}</span></button></div></div>`;
}

/** BIP 21, with the Lightning invoice beside the address: wallets take what they can pay. */
function addressOf({ amountSats, confirmedSats, bolt11, address }: BitcoinRequest): string {
  const lightning = confirmedSats === 0 ? bolt11 : null;
  if (address === null) return `lightning:${lightning ?? ''}`;
  const query = new URLSearchParams({ amount: bitcoinText(amountSats - confirmedSats) });
  if (lightning !== null) query.set('lightning', lightning);
  return `bitcoin:${address}?${query.toString()}`;
}

/** Dark on light whatever the colours of the page: scanners need that. */
function qrOf(text: string): Html {
  return new Html(encodeQr(text, 'svg', { ecc: 'low', border: 2 }));
}

function timeOf(at: number, { locale, timeZone }: CustomerLink['business']): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(at);
}
