import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import { systemClock, systemRandom, systemTimers } from '../../../foundation/platform/system.ts';
import { type Listener, listener } from '../http.ts';
import { type MerchantAccount, sandboxAccounts } from './accounts.ts';
import { callbackSender } from './callbacks.ts';
import { type Control, controlHandler } from './control.ts';
import { type FaultQueue, faultQueue } from './faults.ts';
import { ledgerOf } from './ledger.ts';
import { moneyHandler } from './money-port.ts';
import { dailyAt, settle } from './settlement.ts';
import { openStore } from './store.ts';
import { type Transactions, transactions } from './transactions.ts';
import { unsolicited } from './unsolicited.ts';

export type CardGatewaySandboxOptions = {
  /** SQLite file, or `:memory:`. */
  readonly file: string;
  /** Default 0: any free port. */
  readonly port?: number;
  readonly controlPort?: number;
  readonly accounts?: readonly MerchantAccount[];
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly random?: Random;
  /** Hour of the daily settlement run, UTC; undefined runs it on demand only. */
  readonly settleDailyAtHourUtc?: number;
};

export type CardGatewaySandbox = {
  readonly url: string;
  /** The equivalent of the real gateway's `/direct/`. */
  readonly directUrl: string;
  readonly cardPresentUrl: string;
  readonly restUrl: string;
  /** In place of the hosted card fields: exchanges a card for a payment token. */
  readonly tokenUrl: string;
  readonly controlUrl: string;
  readonly accounts: readonly MerchantAccount[];
  /** The control interface without HTTP, for programs that run the sandbox in process. */
  readonly control: Control;
  close(): Promise<void>;
};

/** Starts a card gateway on 127.0.0.1 with its own ledger. Resolves once both ports accept connections. */
export async function startCardGatewaySandbox(options: CardGatewaySandboxOptions): Promise<CardGatewaySandbox> {
  const clock = options.clock ?? systemClock;
  const timers = options.timers ?? systemTimers;
  const random = options.random ?? systemRandom;
  const accounts = options.accounts ?? sandboxAccounts;
  const store = openStore(options.file);
  const faults = faultQueue();
  const flow = transactions({ store, clock, random, acsUrl: () => money.url() });
  const callbacks = callbackSender({ store, timers });
  const port = moneyHandler({ store, accounts, faults, transactions: flow, callbacks, timers, random });
  const money: Listener = listener({
    port: options.port ?? 0,
    handle: (request, response) => port.handle(request, response),
  });
  const control = controlOver({
    store,
    clock,
    timers,
    faults,
    money,
    transactions: flow,
    unsolicited: unsolicited({ store, clock, random, accounts, transactions: flow, callbacks }),
  });
  const controlServer = listener({ port: options.controlPort ?? 0, handle: controlHandler(control) });
  await money.open();
  await controlServer.open();
  const stopSchedule =
    options.settleDailyAtHourUtc === undefined
      ? () => undefined
      : dailyAt({ hourUtc: options.settleDailyAtHourUtc, clock, timers, run: () => settle({ store, clock }) });
  const url = money.url();
  return {
    url,
    directUrl: `${url}/direct/`,
    cardPresentUrl: `${url}/card-present`,
    restUrl: `${url}/rest/transactions`,
    tokenUrl: `${url}/tokens`,
    controlUrl: controlServer.url(),
    accounts,
    control,
    async close() {
      stopSchedule();
      port.close();
      await Promise.all([money.close(), controlServer.close(), callbacks.close()]);
      store.close();
    },
  };
}

function controlOver(options: {
  store: ReturnType<typeof openStore>;
  clock: Clock;
  timers: Timers;
  faults: FaultQueue;
  money: Listener;
  transactions: Transactions;
  unsolicited: ReturnType<typeof unsolicited>;
}): Control {
  const { store, faults, money, timers } = options;
  return {
    addFault: next => faults.add(next),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    async refuseConnections(forMs) {
      await money.close();
      if (forMs !== undefined) timers.after(forMs, () => void money.open());
    },
    acceptConnections: () => money.open(),
    settle: (stage, about) => settle({ store, clock: options.clock }, stage, about),
    secondApproval: xref => options.unsolicited.secondApproval(xref),
    callback: about => options.unsolicited.callback(about),
    knows: xref => store.byXref(xref) !== undefined,
    transactions: store.all,
    requests: store.requests,
    callbacks: store.callbacks,
    ledger: () => ledgerOf(store),
    advanceDuplicates: seconds => options.transactions.duplicates.advance(seconds * 1000),
    resetDuplicates: () => options.transactions.duplicates.reset(),
    reset() {
      faults.clear();
      store.reset();
    },
  };
}
