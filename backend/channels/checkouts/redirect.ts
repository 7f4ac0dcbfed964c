import { createHmac } from 'node:crypto';
import { type CheckoutStatus, isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';

type Outcome = { readonly businessId: string; readonly checkoutId: string; readonly status: CheckoutStatus };

/** The text that is signed: each value percent-encoded, in this order. */
function signedText({ businessId, checkoutId, status }: Outcome): string {
  const parts = { businessId, checkoutId, status };
  return Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** HMAC-SHA256 in lower-case hexadecimal. decisions: Hosted checkout. */
function redirectSignature(outcome: Outcome, signingKey: string): string {
  return createHmac('sha256', signingKey).update(signedText(outcome)).digest('hex');
}

/** The redirect URL for a final status: the given URL with the outcome and its signature added to the query. */
export function redirectUrlOf(
  {
    id: checkoutId,
    businessId,
    status,
    successUrl,
  }: Omit<Outcome, 'checkoutId'> & {
    readonly id: string;
    readonly successUrl: string | null;
  },
  signingKey: string,
): string | null {
  if (successUrl === null || !isFinalCheckout(status)) return null;
  const url = new URL(successUrl);
  const outcome = { businessId, checkoutId, status };
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  url.searchParams.set('signature', redirectSignature(outcome, signingKey));
  return url.href;
}
