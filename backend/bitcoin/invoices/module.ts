import type { Clock, Ids, Log, Timers } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Leases } from '../../foundation/jobs/leases.ts';
import { rowLeases } from '../../foundation/jobs/row-leases.ts';
import type { Module } from '../../foundation/module.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import { bitcoinClaims } from './claims.ts';
import { invoiceFollower } from './following.ts';
import { invoicePolling, type Nodes } from './polling.ts';
import { bitcoinReceipts, type Purposes } from './receipts.ts';
import type { InvoiceNetwork } from './rows.ts';
import { type BitcoinInvoices, bitcoinInvoiceService } from './service.ts';
import type { BitcoinInvoiceSettings } from './settings.ts';
import { renewInvoiceLeases } from './store.ts';

/**
 * Bitcoin invoices for every purpose, without routes: polls and follows nodes for payments, and raises a discrepancy if
 * a confirmed one leaves the chain.
 */
export function bitcoinInvoicesModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly log: Log;
  readonly leases: Leases;
  readonly events: Events;
  readonly discrepancies: Discrepancies;
  readonly nodes: Nodes;
  readonly offered: (businessId: string) => Promise<readonly InvoiceNetwork[]>;
  readonly purposes: Purposes;
  readonly settings: BitcoinInvoiceSettings;
  readonly everyMs: number;
}): Module<BitcoinInvoices> {
  const { everyMs, settings } = ports;
  const receipts = bitcoinReceipts({
    ...ports,
    async onReverted(tx, { businessId }, { paymentId, txId, vout, amountSats }) {
      if (paymentId === null) return;
      const evidence = `${txId}:${vout}`;
      const recorded = { status: 'confirmed', txId, amountSats };
      const gateway = { status: 'not in the chain' };
      const kind = 'bitcoin_payment_reverted';
      await ports.discrepancies.raise(tx, { businessId, paymentId, kind, evidence, recorded, gateway });
    },
  });
  const claims = bitcoinClaims(ports);
  const service = bitcoinInvoiceService({ ...ports, receipts, claims });
  const follower = invoiceFollower({ ...ports, receipts });
  const poll = invoicePolling({ ...ports, receipts, leases: rowLeases(ports, 'bitcoin invoices', renewInvoiceLeases) });
  return {
    service,
    routes: [],
    jobs: [
      { name: 'bitcoin-invoices', everyMs, batch: settings.batch, run: () => poll(settings.batch) },
      { name: 'bitcoin-nodes', everyMs, run: follower.begin },
    ],
    stop: follower.stop,
  };
}
