import { bitcoinText } from '@florin/shared/bitcoin.ts';
import type { BitcoinRequest, CustomerLink } from '../../channels/payment-links/customer.ts';
import { claimedAmount, claimText } from '../ui/claim.ts';
import { type Html, html } from '../ui/html.ts';
import { notice, waiting } from '../ui/notice.ts';
import { code, copyField, openInWallet, payWithin, reloadToSee, writeTag } from '../ui/to-pay.ts';
import type { Writing } from '../ui/writing.ts';

/** The status of a bitcoin request. */
export function bitcoinStatus({ business }: CustomerLink, request: BitcoinRequest, { sats, time }: Writing): Html {
  const { amountSats, confirmedSats, seenSats, expiresAt } = request;
  if (seenSats > 0 && confirmedSats + seenSats < amountSats)
    return notice(
      'attention',
      'Not the whole amount is on its way',
      [
        `${sats(confirmedSats + seenSats)} of ${sats(amountSats)} were sent. Once the bitcoin network has confirmed them, usually within the hour, this page says what to do about the rest.`,
      ],
      true,
    );
  if (seenSats > 0)
    return notice(
      'attention',
      'Payment seen',
      [
        `${sats(seenSats)} are on their way. They count once the bitcoin network has confirmed them, usually within the hour. Do not pay again; you may close this page.`,
      ],
      true,
    );
  if (confirmedSats > 0)
    return notice('attention', 'Only part of the amount has arrived', [
      `${sats(confirmedSats)} arrived. Please send ${sats(amountSats - confirmedSats)} more to the bitcoin address below, or contact ${business.name}.`,
      `What arrived pays nothing by itself: if the rest does not arrive by ${time(expiresAt)}, it is to be returned to you.`,
    ]);
  return waiting;
}

/** Everything a wallet needs: one code for both networks, a button for this device, and the texts to copy. */
export function bitcoinRequest({ id, currency }: CustomerLink, request: BitcoinRequest, writing: Writing): Html {
  const { amountSats, confirmedSats, seenSats, bolt11, address, expiresAt, rate } = request;
  if (seenSats > 0) return html``;
  const isPart = confirmedSats > 0;
  const url = walletUrl(request);
  const remaining = amountSats - confirmedSats;
  return html`<section class="stack" aria-labelledby="bitcoin-title">
<div><h2 id="bitcoin-title">Pay ${writing.sats(remaining)}</h2>
${rate !== null && html`<p class="muted small">At <bdi>${writing.price(rate, currency)}</bdi> for one bitcoin</p>`}
${payWithin(expiresAt, writing.time(expiresAt), { isPartPaid: isPart })}</div>
${code(url, 'QR code to pay with a bitcoin wallet')}
${openInWallet(url)}
${!isPart && bolt11 !== null && copyField('Lightning invoice', 'bolt11', bolt11)}
${address !== null && copyField('Bitcoin address', 'address', address)}
${address !== null && copyField('Amount in bitcoin', 'btc', bitcoinText(remaining))}
${writeTag(url)}
${reloadToSee}
${!isPart && html`<form method="post" action="/pay/${id}/bitcoin/leave"><button class="button button-quiet" type="submit">Pay another way</button></form>`}
</section>`;
}

/** Bitcoin that arrived, does not pay the link and is to be returned. */
export function claimNotice({ claim, business, currency }: CustomerLink, writing: Writing): Html | undefined {
  if (!claim) return undefined;
  const { status, amountSats, worthMinor } = claim;
  const isReturned = status === 'returned';
  return notice(
    isReturned ? 'ended' : 'attention',
    `${claimedAmount({ sats: amountSats, worthMinor, currency }, writing)} ${isReturned ? 'were returned' : 'are to be returned'}`,
    [
      !isReturned && 'They arrived late, or were not the amount asked for, and did not pay this link.',
      claimText(business.name, status),
    ],
  );
}

/** BIP 21 with address and Lightning invoice, of which wallets use what they support. */
function walletUrl({ amountSats, confirmedSats, bolt11, address }: BitcoinRequest): string {
  const lightning = confirmedSats === 0 ? bolt11 : null;
  if (address === null) return `lightning:${lightning ?? ''}`;
  const query = new URLSearchParams({ amount: bitcoinText(amountSats - confirmedSats) });
  if (lightning !== null) query.set('lightning', lightning);
  return `bitcoin:${address}?${query.toString()}`;
}
