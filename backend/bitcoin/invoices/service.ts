import { hash } from 'node:crypto';
import { type Clock, type Ids, type Instant, idPrefixes, type Log } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { continueTrace, traceToKeep } from '../../foundation/context.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { BitcoinClaims } from './claims.ts';
import { type InvoiceComparison, invoiceComparison } from './comparison.ts';
import { type Nodes, pollLightning } from './polling.ts';
import { payingReceipts } from './progress.ts';
import type { Receipts } from './receipts.ts';
import type { BitcoinInvoiceRow, BitcoinReceiptRow, InvoiceNetwork } from './rows.ts';
import type { BitcoinInvoiceSettings } from './settings.ts';
import {
  insertInvoice,
  invoiceById,
  invoicesByIds,
  paymentsOfInvoices,
  receiptsOfInvoice,
  receiptsOfInvoices,
  setAddress,
  setLightning,
} from './store.ts';

export type NewInvoice = Pick<
  BitcoinInvoiceRow,
  'businessId' | 'purpose' | 'purposeId' | 'memo' | 'amountSats' | 'amountMinor' | 'currency' | 'rate' | 'expiresAt'
>;

export type OpeningRefusal =
  /** Paid, expired or cancelled. */
  | { readonly kind: 'invoice_ended' }
  /** The business has no node, or none that receives this amount over this network. */
  | { readonly kind: 'network_not_available' }
  /** The node did not respond. Retrying is safe. */
  | { readonly kind: 'node_unreachable' };

export type InvoiceWithReceipts = {
  readonly invoice: BitcoinInvoiceRow;
  readonly receipts: readonly BitcoinReceiptRow[];
};

/** Requests for satoshis for any purpose. */
export type BitcoinInvoices = {
  /** Records an invoice. The node is not called until a customer opens it. */
  create(tx: Transaction, invoice: NewInvoice): BitcoinInvoiceRow;
  find(id: string): Promise<InvoiceWithReceipts | undefined>;
  /** The payments that paid these invoices, oldest first of each; none of an unpaid invoice. */
  paying(ids: readonly string[]): Promise<readonly PaymentRow[]>;
  /** Creates the invoice or address for this network at the node, once. */
  open(id: string, network: InvoiceNetwork): Promise<Result<BitcoinInvoiceRow, OpeningRefusal>>;
  /** The networks that a business offers and over which it can receive this amount. */
  networks(businessId: string, amountSats: number): Promise<readonly InvoiceNetwork[]>;
  /** Why `networks` names none for an amount. */
  whyNone(businessId: string): Promise<'bitcoin_not_available' | 'amount_out_of_range'>;
  /** Cancels it at its node on a best-effort basis, and records a payment that came first. */
  stop(id: string): Promise<void>;
  /** Polls its node for the Lightning invoice now; false if the node's response is inconclusive. */
  refreshLightning(id: string): Promise<boolean>;
  /** Ends it in the transaction that ends its purpose. */
  readonly end: Receipts['end'];
  /** Ends it in the transaction that replaces it; false if it was paid or can still be paid over Lightning. */
  readonly endUnpaid: Receipts['endUnpaid'];
  readonly claims: BitcoinClaims;
  readonly comparison: InvoiceComparison;
};

type Found = NonNullable<Awaited<ReturnType<Nodes['nodeOf']>>>;

/** The maximum number of satoshis in existence. */
const maxSats = 2_100_000_000_000_000;
/** How long a node's word on what it can receive is used, so that a customer's page does not wait for it each time. */
const receivableForMs = 15_000;
const receivableWaitMs = 2_000;

/**
 * Records invoices in the caller's transaction and calls their nodes outside transactions; concurrent requests for the
 * same invoice and network share one call.
 */
export function bitcoinInvoiceService(options: {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
  nodes: Nodes;
  /** The networks that a business offers to its customers, whatever its node can do. */
  offered: (businessId: string) => Promise<readonly InvoiceNetwork[]>;
  receipts: Receipts;
  claims: BitcoinClaims;
  settings: BitcoinInvoiceSettings;
}): BitcoinInvoices {
  const { database, clock, ids, log, nodes, receipts, claims, settings } = options;
  /** Concurrent requests for one invoice share a call to the node. */
  const opening = new Map<string, Promise<Result<BitcoinInvoiceRow, OpeningRefusal>>>();

  /** What each node can receive over Lightning, as it last told. */
  const receivable = new Map<string, { readonly at: Instant; readonly sats: Promise<number> }>();

  const isOpen = (invoice: BitcoinInvoiceRow) => invoice.status === 'open' && clock.now() < invoice.expiresAt;
  const soon = (invoice: BitcoinInvoiceRow): Instant => Math.min(clock.now() + settings.pollEveryMs, invoice.expiresAt);

  /** The node that created part of it, otherwise the business's current one. */
  async function nodeFor({ businessId, backendId }: BitcoinInvoiceRow) {
    return backendId === null ? nodes.nodeOf(businessId) : { backendId, node: await nodes.ofBackend(backendId) };
  }

  function receivableSats({ backendId, node }: Found): Promise<number> {
    const known = receivable.get(backendId);
    if (known && Math.abs(clock.now() - known.at) < receivableForMs) return known.sats;
    const sats = node.receivableSats(receivableWaitMs).then(answer => {
      // A node that does not answer now may do so when its invoice is created.
      const told = answer.kind === 'answered' ? answer.value : null;
      return told ?? settings.maxLightningSats;
    });
    receivable.set(backendId, { at: clock.now(), sats });
    return sats;
  }

  const takesOverLightning = async (found: Found, amountSats: number) =>
    found.node.capabilities.lightning && amountSats <= (await receivableSats(found));

  const takesOnChain = ({ node }: Found, amountSats: number) =>
    node.capabilities.onChain && amountSats >= settings.minOnChainSats && amountSats <= maxSats;

  async function openLightning(invoice: BitcoinInvoiceRow): Promise<Result<BitcoinInvoiceRow, OpeningRefusal>> {
    const { id, businessId, amountSats, memo } = invoice;
    const found = await nodeFor(invoice);
    if (!found || !(await takesOverLightning(found, amountSats))) return err({ kind: 'network_not_available' });
    const made = await found.node.createInvoice({
      label: id,
      amountSats,
      // LNURL-pay: the payer's wallet checks the invoice against the metadata it received.
      description: invoice.purpose === 'tip' ? { sha256: hash('sha256', memo) } : { memo },
      expiresInSeconds: Math.max(1, Math.ceil((invoice.expiresAt - clock.now()) / 1_000)),
    });
    if (made.kind !== 'created') {
      log.warn({ businessId, invoiceId: id, outcome: made }, 'a bitcoin node created no invoice');
      return err({ kind: 'node_unreachable' });
    }
    const { bolt11, paymentHash } = made.invoice;
    const row = await saved(id, tx =>
      tx.first(setLightning, { id, backendId: found.backendId, bolt11, paymentHash, nextPollAt: soon(invoice) }),
    );
    if (isOpen(row)) return ok(row);
    // The node responded after the invoice ended: cancel it and return it to no customer.
    await refreshLightning(id, { isToBeClosed: true });
    return err({ kind: 'invoice_ended' });
  }

  async function openOnChain(invoice: BitcoinInvoiceRow): Promise<Result<BitcoinInvoiceRow, OpeningRefusal>> {
    const { id, businessId } = invoice;
    const found = await nodeFor(invoice);
    if (!found || !takesOnChain(found, invoice.amountSats)) return err({ kind: 'network_not_available' });
    const made = await found.node.newAddress();
    if (made.kind !== 'answered') {
      log.warn({ businessId, invoiceId: id, cause: made.cause }, 'a bitcoin node created no address');
      return err({ kind: 'node_unreachable' });
    }
    const { address, chainHeight: addressFromHeight = null } = made.value;
    const given = { id, backendId: found.backendId, address, addressFromHeight, nextPollAt: soon(invoice) };
    const row = await saved(id, tx => tx.first(setAddress, given));
    return isOpen(row) ? ok(row) : err({ kind: 'invoice_ended' });
  }

  /** Applies the change and returns the current row, whichever process changed it. */
  async function saved(id: string, change: (tx: Transaction) => Promise<BitcoinInvoiceRow | undefined>) {
    return database.write(async tx => {
      const row = (await change(tx)) ?? (await tx.first(invoiceById, { id }));
      if (!row) throw new Error(`invoice ${id} is missing`);
      return row;
    });
  }

  async function openOnce(id: string, network: InvoiceNetwork): Promise<Result<BitcoinInvoiceRow, OpeningRefusal>> {
    const invoice = await database.first(invoiceById, { id });
    if (!invoice || !isOpen(invoice)) return err({ kind: 'invoice_ended' });
    return continueTrace(invoice.trace, async () => {
      if (network === 'lightning') return invoice.bolt11 === null ? openLightning(invoice) : ok(invoice);
      return invoice.address === null ? openOnChain(invoice) : ok(invoice);
    });
  }

  /** Records the node's report on a Lightning invoice that may still be paid; false if the report is inconclusive. */
  async function refreshLightning(id: string, how: { isToBeClosed: boolean }): Promise<boolean> {
    const invoice = await database.first(invoiceById, { id });
    if (invoice?.lightning !== 'open' || invoice.paymentHash === null) return true;
    const node = (await nodeFor(invoice))?.node;
    if (!node) return false;
    const { state, report } = await pollLightning(node, invoice.paymentHash, how);
    const { settled, isLightningClosed } = report;
    if (isLightningClosed) await database.write(tx => receipts.take(tx, id, { settled, isLightningClosed }));
    return state.kind !== 'unknown' && state.kind !== 'notFound';
  }

  return {
    claims,
    comparison: invoiceComparison(database),
    end: receipts.end,
    endUnpaid: receipts.endUnpaid,

    create(tx, what) {
      const invoice: BitcoinInvoiceRow = {
        ...what,
        id: ids.next(idPrefixes.bitcoinInvoice),
        backendId: null,
        bolt11: null,
        paymentHash: null,
        lightning: 'none',
        address: null,
        addressFromHeight: null,
        status: 'open',
        nextPollAt: what.expiresAt,
        unansweredPolls: 0,
        answeredAt: null,
        endedAt: null,
        createdAt: clock.now(),
        trace: traceToKeep(),
      };
      tx.send(insertInvoice, invoice);
      return invoice;
    },

    async find(id) {
      const invoice = await database.first(invoiceById, { id });
      return invoice && { invoice, receipts: await database.all(receiptsOfInvoice, { invoiceId: id }) };
    },

    async paying(invoiceIds) {
      if (invoiceIds.length === 0) return [];
      const idsJson = JSON.stringify(invoiceIds);
      const [invoices, receipts, payments] = await Promise.all([
        database.all(invoicesByIds, { idsJson }),
        database.all(receiptsOfInvoices, { invoiceIdsJson: idsJson }),
        database.all(paymentsOfInvoices, { invoiceIdsJson: idsJson }),
      ]);
      const receiptsBy = Map.groupBy(receipts, ({ invoiceId }) => invoiceId);
      const paying = invoices.flatMap(({ id, amountSats }) => payingReceipts(amountSats, receiptsBy.get(id) ?? []));
      return paying.flatMap(({ paymentId }) => payments.find(({ id }) => id === paymentId) ?? []);
    },

    open(id, network) {
      const slot = `${id} ${network}`;
      const running = opening.get(slot) ?? openOnce(id, network).finally(() => opening.delete(slot));
      opening.set(slot, running);
      return running;
    },

    async networks(businessId, amountSats) {
      const found = await nodes.nodeOf(businessId);
      if (!found) return [];
      const offered = await options.offered(businessId);
      return [
        ...(offered.includes('lightning') && (await takesOverLightning(found, amountSats))
          ? (['lightning'] as const)
          : []),
        ...(offered.includes('onchain') && takesOnChain(found, amountSats) ? (['onchain'] as const) : []),
      ];
    },

    async whyNone(businessId) {
      const { lightning, onChain } = (await nodes.nodeOf(businessId))?.node.capabilities ?? {};
      const offered = await options.offered(businessId);
      return (lightning && offered.includes('lightning')) || (onChain && offered.includes('onchain'))
        ? 'amount_out_of_range'
        : 'bitcoin_not_available';
    },

    stop: async id => void (await refreshLightning(id, { isToBeClosed: true })),
    refreshLightning: id => refreshLightning(id, { isToBeClosed: false }),
  };
}
