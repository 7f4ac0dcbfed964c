import { formatMoney, money } from '@florin/shared/money.ts';
import type { CustomerLink } from '../../payment-links/customer.ts';
import type { Assets } from '../ui/assets.ts';
import { documentOf } from '../ui/document.ts';
import { type Html, html } from '../ui/html.ts';

/** The page of a link that customers can see. */
export function linkPage(view: CustomerLink, assets: Assets): string {
  const { business, description } = view;
  return documentOf(
    {
      title: `${description.split('\n', 1)[0]} – ${business.name}`,
      language: 'en',
      merchant: business.name,
      body: html`<div class="stack-large">${heading(view)}${statusOf(view)}</div>`,
    },
    assets,
  );
}

/** One page for an address that never was and for a link that was deleted: it tells nobody which. */
export function noLinkPage(assets: Assets): string {
  const body = html`<div class="stack">
<h1>This payment link is not available</h1>
<p>It may have been withdrawn, or the address is not complete. Please ask whoever sent it to you for a new one. Nothing was charged by opening this page.</p>
</div>`;
  return documentOf({ title: 'Payment link not available', language: 'en', merchant: null, body }, assets);
}

function heading({ description, amountMinor, currency, business }: CustomerLink): Html {
  const amount = formatMoney(money(amountMinor, currency), business.locale);
  return html`<div class="stack">
<h1 class="description">${description}</h1>
<p class="amount${amount.length > 12 && ' amount-long'}">${amount}</p>
</div>`;
}

function statusOf({ status, business, expiresAt }: CustomerLink): Html {
  switch (status) {
    case 'ACTIVE':
      return html`<p class="muted small">Can be paid until ${dateOf(expiresAt, business)}.</p>`;
    case 'PARTIALLY_PAID':
      return notice(
        'attention',
        'Online part payment is not available',
        `Please pay the full amount or contact ${business.name}.`,
      );
    case 'PAID':
      return notice('success', 'Paid', `${business.name} has received this payment. Nothing is left to pay.`);
    case 'EXPIRED':
      return notice(
        'ended',
        'This payment link has expired',
        `It can no longer be paid. Please ask ${business.name} for a new one.`,
      );
  }
}

function notice(tone: 'success' | 'attention' | 'refused' | 'ended', title: string, text: string): Html {
  return html`<div class="notice notice-${tone}"><h2>${title}</h2><p>${text}</p></div>`;
}

function dateOf(at: number, { locale, timeZone }: CustomerLink['business']): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);
}
