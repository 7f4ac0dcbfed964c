import type { Clock, Log } from '@florin/shared/ports.ts';
import type { Database } from '../database/database.ts';
import type { AddressPayment, Answer, BitcoinNetwork, BitcoinNode } from '../nodes/node.ts';
import type { NodeWord, Receipts } from './receipts.ts';
import type { BitcoinInvoiceRow } from './rows.ts';
import type { BitcoinInvoiceSettings } from './settings.ts';
import { standingOf } from './standing.ts';
import { claimLook, dueInvoices, receiptsOfInvoice } from './store.ts';

/** The nodes of businesses. What one of them made is asked of that one, also after its business went on to another. */
export type Nodes = {
  nodeOf(businessId: string): Promise<{ readonly backendId: string; readonly node: BitcoinNode } | undefined>;
  ofBackend(backendId: string): Promise<BitcoinNode>;
  networkOf(backendId: string): Promise<BitcoinNetwork | undefined>;
};

/**
 * Asks the nodes about invoices that are due. What nodes tell by themselves arrives sooner; this finds what they did not tell,
 * ends what is over, and watches for what comes late.
 */
export function invoiceLooks(options: {
  database: Database;
  clock: Clock;
  log: Log;
  nodes: Nodes;
  receipts: Receipts;
  settings: BitcoinInvoiceSettings;
}) {
  const { database, clock, log, nodes, receipts, settings } = options;

  async function claim(due: readonly BitcoinInvoiceRow[]): Promise<BitcoinInvoiceRow[]> {
    const leaseUntil = clock.now() + settings.leaseMs;
    return database.write(async tx => {
      const mine: BitcoinInvoiceRow[] = [];
      for (const invoice of due) {
        const { id, nextLookAt } = invoice;
        if (nextLookAt !== null && (await tx.run(claimLook, { id, nextLookAt, leaseUntil })) === 1) mine.push(invoice);
      }
      return mine;
    });
  }

  /** Over Lightning. What is over is closed first, so that the answer is the last word. */
  async function askLightning(node: BitcoinNode, invoice: BitcoinInvoiceRow): Promise<NodeWord> {
    const { paymentHash, lightning } = invoice;
    if (paymentHash === null || lightning !== 'open') return { isComplete: true };
    const closing = (await isToBeClosed(invoice)) ? await node.cancelInvoice(paymentHash) : undefined;
    const state = await node.lookupInvoice(paymentHash);
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

  /** It is over, or the whole amount is on its way on chain: nobody is to pay it a second time. */
  async function isToBeClosed(invoice: BitcoinInvoiceRow): Promise<boolean> {
    if (invoice.status === 'ended' || clock.now() >= invoice.expiresAt) return true;
    if (invoice.address === null) return false;
    const { seenSats, confirmedSats } = standingOf(
      invoice,
      await database.all(receiptsOfInvoice, { invoiceId: invoice.id }),
    );
    return seenSats + confirmedSats >= invoice.amountSats;
  }

  async function askOnChain(
    node: BitcoinNode,
    invoices: readonly BitcoinInvoiceRow[],
  ): Promise<Map<string, AddressPayment[]> | undefined> {
    const asked = invoices.flatMap(({ address, addressFromHeight }) =>
      address === null ? [] : [{ address, fromHeight: addressFromHeight ?? 0 }],
    );
    if (asked.length === 0) return new Map();
    const fromHeight = Math.min(...asked.map(one => one.fromHeight));
    const answer = await node.addressPayments(
      asked.map(({ address }) => address),
      fromHeight,
    );
    if (answer.kind !== 'answered') return undefined;
    return Map.groupBy(answer.value, ({ address }) => address);
  }

  async function lookAt(backendId: string | null, invoices: readonly BitcoinInvoiceRow[]): Promise<void> {
    const askedAt = clock.now();
    const node = backendId === null ? undefined : await nodes.ofBackend(backendId);
    const onChain = node && (await askOnChain(node, invoices));
    if (node && !onChain)
      log.warn({ backendId }, 'a bitcoin node did not tell what was paid on chain; it is asked again');
    await Promise.all(
      invoices.map(async invoice => {
        // Of an invoice that nobody opened there is nothing to be asked.
        const lightning = node ? await askLightning(node, invoice) : { isComplete: true };
        const word: NodeWord = {
          ...lightning,
          paymentHash: invoice.paymentHash,
          askedAt,
          onChain: invoice.address === null ? undefined : onChain && (onChain.get(invoice.address) ?? []),
          isComplete: lightning.isComplete === true && (invoice.address === null || onChain !== undefined),
        };
        await database.write(tx => receipts.take(tx, invoice.id, word));
      }),
    );
  }

  return async (limit: number): Promise<number> => {
    const due = await database.all(dueInvoices, { now: clock.now(), limit });
    if (due.length === 0) return 0;
    const byNode = Map.groupBy(await claim(due), ({ backendId }) => backendId);
    await Promise.all([...byNode].map(([backendId, invoices]) => lookAt(backendId, invoices)));
    return due.length;
  };
}

function isNotSupported(answer: Answer<null>): boolean {
  return answer.kind === 'unknown' && answer.cause === 'not_supported';
}
