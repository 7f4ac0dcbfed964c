import type { Instant } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { addressReader } from '../nodes/address.ts';
import { parseBolt11 } from '../nodes/bolt11.ts';
import { type BitcoinNetwork, bitcoinNetworks } from '../nodes/node.ts';

export type ClaimDestinationRefusal =
  | { readonly kind: 'destination_invalid' }
  | { readonly kind: 'other_network' }
  | { readonly kind: 'invoice_expired' }
  /** The Lightning invoice is over another amount than is owed. */
  | { readonly kind: 'invoice_amount_differs'; readonly owedSats: number };

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const lightningAddress = new RegExp(`^[a-z0-9._+-]{1,64}@(?:${label}\\.)+[a-z]${label}$`, 'i');

/** Nobody has an address there: RFC 2606 and RFC 6761. The regular expression above takes no address at a bare host name. */
const reservedDomain = /[@.](?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;

/**
 * Where a customer wants money returned to, as it was typed or pasted, in the one way of writing it; refused where nothing
 * could be sent there.
 */
export async function claimDestination(
  given: string,
  owed: { readonly network: BitcoinNetwork; readonly sats: number; readonly now: Instant },
): Promise<Result<string, ClaimDestinationRefusal>> {
  const text = given
    .trim()
    .replace(/^(bitcoin|lightning):/i, '')
    .replace(/\?.*$/s, '');
  if (lightningAddress.test(text))
    return reservedDomain.test(text) ? err({ kind: 'destination_invalid' }) : ok(text.toLowerCase());
  if (/^ln/i.test(text)) return ofInvoice(text.toLowerCase(), owed);
  const isOf = await addressReader(text);
  if (isOf(owed.network)) return ok(/^(bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text);
  return err({ kind: bitcoinNetworks.some(isOf) ? 'other_network' : 'destination_invalid' });
}

async function ofInvoice(
  bolt11: string,
  { network, sats, now }: Parameters<typeof claimDestination>[1],
): Promise<Result<string, ClaimDestinationRefusal>> {
  const invoice = await parseBolt11(bolt11);
  if (!invoice) return err({ kind: 'destination_invalid' });
  if (invoice.network !== network) return err({ kind: 'other_network' });
  if (invoice.expiresAt <= now) return err({ kind: 'invoice_expired' });
  const { amountMsat } = invoice;
  if (amountMsat !== null && amountMsat !== BigInt(sats) * 1000n)
    return err({ kind: 'invoice_amount_differs', owedSats: sats });
  return ok(bolt11);
}
