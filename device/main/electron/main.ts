import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  type WebFrameMain,
} from 'electron';
import electronUpdater from 'electron-updater';
import { channels } from '../../ipc/channels.ts';
import { customerView } from '../../ipc/customer-view.ts';
import { servedFiles } from '../browser/files.ts';
import { fileSecretBox } from '../browser/secret-file.ts';
import { type RunningTerminal, runTerminal } from '../compose.ts';
import { createLog } from '../platform/log.ts';
import { platformText, systemClock, systemRandom, systemTimers } from '../platform/system.ts';
import { channelHandlers } from './channels.ts';
import {
  displayUrl,
  isKeptFromKiosk,
  isLaunchedAgain,
  mayNavigate,
  pageHeaders,
  pageScheme,
  pageUrl,
  restartDelays,
  type Sender,
  webPreferences,
} from './policy.ts';
import { systemSecretBox } from './secret-box.ts';
import { type ElectronSettings, machineArguments, machineFileOf, readSettings } from './settings.ts';
import type { UpdateSource } from './signed-feed.ts';
import { startUpdates } from './updates.ts';

/**
 * This file only connects parts: each decision is in policy.ts, channels.ts, settings.ts or secret-box.ts, and tested
 * there.
 */

const out = fileURLToPath(new URL('.', import.meta.url));
const preload = join(out, '../preload/preload.cjs');
const rendererDirectory = join(out, '../../renderer/dist');
/** A packaged program has nowhere else to write to: Windows shows no standard error. */
const log = createLog({
  level: 'info',
  ...(app.isPackaged ? { file: join(app.getPath('logs'), 'terminal.log') } : {}),
  faultFile: join(app.getPath('logs'), 'last-fault.json'),
});

/** What the build was given; electron.vite.config.ts replaces the name. */
declare const florinUpdates: UpdateSource | undefined;

let window: BrowserWindow | undefined;
/** What customers see on a second screen. */
let display: BrowserWindow | undefined;
let isQuitting = false;

function servePage(): void {
  const files = servedFiles(rendererDirectory);
  protocol.handle(pageScheme, request => {
    const { pathname } = new URL(request.url);
    const file = request.method === 'GET' ? files.get(pathname) : undefined;
    if (!file) return new Response('Not found', { status: 404, headers: pageHeaders });
    return new Response(new Uint8Array(file.body), { headers: { ...pageHeaders, 'content-type': file.type } });
  });
}

function denyEverythingElse(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  defaultSession.setPermissionCheckHandler(() => false);
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.on('will-download', event => event.preventDefault());
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', event => event.preventDefault());
    const stay = (event: { readonly url: string; preventDefault(): void }) => {
      if (!mayNavigate(event.url)) event.preventDefault();
    };
    contents.on('will-navigate', stay);
    contents.on('will-redirect', stay);
    contents.on('will-frame-navigate', stay);
  });
}

function windowOf(contentsId: number): Sender['window'] {
  if (window?.webContents.id === contentsId) return 'terminal';
  return display?.webContents.id === contentsId ? 'display' : undefined;
}

function senderOf(frame: WebFrameMain | null, contentsId: number): Sender {
  return {
    url: frame?.url ?? '',
    isMainFrame: frame !== null && frame.parent === null,
    window: windowOf(contentsId),
  };
}

function connect(running: RunningTerminal): void {
  const handlers = channelHandlers({ terminal: running.terminal, log });
  ipcMain.handle(channels.action, (event, given: unknown) =>
    handlers.action(senderOf(event.senderFrame, event.sender.id), given),
  );
  ipcMain.on(channels.watch, event => {
    const sender = senderOf(event.senderFrame, event.sender.id);
    if (!handlers.mayWatch(sender)) return;
    const view = running.terminal.view();
    event.sender.send(channels.view, sender.window === 'display' ? customerView(view) : view);
  });
  running.terminal.onView(view => {
    if (window && !window.webContents.isCrashed()) window.webContents.send(channels.view, view);
    if (display && !display.webContents.isCrashed()) display.webContents.send(channels.view, customerView(view));
  });
}

function openWindow(settings: ElectronSettings): void {
  const { isKiosk } = settings;
  const opened = new BrowserWindow({
    width: 1024,
    height: 768,
    minWidth: 480,
    minHeight: 640,
    kiosk: isKiosk,
    fullscreen: isKiosk,
    autoHideMenuBar: true,
    backgroundColor: '#ffffff',
    show: false,
    webPreferences: { ...webPreferences(preload), devTools: !app.isPackaged },
  });
  window = opened;
  const delay = restartDelays(() => Date.now());
  const load = () =>
    void opened
      .loadURL(pageUrl)
      .catch((error: unknown) => log.error({ error: String(error) }, 'the page could not be loaded'));
  const { webContents } = opened;
  webContents.on('render-process-gone', (_event, details) => {
    log.error({ reason: details.reason }, 'the page crashed');
    setTimeout(load, delay());
  });
  opened.on('unresponsive', () => {
    log.error({}, 'the page does not respond');
    webContents.forcefullyCrashRenderer();
  });
  if (isKiosk) {
    webContents.on('before-input-event', (event, input) => {
      if (isKeptFromKiosk(input)) event.preventDefault();
    });
    opened.on('close', event => {
      if (!isQuitting) event.preventDefault();
    });
  }
  opened.once('ready-to-show', () => opened.show());
  opened.on('closed', () => {
    window = undefined;
  });
  load();
}

/** On the second screen, full screen; without one it is not opened. */
function openDisplay(): void {
  const second = screen.getAllDisplays().find(({ id }) => id !== screen.getPrimaryDisplay().id);
  if (!second) {
    log.warn({}, 'there is no second screen for the customers’ display');
    return;
  }
  const opened = new BrowserWindow({
    ...second.bounds,
    fullscreen: true,
    focusable: false,
    autoHideMenuBar: true,
    backgroundColor: '#ffffff',
    webPreferences: { ...webPreferences(preload), devTools: false },
  });
  display = opened;
  const delay = restartDelays(() => Date.now());
  const load = () =>
    void opened
      .loadURL(displayUrl)
      .catch((error: unknown) => log.error({ error: String(error) }, 'the customers’ display could not be loaded'));
  opened.webContents.on('render-process-gone', () => setTimeout(load, delay()));
  opened.on('closed', () => {
    display = undefined;
  });
  load();
}

/** Updates, and a kiosk that starts with the system. */
function keepInstalled({ terminal }: RunningTerminal, { isKiosk }: ElectronSettings): void {
  if (florinUpdates)
    startUpdates({
      updater: electronUpdater.autoUpdater,
      source: florinUpdates,
      terminal,
      untouchedMs: () => powerMonitor.getSystemIdleTime() * 1_000,
      clock: systemClock,
      timers: systemTimers,
      random: systemRandom,
      log,
    });
  else log.info({}, 'this program was built without an address and a key of updates');
  if (process.platform !== 'linux') app.setLoginItemSettings({ openAtLogin: isKiosk });
}

function machineOptions(): string[] {
  const file = machineFileOf(process.platform, process.env);
  return existsSync(file) ? machineArguments(readFileSync(file, 'utf8')) : [];
}

async function run(settings: ElectronSettings): Promise<void> {
  await app.whenReady();
  Menu.setApplicationMenu(null);
  servePage();
  denyEverythingElse();
  const running = runTerminal({
    serviceUrl: settings.serviceUrl,
    printer: settings.printer,
    dataDirectory: settings.dataDirectory ?? join(app.getPath('userData'), 'terminal'),
    readerProtocol: settings.readerProtocol,
    readerPassword: settings.readerPassword,
    readerPaths: settings.readerPaths,
    platform: platformText(`Electron ${process.versions.electron}`),
    secrets: directory =>
      systemSecretBox({ safeStorage, file: () => fileSecretBox(join(directory, 'secret.key')), log }),
    log,
  });
  connect(running);
  if (app.isPackaged) keepInstalled(running, settings);
  openWindow(settings);
  if (settings.hasCustomerDisplay) openDisplay();
  app.on('second-instance', () => {
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  window?.on('closed', () => app.quit());
  app.on('before-quit', event => {
    if (isQuitting) return;
    isQuitting = true;
    event.preventDefault();
    void running.close().finally(() => app.quit());
  });
}

/**
 * Electron would show a dialog and go on with a program whose storage is behind what it did. Launched again, it goes on
 * from what is stored.
 */
function endOnFault(): void {
  const launchedAt = Date.now();
  process.on('uncaughtException', error => {
    log.fault(error);
    if (isLaunchedAgain({ ranForMs: Date.now() - launchedAt })) app.relaunch();
    else dialog.showErrorBox('Florin failed', error.message);
    app.exit(1);
  });
}

endOnFault();
protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true } }]);
app.enableSandbox();
const settings = readSettings([...machineOptions(), ...process.argv.slice(1)]);
if ('problem' in settings) {
  dialog.showErrorBox('Florin', settings.problem);
  app.exit(2);
} else if (app.requestSingleInstanceLock()) {
  run(settings).catch((error: unknown) => {
    log.error({ error: String(error) }, 'the terminal could not start');
    dialog.showErrorBox('Florin could not start', error instanceof Error ? error.message : String(error));
    app.exit(1);
  });
} else {
  // Two programs would share one database and one reader, so the first one keeps both and comes to the front.
  app.quit();
}
