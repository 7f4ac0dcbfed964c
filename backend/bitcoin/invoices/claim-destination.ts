import type { Instant } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { addressReader } from '../nodes/address.ts';
import { parseBolt11 } from '../nodes/bolt11.ts';
import { type BitcoinNetwork, bitcoinNetworks } from '../nodes/node.ts';

export type ClaimDestinationRefusal =
  | { readonly kind: 'destination_invalid' }
  | { readonly kind: 'other_network' }
  /** Payments to a business of this service arrive there. */
  | { readonly kind: 'destination_of_merchant' }
  | { readonly kind: 'invoice_expired' }
  /** The Lightning invoice's amount differs from the claim. */
  | { readonly kind: 'invoice_amount_differs'; readonly dueSats: number };

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const lightningAddress = new RegExp(`^[a-z0-9._+-]{1,64}@(?:${label}\\.)+[a-z]${label}$`, 'i');

/** Reserved domains cannot receive: RFC 2606 and RFC 6761. The regular expression above refuses bare host names. */
const reservedDomain = /[@.](?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;

/** What a destination is at a node: an address, or the payment hash of an invoice. */
export type AtNode = { readonly address: string } | { readonly paymentHash: string };

/** Normalises a typed or pasted return destination; refuses one that cannot receive funds or that is the merchant's. */
export async function claimDestination(
  given: string,
  claim: {
    readonly network: BitcoinNetwork;
    readonly sats: number;
    readonly now: Instant;
    readonly isOfMerchant: (destination: AtNode) => Promise<boolean>;
  },
): Promise<Result<string, ClaimDestinationRefusal>> {
  const text = given
    .trim()
    .replace(/^(bitcoin|lightning):/i, '')
    .replace(/\?.*$/s, '');
  if (lightningAddress.test(text))
    return reservedDomain.test(text) ? err({ kind: 'destination_invalid' }) : ok(text.toLowerCase());
  if (/^ln/i.test(text)) return ofInvoice(text.toLowerCase(), claim);
  const isOf = await addressReader(text);
  if (!isOf(claim.network)) return err({ kind: bitcoinNetworks.some(isOf) ? 'other_network' : 'destination_invalid' });
  const address = /^(bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text;
  return (await claim.isOfMerchant({ address })) ? err({ kind: 'destination_of_merchant' }) : ok(address);
}

async function ofInvoice(
  bolt11: string,
  { network, sats, now, isOfMerchant }: Parameters<typeof claimDestination>[1],
): Promise<Result<string, ClaimDestinationRefusal>> {
  const invoice = await parseBolt11(bolt11);
  if (!invoice) return err({ kind: 'destination_invalid' });
  if (invoice.network !== network) return err({ kind: 'other_network' });
  if (await isOfMerchant({ paymentHash: invoice.paymentHash })) return err({ kind: 'destination_of_merchant' });
  if (invoice.expiresAt <= now) return err({ kind: 'invoice_expired' });
  const { amountMsat } = invoice;
  if (amountMsat !== null && amountMsat !== BigInt(sats) * 1000n)
    return err({ kind: 'invoice_amount_differs', dueSats: sats });
  return ok(bolt11);
}
