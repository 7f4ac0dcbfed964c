import type { Instant } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { ListedReceipt, SettledInvoice } from '../nodes/node.ts';
import { type ConfirmedReceipt, invoicesAwaiting, receiptsConfirmedSince, receiptsOfTransactions } from './store.ts';

/** What the records have of the payments that a node lists. */
export type InvoiceComparison = {
  /** The listed payments that are not recorded, and that the service does not look for by itself. */
  unrecorded(listed: {
    readonly settledInvoices: readonly SettledInvoice[];
    readonly receipts: readonly ListedReceipt[];
  }): Promise<{
    readonly settledInvoices: readonly SettledInvoice[];
    readonly receipts: readonly ListedReceipt[];
  }>;
  /** The payments received at a node that count since this time. */
  confirmedSince(backendId: string, since: Instant): Promise<readonly ConfirmedReceipt[]>;
};

/** Compares the records with the lists of nodes. Changes nothing. */
export function invoiceComparison(database: Database): InvoiceComparison {
  return {
    async unrecorded({ settledInvoices, receipts }) {
      const hashes = settledInvoices.map(({ paymentHash }) => paymentHash);
      const txIds = [...hashes, ...receipts.map(({ txId }) => txId)];
      const addresses = receipts.map(({ address }) => address);
      const [recorded, awaiting] = await Promise.all([
        database.all(receiptsOfTransactions, { txIdsJson: JSON.stringify(txIds) }),
        database.all(invoicesAwaiting, {
          paymentHashesJson: JSON.stringify(hashes),
          addressesJson: JSON.stringify(addresses),
        }),
      ]);
      const known = new Set(recorded.map(({ network, txId, vout }) => `${network} ${txId}:${vout}`));
      const awaited = new Set(
        awaiting.flatMap(({ paymentHash, address, lightning }) => [
          ...(lightning === 'open' ? [paymentHash] : []),
          address,
        ]),
      );
      return {
        settledInvoices: settledInvoices.filter(
          ({ paymentHash }) => !known.has(`lightning ${paymentHash}:0`) && !awaited.has(paymentHash),
        ),
        receipts: receipts.filter(
          ({ txId, vout, address }) => !known.has(`onchain ${txId}:${vout}`) && !awaited.has(address),
        ),
      };
    },

    confirmedSince: (backendId, since) => database.all(receiptsConfirmedSince, { backendId, since }),
  };
}
