import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { idPrefixes, type Log } from '@florin/shared/ports.ts';
import { supportCodeOf } from '@florin/shared/signing/support-code.ts';
import type { SecretBox } from '../core/ports.ts';
import { createService } from '../core/service/client.ts';
import { openStore } from '../core/store/store.ts';
import { createTerminal, type Terminal } from '../core/terminal.ts';
import manifest from '../package.json' with { type: 'json' };
import { openPrinter } from '../printers/drivers.ts';
import type { PrinterSettings } from '../printers/settings.ts';
import { readerDriver } from '../readers/drivers.ts';
import type { TerminalLog } from './platform/log.ts';
import { readerStorage } from './platform/reader-storage.ts';
import {
  networkAddresses,
  systemClock,
  systemIds,
  systemRandom,
  systemTimers,
  systemUptime,
} from './platform/system.ts';

export type TerminalOptions = {
  /** The base URL of the payments service: http(s)://host:port. */
  readonly serviceUrl: string;
  /** The terminal's data folder; created if missing, readable by this user only. */
  readonly dataDirectory: string;
  /** One of `readerProtocols`. */
  readonly readerProtocol: string;
  /** For readers that ask their till for one; six digits. */
  readonly readerPassword?: string | undefined;
  /** Serial ports to try, or every port the system lists. */
  readonly readerPaths: readonly string[] | 'discover';
  /** Undefined without a printer. */
  readonly printer: PrinterSettings | undefined;
  readonly secrets: (dataDirectory: string) => SecretBox;
  /** The program and the machine, for support. */
  readonly platform: string;
  readonly log: TerminalLog;
};

export type RunningTerminal = { readonly terminal: Terminal; close(): Promise<void> };

/** The terminal with its real adapters, for both hosts. */
export function runTerminal(options: TerminalOptions): RunningTerminal {
  const { dataDirectory } = options;
  const launchCode = supportCodeOf(systemIds.next(idPrefixes.launch));
  const log = logOfLaunch(options.log, launchCode);
  makeFolder(dataDirectory);
  const store = openStore({ file: join(dataDirectory, 'terminal.db'), secrets: options.secrets(dataDirectory) });
  if (store.rescue) log.error({ ...store.rescue }, 'the database was damaged and has been rebuilt');
  const service = createService({ baseUrl: options.serviceUrl, timers: systemTimers, random: systemRandom, log });
  const reader = readerDriver(options.readerProtocol).open({
    paths: options.readerPaths,
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    hostName: hostname()
      .replaceAll(/[^A-Za-z0-9.-]/g, '-')
      .slice(0, 40),
    log,
    ...(options.readerPassword === undefined ? {} : { password: options.readerPassword }),
    storage: readerStorage(join(dataDirectory, `reader-${options.readerProtocol}.json`)),
    onAlarm: alarm => log.error({ ...alarm }, 'reader alarm'),
  });
  const printer = openPrinter(options.printer, { timers: systemTimers, log });
  const terminal = createTerminal({
    store,
    service,
    reader,
    printer,
    clock: systemClock,
    uptime: systemUptime,
    timers: systemTimers,
    random: systemRandom,
    ids: systemIds,
    log,
    systemLocale: Intl.DateTimeFormat().resolvedOptions().locale,
    appVersion: manifest.version,
    launchCode,
    platform: options.platform,
    recentLog: options.log.recent,
    serviceAddress: options.serviceUrl,
    networkAddresses,
  });
  log.info({ appVersion: manifest.version, service: options.serviceUrl }, 'the terminal was launched');
  terminal.start();
  return {
    terminal,
    async close() {
      terminal.close();
      await Promise.all([reader.close(), printer.close()]);
      await service.close();
      store.close();
    },
  };
}

/** Each line names the launch, so that its support code finds them all. */
function logOfLaunch(log: Log, launchCode: string): Log {
  return {
    info: (facts, message) => log.info({ launchCode, ...facts }, message),
    warn: (facts, message) => log.warn({ launchCode, ...facts }, message),
    error: (facts, message) => log.error({ launchCode, ...facts }, message),
  };
}
