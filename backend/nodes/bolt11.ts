import type { Instant } from '@florin/shared/ports.ts';
import type { PaymentRequest } from 'invoices';
import { type BitcoinNetwork, bitcoinNetworks, type PaymentHash } from './node.ts';

export type Bolt11 = {
  readonly paymentHash: PaymentHash;
  /** Null where the payer chooses. */
  readonly amountMsat: bigint | null;
  readonly network: BitcoinNetwork;
  readonly expiresAt: Instant;
  readonly description: string | null;
  readonly descriptionHash: string | null;
  readonly payee: string;
};

const networks: readonly string[] = bitcoinNetworks;

/** A BOLT11 invoice with a valid checksum and signature for bitcoin; undefined for everything else. */
export async function parseBolt11(text: string): Promise<Bolt11 | undefined> {
  // Loaded by the first invoice: with its curve it would be a good part of the service's start.
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

/** What the package leaves to its callers: without a payment secret (or blinded paths, bLIP 39), or with an unknown feature that is required, nobody may pay it. */
function isPayable({ payment, paths, features = [] }: PaymentRequest): boolean {
  const hasSecret = payment !== undefined || paths !== undefined;
  return hasSecret && features.every(({ type, is_required: isRequired }) => type !== undefined || !isRequired);
}

function parsedOrUndefined<Parsed>(parse: () => Parsed): Parsed | undefined {
  try {
    return parse();
  } catch {
    // The package throws for whatever is not one.
    return undefined;
  }
}
