import { destinationOf } from '../../backend/bitcoin/withdrawals/destination.ts';

/** Destinations of withdrawals: invoices and addresses of a wallet outside. */

const accountKey =
  'vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc';
const addressCount = 48;
/** Their amounts in satoshis. */
const amountsSats = [9_000, 16_000, 25_000, 29_500];
let addresses: readonly string[] = [];
let signed: readonly string[] = [];

/** One per call, so that paying twice for a call is detected. */
export function foreignAddress(actor: number, action: number): string {
  return addresses[(actor * 4 + action) % addressCount] ?? '';
}

export function foreignInvoices(): readonly string[] {
  return signed;
}

/**
 * Real invoices, created once per process before a world starts, because parsing and signing run outside virtual time.
 */
export async function openForeignWallet(): Promise<void> {
  if (signed.length > 0) return;
  const { sha256, signedInvoice } = await import('../../backend/programs/sandbox/lightning-node/bolt11.ts');
  const { accountKeyOf, addressAt } = await import('../../backend/bitcoin/nodes/esplora/account-key.ts');
  const account = accountKeyOf(accountKey, undefined);
  if (!account.ok) throw new Error(account.refusal);
  const indexes = Array.from({ length: addressCount }, (_, index) => index);
  addresses = await Promise.all(
    indexes.map(async index => {
      const address = await addressAt(account.value, index, 'regtest');
      if (address === undefined) throw new Error(`the account has no address ${index}`);
      return address;
    }),
  );
  const given = { address: foreignAddress(0, 0), amountSats: 1, satsPerVbyte: null };
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
