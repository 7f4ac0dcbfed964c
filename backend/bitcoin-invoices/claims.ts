import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import type { Transaction } from '../database/database.ts';
import type { BitcoinClaimRow, BitcoinInvoiceRow } from './rows.ts';
import { claimOfInvoice, insertClaim, owedOfBusiness, updateClaim } from './store.ts';

/**
 * What customers are owed who paid late, too little or too much. The merchant returns it; the customer says where to. The
 * amount only grows: what was put down as owed is owed until it is returned.
 */
export type BitcoinClaims = {
  /** Puts down that so much of an invoice is to be returned in all. */
  owe(
    tx: Transaction,
    invoice: BitcoinInvoiceRow,
    what: Pick<BitcoinClaimRow, 'reason' | 'amountSats'>,
  ): Promise<BitcoinClaimRow>;
  of(tx: Transaction, invoiceId: string): Promise<BitcoinClaimRow | undefined>;
  /** What a business owes to all its customers together. */
  owedSats(tx: Transaction, businessId: string): Promise<number>;
  /** Once: where it goes cannot be changed by whoever comes later. Undefined where nothing is open. */
  request(tx: Transaction, invoiceId: string, destination: string): Promise<BitcoinClaimRow | undefined>;
};

export function bitcoinClaims(options: { clock: Clock; ids: Ids }): BitcoinClaims {
  const { clock, ids } = options;
  const of = (tx: Transaction, invoiceId: string) => tx.first(claimOfInvoice, { invoiceId });

  return {
    of,
    owedSats: async (tx, businessId) => Number((await tx.first(owedOfBusiness, { businessId }))?.sats ?? 0),

    async owe(tx, invoice, { reason, amountSats }) {
      const { id: invoiceId, businessId, purpose, purposeId } = invoice;
      const known = await of(tx, invoiceId);
      if (!known) {
        const claim: BitcoinClaimRow = {
          id: ids.next(idPrefixes.bitcoinClaim),
          invoiceId,
          businessId,
          purpose,
          purposeId,
          reason,
          amountSats,
          status: 'open',
          destination: null,
          returnedSats: 0,
          createdAt: clock.now(),
          requestedAt: null,
          returnedAt: null,
        };
        await tx.run(insertClaim, claim);
        return claim;
      }
      if (amountSats <= known.amountSats) return known;
      // More came after some was returned: the rest is open again, and goes where the customer said.
      const status = known.status === 'returned' ? (known.destination === null ? 'open' : 'requested') : known.status;
      const grown: BitcoinClaimRow = { ...known, amountSats, status };
      await tx.run(updateClaim, grown);
      return grown;
    },

    async request(tx, invoiceId, destination) {
      const known = await of(tx, invoiceId);
      if (known?.status !== 'open') return undefined;
      const requested: BitcoinClaimRow = { ...known, status: 'requested', destination, requestedAt: clock.now() };
      await tx.run(updateClaim, requested);
      return requested;
    },
  };
}
