import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { afterEveryId, type Database, type Transaction } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import { remainingSats } from '../../money/payments/payment.ts';
import { paymentForUpdate } from '../../money/payments/store.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import { type BitcoinClaims, type ClaimRequestRefusal, remainingOfClaim } from '../invoices/claims.ts';
import { excessFirst } from '../invoices/progress.ts';
import type {
  BitcoinClaimDestinationRow,
  BitcoinClaimRow,
  BitcoinReceiptRow,
  InvoicePurpose,
} from '../invoices/rows.ts';
import {
  deleteDestinations,
  destinationsOfClaim,
  insertDestination,
  invoiceForUpdate,
  receiptOfPayment,
  receiptsOfInvoice,
  updateClaim,
} from '../invoices/store.ts';
import type { BitcoinReturnRow } from './rows.ts';
import { type ClaimList, claimById, claimsOfBusiness, insertReturn, returnsOfClaim } from './store.ts';

/** A claim with its payments and returns. */
export type ClaimView = {
  readonly claim: BitcoinClaimRow;
  readonly receipts: readonly BitcoinReceiptRow[];
  readonly destinations: readonly BitcoinClaimDestinationRow[];
  readonly returns: readonly BitcoinReturnRow[];
};

export type ReturnRequest = Pick<BitcoinReturnRow, 'businessId' | 'network' | 'txId' | 'destination' | 'note'> & {
  readonly id: string;
  /** Null for all that is left to return. */
  readonly amountSats: number | null;
  readonly by: Extract<Actor, { kind: 'portal_user' | 'api_key' }>;
  readonly write: DurableWrite<ClaimView>;
};

export type ReturnRefusal =
  | { readonly kind: 'claim_not_found' }
  | { readonly kind: 'claim_already_returned' }
  | { readonly kind: 'return_exceeds_claim'; readonly remaining: number }
  /** This transaction is recorded with another amount or destination. */
  | { readonly kind: 'return_differs' }
  /** Several destinations were given and none was named. */
  | { readonly kind: 'destination_required'; readonly destinations: readonly string[] }
  | { readonly kind: 'destination_not_given'; readonly destinations: readonly string[] };

/** Money to return to customers: the customer gives a destination, the merchant returns it and records that. */
export type BitcoinClaimService = {
  list(options: ClaimList): Promise<BitcoinClaimRow[]>;
  find(businessId: string, id: string): Promise<ClaimView | undefined>;
  /** Records a return, once per transaction. Nothing is sent. */
  markReturned(request: ReturnRequest): Promise<Result<ClaimView, ReturnRefusal>>;
  /**
   * Records a bitcoin refund of a payment under its invoice's lock, as returns are, and settles claims that the refund
   * covers.
   */
  closingClaims<Recorded>(
    tx: Transaction,
    refund: { readonly businessId: string; readonly paymentId: string; readonly by: Actor },
    record: () => Promise<Recorded>,
  ): Promise<Recorded>;
  /** Customers have only the claim's id. */
  forCustomer(id: string): Promise<BitcoinClaimRow | undefined>;
  /** The claims of a purpose, newest first, for its page. */
  ofPurpose(businessId: string, purpose: InvoicePurpose, purposeId: string): Promise<BitcoinClaimRow[]>;
  /** The normalised destination the customer gave, or why it is invalid. */
  destinationOf(claim: BitcoinClaimRow, given: string): ReturnType<BitcoinClaims['destinationOf']>;
  /** Records the customer's destination. */
  request(claim: BitcoinClaimRow, destination: string): Promise<Result<BitcoinClaimRow, ClaimRequestRefusal>>;
  /** Forgets destinations of a claim from which nothing is left to return; returns how many. */
  forgetDestinations(businessId: string, id: string, isForgotten: (destination: string) => boolean): Promise<number>;
};

export type BitcoinClaimOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditLog;
  readonly claims: BitcoinClaims;
  readonly discrepancies: Pick<Discrepancies, 'closeOpen'>;
  /** Records a bitcoin refund of a locked payment. */
  readonly recordRefund: (
    tx: Transaction,
    refund: { businessId: string; paymentId: string; amountSats: number; reason: string; by: ReturnRequest['by'] },
  ) => Promise<void>;
  /** Called under the invoice's lock when a claim shown in another record changes. */
  readonly onClaimChanged: (tx: Transaction, claim: BitcoinClaimRow) => Promise<void>;
};

/**
 * The merchant's and the customer's operations on claims. Each write holds the lock of the claim's invoice, as incoming
 * payments do.
 */
export function bitcoinClaimService(options: BitcoinClaimOptions): BitcoinClaimService {
  const { database, clock, ids, audit, claims, discrepancies, recordRefund, onClaimChanged } = options;

  async function viewOf(reader: Pick<Database, 'all'> | Transaction, claim: BitcoinClaimRow): Promise<ClaimView> {
    const { id: claimId, invoiceId } = claim;
    return {
      claim,
      receipts: await reader.all(receiptsOfInvoice, { invoiceId }),
      destinations: await reader.all(destinationsOfClaim, { claimId }),
      returns: await reader.all(returnsOfClaim, { claimId }),
    };
  }

  /** The claim, with its invoice locked as it is for incoming payments. */
  async function locked(
    tx: Transaction,
    { businessId, id }: Pick<ReturnRequest, 'businessId' | 'id'>,
  ): Promise<BitcoinClaimRow | undefined> {
    const known = await tx.first(claimById, { id });
    if (known?.businessId !== businessId) return undefined;
    await tx.first(invoiceForUpdate, { id: known.invoiceId });
    return tx.first(claimById, { id });
  }

  /** Refunds the customer's payments, excess payments first, up to what their records have left. */
  async function recordRefunds(
    tx: Transaction,
    { claim, receipts }: ClaimView,
    amountSats: number,
    request: ReturnRequest,
  ) {
    const { businessId, by, txId } = request;
    let left = amountSats;
    for (const { paymentId } of excessFirst(receipts, claim.amountSats)) {
      const payment = paymentId === null ? undefined : await tx.first(paymentForUpdate, { businessId, id: paymentId });
      const part = payment ? Math.min(left, remainingSats(payment)) : 0;
      if (!payment || part <= 0) continue;
      await recordRefund(tx, {
        businessId,
        paymentId: payment.id,
        amountSats: part,
        reason: `Returned by ${txId}`,
        by,
      });
      left -= part;
    }
  }

  function refusalOf(
    { claim, destinations: given, returns }: ClaimView,
    { txId, amountSats, destination }: ReturnRequest,
  ): ReturnRefusal | 'known' | null {
    const known = returns.find(one => one.txId === txId);
    const isSame =
      (amountSats === null || amountSats === known?.amountSats) &&
      (destination === null || destination === known?.destination);
    if (known) return isSame ? 'known' : { kind: 'return_differs' };
    const remaining = remainingOfClaim(claim);
    if (remaining <= 0) return { kind: 'claim_already_returned' };
    const destinations = given.map(one => one.destination);
    if (destination === null && destinations.length > 1) return { kind: 'destination_required', destinations };
    if (destination !== null && !destinations.includes(destination))
      return { kind: 'destination_not_given', destinations };
    return (amountSats ?? remaining) > remaining ? { kind: 'return_exceeds_claim', remaining } : null;
  }

  async function closeTasks(
    tx: Transaction,
    receipts: readonly BitcoinReceiptRow[],
    evidence: string,
    by: Actor,
  ): Promise<void> {
    const kinds = ['bitcoin_payment_in_excess'] as const;
    for (const { paymentId } of receipts)
      if (paymentId !== null) await discrepancies.closeOpen(tx, paymentId, kinds, 'gateway_right', evidence, by);
  }

  async function settleByRefund(
    tx: Transaction,
    before: BitcoinClaimRow,
    refundedBefore: number,
    by: Actor,
  ): Promise<void> {
    const { invoiceId } = before;
    const after = await claims.recordRefunds(tx, before, (await claims.refundedOfExcess(tx, before)) - refundedBefore);
    if (after.refundedSats === before.refundedSats) return;
    if (after.status === 'returned')
      await closeTasks(tx, await tx.all(receiptsOfInvoice, { invoiceId }), 'Settled by a bitcoin refund', by);
    await onClaimChanged(tx, after);
  }

  async function save(tx: Transaction, before: ClaimView, request: ReturnRequest): Promise<ClaimView> {
    const { businessId, network, txId, note, by } = request;
    const { actorKind, actorId } = actorColumns(by);
    const { claim } = before;
    const amountSats = request.amountSats ?? remainingOfClaim(claim);
    const destination = request.destination ?? claim.destination;
    const made = { claimId: claim.id, businessId, network, txId, amountSats, destination, note, actorKind, actorId };
    await tx.run(insertReturn, { ...made, id: ids.next(idPrefixes.bitcoinReturn), createdAt: clock.now() });
    const returnedSats = claim.returnedSats + amountSats;
    const isWhole = amountSats === remainingOfClaim(claim);
    const changed: BitcoinClaimRow = {
      ...claim,
      returnedSats,
      ...(isWhole ? { status: 'returned', returnedAt: clock.now() } : {}),
    };
    await tx.run(updateClaim, changed);
    await recordRefunds(tx, before, amountSats, request);
    if (isWhole) await closeTasks(tx, before.receipts, `Returned by ${txId}`, by);
    await onClaimChanged(tx, changed);
    const { id: claimId, purpose, purposeId } = changed;
    const otherDestinations = before.destinations.map(one => one.destination).filter(one => one !== destination);
    const what = { claimId, purpose, purposeId, network, txId, amountSats, returnedSats, note };
    const detail = { ...what, destination, otherDestinations };
    await audit.append(tx, {
      businessId,
      kind: 'bitcoin_claim_returned',
      status: changed.status,
      by,
      paymentId: excessFirst(before.receipts, claim.amountSats)[0]?.paymentId ?? null,
      detail,
    });
    return viewOf(tx, changed);
  }

  return {
    list: list => database.all(claimsOfBusiness, list),

    async find(businessId, id) {
      const claim = await database.first(claimById, { id });
      return claim?.businessId === businessId ? viewOf(database, claim) : undefined;
    },

    markReturned: request =>
      database.write(async (tx): Promise<Result<ClaimView, ReturnRefusal>> => {
        await request.write.begin(tx);
        const claim = await locked(tx, request);
        if (!claim) return err({ kind: 'claim_not_found' });
        const before = await viewOf(tx, claim);
        const refusal = refusalOf(before, request);
        if (refusal !== null && refusal !== 'known') return err(refusal);
        const after = refusal === 'known' ? before : await save(tx, before, request);
        await request.write.finish(tx, after);
        return ok(after);
      }),

    async closingClaims(tx, { businessId, paymentId, by }, record) {
      const receipt = await tx.first(receiptOfPayment, { businessId, paymentId });
      if (!receipt) return record();
      const { invoiceId } = receipt;
      await tx.first(invoiceForUpdate, { id: invoiceId });
      const claim = await claims.of(tx, invoiceId);
      if (!claim) return record();
      const refundedBefore = await claims.refundedOfExcess(tx, claim);
      const recorded = await record();
      await settleByRefund(tx, claim, refundedBefore, by);
      return recorded;
    },

    forCustomer: id => database.first(claimById, { id }),

    async ofPurpose(businessId, purpose, purposeId) {
      const newest = { before: afterEveryId, limit: 20 };
      return database.all(claimsOfBusiness, { businessId, purpose, purposeId, status: null, ...newest });
    },

    destinationOf: ({ invoiceId }, given) => claims.destinationOf([invoiceId], given),

    request: ({ invoiceId }, destination) =>
      database.write(async (tx): Promise<Result<BitcoinClaimRow, ClaimRequestRefusal>> => {
        const requested = await claims.request(tx, [invoiceId], destination);
        if (!requested.ok) return requested;
        const [claim] = requested.value;
        if (!claim) throw new Error(`invoice ${invoiceId} has no claim`);
        await onClaimChanged(tx, claim);
        return ok(claim);
      }),

    forgetDestinations: (businessId, id, isForgotten) =>
      database.write(async tx => {
        const claim = await locked(tx, { businessId, id });
        if (claim?.status !== 'returned') return 0;
        const given = await tx.all(destinationsOfClaim, { claimId: id });
        const left = given.filter(({ destination }) => !isForgotten(destination));
        if (left.length === given.length) return 0;
        await tx.run(deleteDestinations, { claimId: id });
        for (const [index, each] of left.entries()) await tx.run(insertDestination, { ...each, number: index + 1 });
        // Without a destination it is as if none had been given: should it reopen, the customer is asked for one.
        const isLeft = left.some(({ destination }) => destination === claim.destination);
        const requestedAt = left.length === 0 ? null : claim.requestedAt;
        await tx.run(updateClaim, { ...claim, destination: isLeft ? claim.destination : null, requestedAt });
        return given.length - left.length;
      }),
  };
}
