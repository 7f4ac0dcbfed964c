import { exponentOfNumber } from '@florin/shared/currency-numbers.ts';
import { exponentOf, formatMoney } from '@florin/shared/money.ts';
import { z } from 'zod';
import type { TransactionRow } from './store.ts';

/** The sandbox bank's own pages, which a customer's browser visits during a 3-D Secure check. */
export type Page = { readonly html: string; readonly nonce: string };

const methodData = z.looseObject({ threeDSMethodNotificationURL: z.url({ protocol: /^https?$/ }) });
const challengeRequest = z.looseObject({ acsTransID: z.string().regex(/^[0-9a-f]{32}$/) });

/** The hidden page that collects browser data and redirects. */
export function methodPage(encoded: string, nonce: string): Page | undefined {
  const data = methodData.safeParse(decodeJson(encoded));
  if (!data.success) return undefined;
  return backToMerchant({
    url: data.data.threeDSMethodNotificationURL,
    source: 'method',
    fields: { threeDSMethodData: encoded },
    nonce,
  });
}

/** The check that a customer's browser brings from the shop. */
export function readChallenge(encoded: string): string | undefined {
  const request = challengeRequest.safeParse(decodeJson(encoded));
  return request.success ? request.data.acsTransID : undefined;
}

/** The page the customer sees: confirm, decline, or a check that cannot be completed. */
export function challengePage(options: {
  transaction: string;
  shop: string;
  sale: Pick<TransactionRow, 'amountMinor' | 'cardMask' | 'currencyCode' | 'echoJson'>;
  nonce: string;
}): Page {
  const { transaction, shop, sale, nonce } = options;
  const choices = [
    ['Y', 'Confirm payment', 'confirm'],
    ['N', 'Decline payment', 'decline'],
    ['U', 'Check could not complete', 'incomplete'],
  ].map(
    ([answer, label, id]) =>
      `<button id="${id}" name="answer" value="${answer}" class="${id}" type="submit">${label}</button>`,
  );
  const facts = [
    ['Shop', shop],
    ['Amount', amountOf(sale)],
    ['Card', sale.cardMask === null ? '' : `•••• ${sale.cardMask.slice(-4)}`],
  ].map(([name = '', value = '']) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`);
  return {
    nonce,
    html: pageOf({
      title: 'Confirm your payment',
      nonce,
      body: `<p class="bank">Sandbox Bank</p>
<h1>Is this payment yours?</h1>
<dl>${facts.join('')}</dl>
<form method="post" action="/acs/answer"><input type="hidden" name="transaction" value="${transaction}">
${choices.join('\n')}</form>
<p class="note">This page stands in for your bank&rsquo;s own check.</p>`,
    }),
  };
}

/** For a check that was answered, or that was replaced. */
export function overPage(nonce: string): Page {
  const body = '<p class="bank">Sandbox Bank</p>\n<h1>This check is over</h1>\n<p>Please go back to the shop.</p>';
  return { nonce, html: pageOf({ title: 'Check is over', nonce, body }) };
}

/** A currency that was named by its number is shown by it: a number alone does not name one currency. */
function amountOf({ amountMinor, currencyCode, echoJson }: Parameters<typeof challengePage>[0]['sale']): string {
  const sent = new Map(JSON.parse(echoJson) as [string, string][]).get('currencyCode') ?? currencyCode;
  const currency = sent.toUpperCase();
  if (exponentOf(currency) !== undefined) return formatMoney({ amountMinor, currency }, 'en-GB');
  const exponent = exponentOfNumber(currencyCode) ?? 2;
  return `${(amountMinor / 10 ** exponent).toFixed(exponent)} (currency ${currencyCode})`;
}

/** The page after the customer's choice: their browser returns the bank's reply to the shop. */
export function answeredPage(options: {
  redirectUrl: string;
  transaction: string;
  answer: string;
  nonce: string;
}): Page {
  const cres = Buffer.from(
    JSON.stringify({
      threeDSServerTransID: options.transaction,
      acsTransID: options.transaction,
      messageType: 'CRes',
      messageVersion: '2.2.0',
      transStatus: options.answer,
    }),
  ).toString('base64url');
  return backToMerchant({ url: options.redirectUrl, source: 'challenge', fields: { cres }, nonce: options.nonce });
}

function backToMerchant(options: {
  url: string;
  source: 'method' | 'challenge';
  fields: Record<string, string>;
  nonce: string;
}): Page {
  const url = new URL(options.url);
  url.searchParams.set('threeDSAcsResponse', options.source);
  const inputs = Object.entries(options.fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return {
    nonce: options.nonce,
    html: pageOf({
      title: 'Back to the shop',
      nonce: options.nonce,
      body: `<p>Taking you back to the shop.</p>
<form id="back" method="post" action="${escapeHtml(url.href)}">${inputs.join('')}<button type="submit">Continue</button></form>
<script nonce="${options.nonce}">document.getElementById('back').submit();</script>`,
    }),
  };
}

function pageOf(options: { title: string; body: string; nonce: string }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${options.title}</title>
<style nonce="${options.nonce}">
body{font:18px/1.5 system-ui,sans-serif;max-width:28rem;margin:3rem auto;padding:0 1rem;color:#1c2430;background:#f5f6f8}
h1{font-size:1.5rem}.bank{font-weight:600;color:#4a5568}.note{font-size:1rem;color:#4a5568}
dl>div{display:flex;justify-content:space-between;gap:1.5rem;padding:.5rem 0;border-top:1px solid #cbd2dc}
dt{color:#4a5568}dd{margin:0;font-weight:600;text-align:end}
form{display:grid;gap:.75rem;margin-top:1.5rem}
button{font:inherit;min-height:56px;border-radius:10px;border:1px solid #8a94a3;background:#fff;color:#1c2430;cursor:pointer}
button.confirm{background:#0b6b3a;border-color:#0b6b3a;color:#fff}
</style></head><body>${options.body}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`);
}

function decodeJson(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
