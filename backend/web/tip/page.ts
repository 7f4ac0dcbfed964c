import type { TipLink } from '../../channels/tip-links/service.ts';
import type { Business } from '../../people/businesses/service.ts';
import type { Assets } from '../ui/assets.ts';
import { documentOf } from '../ui/document.ts';
import { html } from '../ui/html.ts';
import { code, copyField, openInWallet } from '../ui/to-pay.ts';
import { writingFor } from '../ui/writing.ts';

/** The page of a tip link: a code for Lightning wallets. Its script only copies. */
export function tipPage(
  { link, business }: { link: TipLink; business: Business },
  languages: readonly string[],
  assets: Assets,
): string {
  const { row, lnurl, lightningAddress } = link;
  const { name, minimumSats, maximumSats } = row;
  const { sats } = writingFor(languages, business);
  const body = html`<div class="stack-large">
<div class="stack">
<h1 dir="auto">Tip for <bdi>${name}</bdi></h1>
<p>Scan the code with a Lightning wallet and choose how much to give, from ${sats(minimumSats)} to ${sats(maximumSats)}. Your wallet tells you when it has arrived.</p>
</div>
<div class="stack">
${code(lnurl, 'QR code to give a tip with a Lightning wallet')}
${openInWallet(`lightning:${lnurl}`)}
${copyField('Lightning address', 'lightning-address', lightningAddress)}
</div>
</div>`;
  const title = `Tip for ${name} – ${business.name}`;
  return documentOf({ title, language: 'en', merchant: business.name, script: 'tip.js', body }, assets);
}

/** The same page for an unknown and a deleted link. */
export function noTipPage(assets: Assets): string {
  const body = html`<div class="stack">
<h1>This tip link is not available</h1>
<p>It takes no more tips, or the address is not complete. Nothing was charged by opening this page.</p>
</div>`;
  return documentOf({ title: 'Tip link not available', language: 'en', merchant: null, body }, assets);
}
