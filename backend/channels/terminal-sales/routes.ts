import type { MerchantActor } from '@florin/shared/actor.ts';
import { getDevice, listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import {
  cancelTerminalSale,
  getTerminalSale,
  listTerminalSales,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import {
  acknowledgeCommand,
  announceReaderStart,
  followCommands,
  reportReceiptPrinted,
  reportSaleProgress,
  reportTerminalStatus,
} from '@florin/shared/contracts/device-v1/commands.ts';
import {
  cancelKioskSale,
  followKioskSale,
  getKioskSale,
  getKioskTerminal,
  startKioskSale,
} from '@florin/shared/contracts/kiosk-v1/sales.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, respondEvents, route } from '../../foundation/http/route.ts';
import { timestamp } from '../../money/payments/payment.ts';
import type { ReceiptAddresses } from '../../money/receipts/address.ts';
import { refundProblems } from '../../money/refunds/problems.ts';
import type { TerminalChannels } from './channels.ts';
import type { TerminalCommands } from './commands.ts';
import type { terminalDirectory } from './directory.ts';
import type { liveSales } from './live.ts';
import type { TerminalSaleRow } from './rows.ts';
import type { StartRefusal, TerminalSaleService } from './service.ts';
import { terminalSaleRecordOf } from './terminal-sale.ts';

const unknownSale = () => fail(404, 'sale_not_found', 'There is no such sale');

/** A sale as a response shows it. */
function shownWith(receipts: ReceiptAddresses) {
  const record = (sale: TerminalSaleRow) => terminalSaleRecordOf(sale, receipts);
  return {
    record,
    created: (sale: TerminalSaleRow) => respond(201, record(sale)),
    found: (sale: TerminalSaleRow) => respond(200, record(sale)),
  };
}

/** Routes for merchants' own programs. */
export function apiRoutes(options: {
  sales: TerminalSaleService;
  /** The key's display name at the terminal. */
  /** The display name of a key or of a user of the portal. */
  nameOf: (businessId: string, actor: MerchantActor) => Promise<string>;
  directory: Pick<ReturnType<typeof terminalDirectory>, 'ofBusiness' | 'list'>;
  receipts: ReceiptAddresses;
}): Route[] {
  const { sales, nameOf, directory } = options;
  const { record, created, found } = shownWith(options.receipts);
  const ofBusiness = ({ businessId }: { businessId: string }) => ({ businessId, terminalIds: null });
  return [
    route(getDevice, async ({ caller, params }) => {
      const terminal = await directory.ofBusiness(caller.businessId, params.id);
      return terminal ? respond(200, terminal) : fail(404, 'device_not_found', 'There is no such terminal');
    }),

    route(listDevices, async ({ caller, query }) => {
      const { mode = null, serial = null, enrolled = null } = query;
      const filter = { mode, serial, enrolled: enrolled === null ? null : enrolled === 'true' };
      const records = await directory.list({ businessId: caller.businessId, ...filter, ...pageBefore(query) });
      return respond(
        200,
        pageOf(records, query, ({ id }) => id),
      );
    }),

    route(startTerminalSale, async ({ caller, body, call }) => {
      const started = await sales.start({
        ...ofBusiness(caller),
        input: body,
        by: actorOf(caller),
        requestedBy: await nameOf(caller.businessId, actorOf(caller)),
        write: call.storing(created),
      });
      return started.ok ? created(started.value) : errorBy(startProblems, started.refusal);
    }),

    route(getTerminalSale, async ({ caller, params }) => {
      const sale = await sales.read(ofBusiness(caller), params.saleId);
      return sale ? respond(200, sale) : unknownSale();
    }),

    route(listTerminalSales, async ({ caller, query }) => {
      const { status = null, serial = null } = query;
      const rows = await sales.list({ businessId: caller.businessId, status, serial, ...pageBefore(query) });
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(record), nextCursor });
    }),

    route(cancelTerminalSale, async ({ caller, params, call }) => {
      const cancellation = { by: actorOf(caller), write: call.storing(found) };
      const sale = await sales.cancel(ofBusiness(caller), params.saleId, cancellation);
      return sale ? found(sale) : unknownSale();
    }),
  ];
}

/** Routes for kiosks, each limited to its own terminals. */
export function kioskRoutes(options: {
  sales: TerminalSaleService;
  live: ReturnType<typeof liveSales>;
  directory: Pick<ReturnType<typeof terminalDirectory>, 'ofCaller'>;
  receipts: ReceiptAddresses;
}): Route[] {
  const { sales, live, directory } = options;
  const { created, found } = shownWith(options.receipts);
  return [
    route(getKioskTerminal, async ({ caller, params }) => {
      const terminal = await directory.ofCaller(caller, params.serial);
      return terminal
        ? respond(200, terminal)
        : fail(404, 'terminal_not_found', startProblems.terminal_not_found.message);
    }),

    route(startKioskSale, async ({ caller, body, call }) => {
      const by = actorOf(caller);
      const request = { ...caller, input: body, by, requestedBy: caller.name, write: call.storing(created) };
      const started = await sales.start(request);
      return started.ok ? created(started.value) : errorBy(startProblems, started.refusal);
    }),

    route(getKioskSale, async ({ caller, params }) => {
      const sale = await sales.find(caller, params.saleId);
      return sale ? found(sale) : unknownSale();
    }),

    route(cancelKioskSale, async ({ caller, params, call }) => {
      const cancellation = { by: actorOf(caller), write: call.storing(found) };
      const sale = await sales.cancel(caller, params.saleId, cancellation);
      return sale ? found(sale) : unknownSale();
    }),

    route(followKioskSale, async ({ caller, params, lastEventId, over }) => {
      const sale = await sales.find(caller, params.saleId);
      return sale ? respondEvents(200, live(sale, { lastEventId, over })) : unknownSale();
    }),
  ];
}

/** Routes for terminals. */
export function deviceRoutes(options: {
  commands: TerminalCommands;
  channels: TerminalChannels;
  clock: Clock;
  serviceVersion: string;
}): Route[] {
  const { commands, channels, clock, serviceVersion } = options;
  return [
    route(followCommands, async ({ caller, over }) => respondEvents(200, commands.follow(caller, over))),

    route(acknowledgeCommand, async ({ caller, params, body }) => {
      const proceed = await commands.acknowledge(caller, params.commandId, body.outcome);
      if (proceed === undefined) return fail(404, 'command_not_found', 'There is no such command for this terminal');
      return respond(200, { proceed });
    }),

    route(announceReaderStart, async ({ caller, params }) => {
      const proceed = await commands.announceReader(caller, params.saleId);
      return proceed === undefined ? unknownSale() : respond(200, { proceed });
    }),

    route(reportSaleProgress, async ({ caller, params, body }) => {
      const isOver = await commands.report(caller, params.saleId, body);
      return isOver === undefined ? unknownSale() : respond(200, { isOver });
    }),

    route(reportReceiptPrinted, async ({ caller, params, body }) => {
      const printed = await commands.reportPrinted(caller, params.saleId, body.printed);
      return printed === undefined ? unknownSale() : respond(200, { printed });
    }),

    route(reportTerminalStatus, async ({ caller, body }) => {
      await channels.reported(caller, body);
      return respond(200, { serverTime: timestamp(clock.now()), serviceVersion });
    }),
  ];
}

const startProblems = {
  terminal_not_found: { status: 404, message: 'There is no enrolled terminal with this serial' },
  original_sale_not_found: { status: 404, message: 'There is no such sale to refund' },
  currency_differs: { status: 400, path: 'currency', message: 'must be the currency of this terminal' },
  bitcoin_not_available: { status: 409, message: 'This terminal does not take bitcoin' },
  amount_out_of_range: { status: 409, message: 'This amount is too large or too small to be paid in bitcoin here' },
  rate_unavailable: { status: 409, message: 'The price of bitcoin is not known just now' },
  terminal_busy: { status: 409, message: 'The terminal is in use' },
  sale_took_no_money: { status: 409, message: 'This sale took no money, so there is nothing to refund' },
  payment_already_cancelled: refundProblems.payment_already_cancelled,
  not_a_card_payment: refundProblems.not_a_card_payment,
  refund_exceeds_payment: refundProblems.refund_exceeds_payment,
  refund_in_progress: refundProblems.refund_in_progress,
  payment_settling: refundProblems.payment_settling,
  payment_not_settled: refundProblems.payment_not_settled,
  payment_outcome_unknown: refundProblems.payment_outcome_unknown,
  sale_not_refundable: { status: 409, message: 'This sale cannot be refunded: the service is returning its money' },
} as const satisfies ProblemTable<StartRefusal['kind']>;
