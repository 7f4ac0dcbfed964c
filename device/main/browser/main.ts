import { join } from 'node:path';
import { FolderFailure } from '@florin/shared/files/folder.ts';
import { StorageError } from '../../core/store/database.ts';
import { runTerminal } from '../compose.ts';
import { createLog } from '../platform/log.ts';
import { platformText, systemTimers } from '../platform/system.ts';
import { readCommandLine, type Settings } from './command-line.ts';
import { startBrowserHost } from './host.ts';
import { screensFolder } from './screens-folder.ts';
import { fileSecretBox, keptSecret } from './secret-file.ts';
import { notifySystemd } from './systemd.ts';

async function run(settings: Settings): Promise<void> {
  const log = createLog({
    level: settings.quiet ? 'warn' : 'info',
    faultFile: join(settings.data, 'last-fault.json'),
  });
  // Node.js would end the program too; its supervisor starts it again.
  process.on('uncaughtException', error => {
    log.fault(error);
    process.exit(1);
  });
  const running = runTerminal({
    serviceUrl: settings.service,
    dataDirectory: settings.data,
    readerProtocol: settings.readerProtocol,
    readerPassword: settings.readerPassword,
    readerPaths: settings.readerPaths,
    printer: settings.printer,
    platform: platformText('Browser host'),
    secrets: directory => fileSecretBox(join(directory, 'secret.key')),
    log,
  });
  const host = await startBrowserHost({
    terminal: running.terminal,
    rendererDirectory: settings.renderer ?? screensFolder(),
    port: settings.port,
    // The token is kept across restarts, so that an open page reconnects.
    token: keptSecret({ file: join(settings.data, 'page.key'), bytes: 24 }).toString('base64url'),
    displayToken: keptSecret({ file: join(settings.data, 'display.key'), bytes: 24 }).toString('base64url'),
    log,
  });
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void host
      .close()
      .then(() => running.close())
      .then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  notifySystemd({ environment: process.env, timers: systemTimers, log });
  console.log(
    settings.json
      ? JSON.stringify({ ready: true, url: host.url, displayUrl: host.displayUrl, port: host.port, pid: process.pid })
      : `The terminal is at ${host.url}\nIts customers’ display, for a second screen, is at ${host.displayUrl}`,
  );
}

run(readCommandLine(process)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof FolderFailure || error instanceof StorageError ? 2 : 1);
});
