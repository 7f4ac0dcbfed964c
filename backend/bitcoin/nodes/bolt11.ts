import type { Instant } from '@florin/shared/ports.ts';
import type { PaymentRequest } from 'invoices';
import { type BitcoinNetwork, bitcoinNetworks, type PaymentHash } from './node.ts';

export type Bolt11 = {
  readonly paymentHash: PaymentHash;
  /** Null if the payer chooses the amount. */
  readonly amountMsat: bigint | null;
  readonly network: BitcoinNetwork;
  readonly expiresAt: Instant;
  readonly description: string | null;
  readonly descriptionHash: string | null;
  readonly payee: string;
};

const networks: readonly string[] = bitcoinNetworks;

/** A BOLT11 invoice with a valid checksum and signature for bitcoin; otherwise undefined. */
export async function parseBolt11(text: string): Promise<Bolt11 | undefined> {
  // Loaded lazily: with its elliptic curve it would slow down the service's start.
  const { parsePaymentRequest } = await import('invoices');
  const parsed = parsedOrUndefined(() => parsePaymentRequest({ request: text.trim() }));
  if (!parsed || !networks.includes(parsed.network) || !isPayable(parsed)) return undefined;
  const amountMsat = BigInt(parsed.mtokens ?? '0');
  return {
    paymentHash: parsed.id,
    amountMsat: amountMsat === 0n ? null : amountMsat,
    network: parsed.network as BitcoinNetwork,
    expiresAt: Date.parse(parsed.expires_at),
    description: parsed.description ?? null,
    descriptionHash: parsed.description_hash ?? null,
    payee: parsed.destination,
  };
}

/**
 * Checks left to the package's callers: an invoice is not payable without a payment secret (or blinded paths, bLIP 39)
 * or with an unknown required feature.
 */
function isPayable({ payment, paths, features = [] }: PaymentRequest): boolean {
  const hasSecret = payment !== undefined || paths !== undefined;
  return hasSecret && features.every(({ type, is_required: isRequired }) => type !== undefined || !isRequired);
}

function parsedOrUndefined<Parsed>(parse: () => Parsed): Parsed | undefined {
  try {
    return parse();
  } catch {
    // The package throws for invalid invoices.
    return undefined;
  }
}
