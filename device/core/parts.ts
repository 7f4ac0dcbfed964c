import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { TerminalActivity } from '@florin/shared/contracts/terminal-sales.ts';
import type { Clock, Ids, Log, Random, Timers } from '@florin/shared/ports.ts';
import type { CardReader } from '../readers/reader.ts';
import type { BitcoinFlowPorts } from './bitcoin/flow.ts';
import type { BitcoinContext } from './bitcoin/machine.ts';
import { createEnrolment } from './enrolment/enrolment.ts';
import type { RefundFlowPorts } from './refunds/flow.ts';
import { createCommandChannel } from './remote/channel.ts';
import { createRemoteSales, type RemoteSalesPorts } from './remote/remote-sales.ts';
import { createStatusReports } from './remote/status.ts';
import { SalesBrowsing } from './sales/browsing.ts';
import type { SaleFlowPorts } from './sales/flow.ts';
import type { Service } from './service/client.ts';
import { createLockouts } from './staff/lockouts.ts';
import { createOfflineChecks } from './staff/offline.ts';
import { createTamperingChecks } from './staff/tampering.ts';
import { createTrustedTime } from './staff/time.ts';
import type { SaleReport, Store } from './store/store.ts';
import { createConnection } from './sync/connection.ts';
import { createEntryRecorder } from './sync/entries.ts';
import { createHeartbeat } from './sync/heartbeat.ts';
import { createPendingReports } from './sync/pending-reports.ts';
import { createSync } from './sync/sync.ts';
import type { DisplaySettings } from './words.ts';

export type TerminalPorts = {
  readonly store: Store;
  readonly service: Service;
  readonly reader: CardReader;
  readonly clock: Clock;
  /** Monotonic time with an arbitrary start. */
  readonly uptime: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  /** The version of this program, for support. */
  readonly appVersion: string;
};

/** What the parts need from the terminal that contains them. */
export type TerminalCallbacks = {
  readonly configuration: () => TerminalConfiguration;
  readonly configurationChanged: (configuration: TerminalConfiguration) => void;
  readonly connectionChanged: (isOnline: boolean) => void;
  /** The service rejected this terminal's token. */
  readonly revoked: () => void;
  readonly recordChanged: (record: SaleRecord) => void;
  readonly reversalRefused: (saleId: string) => void;
  /** The outcome of a sale in bitcoin. */
  readonly bitcoinChanged: (sale: BitcoinSale) => void;
  /** The service knows the bank's response for a sale of this terminal. */
  readonly bankAnswered: (saleId: string) => void;
  /** The stream is connected again: changes made meanwhile must be read. */
  readonly streamOpened: () => void;
  /** A bitcoin sale was switched to a card payment. */
  readonly goToCard: (sale: BitcoinContext) => void;
  /** The report that must be stored for the current sale if the terminal is moved to another business. */
  readonly unresolvedSale: () => SaleReport | undefined;
  readonly displaySettings: () => DisplaySettings;
  readonly changed: () => void;
  /** What the terminal is used for other than a sale that software started; null where it is free. */
  readonly activity: () => TerminalActivity | null;
  readonly remote: Pick<RemoteSalesPorts, 'isFree' | 'resultHeldUntil' | 'begin' | 'sale' | 'refund'>;
};

export type TerminalParts = ReturnType<typeof terminalParts>;

/** Creates and connects all parts of a terminal. */
export function terminalParts(ports: TerminalPorts, terminal: TerminalCallbacks) {
  const { store, clock, random, log, timers, ids } = ports;
  const connection = createConnection({
    service: ports.service,
    token: () => enrolment.token(),
    uptime: ports.uptime,
    log,
    changed: state => terminal.connectionChanged(state === 'online'),
    revoked: terminal.revoked,
  });
  const enrolment = createEnrolment({ store, connection, random, unresolved: terminal.unresolvedSale });
  const enrolled = () => enrolment.isEnrolled();
  const time = createTrustedTime({ clock, uptime: ports.uptime, store });
  const lockouts = createLockouts({ store, time, policy: () => terminal.configuration().lockout });
  const entries = createEntryRecorder({
    store,
    time,
    ids,
    deviceKey: () => enrolment.deviceKey(),
    terminalId: () => terminal.configuration().terminal.id,
  });
  const tampering = createTamperingChecks({ store, time, entries, log, enrolled });
  const pendingReports = createPendingReports({
    store,
    connection,
    time,
    log,
    acknowledged: terminal.recordChanged,
    reversalRefused: terminal.reversalRefused,
  });
  const sync = createSync({
    store,
    connection,
    pendingReports,
    time,
    timers,
    log,
    lockouts,
    enrolled,
    checkStorage: () => tampering.run(),
    configurationChanged: terminal.configurationChanged,
    progressed: terminal.changed,
    received: command => remoteSales.received(command),
  });
  const shared = { store, connection, clock, timers, log, changed: terminal.changed };
  const isKiosk = () => terminal.configuration().terminal.mode === 'kiosk';
  const remoteSales = createRemoteSales({ ...shared, time, enrolled, isKiosk, ...terminal.remote });
  const statusReports = createStatusReports({
    ...shared,
    enrolled,
    status() {
      const { connection: link, batteryPercent, attention = null } = ports.reader.status();
      const battery = batteryPercent === undefined ? null : Math.round(batteryPercent);
      return {
        appVersion: ports.appVersion,
        activity: terminal.activity(),
        reader: { connection: link, batteryPercent: battery, attention },
      };
    },
  });
  const commandChannel = createCommandChannel({
    ...shared,
    enrolled,
    opened() {
      statusReports.repeat();
      terminal.streamOpened();
    },
    received: command => remoteSales.received(command),
    settingsChanged: () => sync.trigger(),
    bitcoinChanged: terminal.bitcoinChanged,
    bankAnswered: terminal.bankAnswered,
  });
  const salePorts: SaleFlowPorts = {
    ...shared,
    isKiosk,
    reader: ports.reader,
    displaySettings: terminal.displaySettings,
    requestedBy: remoteSales.requestedBy,
    async deliverReports() {
      const isReached = await pendingReports.deliver();
      terminal.changed();
      return isReached;
    },
  };
  const bitcoinPorts: BitcoinFlowPorts = {
    ...shared,
    time,
    displaySettings: terminal.displaySettings,
    isKiosk,
    goToCard: terminal.goToCard,
  };
  const refundPorts: RefundFlowPorts = {
    ...shared,
    reader: ports.reader,
    ids,
    random,
    time,
    lockouts,
    configuration: terminal.configuration,
    configurationChanged(configuration) {
      store.changeConfiguration(configuration);
      terminal.configurationChanged(configuration);
    },
    offlineChecks: createOfflineChecks({
      store,
      time,
      entries,
      timeZone: () => terminal.configuration().business.timeZone,
    }),
    flush: () => sync.round(),
    triggerSync: () => sync.trigger(),
  };
  return {
    connection,
    enrolment,
    time,
    sync,
    remoteSales,
    statusReports,
    commandChannel,
    heartbeat: createHeartbeat({ connection, timers, uptime: ports.uptime, enrolled }),
    browsing: new SalesBrowsing({ ...shared, displaySettings: terminal.displaySettings }),
    salePorts,
    bitcoinPorts,
    refundPorts,
  };
}
