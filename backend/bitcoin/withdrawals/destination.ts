import type { Instant } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { addressReader } from '../nodes/address.ts';
import { parseBolt11 } from '../nodes/bolt11.ts';
import { type BitcoinNetwork, bitcoinNetworks } from '../nodes/node.ts';
import type { WithdrawalRow } from './rows.ts';

/** The requested destination of the funds. */
export type DestinationGiven =
  | { readonly invoice: string; readonly maxFeeSats: number | null }
  | { readonly address: string; readonly amountSats: number; readonly satsPerVbyte: number | null };

export type Destination = Pick<
  WithdrawalRow,
  'network' | 'destination' | 'paymentHash' | 'amountSats' | 'maxFeeSats' | 'satsPerVbyte'
>;

export type DestinationRefusal =
  | { readonly kind: 'invoice_invalid' }
  | { readonly kind: 'invoice_without_amount' }
  | { readonly kind: 'invoice_expired' }
  | { readonly kind: 'address_invalid' }
  | { readonly kind: 'other_network' };

const minFeeSats = 10;

/** The parsed destination; anything that does not parse completely is refused. */
export async function destinationOf(
  given: DestinationGiven,
  { network, now }: { readonly network: BitcoinNetwork; readonly now: Instant },
): Promise<Result<Destination, DestinationRefusal>> {
  return 'invoice' in given ? ofInvoice(given, network, now) : ofAddress(given, network);
}

async function ofInvoice(
  given: Extract<DestinationGiven, { invoice: string }>,
  network: BitcoinNetwork,
  now: Instant,
): Promise<Result<Destination, DestinationRefusal>> {
  const destination = given.invoice.toLowerCase();
  const invoice = await parseBolt11(destination);
  if (!invoice) return err({ kind: 'invoice_invalid' });
  if (invoice.network !== network) return err({ kind: 'other_network' });
  if (invoice.amountMsat === null || invoice.amountMsat % 1000n !== 0n) return err({ kind: 'invoice_without_amount' });
  if (invoice.expiresAt <= now) return err({ kind: 'invoice_expired' });
  const amountSats = Number(invoice.amountMsat / 1000n);
  return ok({
    network: 'lightning',
    destination,
    paymentHash: invoice.paymentHash,
    amountSats,
    maxFeeSats: given.maxFeeSats ?? Math.max(minFeeSats, Math.ceil(amountSats / 100)),
    satsPerVbyte: null,
  });
}

async function ofAddress(
  { address, amountSats, satsPerVbyte }: Extract<DestinationGiven, { address: string }>,
  network: BitcoinNetwork,
): Promise<Result<Destination, DestinationRefusal>> {
  const isOf = await addressReader(address);
  if (!isOf(network))
    return err({
      kind: bitcoinNetworks.some(isOf) ? 'other_network' : 'address_invalid',
    });
  return ok({
    network: 'onchain',
    destination: address,
    paymentHash: null,
    amountSats,
    maxFeeSats: null,
    satsPerVbyte,
  });
}
