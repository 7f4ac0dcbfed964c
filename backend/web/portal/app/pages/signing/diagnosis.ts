import { isSignedWith } from '@florin/client/signature.ts';

/** What a receiver has of a webhook. */
export type ReceivedWebhook = { readonly secret: string; readonly header: string; readonly body: string };

/** What would make a signature match. */
export type WebhookHint =
  | 'apiKey'
  | 'trimmedSecret'
  | 'wholeSecret'
  | 'trimmedBody'
  | 'lineEnds'
  | 'compactBody'
  | 'none';

/** What is wrong with a header. */
export type HeaderFault = 'headerName' | 'spaces' | 'noTime' | 'milliseconds' | 'notSeconds' | 'noSignature';

export type WebhookDiagnosis =
  | { readonly kind: 'header'; readonly fault: HeaderFault }
  | {
      readonly kind: 'checked';
      readonly signedAtMs: number;
      readonly age: 'accepted' | 'old' | 'ahead';
      /** Exactly what the signature is made of. */
      readonly signed: string;
      readonly expected: string;
      readonly hint: WebhookHint | undefined;
    };

/** Receivers refuse a signature whose time differs by more. Specification: Outbound webhooks. */
const toleranceMs = 300_000;

/** Why a webhook is accepted or not, and what would make its signature match. */
export async function diagnoseWebhook(received: ReceivedWebhook, nowMs: number): Promise<WebhookDiagnosis> {
  const parts = received.header.split(',').map(part => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, hex]) => (name === 'v1' && hex !== undefined ? [hex] : []));
  const fault = faultOf(received.header, timestamp, signatures);
  if (fault !== undefined) return { kind: 'header', fault };
  const signedAtMs = Number(timestamp) * 1_000;
  const { secret, body } = received;
  const signed = `${timestamp}.${body}`;
  const fits = async (withSecret: string, withBody: string) => {
    const checks = signatures.map(hex => isSignedWith(withSecret, `${timestamp}.${withBody}`, hex));
    return (await Promise.all(checks)).includes(true);
  };
  return {
    kind: 'checked',
    signedAtMs,
    age: ageOf(nowMs - signedAtMs),
    signed,
    expected: await signatureOf(secret, signed),
    hint: (await fits(secret, body)) ? undefined : await firstFit({ secret, body }, fits),
  };
}

function faultOf(header: string, timestamp: string, signatures: readonly string[]): HeaderFault | undefined {
  if (/^\s*x-webhook-signature\s*:/i.test(header)) return 'headerName';
  if (/[^\s,]\s+[^\s,]/.test(header)) return 'spaces';
  if (timestamp === '') return 'noTime';
  if (/^\d{13}$/.test(timestamp)) return 'milliseconds';
  if (!/^\d{1,12}$/.test(timestamp)) return 'notSeconds';
  return signatures.length === 0 ? 'noSignature' : undefined;
}

/** How every API key begins, of whatever brand. */
const apiKey = /^[a-z0-9]+_api_live_/;

const ageOf = (ageMs: number) => (ageMs > toleranceMs ? 'old' : ageMs < -toleranceMs ? 'ahead' : 'accepted');

/** The first of the common mistakes without which the signature matches. */
async function firstFit(
  { secret, body }: Pick<ReceivedWebhook, 'secret' | 'body'>,
  fits: (secret: string, body: string) => Promise<boolean>,
): Promise<WebhookHint> {
  if (apiKey.test(secret.trim())) return 'apiKey';
  const whole = secret.trim().startsWith('whsec_') ? secret.trim() : `whsec_${secret.trim()}`;
  const tries: readonly (readonly [WebhookHint, string, string])[] = [
    ['trimmedSecret', secret.trim(), body],
    ['wholeSecret', whole, body],
    ['trimmedBody', whole, body.trim()],
    ['lineEnds', whole, `${body}\n`],
    ['compactBody', whole, compacted(body)],
  ];
  for (const [hint, withSecret, withBody] of tries) if (await fits(withSecret, withBody)) return hint;
  return 'none';
}

/** JSON without the spaces that a program added. */
function compacted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

export type RedirectDiagnosis =
  | { readonly kind: 'parameters' }
  | { readonly kind: 'checked'; readonly signed: string; readonly expected: string; readonly matches: boolean };

/** Why the address of a customer's return is accepted or not. */
export async function diagnoseRedirect(address: string, signingKey: string): Promise<RedirectDiagnosis> {
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(address.trim())?.[1] ?? '');
  const one = (name: string) => (parameters.getAll(name).length === 1 ? (parameters.get(name) ?? '') : '');
  const names = ['businessId', 'checkoutId', 'status'] as const;
  const signature = one('signature');
  if (signature === '' || names.some(name => one(name) === '')) return { kind: 'parameters' };
  const signed = names.map(name => `${name}=${encodeURIComponent(one(name))}`).join('&');
  return {
    kind: 'checked',
    signed,
    expected: await signatureOf(signingKey, signed),
    matches: await isSignedWith(signingKey, signed, signature),
  };
}

/** The hex HMAC-SHA256 over a text. */
async function signatureOf(secret: string, text: string): Promise<string> {
  if (secret === '') return '';
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
