import type { Clock, Log } from '@florin/shared/ports.ts';
import { continueTrace } from '../../foundation/context.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import type { AddressPayment, Answer, BitcoinNetwork, BitcoinNode, InvoiceState, PaymentHash } from '../nodes/node.ts';
import { progressOf } from './progress.ts';
import type { NodeReport, Receipts } from './receipts.ts';
import type { BitcoinInvoiceRow } from './rows.ts';
import { claimDueInvoices, receiptsOfInvoice } from './store.ts';

/** The nodes of businesses. An invoice is polled at the node that created it, also after its business changed nodes. */
export type Nodes = {
  nodeOf(businessId: string): Promise<{ readonly backendId: string; readonly node: BitcoinNode } | undefined>;
  ofBackend(backendId: string): Promise<BitcoinNode>;
  networkOf(backendId: string): Promise<BitcoinNetwork | undefined>;
};

/**
 * Polls a node for a Lightning invoice. An invoice that is no longer payable is cancelled first, so that no payment can
 * follow the response.
 */
export async function pollLightning(
  node: BitcoinNode,
  paymentHash: PaymentHash,
  { isToBeClosed }: { readonly isToBeClosed: boolean },
): Promise<{ readonly state: InvoiceState; readonly report: NodeReport }> {
  const closing = isToBeClosed ? await node.cancelInvoice(paymentHash) : undefined;
  const state = await node.lookupInvoice(paymentHash);
  return { state, report: lightningReport(state, closing) };
}

function lightningReport(state: InvoiceState, closing: Answer<null> | undefined): NodeReport {
  switch (state.kind) {
    case 'open':
      // The node did not accept the cancellation: still payable, unless this node supports no cancellation before
      // expiry.
      return { isComplete: closing === undefined || isNotSupported(closing) };
    case 'settled':
      return { settled: state, isLightningClosed: true, isComplete: true };
    case 'cancelled':
      return { isLightningClosed: true, isComplete: true };
    // Held: neither paid nor cancelled. Not found: another node created it.
    case 'held':
    case 'notFound':
    case 'unknown':
      return { isComplete: false };
  }
}

/**
 * Polls the nodes for due invoices: a backstop for their notifications, which also ends expired invoices and watches
 * for late payments.
 */
export function invoicePolling(options: {
  database: Database;
  clock: Clock;
  log: Log;
  nodes: Nodes;
  receipts: Receipts;
  leases: LeasesOn<Pick<BitcoinInvoiceRow, 'id'>>;
}) {
  const { database, clock, log, nodes, receipts, leases } = options;

  async function lightningOf(node: BitcoinNode, invoice: BitcoinInvoiceRow): Promise<NodeReport> {
    const { paymentHash, lightning } = invoice;
    if (paymentHash === null || lightning !== 'open') return { isComplete: true };
    const { report } = await pollLightning(node, paymentHash, { isToBeClosed: await isToBeClosed(invoice) });
    return report;
  }

  /**
   * Whether to cancel the Lightning invoice: the invoice has ended, or its full amount was seen on chain and must not
   * be paid twice. The rest of a partial on-chain payment is requested on chain.
   */
  async function isToBeClosed(invoice: BitcoinInvoiceRow): Promise<boolean> {
    if (invoice.status === 'ended' || clock.now() >= invoice.expiresAt) return true;
    if (invoice.address === null) return false;
    const { seenSats, confirmedSats } = progressOf(
      invoice,
      await database.all(receiptsOfInvoice, { invoiceId: invoice.id }),
    );
    return confirmedSats > 0 || seenSats >= invoice.amountSats;
  }

  async function onChainOf(
    node: BitcoinNode,
    invoices: readonly BitcoinInvoiceRow[],
  ): Promise<Map<string, AddressPayment[]> | undefined> {
    const watched = invoices.flatMap(({ address, addressFromHeight }) =>
      address === null ? [] : [{ address, fromHeight: addressFromHeight ?? 0 }],
    );
    if (watched.length === 0) return new Map();
    const fromHeight = Math.min(...watched.map(one => one.fromHeight));
    const answer = await node.addressPayments(
      watched.map(({ address }) => address),
      fromHeight,
    );
    if (answer.kind !== 'answered') return undefined;
    return Map.groupBy(answer.value, ({ address }) => address);
  }

  async function poll(backendId: string | null, invoices: readonly BitcoinInvoiceRow[]): Promise<void> {
    const askedAt = clock.now();
    const node = backendId === null ? undefined : await nodes.ofBackend(backendId);
    const onChain = node && (await onChainOf(node, invoices));
    if (node && !onChain) log.warn({ backendId }, 'could not read on-chain payments from a bitcoin node; retrying');
    await Promise.all(
      invoices.map(async invoice => {
        // An invoice that was never opened exists at no node.
        const lightning = node
          ? await continueTrace(invoice.trace, () => lightningOf(node, invoice))
          : { isComplete: true };
        const report: NodeReport = {
          ...lightning,
          paymentHash: invoice.paymentHash,
          askedAt,
          onChain: invoice.address === null ? undefined : onChain && (onChain.get(invoice.address) ?? []),
          isComplete: lightning.isComplete === true && (invoice.address === null || onChain !== undefined),
        };
        await database.write(tx => receipts.take(tx, invoice.id, report));
      }),
    );
  }

  return async (limit: number): Promise<number> => {
    const claim = { now: clock.now(), nextPollAt: leases.fromNow(), limit };
    const due = await database.write(tx => tx.all(claimDueInvoices, claim));
    const byNode = Map.groupBy(due, ({ backendId }) => backendId);
    for (const invoice of due) leases.hold(invoice, claim.nextPollAt);
    try {
      await Promise.all([...byNode].map(([backendId, invoices]) => poll(backendId, invoices)));
    } finally {
      for (const invoice of due) leases.end(invoice);
    }
    return due.length;
  };
}

function isNotSupported(answer: Answer<null>): boolean {
  return answer.kind === 'unknown' && answer.cause === 'not_supported';
}
