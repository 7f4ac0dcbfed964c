import type { MerchantActor } from '@florin/shared/actor.ts';
import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import type { BitcoinInvoices } from '../../bitcoin/invoices/service.ts';
import type { Rates } from '../../bitcoin/rates/service.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { EventFeed } from '../../foundation/events/feed.ts';
import { pruningJob } from '../../foundation/jobs/pruning.ts';
import type { Module } from '../../foundation/module.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import type { SaleEndings } from '../../money/payments/completion.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { SaleRecords } from '../../money/payments/sale-records.ts';
import type { UnknownSales } from '../../money/payments/unknown-sale.ts';
import type { ReceiptAddresses } from '../../money/receipts/address.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import type { TerminalService } from '../terminals/service.ts';
import { type SaleBitcoin, saleBitcoin } from './bitcoin.ts';
import { bitcoinRoutes } from './bitcoin-routes.ts';
import { type TerminalChannels, terminalChannels } from './channels.ts';
import { type TerminalCommands, terminalCommands } from './commands.ts';
import { terminalDirectory } from './directory.ts';
import { dueTerminalSales, moneyFollower } from './jobs.ts';
import { liveSales } from './live.ts';
import { apiRoutes, deviceRoutes, kioskRoutes } from './routes.ts';
import { type TerminalSaleService, type TerminalSaleSettings, terminalSaleService } from './service.ts';
import { deleteOldCommands } from './store.ts';
import { type SaleTransitions, saleTransitions } from './transitions.ts';

const batch = 100;

/**
 * Sales and refunds started over the API on terminals: routes for API keys, kiosks and terminals, the job that ends due
 * sales, and the consumer that follows their payments.
 */
export function terminalSalesModule(ports: {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
  events: Events & Pick<EventFeed, 'follow' | 'at'>;
  audit: AuditLog;
  businesses: Pick<BusinessService, 'find'>;
  nameOf: (businessId: string, actor: MerchantActor) => Promise<string>;
  terminals: Pick<TerminalService, 'find' | 'list' | 'configurationVersions'>;
  discrepancies: Discrepancies;
  payments: {
    readonly unknownSales: Pick<UnknownSales, 'open' | 'end'>;
    readonly endings: SaleEndings;
    readonly saleRecords: SaleRecords;
  };
  refreshed: (payment: PaymentRow) => Promise<PaymentRow>;
  receipts: ReceiptAddresses;
  rates: Rates;
  invoices: BitcoinInvoices;
  settings: TerminalSaleSettings;
  everyMs: number;
  retentionMs: number;
  /** For people at a terminal. */
  serviceVersion: string;
}): Module<
  TerminalSaleService &
    Pick<SaleTransitions, 'openAuthorisation'> &
    Pick<SaleBitcoin, 'onInvoiceChanged'> & {
      readonly bitcoin: SaleBitcoin;
      readonly channels: TerminalChannels;
      readonly commands: Omit<TerminalCommands, 'follow'>;
    }
> {
  const { everyMs, settings } = ports;
  const channels = terminalChannels(ports);
  const { endings, saleRecords: records, unknownSales } = ports.payments;
  const { lifetimeMs } = settings;
  const transitions = saleTransitions({ ...ports, unknownSales, endings, completeWithinMs: lifetimeMs });
  const bitcoin = saleBitcoin({ ...ports, endings, records, transitions, lifetimeMs });
  const options = { ...ports, unknownSales, transitions, channels, bitcoin };
  const sales = terminalSaleService({ ...options, records });
  const commands = terminalCommands(options);
  const directory = terminalDirectory(options);
  const endDueSales = dueTerminalSales({ ...options, endings });
  return {
    service: {
      ...sales,
      openAuthorisation: transitions.openAuthorisation,
      onInvoiceChanged: bitcoin.onInvoiceChanged,
      bitcoin,
      channels,
      commands,
    },
    routes: [
      ...apiRoutes({ ...ports, sales, directory }),
      ...kioskRoutes({ ...ports, sales, live: liveSales(ports), directory }),
      ...deviceRoutes({ ...ports, commands, channels }),
      ...bitcoinRoutes(bitcoin),
    ],
    jobs: [
      { name: 'terminal-sales', everyMs, batch, run: () => endDueSales(batch) },
      pruningJob('terminal-command-pruning', ports, (tx, options) => tx.run(deleteOldCommands, options)),
    ],
    consumers: [moneyFollower(transitions, ports.discrepancies)],
  };
}
