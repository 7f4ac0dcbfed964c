import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { noLog } from '../../../test/support/log.ts';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';
import { fileSecretBox } from '../browser/secret-file.ts';
import { channelHandlers } from './channels.ts';
import {
  isKeptFromKiosk,
  isLaunchedAgain,
  isOwnPage,
  mayNavigate,
  mayUseChannel,
  pageHeaders,
  pageUrl,
  restartDelays,
  type Sender,
  webPreferences,
} from './policy.ts';
import { systemSecretBox } from './secret-box.ts';
import { machineArguments, machineFileOf, readSettings } from './settings.ts';

const ownPage: Sender = { url: pageUrl, isMainFrame: true, window: 'terminal' };
let world: TerminalWorld | undefined;
const folders: string[] = [];
afterEach(async () => {
  await world?.end();
  world = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

test.each([
  'https://evil.example/',
  'file:///etc/passwd',
  'florin://terminal.evil.example/',
  'florin://user@terminal/',
  'http://127.0.0.1/',
  'data:text/html,x',
  'javascript:alert(1)',
  'about:blank',
  '',
])('the window never navigates to %j, and ignores frames from there', url => {
  expect(mayNavigate(url)).toBe(false);
  expect(isOwnPage(url)).toBe(false);
  expect(mayUseChannel('watch', { ...ownPage, url })).toBe(false);
});

test('only the page itself, in its own window, may use the channels; the customer’s display may only watch', () => {
  for (const channel of ['action', 'watch'] as const) {
    expect(mayUseChannel(channel, ownPage)).toBe(true);
    expect(mayUseChannel(channel, { ...ownPage, isMainFrame: false })).toBe(false);
    expect(mayUseChannel(channel, { ...ownPage, window: undefined })).toBe(false);
    expect(mayUseChannel(channel, { ...ownPage, window: 'display' })).toBe(channel === 'watch');
  }
});

test('an action of a foreign frame is rejected and changes nothing; a malformed one of the page gets an error', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  const handlers = channelHandlers({ terminal: world.terminal, log: noLog });
  const before = world.terminal.view();
  const sale = { name: 'start_sale', amountMinor: 1 };
  await expect(handlers.action({ ...ownPage, isMainFrame: false }, sale)).rejects.toThrow('refused');
  expect(handlers.mayWatch({ ...ownPage, url: 'https://evil.example/' })).toBe(false);
  for (const bad of [
    undefined,
    null,
    'start_sale',
    [],
    { name: 'nothing' },
    { name: 'start_sale', amountMinor: 0.5 },
  ]) {
    expect(await handlers.action(ownPage, bad)).toMatchObject({ kind: 'invalid' });
  }
  const huge = { name: 'enrol', code: 'x'.repeat(20_000) };
  expect(await handlers.action(ownPage, huge)).toEqual({ kind: 'invalid', message: 'message: is too large' });
  expect(world.terminal.view().screen).toEqual(before.screen);
  expect(await handlers.action(ownPage, sale)).toEqual({ kind: 'accepted' });
});

test('the page runs sandboxed, isolated and under a policy without inline script or eval', () => {
  expect(webPreferences('/preload.cjs')).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
  const policy = pageHeaders['content-security-policy'];
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*/);
});

test('in kiosk mode keys that leave the page have no effect, and typing works', () => {
  const press = (key: string, held: Partial<{ control: boolean; alt: boolean; meta: boolean }> = {}) =>
    isKeptFromKiosk({ key, control: false, alt: false, meta: false, ...held });
  expect(press('F5')).toBe(true);
  expect(press('F12')).toBe(true);
  expect(press('F4', { alt: true })).toBe(true);
  for (const key of ['r', 'R', 'I', 'w', 'q', 'n', 't', 'p', 'u', 's', '+'])
    expect(press(key, { control: true })).toBe(true);
  expect(press('5')).toBe(false);
  expect(press('Enter')).toBe(false);
  expect(press('v', { control: true })).toBe(false);
});

test('the options of a machine come from a file, and those of the command line come after them', () => {
  const file = `# The counter by the door
--service https://pay.example.com
--reader /dev/tty with space
--kiosk
`;
  expect(readSettings([...machineArguments(file), '--service', 'https://other.example.com'])).toMatchObject({
    serviceUrl: 'https://other.example.com',
    readerPaths: ['/dev/tty with space'],
    isKiosk: true,
  });
  expect(machineArguments('')).toEqual([]);
  const places = (['linux', 'darwin', 'win32'] as const).map(platform =>
    machineFileOf(platform, { ProgramData: 'D:\\P' }),
  );
  expect(places).toEqual([
    '/etc/florin/terminal.conf',
    '/Library/Application Support/Florin/terminal.conf',
    'D:\\P\\Florin\\terminal.conf',
  ]);
});

test('a program that failed is launched again, unless it fails as soon as it is launched', () => {
  expect(isLaunchedAgain({ ranForMs: 60_000 })).toBe(true);
  expect(isLaunchedAgain({ ranForMs: 500 })).toBe(false);
});

test('a page that crashes repeatedly is reloaded with growing delays, which are short again after a stable time', () => {
  let now = 0;
  const next = restartDelays(() => now);
  expect([next(), next(), next()]).toEqual([250, 500, 1_000]);
  for (let crash = 0; crash < 10; crash += 1) next();
  expect(next()).toBe(30_000);
  now += 61_000;
  expect(next()).toBe(250);
});

test('secrets are sealed with the system’s key store or otherwise the key file, and can be read again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-secrets-'));
  folders.push(folder);
  let isAvailable = true;
  const safeStorage = {
    isEncryptionAvailable: () => isAvailable,
    encryptString: (plain: string) => Buffer.from(plain, 'utf8').reverse(),
    decryptString: (sealed: Buffer) => Buffer.from(sealed).reverse().toString('utf8'),
  };
  const box = systemSecretBox({ safeStorage, file: () => fileSecretBox(join(folder, 'secret.key')), log: noLog });
  const bySystem = box.seal('token');
  isAvailable = false;
  const byFile = box.seal('token');
  expect(byFile).not.toContain('token');
  expect([box.open(bySystem), box.open(byFile), box.open('rubbish')]).toEqual(['token', 'token', undefined]);
});

test('the program’s own arguments are read among the browser engine’s, and wrong ones are named', () => {
  const settings = readSettings([
    '--service',
    'https://pay.example',
    '--kiosk',
    '--disable-gpu',
    '--reader',
    '/dev/ttyX',
  ]);
  expect(settings).toMatchObject({ serviceUrl: 'https://pay.example', isKiosk: true, readerPaths: ['/dev/ttyX'] });
  expect(readSettings(['--service', 'ftp://x'])).toEqual({ problem: '--service must be an http or https address' });
  expect(readSettings(['--reader-protocol', 'x'])).toEqual({
    problem: expect.stringMatching(/^--reader-protocol must be line/),
  });
  expect(readSettings(['.'])).toMatchObject({
    serviceUrl: 'http://127.0.0.1:4100',
    readerProtocol: 'line',
    readerPaths: 'discover',
  });
});
