import type { Clock, Ids, Log, Random, Timers } from '@florin/shared/ports.ts';
import type { Printer } from '../printers/printer.ts';
import type { CardReader } from '../readers/reader.ts';
import type { BitcoinFlowPorts } from './bitcoin/flow.ts';
import { CurrentSale } from './current-sale.ts';
import { DayReport } from './day-report/day-report.ts';
import { ReaderDay } from './day-report/reader-day.ts';
import { createEnrolment } from './enrolment/enrolment.ts';
import type { Publish } from './facts.ts';
import type { ModeChangePorts } from './kiosk/mode-change.ts';
import { ShownResult } from './kiosk/shown-result.ts';
import { Languages } from './languages.ts';
import { ReceiptEmails } from './printing/emails.ts';
import { Printing } from './printing/printing.ts';
import type { RefundFlowPorts } from './refunds/flow.ts';
import { createCommandChannel } from './remote/channel.ts';
import { createRemoteSales } from './remote/remote-sales.ts';
import { createStatusReports } from './remote/status.ts';
import { SalesBrowsing } from './sales/browsing.ts';
import type { SaleFlowPorts } from './sales/flow.ts';
import type { Service } from './service/client.ts';
import { createLockouts } from './staff/lockouts.ts';
import { createOfflineChecks } from './staff/offline.ts';
import { createTamperingChecks } from './staff/tampering.ts';
import { createTrustedTime } from './staff/time.ts';
import { TerminalState } from './state.ts';
import { terminalHealth } from './status/health.ts';
import { StatusPage } from './status/status-page.ts';
import type { Store } from './store/store.ts';
import { createConnection } from './sync/connection.ts';
import { createEntryRecorder } from './sync/entries.ts';
import { createHeartbeat } from './sync/heartbeat.ts';
import { createPendingReports } from './sync/pending-reports.ts';
import { createSync } from './sync/sync.ts';
import { coreWords } from './words.ts';

export type TerminalPorts = {
  readonly store: Store;
  readonly service: Service;
  readonly reader: CardReader;
  /** `noPrinter` where none is set up. */
  readonly printer: Printer;
  readonly clock: Clock;
  /** Monotonic time with an arbitrary start. */
  readonly uptime: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  /** The locale of this machine: the language of staff until the terminal is enrolled. */
  readonly systemLocale: string;
  /** The version of this program, for support. */
  readonly appVersion: string;
  /** The support code of this launch. */
  readonly launchCode: string;
  /** The program and the machine, for support. */
  readonly platform: string;
  /** The last lines of its log, oldest first. */
  readonly recentLog: () => string[];
  /** The address of the service, for people. */
  readonly serviceAddress: string;
  /** The addresses of this machine that others in its network can see. */
  readonly networkAddresses: () => string[];
};

export type TerminalParts = ReturnType<typeof terminalParts>;

/** Creates and connects all parts of a terminal. They read its state, and publish what happened. */
export function terminalParts(ports: TerminalPorts, publish: Publish) {
  const { store, clock, random, reader, log, timers, ids, uptime } = ports;
  const state = new TerminalState(store);
  const changed = () => publish({ kind: 'changed' });
  const connection = createConnection({
    service: ports.service,
    token: () => enrolment.token(),
    uptime,
    random,
    log,
    publish,
  });
  const enrolment = createEnrolment({ store, connection, random });
  const enrolled = () => enrolment.isEnrolled();
  const time = createTrustedTime({ clock, uptime, store });
  const lockouts = createLockouts({ store, time, policy: () => state.configured().lockout });
  const entries = createEntryRecorder({
    store,
    time,
    ids,
    deviceKey: () => enrolment.deviceKey(),
    terminalId: () => state.configured().terminal.id,
  });
  const tampering = createTamperingChecks({ store, time, entries, log, enrolled });
  const pendingReports = createPendingReports({ store, connection, clock, log, publish });
  const sync = createSync({
    store,
    connection,
    pendingReports,
    time,
    timers,
    random,
    log,
    lockouts,
    enrolled,
    checkStorage: () => tampering.run(),
    publish,
  });
  const { isKiosk } = state;
  const languages = new Languages({ ...ports, state, requested: () => remoteSales.language(), changed });
  const { displaySettings, staffDisplay } = languages;
  const shared = { store, connection, clock, timers, log, changed, publish, isKiosk, displaySettings };
  const result = new ShownResult({ clock, timers, publish });
  const remoteSales = createRemoteSales({
    ...shared,
    staffDisplay,
    chosenByCustomer: () => languages.chosenByCustomer(),
    time,
    enrolled,
    state,
    result,
  });
  const statusReports = createStatusReports({
    ...shared,
    enrolled,
    status() {
      const { connection: link, batteryPercent, attention = null } = reader.status();
      const battery = batteryPercent === undefined ? null : Math.round(batteryPercent);
      return {
        appVersion: ports.appVersion,
        launchCode: ports.launchCode,
        activity: remoteSales.isUnderWay() ? null : state.activity(),
        reader: { connection: link, batteryPercent: battery, attention: attention && coreWords.en.reader[attention] },
      };
    },
    configurationVersion: () => state.configuration?.version,
    health: () => terminalHealth({ ...ports, time }),
  });
  const commandChannel = createCommandChannel({ ...shared, random, enrolled });
  async function deliverReports(): Promise<boolean> {
    const isReached = await pendingReports.deliver();
    changed();
    return isReached;
  }
  const flowPorts = { ...shared, time, requestedReference: remoteSales.reference };
  const salePorts: SaleFlowPorts = {
    ...flowPorts,
    reader,
    hasPrinter: () => ports.printer.status() !== 'none',
    requestedBy: remoteSales.requestedBy,
    deliverReports,
  };
  const bitcoinPorts: BitcoinFlowPorts = flowPorts;
  const refundPorts: RefundFlowPorts & ModeChangePorts = {
    ...shared,
    reader,
    ids,
    random,
    time,
    lockouts,
    configuration: () => state.configured(),
    staffDisplay,
    configurationChanged(configuration) {
      store.changeConfiguration(configuration);
      publish({ kind: 'configuration_changed', configuration });
    },
    offlineChecks: createOfflineChecks({
      store,
      time,
      entries,
      timeZone: () => state.configured().business.timeZone,
    }),
    flush: () => sync.round(),
    triggerSync: () => sync.trigger(),
  };
  function background(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (!state.isClosed) log.error({ error: String(error) }, 'work of the terminal failed');
    });
  }
  const readerDay = new ReaderDay({ ...shared, state, reader, ids, deliverReports, background });
  const heartbeat = createHeartbeat({ connection, timers, uptime, enrolled });
  const browsing = new SalesBrowsing({ ...shared, time });
  const dayReport = new DayReport({ ...shared, readerDay, time, uptime, printer: ports.printer });
  return {
    /** The screens among the sales, of which one is open at most. */
    browsed: [browsing, dayReport, readerDay],
    /** Background work from start to close. */
    running: [sync, heartbeat, commandChannel, statusReports],
    state,
    languages,
    connection,
    enrolment,
    time,
    sync,
    remoteSales,
    statusReports,
    commandChannel,
    browsing,
    readerDay,
    dayReport,
    statusPage: new StatusPage({
      ...ports,
      words: () => languages.staffWords(),
      connection,
      statusReports,
      time,
      changed,
      background,
    }),
    result,
    current: new CurrentSale({ ...shared, state, reader, ids, remoteSales, salePorts, bitcoinPorts, background }),
    receiptEmails: new ReceiptEmails({
      ...shared,
      isOffered: () => state.configuration?.business.emailsReceipts === true && !state.isKiosk(),
      words: () => displaySettings().words,
      customerLanguage: () => languages.ofCustomer(),
    }),
    printing: new Printing({
      ...shared,
      printer: ports.printer,
      remoteSales,
      businessDisplay: languages.businessDisplay,
      words: () => displaySettings().words,
      customerLanguage: () => languages.ofCustomer(),
      deliverReports,
    }),
    refundPorts,
    background,
  };
}
