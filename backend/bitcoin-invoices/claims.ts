import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, type Result } from '@florin/shared/result.ts';
import type { Database, Transaction } from '../database/database.ts';
import { type ClaimDestinationRefusal, claimDestination } from './claim-destination.ts';
import type { Nodes } from './looking.ts';
import type { BitcoinClaimRow, BitcoinInvoiceRow } from './rows.ts';
import { claimOfInvoice, insertClaim, invoiceById, owedOfBusiness, unrefundedOfInvoice, updateClaim } from './store.ts';

/** What is still to be returned of a claim. */
export function remainingOfClaim({
  amountSats,
  returnedSats,
  refundedSats,
}: Pick<BitcoinClaimRow, 'amountSats' | 'returnedSats' | 'refundedSats'>): number {
  return amountSats - returnedSats - refundedSats;
}

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
  /** What bitcoin refunds of its payments settle of a locked claim: they and what is returned never exceed what was received. */
  settle(tx: Transaction, claim: BitcoinClaimRow): Promise<BitcoinClaimRow>;
  /** What a customer gave as where to return what is owed of these invoices, or why it cannot go there. */
  destinationOf(
    invoiceIds: readonly string[],
    given: string,
  ): Promise<Result<string, ClaimDestinationRefusal | { readonly kind: 'nothing_to_claim' }>>;
  /** Once: where it goes cannot be changed by whoever comes later. Undefined where nothing is open. */
  request(tx: Transaction, invoiceId: string, destination: string): Promise<BitcoinClaimRow | undefined>;
};

export function bitcoinClaims(options: {
  database: Database;
  clock: Clock;
  ids: Ids;
  nodes: Pick<Nodes, 'networkOf'>;
}): BitcoinClaims {
  const { database, clock, ids, nodes } = options;
  /** As bitcoin refunds leave it: no more is owed than what was received and is in none of them. */
  async function afterRefunds(tx: Transaction, claim: BitcoinClaimRow): Promise<BitcoinClaimRow> {
    const unrefunded = Number((await tx.first(unrefundedOfInvoice, { invoiceId: claim.invoiceId }))?.sats ?? 0);
    const refundedSats = Math.max(0, claim.amountSats - claim.returnedSats - unrefunded);
    const settled = { ...claim, refundedSats };
    if (remainingOfClaim(settled) > 0) return settled;
    return { ...settled, status: 'returned', returnedAt: claim.returnedAt ?? clock.now() };
  }

  const of = (tx: Transaction, invoiceId: string) => tx.first(claimOfInvoice, { invoiceId });

  return {
    of,
    owedSats: async (tx, businessId) => Number((await tx.first(owedOfBusiness, { businessId }))?.sats ?? 0),

    async owe(tx, invoice, { reason, amountSats }) {
      const { id: invoiceId, businessId, purpose, purposeId } = invoice;
      const known = await of(tx, invoiceId);
      if (!known) {
        const claim = await afterRefunds(tx, {
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
          refundedSats: 0,
          createdAt: clock.now(),
          requestedAt: null,
          returnedAt: null,
        });
        await tx.run(insertClaim, claim);
        return claim;
      }
      if (amountSats <= known.amountSats) return known;
      // More came after some was returned: the rest is open again, and goes where the customer said.
      const status = known.status === 'returned' ? (known.destination === null ? 'open' : 'requested') : known.status;
      const grown = await afterRefunds(tx, { ...known, amountSats, status, returnedAt: null });
      await tx.run(updateClaim, grown);
      return grown;
    },

    async destinationOf(invoiceIds, given) {
      const found = await Promise.all(invoiceIds.map(invoiceId => database.first(claimOfInvoice, { invoiceId })));
      const open = found.filter(claim => claim !== undefined).filter(({ status }) => status === 'open');
      const sats = open.reduce((sum, claim) => sum + remainingOfClaim(claim), 0);
      const invoice = open[0] && (await database.first(invoiceById, { id: open[0].invoiceId }));
      const network = invoice?.backendId ? await nodes.networkOf(invoice.backendId) : undefined;
      if (!network) return err({ kind: 'nothing_to_claim' });
      return claimDestination(given, { network, sats, now: clock.now() });
    },

    async settle(tx, claim) {
      const settled = await afterRefunds(tx, claim);
      if (settled.refundedSats !== claim.refundedSats) await tx.run(updateClaim, settled);
      return settled;
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
