import type { TipLink } from '../../channels/tip-links/service.ts';
import type { Business } from '../../people/businesses/service.ts';
import { around, documentOf } from '../ui/document.ts';
import { html } from '../ui/html.ts';
import { saidAlone } from '../ui/notice.ts';
import type { Presentation } from '../ui/presentation.ts';
import { code, copyField, openInWallet } from '../ui/to-pay.ts';

/** The page of a tip link: a code for Lightning wallets. Its script only copies. */
export function tipPage(
  { link, business }: { readonly link: TipLink; readonly business: Business },
  presentation: Presentation,
): string {
  const { row, lnurl, lightningAddress } = link;
  const { name, minimumSats, maximumSats } = row;
  const { sats, words } = presentation.writing;
  const { tip } = words;
  const body = html`<div class="stack-large">
<div class="stack">
<h1 dir="auto">${around(tip.title, name)}</h1>
<p>${tip.how({ least: sats(minimumSats), most: sats(maximumSats) })}</p>
</div>
<div class="stack">
${code(lnurl, words.codes.tip)}
${openInWallet(`lightning:${lnurl}`, words)}
${copyField({ label: words.lightningAddress, id: 'lightning-address', text: lightningAddress }, words)}
</div>
</div>`;
  const title = `${tip.title(name)} – ${business.name}`;
  return documentOf({ title, query: {}, script: 'tip.js', body }, presentation);
}

/** The same page for an unknown and a deleted link. */
export function noTipPage(presentation: Presentation): string {
  const { unavailable } = presentation.writing.words.tip;
  return documentOf({ title: unavailable.title, query: {}, body: saidAlone(unavailable) }, presentation);
}
