import { destinationOf } from '../../backend/withdrawals/destination.ts';

/** Where merchants send what they take out: invoices and an address of somebody else's wallet. */

export const foreignAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

/** Over so many satoshis each. */
const amountsSats = [9_000, 16_000, 25_000, 29_500];
let signed: readonly string[] = [];

export function foreignInvoices(): readonly string[] {
  return signed;
}

/** Real ones, once in a process, before a world begins: what reads and signs them is loaded outside virtual time. */
export async function signForeignInvoices(): Promise<void> {
  if (signed.length > 0) return;
  const { sha256, signedInvoice } = await import('../../backend/sandbox/lightning-node/bolt11.ts');
  const given = { address: foreignAddress, amountSats: 1, satsPerVbyte: null };
  await destinationOf(given, { network: 'regtest', now: 0 });
  signed = amountsSats.map(amountSats =>
    signedInvoice({
      privateKey: Buffer.alloc(32, 7),
      paymentHash: sha256(Buffer.from(`invoice ${amountSats}`)),
      paymentSecret: sha256(Buffer.from(`secret ${amountSats}`)),
      amountMsat: amountSats * 1_000,
      description: { memo: 'Payout' },
      createdAt: Date.UTC(2026, 0, 1),
      expiresInSeconds: 400 * 24 * 3_600,
    }),
  );
}
