import type { CheckoutStatus } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { isSignedWith } from './signature.ts';

export type VerifiedRedirect =
  | {
      readonly ok: true;
      readonly businessId: string;
      readonly checkoutId: string;
      readonly status: CheckoutStatus;
    }
  /** Anybody can write this address, so it proves nothing about the checkout. */
  | { readonly ok: false; readonly reason: 'parameter_missing' | 'signature_mismatch' };

/**
 * Whether the service sent a customer back to the shop with this outcome. The address may be opened again at any time: read the
 * checkout, or wait for its webhook, before anything is delivered. Specification: Hosted checkout.
 */
export async function verifyRedirect(
  url: string | URL,
  { signingKey }: { readonly signingKey: string },
): Promise<VerifiedRedirect> {
  const { searchParams } = new URL(url);
  const one = (name: string) => (searchParams.getAll(name).length === 1 ? searchParams.get(name) : null);
  const [businessId, checkoutId, status, signature] = ['businessId', 'checkoutId', 'status', 'signature'].map(one);
  if (!businessId || !checkoutId || !status || !signature) return { ok: false, reason: 'parameter_missing' };
  const signed = Object.entries({ businessId, checkoutId, status })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  if (!(await isSignedWith(signingKey, signed, signature))) return { ok: false, reason: 'signature_mismatch' };
  return { ok: true, businessId, checkoutId, status: status as CheckoutStatus };
}
