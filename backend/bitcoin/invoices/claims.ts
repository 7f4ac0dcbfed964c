import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { type AtNode, type ClaimDestinationRefusal, claimDestination } from './claim-destination.ts';
import type { Nodes } from './polling.ts';
import { excessFirst, splitByExcess } from './progress.ts';
import type { BitcoinClaimRow, BitcoinInvoiceRow } from './rows.ts';
import {
  claimOfInvoice,
  claimsOfInvoices,
  destinationsOfClaim,
  dueOfBusiness,
  insertClaim,
  insertDestination,
  invoiceById,
  invoiceForUpdate,
  invoiceOfAddress,
  invoiceOfHash,
  paymentsOfInvoice,
  receiptsOfInvoice,
  updateClaim,
} from './store.ts';

/** Why a customer's destination is refused. */
export type ClaimRequestRefusal =
  | { readonly kind: 'nothing_to_claim' }
  /** The limit of different destinations is reached. */
  | { readonly kind: 'too_many_destinations'; readonly limit: number };

const maxDestinations = 5;

/** The amount still to be returned. */
export function remainingOfClaim({
  amountSats,
  returnedSats,
  refundedSats,
}: Pick<BitcoinClaimRow, 'amountSats' | 'returnedSats' | 'refundedSats'>): number {
  return amountSats - returnedSats - refundedSats;
}

/**
 * Money to return to customers who paid late, too little or too much. The merchant returns it; the customer gives the
 * destination. The claimed amount only grows.
 */
export type BitcoinClaims = {
  /** Sets the total to be returned of an invoice. */
  record(
    tx: Transaction,
    invoice: BitcoinInvoiceRow,
    what: Pick<BitcoinClaimRow, 'reason' | 'amountSats'>,
  ): Promise<BitcoinClaimRow>;
  of(tx: Transaction, invoiceId: string): Promise<BitcoinClaimRow | undefined>;
  /** The total that a business has to return to its customers. */
  dueSats(tx: Transaction, businessId: string): Promise<number>;
  /** How much of the invoice's excess payments is covered by bitcoin refunds and by returns. */
  refundedOfExcess(tx: Transaction, claim: BitcoinClaimRow): Promise<number>;
  /**
   * Records bitcoin refunds of its payments in a locked claim: what was just refunded of excess payments, and whatever would
   * exceed the amount received.
   */
  recordRefunds(tx: Transaction, claim: BitcoinClaimRow, justRefundedSats: number): Promise<BitcoinClaimRow>;
  /** The normalised destination for the claims of these invoices, or why it is invalid. */
  destinationOf(
    invoiceIds: readonly string[],
    given: string,
  ): Promise<Result<string, ClaimDestinationRefusal | { readonly kind: 'nothing_to_claim' }>>;
  /**
   * Records a destination for the claims of these invoices, locks the invoices, and returns the claims. An earlier
   * destination cannot be replaced: a different one is stored beside it and the claim becomes disputed.
   */
  request(
    tx: Transaction,
    invoiceIds: readonly string[],
    destination: string,
  ): Promise<Result<readonly BitcoinClaimRow[], ClaimRequestRefusal>>;
};

/**
 * The rules of claims, shared by all purposes of invoices. The caller's transaction holds the lock of the claim's
 * invoice; only `request` locks it itself.
 */
export function bitcoinClaims(options: {
  database: Database;
  clock: Clock;
  ids: Ids;
  nodes: Pick<Nodes, 'networkOf'>;
  events: Events;
}): BitcoinClaims {
  const { database, clock, ids, nodes, events } = options;

  async function refundedOfExcess(tx: Transaction, { invoiceId, amountSats }: BitcoinClaimRow): Promise<number> {
    const { excess } = splitByExcess(await tx.all(receiptsOfInvoice, { invoiceId }), amountSats);
    const inExcess = new Set(excess.map(({ paymentId }) => paymentId));
    const payments = await tx.all(paymentsOfInvoice, { invoiceId });
    return payments.filter(({ id }) => inExcess.has(id)).reduce((sats, one) => sats + one.refundedSats, 0);
  }

  /**
   * Reduces the claim so that refunds and the claim together do not exceed the amount received; part of the refunds is
   * of excess payments.
   */
  async function afterRefunds(tx: Transaction, claim: BitcoinClaimRow, ofExcessSats: number): Promise<BitcoinClaimRow> {
    const payments = await tx.all(paymentsOfInvoice, { invoiceId: claim.invoiceId });
    const unrefundedSats = payments.reduce((sats, one) => sats + (one.amountSats ?? 0) - one.refundedSats, 0);
    const unreturnedSats = claim.amountSats - claim.returnedSats;
    const refundedSats = Math.min(unreturnedSats, Math.max(ofExcessSats, unreturnedSats - unrefundedSats));
    const settled = { ...claim, refundedSats };
    if (remainingOfClaim(settled) > 0) return settled;
    return { ...settled, status: 'returned', returnedAt: claim.returnedAt ?? clock.now() };
  }

  async function withDestination(
    tx: Transaction,
    claim: BitcoinClaimRow,
    given: readonly string[],
    destination: string,
  ): Promise<BitcoinClaimRow> {
    if (given.includes(destination)) return claim;
    const now = clock.now();
    await tx.run(insertDestination, { claimId: claim.id, number: given.length + 1, destination, givenAt: now });
    const changed: BitcoinClaimRow =
      given.length === 0
        ? { ...claim, status: 'requested', destination, requestedAt: now }
        : { ...claim, status: 'disputed', destination: null };
    await tx.run(updateClaim, changed);
    await notifyMerchant(tx, changed, destination);
    return changed;
  }

  /** The event becomes an e-mail and is on the payment's timeline. */
  async function notifyMerchant(tx: Transaction, claim: BitcoinClaimRow, destination: string): Promise<void> {
    const { id: claimId, businessId, invoiceId, purpose, purposeId, status } = claim;
    const isDisputed = status === 'disputed';
    const amountSats = remainingOfClaim(claim);
    const type = isDisputed ? 'bitcoin_claim.disputed' : 'bitcoin_claim.requested';
    const receipts = await tx.all(receiptsOfInvoice, { invoiceId });
    const paymentId = excessFirst(receipts, claim.amountSats)[0]?.paymentId ?? null;
    const payload = { claimId, purpose, purposeId, amountSats, destination };
    events.announce(tx, { type, businessId, paymentId, subjectId: claimId, payload });
  }

  const of = (tx: Transaction, invoiceId: string) => tx.first(claimOfInvoice, { invoiceId });

  return {
    of,
    refundedOfExcess,
    dueSats: async (tx, businessId) => Number((await tx.first(dueOfBusiness, { businessId }))?.sats ?? 0),

    async record(tx, invoice, { reason, amountSats }) {
      const { id: invoiceId, businessId, purpose, purposeId } = invoice;
      const known = await of(tx, invoiceId);
      if (!known) {
        const opened: BitcoinClaimRow = {
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
        };
        const claim = await afterRefunds(tx, opened, await refundedOfExcess(tx, opened));
        await tx.run(insertClaim, claim);
        return claim;
      }
      if (amountSats <= known.amountSats) return known;
      // More arrived after a return: the claim reopens with the customer's destination.
      const status = known.status === 'returned' ? statusBeforeReturn(known) : known.status;
      const grown = await afterRefunds(tx, { ...known, amountSats, status, returnedAt: null }, known.refundedSats);
      await tx.run(updateClaim, grown);
      return grown;
    },

    async destinationOf(invoiceIds, given) {
      const found = await database.all(claimsOfInvoices, { invoiceIdsJson: JSON.stringify(invoiceIds) });
      const waiting = waitingForDestination(found);
      const sats = waiting.reduce((sum, claim) => sum + remainingOfClaim(claim), 0);
      const invoice = waiting[0] && (await database.first(invoiceById, { id: waiting[0].invoiceId }));
      const network = invoice?.backendId ? await nodes.networkOf(invoice.backendId) : undefined;
      if (!network) return err({ kind: 'nothing_to_claim' });
      const isOfMerchant = async (destination: AtNode) =>
        'address' in destination
          ? (await database.first(invoiceOfAddress, destination)) !== undefined
          : (await database.first(invoiceOfHash, destination)) !== undefined;
      return claimDestination(given, { network, sats, now: clock.now(), isOfMerchant });
    },

    async recordRefunds(tx, claim, justRefundedSats) {
      const changed = await afterRefunds(tx, claim, claim.refundedSats + justRefundedSats);
      if (changed.refundedSats !== claim.refundedSats) await tx.run(updateClaim, changed);
      return changed;
    },

    async request(tx, invoiceIds, destination) {
      const found: (BitcoinClaimRow | undefined)[] = [];
      for (const id of invoiceIds.toSorted()) {
        await tx.first(invoiceForUpdate, { id });
        found.push(await of(tx, id));
      }
      const waiting = waitingForDestination(found);
      if (waiting.length === 0) return err({ kind: 'nothing_to_claim' });
      const known: [claim: BitcoinClaimRow, given: readonly string[]][] = [];
      for (const claim of waiting) {
        const given = await tx.all(destinationsOfClaim, { claimId: claim.id });
        known.push([claim, given.map(one => one.destination)]);
      }
      if (known.some(([, given]) => given.length >= maxDestinations && !given.includes(destination)))
        return err({ kind: 'too_many_destinations', limit: maxDestinations });
      const claims: BitcoinClaimRow[] = [];
      for (const [claim, given] of known) claims.push(await withDestination(tx, claim, given, destination));
      return ok(claims);
    },
  };
}

/** The claims that need a destination: those without one; if all have one, those not returned yet. */
function waitingForDestination(claims: readonly (BitcoinClaimRow | undefined)[]): BitcoinClaimRow[] {
  const unreturned = claims.filter(claim => claim !== undefined).filter(({ status }) => status !== 'returned');
  const open = unreturned.filter(({ status }) => status === 'open');
  return open.length > 0 ? open : unreturned;
}

function statusBeforeReturn({ requestedAt, destination }: BitcoinClaimRow): BitcoinClaimRow['status'] {
  if (requestedAt === null) return 'open';
  return destination === null ? 'disputed' : 'requested';
}
