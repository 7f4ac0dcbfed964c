import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Database } from '../database/database.ts';
import type { AddressPayment, Answer, BitcoinNetwork, BitcoinNode, InvoiceState, PaymentHash } from '../nodes/node.ts';
import { progressOf } from './progress.ts';
import type { NodeReport, Receipts } from './receipts.ts';
import type { BitcoinInvoiceRow } from './rows.ts';
import type { BitcoinInvoiceSettings } from './settings.ts';
import { claimPoll, dueInvoices, receiptsOfInvoice } from './store.ts';

/** The nodes of businesses. What one of them made is asked of that one, also after its business went on to another. */
export type Nodes = {
  nodeOf(businessId: string): Promise<{ readonly backendId: string; readonly node: BitcoinNode } | undefined>;
  ofBackend(backendId: string): Promise<BitcoinNode>;
  networkOf(backendId: string): Promise<BitcoinNetwork | undefined>;
};

/**
 * Asks a node about one Lightning invoice. One that nobody is to pay any more is cancelled first, so that no payment can follow
 * the answer.
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
      // A cancellation that the node did not take: it can still be paid, unless this node closes nothing before its time.
      return { isComplete: closing === undefined || isNotSupported(closing) };
    case 'settled':
      return { settled: state, isLightningClosed: true, isComplete: true };
    case 'cancelled':
      return { isLightningClosed: true, isComplete: true };
    // Held: the payment is neither there nor gone. Not found: this node is not the one that made it.
    case 'held':
    case 'notFound':
    case 'unknown':
      return { isComplete: false };
  }
}

/**
 * Asks the nodes about invoices that are due. What nodes report by themselves arrives sooner; this finds what they did not
 * report, ends what is over, and watches for late payments.
 */
export function invoicePolling(options: {
  database: Database;
  clock: Clock;
  log: Log;
  nodes: Nodes;
  receipts: Receipts;
  settings: BitcoinInvoiceSettings;
}) {
  const { database, clock, log, nodes, receipts, settings } = options;

  async function claim(due: readonly BitcoinInvoiceRow[]): Promise<BitcoinInvoiceRow[]> {
    const until = clock.now() + settings.leaseMs;
    return database.write(async tx => {
      const mine: BitcoinInvoiceRow[] = [];
      for (const invoice of due) {
        const { id, nextPollAt } = invoice;
        if (nextPollAt !== null && (await tx.run(claimPoll, { id, nextPollAt, until })) === 1) mine.push(invoice);
      }
      return mine;
    });
  }

  async function lightningOf(node: BitcoinNode, invoice: BitcoinInvoiceRow): Promise<NodeReport> {
    const { paymentHash, lightning } = invoice;
    if (paymentHash === null || lightning !== 'open') return { isComplete: true };
    const { report } = await pollLightning(node, paymentHash, { isToBeClosed: await isToBeClosed(invoice) });
    return report;
  }

  /**
   * It is over, or the whole amount is on its way on chain: nobody is to pay it a second time. Where a part of it was paid on
   * chain, the rest is asked for there.
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
    if (node && !onChain)
      log.warn({ backendId }, 'a bitcoin node did not report what was paid on chain; it is asked again');
    await Promise.all(
      invoices.map(async invoice => {
        // An invoice that nobody opened is at no node.
        const lightning = node ? await lightningOf(node, invoice) : { isComplete: true };
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
    const due = await database.all(dueInvoices, { now: clock.now(), limit });
    if (due.length === 0) return 0;
    const byNode = Map.groupBy(await claim(due), ({ backendId }) => backendId);
    await Promise.all([...byNode].map(([backendId, invoices]) => poll(backendId, invoices)));
    return due.length;
  };
}

function isNotSupported(answer: Answer<null>): boolean {
  return answer.kind === 'unknown' && answer.cause === 'not_supported';
}
