import { z } from 'zod';

/** The sandbox bank's own pages, which a customer's browser visits during a 3-D Secure check. */
export type Page = { readonly html: string; readonly nonce: string };

const methodData = z.looseObject({ threeDSMethodNotificationURL: z.url({ protocol: /^https?$/ }) });
const challengeRequest = z.looseObject({ acsTransID: z.string().regex(/^[0-9a-f]{32}$/) });

/** The hidden page that looks at the browser and sends it straight back. */
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

/** The page the customer sees: confirm, decline, or a check that cannot be completed. */
export function challengePage(encoded: string, nonce: string): Page | undefined {
  const request = challengeRequest.safeParse(decodeJson(encoded));
  if (!request.success) return undefined;
  const transaction = request.data.acsTransID;
  const choices = [
    ['Y', 'Confirm payment', 'confirm'],
    ['N', 'Decline payment', 'decline'],
    ['U', 'Check could not complete', 'incomplete'],
  ].map(
    ([answer, label, id]) =>
      `<button id="${id}" name="answer" value="${answer}" class="${id}" type="submit">${label}</button>`,
  );
  return {
    nonce,
    html: pageOf({
      title: 'Confirm your payment',
      nonce,
      body: `<p class="bank">Sandbox Bank</p>
<h1>Is this payment yours?</h1>
<p>A shop asks to take a payment from your card. This page stands in for your bank's own check.</p>
<form method="post" action="/acs/answer"><input type="hidden" name="transaction" value="${transaction}">
${choices.join('\n')}</form>`,
    }),
  };
}

/** After the customer chose: their browser carries the bank's reply back to the shop. */
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
h1{font-size:1.5rem}.bank{font-weight:600;color:#4a5568}
form{display:grid;gap:.75rem;margin-top:1.5rem}
button{font:inherit;min-height:56px;border-radius:10px;border:1px solid #8a94a3;background:#fff;cursor:pointer}
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
