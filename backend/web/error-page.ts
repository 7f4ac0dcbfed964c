import type { Assets } from './ui/assets.ts';
import { documentOf } from './ui/document.ts';
import { html } from './ui/html.ts';
import { contentSecurityPolicy } from './ui/policy.ts';

/** What people see where a page or a form of it was refused before it could say anything itself. */
export function errorPage(assets: () => Promise<Assets>) {
  return async ({ message }: { readonly message: string }) => {
    const body = html`<h1>This page cannot be shown now</h1>
<p>${message}.</p>
<p>Wait a moment, then load it again. If you were paying, open the payment page again: it says how your payment stands. Do
not pay a second time before it does.</p>`;
    const page = { title: 'This page cannot be shown now', language: 'en', merchant: null, body };
    return { html: documentOf(page, await assets()), contentSecurityPolicy: contentSecurityPolicy() };
  };
}
