import { bitcoinText } from '@florin/shared/bitcoin.ts';
import type { BitcoinRequest, CustomerLink } from '../../channels/payment-links/customer.ts';
import { claimedAmount } from '../ui/claim.ts';
import { around } from '../ui/document.ts';
import { type Html, html } from '../ui/html.ts';
import { notice, waiting } from '../ui/notice.ts';
import { inLanguage, type Presentation } from '../ui/presentation.ts';
import { code, copyField, openInWallet, payWithin, reloadToSee, writeTag } from '../ui/to-pay.ts';
import type { Writing } from '../ui/writing.ts';

/** The status of a bitcoin request. */
export function bitcoinStatus({ business }: CustomerLink, request: BitcoinRequest, writing: Writing): Html {
  const { sats, time, words } = writing;
  const { pay, onTheirWay } = words;
  const { amountSats, confirmedSats, seenSats, expiresAt } = request;
  const part = sats(confirmedSats + seenSats);
  if (seenSats > 0 && confirmedSats + seenSats < amountSats)
    return notice('attention', onTheirWay.partTitle, [onTheirWay.partOfLink({ part, whole: sats(amountSats) })], true);
  if (seenSats > 0) return notice('attention', onTheirWay.title, [onTheirWay.whole(sats(seenSats))], true);
  if (confirmedSats > 0)
    return notice('attention', pay.partArrived, [
      pay.sendMore({ arrived: sats(confirmedSats), rest: sats(amountSats - confirmedSats), merchant: business.name }),
      pay.arrivedPaysNothing(time(expiresAt)),
    ]);
  return waiting(words);
}

/** Everything a wallet needs: one code for both networks, a button for this device, and the texts to copy. */
export function bitcoinRequest(
  { id, currency }: CustomerLink,
  request: BitcoinRequest,
  presentation: Presentation,
): Html {
  const { sats, price, time, words } = presentation.writing;
  const { amountSats, confirmedSats, seenSats, bolt11, address, expiresAt, rate } = request;
  if (seenSats > 0) return html``;
  const isPartPaid = confirmedSats > 0;
  const url = walletUrl(request);
  const remaining = amountSats - confirmedSats;
  return html`<section class="stack" aria-labelledby="bitcoin-title">
<div><h2 id="bitcoin-title">${around(words.pay.payAmount, sats(remaining))}</h2>
${rate !== null && html`<p class="muted small">${around(words.pay.priceOfOne, price(rate, currency))}</p>`}
${payWithin({ expiresAt, time: time(expiresAt), isPartPaid }, words)}</div>
${code(url, words.codes.wallet)}
${openInWallet(url, words)}
${!isPartPaid && bolt11 !== null && copyField({ label: words.lightningInvoice, id: 'bolt11', text: bolt11 }, words)}
${address !== null && copyField({ label: words.bitcoinAddress, id: 'address', text: address }, words)}
${address !== null && copyField({ label: words.amountInBitcoin, id: 'btc', text: bitcoinText(remaining) }, words)}
${writeTag(url, words)}
${reloadToSee(words)}
${!isPartPaid && html`<form method="post" action="${inLanguage(`/pay/${id}/bitcoin/leave`, presentation)}"><button class="button button-quiet" type="submit">${words.pay.anotherWay}</button></form>`}
</section>`;
}

/** Bitcoin that arrived, does not pay the link and is to be returned. */
export function claimNotice({ claim, business, currency }: CustomerLink, writing: Writing): Html | undefined {
  if (!claim) return undefined;
  const { claim: words } = writing.words;
  const { status, amountSats, worthMinor } = claim;
  const amount = claimedAmount({ sats: amountSats, worthMinor, currency }, writing);
  const state = words.states[status](business.name);
  return status === 'returned'
    ? notice('ended', words.wereReturned(amount), [state])
    : notice('attention', words.toBeReturned(amount), [words.whyOnLink, state]);
}

/** BIP 21 with address and Lightning invoice, of which wallets use what they support. */
function walletUrl({ amountSats, confirmedSats, bolt11, address }: BitcoinRequest): string {
  const lightning = confirmedSats === 0 ? bolt11 : null;
  if (address === null) return `lightning:${lightning ?? ''}`;
  const query = new URLSearchParams({ amount: bitcoinText(amountSats - confirmedSats) });
  if (lightning !== null) query.set('lightning', lightning);
  return `bitcoin:${address}?${query.toString()}`;
}
