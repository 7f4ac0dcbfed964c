import { satsOf } from '@florin/shared/bitcoin.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { BitcoinClaims, ClaimRequestRefusal } from '../../bitcoin/invoices/claims.ts';
import { excessPayments } from '../../bitcoin/invoices/excess.ts';
import { progressOf } from '../../bitcoin/invoices/progress.ts';
import type { InvoiceChange, OnInvoiceChanged } from '../../bitcoin/invoices/receipts.ts';
import type { BitcoinClaimRow, BitcoinInvoiceRow } from '../../bitcoin/invoices/rows.ts';
import type { BitcoinInvoices, InvoiceWithReceipts } from '../../bitcoin/invoices/service.ts';
import { claimsOfInvoices, invoiceForUpdate, invoicesByIds, receiptsOfInvoice } from '../../bitcoin/invoices/store.ts';
import type { Rates } from '../../bitcoin/rates/service.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import type { NewPayment } from '../../money/payments/authorisation.ts';
import { timestamp } from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { LinkPaymentRefusal, Undecided } from './refusals.ts';
import type { LinkInvoiceRow, PaymentLinkRow } from './rows.ts';
import {
  addPaid,
  insertLinkInvoice,
  linkForUpdate,
  linkInvoice,
  linkInvoicesOf,
  openLinkInvoice,
  updateLinkInvoice,
} from './store.ts';

export type BitcoinRefusal =
  | { readonly kind: 'rate_unavailable' }
  | { readonly kind: 'bitcoin_unavailable' }
  | { readonly kind: 'bitcoin_amount_out_of_range' }
  | { readonly kind: 'part_payment_unavailable' };

export type LinkBitcoinOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly rates: Rates;
  readonly invoices: BitcoinInvoices;
  readonly discrepancies: Discrepancies;
  /** How long a quoted bitcoin price is valid. */
  readonly bitcoinLifetimeMs: number;
};

/** A claim of the link and the price at which its invoice was requested. */
export type ClaimOnLink = { readonly claim: BitcoinClaimRow; readonly invoice: BitcoinInvoiceRow };

type LinkKey = Pick<PaymentLinkRow, 'businessId' | 'id'>;

/** Applies the link's own rules under its lock. */
export type OpenPayment = (
  tx: Transaction,
  request: { businessId: string; linkId: string; amountMinor: number | null },
) => Promise<Result<NewPayment, LinkPaymentRefusal>>;

export type LinkBitcoin = {
  /** The open invoice for which the link's amount is reserved. */
  current(linkId: string): Promise<InvoiceWithReceipts | undefined>;
  /** Requests the whole amount in bitcoin; meanwhile no other payment is accepted. Idempotent. */
  start(
    link: PaymentLinkRow,
    merchant: string,
  ): Promise<Result<BitcoinInvoiceRow, LinkPaymentRefusal | BitcoinRefusal>>;
  /**
   * Ends the bitcoin request so that the link can be paid another way; only if nothing arrived, is in transit or can
   * still arrive over Lightning.
   */
  stop(link: LinkKey): Promise<Result<undefined, Undecided>>;
  /** First half: cancels the open request at the node, unless something was received. */
  closeAtNode(link: LinkKey): Promise<void>;
  /**
   * Second half, in a transaction that has not locked the link yet; returns what keeps the request open, if anything.
   */
  release(tx: Transaction, link: LinkKey): Promise<Undecided | undefined>;
  /** The bitcoin payments that paid the link, oldest first. */
  paying(linkId: string): Promise<readonly PaymentRow[]>;
  /** What arrived and did not pay the link. */
  claimsOf(linkId: string): Promise<readonly ClaimOnLink[]>;
  /** The normalised return destination, or why it is invalid. */
  destinationOf(linkId: string, given: string): ReturnType<BitcoinClaims['destinationOf']>;
  /** Records the customer's return destination. */
  claim(linkId: string, destination: string): Promise<Result<unknown, ClaimRequestRefusal>>;
  /** Handles a change of a link's invoice, in the same transaction. */
  readonly onInvoiceChanged: OnInvoiceChanged;
};

/**
 * Bitcoin on payment links: one invoice at a time, for the whole amount. A full payment in time pays the link; anything
 * else (late, too little, beside a card) is recorded as a claim that the merchant has to return.
 */
export function linkBitcoin({ open, ...options }: LinkBitcoinOptions & { readonly open: OpenPayment }): LinkBitcoin {
  const { database, clock, events, rates, invoices, bitcoinLifetimeMs } = options;
  const excess = excessPayments({ ...options, claims: () => invoices.claims });

  async function insert(link: PaymentLinkRow, merchant: string, price: { amountSats: number; rate: string }) {
    const { businessId, id: linkId, currency } = link;
    return database.write(async (tx): Promise<Result<string, LinkPaymentRefusal | BitcoinRefusal>> => {
      const locked = await tx.first(linkForUpdate, { businessId, id: linkId });
      const known = await tx.first(openLinkInvoice, { paymentLinkId: linkId });
      if (known) return ok(known.invoiceId);
      const allowed = await open(tx, { businessId, linkId, amountMinor: null });
      if (!allowed.ok) return allowed;
      const { amountMinor } = allowed.value;
      if (!locked || amountMinor !== locked.amountMinor) return err({ kind: 'part_payment_unavailable' });
      const expiresAt = Math.min(clock.now() + bitcoinLifetimeMs, locked.expiresAt);
      const memo = `${merchant.slice(0, 60)}: ${locked.description.split('\n', 1)[0]?.slice(0, 60)}`;
      const { id: invoiceId } = invoices.create(tx, {
        ...price,
        businessId,
        purpose: 'paymentLink',
        purposeId: linkId,
        memo,
        amountMinor,
        currency,
        expiresAt,
      });
      await tx.run(insertLinkInvoice, {
        invoiceId,
        businessId,
        paymentLinkId: linkId,
        status: 'open',
        isAnnounced: 0,
        dueSats: 0,
        createdAt: clock.now(),
      });
      return ok(invoiceId);
    });
  }

  function announce(
    tx: Transaction,
    type: 'payment_link.bitcoin_started' | 'payment_link.bitcoin_completed',
    { invoice, progress }: InvoiceChange,
  ): void {
    const { businessId, purposeId: subjectId, amountMinor, currency } = invoice;
    const { network, txIds } = progress;
    events.announce(tx, {
      type,
      businessId,
      subjectId,
      payload: { paymentLinkId: subjectId, amountMinor, currency, network, txIds: [...txIds] },
    });
  }

  async function claimedInvoices(paymentLinkId: string): Promise<string[]> {
    const rows = await database.all(linkInvoicesOf, { paymentLinkId });
    return rows.filter(({ dueSats }) => dueSats > 0).map(({ invoiceId }) => invoiceId);
  }

  function dueOf(row: LinkInvoiceRow, { invoice, progress }: InvoiceChange, isNew: boolean) {
    const { confirmedSats } = progress;
    if (row.status === 'open') return undefined;
    if (row.status === 'paid') return { reason: 'overpaid', amountSats: confirmedSats - invoice.amountSats } as const;
    return { reason: isNew ? 'underpaid' : 'late', amountSats: confirmedSats } as const;
  }

  async function apply(tx: Transaction, before: LinkInvoiceRow, change: InvoiceChange): Promise<void> {
    const { invoice, receipts, progress } = change;
    const status = before.status === 'open' ? statusAfter(invoice, progress) : before.status;
    const isNewly = status !== before.status;
    if (before.isAnnounced === 0 && receipts.length > 0) announce(tx, 'payment_link.bitcoin_started', change);
    if (isNewly && status === 'paid') {
      await tx.run(addPaid, { id: before.paymentLinkId, amountMinor: invoice.amountMinor, now: clock.now() });
      announce(tx, 'payment_link.bitcoin_completed', change);
    }
    const due = dueOf({ ...before, status }, change, isNewly);
    const dueSats = Math.max(before.dueSats, due?.amountSats ?? 0);
    if (due && dueSats > before.dueSats) await excess(tx, change, due, { paymentLinkId: before.paymentLinkId });
    const isAnnounced = before.isAnnounced === 1 || receipts.length > 0 ? 1 : 0;
    await tx.run(updateLinkInvoice, { ...before, status, dueSats, isAnnounced });
  }

  async function closeAtNode({ id: paymentLinkId }: LinkKey): Promise<void> {
    const row = await database.first(openLinkInvoice, { paymentLinkId });
    const found = row && (await invoices.find(row.invoiceId));
    if (!found || receivedSatsOf(progressOf(found.invoice, found.receipts)) > 0) return;
    // Records a payment in progress first; the node then accepts nothing over Lightning.
    await invoices.stop(row.invoiceId);
  }

  async function release(tx: Transaction, { businessId, id }: LinkKey): Promise<Undecided | undefined> {
    const open = await tx.first(openLinkInvoice, { paymentLinkId: id });
    if (open?.businessId !== businessId) return undefined;
    const { invoiceId } = open;
    const before = await tx.first(invoiceForUpdate, { id: invoiceId });
    const row = await tx.first(linkInvoice, { invoiceId });
    if (!before || row?.status !== 'open') return undefined;
    const receipts = await tx.all(receiptsOfInvoice, { invoiceId });
    const receivedSats = receivedSatsOf(progressOf(before, receipts));
    if (before.lightning === 'open' || receivedSats > 0) {
      const { amountSats, expiresAt } = before;
      return { kind: 'payment_in_progress', bitcoin: { amountSats, receivedSats, expiresAt: timestamp(expiresAt) } };
    }
    await tx.first(linkForUpdate, { businessId, id });
    await invoices.end(tx, invoiceId);
    const invoice = { ...before, status: 'ended' } as const;
    await apply(tx, row, { invoice, receipts, progress: progressOf(invoice, receipts) });
    return undefined;
  }

  return {
    closeAtNode,
    release,

    async current(linkId) {
      const row = await database.first(openLinkInvoice, { paymentLinkId: linkId });
      return row && invoices.find(row.invoiceId);
    },

    async start(link, merchant) {
      const rate = await rates.current(link.currency);
      const amountSats = rate && satsOf(link, rate.price);
      if (!rate || amountSats === undefined) return err({ kind: 'rate_unavailable' });
      const networks = await invoices.networks(link.businessId, amountSats);
      if (networks.length === 0) {
        const isWrongAmount = (await invoices.whyNone(link.businessId)) === 'amount_out_of_range';
        return err({ kind: isWrongAmount ? 'bitcoin_amount_out_of_range' : 'bitcoin_unavailable' });
      }
      const inserted = await insert(link, merchant, { amountSats, rate: rate.price });
      if (!inserted.ok) return inserted;
      const opened = await Promise.all(networks.map(network => invoices.open(inserted.value, network)));
      const found = await invoices.find(inserted.value);
      if (found && opened.some(({ ok: isOpen }) => isOpen)) return ok(found.invoice);
      // The node created nothing payable: free the link at once.
      await this.stop(link);
      return err({ kind: 'bitcoin_unavailable' });
    },

    async stop(link) {
      await closeAtNode(link);
      const kept = await database.write(tx => release(tx, link));
      return kept ? err(kept) : ok(undefined);
    },

    async paying(paymentLinkId) {
      const asked = await database.all(linkInvoicesOf, { paymentLinkId });
      return invoices.paying(asked.filter(({ status }) => status === 'paid').map(({ invoiceId }) => invoiceId));
    },

    async claimsOf(linkId) {
      const ids = await claimedInvoices(linkId);
      if (ids.length === 0) return [];
      const idsJson = JSON.stringify(ids);
      const [claims, asked] = await Promise.all([
        database.all(claimsOfInvoices, { invoiceIdsJson: idsJson }),
        database.all(invoicesByIds, { idsJson }),
      ]);
      return claims.flatMap(claim => {
        const invoice = asked.find(({ id }) => id === claim.invoiceId);
        return invoice ? { claim, invoice } : [];
      });
    },

    destinationOf: async (linkId, given) => invoices.claims.destinationOf(await claimedInvoices(linkId), given),

    async claim(linkId, destination) {
      const ids = await claimedInvoices(linkId);
      return database.write(tx => invoices.claims.request(tx, ids, destination));
    },

    async onInvoiceChanged(tx, change) {
      const { id: invoiceId, businessId, purposeId } = change.invoice;
      await tx.first(linkForUpdate, { businessId, id: purposeId });
      const row = await tx.first(linkInvoice, { invoiceId });
      if (!row) throw new Error(`invoice ${invoiceId} is for no payment link`);
      await apply(tx, row, change);
    },
  };
}

const receivedSatsOf = ({ confirmedSats, seenSats }: InvoiceChange['progress']) => confirmedSats + seenSats;

/** The status of an open invoice: the whole amount pays; an on-chain payment seen in time is waited for. */
function statusAfter(
  { amountSats }: BitcoinInvoiceRow,
  { confirmedSats, seenSats, isOver }: InvoiceChange['progress'],
): LinkInvoiceRow['status'] {
  if (confirmedSats >= amountSats) return 'paid';
  return isOver && seenSats === 0 ? 'ended' : 'open';
}
