import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { noLog } from '../../../test/support/log.ts';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';
import { serverMessage } from '../../ipc/socket.ts';
import type { View } from '../../ipc/view.ts';
import { readCommandLine } from './command-line.ts';
import { type BrowserHost, startBrowserHost } from './host.ts';
import { fileSecretBox } from './secret-file.ts';

const token = 'page-token';
let world: TerminalWorld;
let host: BrowserHost;
let folder: string;

beforeEach(async () => {
  world = await TerminalWorld.begin();
  folder = mkdtempSync(join(tmpdir(), 'florin-page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Florin</title>');
  writeFileSync(join(folder, 'assets/app-1.js'), 'export {};');
  writeFileSync(join(folder, 'notes.secret'), 'not served');
  host = await startBrowserHost({
    terminal: world.terminal,
    rendererDirectory: folder,
    port: 0,
    token,
    displayToken: 'display-token',
    log: noLog,
  });
});
afterEach(async () => {
  await host.close();
  await world.end();
  rmSync(folder, { recursive: true });
});

type Got = { status: number; headers: Record<string, unknown>; text: string };

function get(path: string, options: { host?: string; method?: string } = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const headers = options.host ? { host: options.host } : {};
    const asked = request(
      { host: '127.0.0.1', port: host.port, path, method: options.method ?? 'GET', headers },
      answer => {
        let text = '';
        answer.on('data', chunk => (text += String(chunk)));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

class Page {
  readonly socket: WebSocket;
  readonly messages: ReturnType<typeof serverMessage.parse>[] = [];
  closed: number | undefined;
  refused: number | undefined;

  constructor(options: { origin?: string; path?: string; host?: string } = {}) {
    const { origin = `http://127.0.0.1:${host.port}`, path = '/terminal' } = options;
    const headers = options.host ? { host: options.host } : {};
    this.socket = new WebSocket(`ws://127.0.0.1:${host.port}${path}`, { origin, headers });
    this.socket.on('message', (data: Buffer) =>
      this.messages.push(serverMessage.parse(JSON.parse(data.toString('utf8')))),
    );
    this.socket.on('close', code => (this.closed = code));
    this.socket.on('unexpected-response', (_request, response) => {
      this.refused = response.statusCode;
      response.resume();
    });
    this.socket.on('error', () => undefined);
  }

  static async open(): Promise<Page> {
    const page = new Page();
    await world.until('the socket', () => page.socket.readyState === page.socket.OPEN);
    page.say({ type: 'hello', token });
    await world.until('the first View', () => page.messages.length > 0);
    return page;
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  answer(id: number) {
    return world.until(`answer ${id}`, () => {
      const found = this.messages.find(message => message.type === 'answer' && message.id === id);
      return found?.type === 'answer' ? found.answer : undefined;
    });
  }
}

/** A page that said hello, is being closed by the host, and never answers that. */
async function stuckPage(): Promise<void> {
  const socket = connect(host.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const origin = `http://127.0.0.1:${host.port}`;
  // Text frames with a mask of zeros.
  const frames = [JSON.stringify({ type: 'hello', token }), '{'].map(text =>
    Buffer.concat([Buffer.from([0x81, 0x80 + text.length, 0, 0, 0, 0]), Buffer.from(text)]),
  );
  socket.write(
    `GET /terminal HTTP/1.1\r\nhost: 127.0.0.1:${host.port}\r\norigin: ${origin}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${'A'.repeat(22)}==\r\n\r\n`,
  );
  socket.write(Buffer.concat(frames));
  let received = '';
  while (!received.includes('not understood')) received += String((await once(socket, 'data'))[0]);
}

test('the page is served under a strict policy, and nothing else is', async () => {
  const page = await get('/');
  expect(page).toMatchObject({ status: 200, text: '<!doctype html><title>Florin</title>' });
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page.headers['content-security-policy']).not.toContain('unsafe');
  expect((await get('/assets/app-1.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  for (const path of ['/notes.secret', '/../host.test.ts', '/%2e%2e/secret.key', '//etc/passwd', '/assets/']) {
    const refused = await get(path);
    expect(refused.status).toBe(404);
    expect(JSON.parse(refused.text)).toEqual({ error: { code: 404, message: 'There is nothing at this address' } });
  }
  expect((await get('/', { method: 'POST' })).status).toBe(405);
});

test('the customer’s display shows payments and nothing for staff, and its actions change nothing', async () => {
  await world.enrol();
  const display = new Page();
  await world.until('the socket', () => display.socket.readyState === display.socket.OPEN);
  display.say({ type: 'hello', token: 'display-token' });
  const shown = () => {
    const view = display.messages.findLast(message => message.type === 'view')?.view as View | undefined;
    return view?.screen.name;
  };
  await world.until('the idle screen', () => shown() === 'kiosk_idle');
  display.say({ type: 'action', id: 1, action: { name: 'start_sale', amountMinor: 500 } });
  expect(await display.answer(1)).toEqual({ kind: 'not_now' });
  expect(world.terminal.view().screen.name).toBe('keypad');
  await world.send({ name: 'start_sale', amountMinor: 500 });
  await world.until('the result', () => shown() === 'sale_result');
  await world.send({ name: 'show_keypad' });
  await world.send({ name: 'show_recent_sales' });
  await world.screen('recent_sales', screen => !screen.busy && screen.sales.length === 1);
  await world.until('the idle screen again', () => shown() === 'kiosk_idle');
  for (const message of display.messages) {
    expect(JSON.stringify(message)).not.toContain('recent_sales');
    if (message.type === 'view') expect(message.view).toMatchObject({ header: { mode: 'kiosk', alerts: [] } });
  }
});

test('another host name that resolves to this address is refused (DNS rebinding)', async () => {
  expect((await get('/', { host: `evil.example:${host.port}` })).status).toBe(403);
  expect((await get('/', { host: '127.0.0.1:1' })).status).toBe(403);
  expect((await get('/', { host: `localhost:${host.port}` })).status).toBe(200);
  const page = new Page({ host: `evil.example:${host.port}` });
  await world.until('the refusal', () => page.refused === 403);
});

test('a socket from another origin, or to another address, is refused', async () => {
  const foreign = new Page({ origin: 'https://evil.example' });
  const nameless = new Page({ origin: 'null' });
  const astray = new Page({ path: '/elsewhere' });
  await world.until(
    'the refusals',
    () => foreign.refused === 403 && nameless.refused === 403 && astray.refused === 404,
  );
});

test('without the token of this terminal there is no View and no action', async () => {
  const wrong = new Page();
  await world.until('the socket', () => wrong.socket.readyState === wrong.socket.OPEN);
  wrong.say({ type: 'hello', token: 'another' });
  await world.until('the close', () => wrong.closed === 4401);
  const silent = new Page();
  await world.until('the socket', () => silent.socket.readyState === silent.socket.OPEN);
  silent.say({ type: 'action', id: 1, action: { name: 'enrol', code: world.service.enrolmentCode } });
  await world.until('the close', () => silent.closed === 1008);
  expect([...wrong.messages, ...silent.messages]).toEqual([]);
  expect(world.terminal.view().screen.name).toBe('enrolment');
});

test('a page that is starved before its hello keeps its socket and receives the View', async () => {
  const page = new Page();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await once(page.socket, 'open');
  vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  page.say({ type: 'hello', token });
  await world.until('the View', () => page.closed ?? page.messages.length > 0);
  expect(page).toMatchObject({ closed: undefined, messages: [{ type: 'view' }] });
});

test('sockets without hello, and those that never finish closing, take no place from a page', async () => {
  const opened = async (page: Page) => world.until('the socket', () => page.socket.readyState === page.socket.OPEN);
  const pages = [await Page.open()];
  const silent = Array.from({ length: 3 }, () => new Page());
  for (const page of silent) await opened(page);
  for (let count = 0; count < 4; count += 1) await stuckPage();
  while (pages.length < 8) pages.push(await Page.open());
  expect(pages.map(page => page.closed)).toEqual(pages.map(() => undefined));
  await world.until('the silent ones to give way', () => silent.every(page => page.closed !== undefined));
  const ninth = new Page();
  await world.until('the refusal', () => ninth.refused === 503);
  pages[0]?.socket.close();
  await world.until('the close', () => pages[0]?.closed);
  await Page.open();
});

test('the page sees every View and a sale runs over the socket', async () => {
  const page = await Page.open();
  page.say({ type: 'action', id: 1, action: { name: 'enrol', code: world.service.enrolmentCode } });
  expect(await page.answer(1)).toEqual({ kind: 'accepted' });
  await world.screen('keypad');
  page.say({ type: 'action', id: 2, action: { name: 'start_sale', amountMinor: 999 } });
  await world.screen('sale_result', screen => screen.outcome === 'approved');
  const last = () => page.messages.findLast(message => message.type === 'view');
  await world.until('the View to arrive', () => JSON.stringify(last()).includes('sale_result'));
});

test('malformed and oversized messages are refused and the current sale continues', async () => {
  await world.enrol();
  world.reader.presentsByItself = false;
  const page = await Page.open();
  page.say({ type: 'action', id: 1, action: { name: 'start_sale', amountMinor: 999 } });
  await world.screen('sale', screen => screen.stage === 'present_card');
  page.say({ type: 'action', id: 2, action: { name: 'start_sale', amountMinor: '999' } });
  page.say({ type: 'action', id: 3, action: { name: 'cancel_sale', extra: true } });
  page.say({ type: 'action', id: 4, action: { name: 'show_keypad' } });
  expect(await page.answer(2)).toMatchObject({ kind: 'invalid' });
  expect(await page.answer(3)).toMatchObject({ kind: 'invalid' });
  expect(await page.answer(4)).toEqual({ kind: 'not_now' });
  page.say('{"type":');
  await world.until('the close', () => page.closed === 1008);
  const large = await Page.open();
  large.say({ type: 'action', id: 1, action: { name: 'enrol', code: 'x'.repeat(70_000) } });
  await world.until('the close', () => large.closed === 1009);
  expect(world.terminal.view().screen).toMatchObject({ name: 'sale', stage: 'present_card' });
  world.reader.present();
  await world.screen('sale_result', screen => screen.outcome === 'approved');
});

test('the key of sealed secrets is readable only to its user, and a changed secret cannot be opened', () => {
  const file = join(folder, 'secret.key');
  const box = fileSecretBox(file);
  const sealed = box.seal('token');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(fileSecretBox(file).open(sealed)).toBe('token');
  expect(box.open(`${sealed.slice(0, -8)}AAAAAAA=`)).toBeUndefined();
  expect(box.open('')).toBeUndefined();
});

test('all options of the command line are read, and an invalid one ends the program with exit code 2', () => {
  const read = (...args: string[]) => {
    const exit = (code: number): never => {
      throw new Error(`exit ${code}`);
    };
    return readCommandLine({ argv: ['node', 'main.ts', ...args], exit });
  };
  const needed = ['--service', 'http://h', '--data', 'd'];
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => errors.mockRestore());
  for (const wrong of [
    ['--service', 'http://h'],
    ['--service', 'x', '--data', 'd'],
    [...needed, '--port', '70000'],
    [...needed, '--reader-protocol', 'opi'],
    ['x'],
  ])
    expect(() => read(...wrong)).toThrow('exit 2');
  expect(errors.mock.calls.map(([line]) => line)).toEqual([
    'error: --data: is required\n',
    'error: --service: must be an http or https address\n',
    'error: --port: must be a whole number from 0 to 65535\n',
    expect.stringMatching(/^error: --reader-protocol: must be line/),
    expect.stringContaining('too many arguments'),
  ]);
  expect(read(...needed)).toMatchObject({
    readerPaths: 'discover',
    readerProtocol: 'line',
    port: 4101,
    quiet: false,
  });
  expect(read(...needed, '--reader', '/dev/a', '--reader', '/dev/b')).toMatchObject({
    readerPaths: ['/dev/a', '/dev/b'],
  });
});
