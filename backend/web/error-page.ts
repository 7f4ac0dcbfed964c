import type { Assets } from './ui/assets.ts';
import { documentOf } from './ui/document.ts';
import { html } from './ui/html.ts';
import { contentSecurityPolicy } from './ui/policy.ts';

const titles = { none: 'There is no page at this address', refused: 'This page cannot be shown now' } as const;

type Shown = {
  readonly status: number;
  readonly message: string;
  readonly metadata?: { readonly reason?: unknown } | undefined;
};

/** The page for unknown addresses and for refused pages and forms. */
export function errorPage(assets: () => Promise<Assets>) {
  return async ({ status, message, metadata }: Shown) => {
    const isNone = status === 404 || status === 405 || metadata?.reason === 'address_invalid';
    const title = isNone ? titles.none : titles.refused;
    const words = isNone
      ? html`<p>The address may not be complete. Please open the link as it was sent to you, or ask the sender. Nothing was charged
by opening this page.</p>`
      : html`<p>${message}.</p>
<p>Wait a moment, then load it again. If you were paying, open the payment page again: it says how your payment stands. Do
not pay a second time before it does.</p>`;
    const page = {
      title,
      language: 'en',
      merchant: null,
      body: html`<div class="stack"><h1>${title}</h1>${words}</div>`,
    };
    return { html: documentOf(page, await assets()), contentSecurityPolicy: contentSecurityPolicy() };
  };
}
