import { formatSats } from '@florin/shared/bitcoin.ts';
import encodeQR from 'qr';
import type { Business } from '../../businesses/service.ts';
import type { TipLink } from '../../tip-links/service.ts';
import type { Assets } from '../ui/assets.ts';
import { documentOf } from '../ui/document.ts';
import { Html, html } from '../ui/html.ts';

/** The page of a tip link: a code that any Lightning wallet takes, without a script. */
export function tipPage({ link, business }: { link: TipLink; business: Business }, assets: Assets): string {
  const { row, lnurl, lightningAddress } = link;
  const { name, minimumSats, maximumSats } = row;
  const limits = `${formatSats(minimumSats, business.locale)} to ${formatSats(maximumSats, business.locale)}`;
  return documentOf(
    {
      title: `Tip for ${name} – ${business.name}`,
      language: 'en',
      merchant: business.name,
      body: html`<div class="stack-large">
<div class="stack">
<h1>Tip for ${name}</h1>
<p>Scan the code with a Lightning wallet, and choose how much: ${limits}.</p>
</div>
<div class="qr" role="img" aria-label="Code of this tip link">${new Html(encodeQR(lnurl, 'svg'))}</div>
<a class="button" href="lightning:${lnurl}">Open in wallet</a>
<div><p class="muted small">Lightning address</p><p class="tip-address">${lightningAddress}</p></div>
</div>`,
    },
    assets,
  );
}

/** One page for an address that never was and for a link that was deleted. */
export function noTipPage(assets: Assets): string {
  const body = html`<div class="stack"><h1>Not available</h1><p>There is no such tip link, or it takes no more tips.</p></div>`;
  return documentOf({ title: 'Not available', language: 'en', merchant: null, body }, assets);
}
