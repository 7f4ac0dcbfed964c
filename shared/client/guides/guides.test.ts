import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import { chromium } from '@playwright/test';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testClock } from '../../../test/support/clock.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aRealTerminal } from '../../../test/support/terminal/real-terminal.ts';
import { createClient, createKioskClient, unwrap } from '../index.ts';

/** The programs of the guides, by their file names. */
const guides = readdirSync(import.meta.dirname).filter(name => name.endsWith('.md'));
const fences = guides.flatMap(name => readFileSync(join(import.meta.dirname, name), 'utf8').match(/^```.+$/gm) ?? []);
const programs = new Map(
  guides
    .map(name => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .flatMap(text => [...text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)])
    .map(([, name = '', program = '']) => [name, program]),
);

test('every code block of the guides is a program that a test here runs', () => {
  const run = ['till.mjs', 'cancel.mjs', 'kiosk.html', 'follow.js', 'receiver.mjs', 'receiver.py', 'receiver.php'];
  expect([...programs.keys()].toSorted()).toEqual(run.toSorted());
  expect(fences).toHaveLength(run.length);
  expect((programs.get('kiosk.html') ?? '').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});

/** A folder with one of the programs, where the client is installed. */
function saved(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules/@florin'), { recursive: true });
  symlinkSync(join(import.meta.dirname, '..'), join(folder, 'node_modules/@florin/client'));
  writeFileSync(join(folder, name), programs.get(name) ?? '');
  return join(folder, name);
}

type Started = { readonly child: ChildProcess; readonly output: () => string; readonly ended: Promise<number | null> };

function start(command: string, args: readonly string[], env: Readonly<Record<string, string>>): Started {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  return { child, output: () => output, ended: new Promise(resolve => child.once('close', code => resolve(code))) };
}

/** A shop with a terminal that waits for cards, by the clock of this machine. */
async function aShopWithTerminal() {
  const permissions = ['devices:read', 'devices:write', 'terminal-sales:read', 'terminal-sales:write'] as const;
  const shop = await aShop('sqlite', [...permissions, 'webhooks:read', 'webhooks:write'], {
    env: { OUTBOUND_ALLOW_LOOPBACK: 'true' },
    clock: testClock(Date.now()),
  });
  const terminal = await aRealTerminal(shop.world, shop.key);
  terminal.reader.presentsByItself = false;
  const florin = createClient({ baseUrl: shop.world.url, apiKey: shop.key });
  const serial = unwrap(await florin.listDevices()).items[0]?.serial ?? '';
  const { channels } = shop.world.backend.services.terminalSales;
  await expect.poll(async () => (await channels.of(terminal.deviceId))?.isOnline, { interval: 5 }).toBe(true);
  const env = { FLORIN_URL: shop.world.url, FLORIN_KEY: shop.key, SERIAL: serial };
  return { ...shop, terminal, florin, serial, env };
}

test('the till starts one sale however often it runs, and cancels a sale', async () => {
  const { terminal, sandbox, florin, env } = await aShopWithTerminal();
  const till = saved('till.mjs');
  const sell = (order: string) => start(process.execPath, [till], { ...env, ORDER: order, AMOUNT: '1250' });
  const first = sell('1001');
  await terminal.shows('sale');
  const second = sell('1001');
  for (const { output } of [first, second])
    await expect.poll(output, { interval: 20, timeout: 30_000 }).toContain('PROCESSING awaiting_card');
  terminal.reader.present();
  expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
  for (const { output } of [first, second])
    expect(output()).toContain('COMPLETE completed\nPaid with the card ending in 0821');
  expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_250 }]);

  const left = sell('1002');
  await expect.poll(left.output, { interval: 20, timeout: 30_000 }).toContain('awaiting_card');
  const [sale] = unwrap(await florin.listTerminalSales({ query: { status: 'PROCESSING' } })).items;
  const cancelled = start(process.execPath, [saved('cancel.mjs')], { ...env, SALE: sale?.saleId ?? '' });
  expect([await cancelled.ended, cancelled.output()]).toEqual([0, 'Cancelled\n']);
  expect([await left.ended, left.output()]).toEqual([0, expect.stringContaining('CANCELLED cancelled_by_caller')]);
  expect(sandbox.control.ledger()).toHaveLength(1);
});

test('a stream gives every state of a sale once, also after a lost connection', async () => {
  const { terminal, client, key, world, serial } = await aShopWithTerminal();
  const made = await client.call(createKioskKey, { body: { name: 'Foyer', deviceIds: [terminal.deviceId] } }, { key });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const kiosk = createKioskClient({ baseUrl: world.url, kioskKey: made.body.key ?? '' });
  const { changesOf } = (await import(saved('follow.js'))) as Follow;
  const line = await aCuttableLine(world.url);
  const settings = { url: line.url, key: made.body.key ?? '' };
  await expect(changesOf('sale_0000000000', settings).next()).rejects.toThrow(/^There is no such sale/);

  const { saleId } = unwrap(await kiosk.startKioskSale({ body: { serial, amountInCents: 1_250, currency: 'GBP' } }));
  const seen: FollowedSale[] = [];
  const followed = (async () => {
    for await (const sale of changesOf(saleId, settings)) seen.push(sale);
  })();
  await expect.poll(() => seen.at(-1)?.statusReason, { interval: 5 }).toBe('awaiting_card');
  line.cut();
  terminal.reader.present();
  await followed;
  expect(seen.at(-1)).toMatchObject({ status: 'COMPLETE', statusReason: 'completed' });
  const sequences = seen.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
});

type FollowedSale = { readonly status: string; readonly statusReason: string; readonly sequence: number };
type Follow = {
  changesOf(saleId: string, settings: { url: string; key: string }): AsyncGenerator<FollowedSale, void, void>;
};

const browser = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(path => path !== undefined && existsSync(path));

if (browser === undefined) process.stderr.write('kiosk.html is not run: there is no Chromium on this machine\n');

test.skipIf(browser === undefined)('the kiosk takes a sale, also if its page is reloaded meanwhile', async () => {
  const { terminal, sandbox, client, key, world, serial } = await aShopWithTerminal();
  const body = { name: 'Foyer', deviceIds: [terminal.deviceId] };
  const made = await client.call(createKioskKey, { body }, { key });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const server = createServer((_, response) => response.end(programs.get('kiosk.html'))).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const running = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  onTestFinished(() => running.close());
  const page = await running.newPage();
  const message = page.getByRole('status');
  const shows = (text: string) =>
    expect.poll(() => message.textContent(), { interval: 20, timeout: 30_000 }).toBe(text);
  const opens = async (settings: { key: string; serial: string }) => {
    await page.goto('about:blank');
    const hash = new URLSearchParams({ url: world.url, ...settings });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/#${hash}`);
  };
  await opens({ key: 'wrong', serial });
  await shows('The kiosk key is unknown, revoked or expired');
  await opens({ key: made.body.key ?? '', serial: 'NONE' });
  await shows('There is no enrolled terminal with this serial');
  await opens({ key: made.body.key ?? '', serial });

  await shows('Ready');
  expect(await page.getByRole('heading').textContent()).toBe('Corner Shop');
  await page.getByRole('button', { name: 'Pay' }).click();
  await shows('Please present your card at the terminal.');
  await page.reload();
  await shows('Please present your card at the terminal.');
  terminal.reader.present();
  await shows('Paid. Thank you!');
  expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_250 }]);

  await shows('Ready');
  await page.getByRole('button', { name: 'Pay' }).click();
  await shows('Please present your card at the terminal.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await shows('The payment was cancelled.');
  expect(sandbox.control.ledger()).toHaveLength(1);
});

const receivers = [
  { name: 'receiver.mjs', command: process.execPath, args: (file: string) => [file] },
  { name: 'receiver.py', command: 'python3', args: (file: string) => [file] },
  { name: 'receiver.php', command: 'php', args: (file: string, at: string) => ['-S', at, file] },
];

describe.each(receivers)('the receiver in $name', ({ name, command, args }) => {
  const isThere = spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
  if (!isThere) process.stderr.write(`${name} is not run: there is no ${command} on this machine\n`);

  test.skipIf(!isThere)('accepts each webhook of Florin once, and nothing else', async () => {
    const { florin, terminal, serial } = await aShopWithTerminal();
    const port = await aFreePort();
    const address = `http://127.0.0.1:${port}/`;
    const body = { url: address, eventType: 'terminal.sale.completed' } as const;
    const webhook = unwrap(await florin.createWebhook({ body }));
    const params = { id: webhook.id };
    const secret = webhook.secret ?? '';
    const handled = mkdtempSync(join(tmpdir(), 'florin-handled-'));
    onTestFinished(() => rmSync(handled, { recursive: true, force: true }));
    const receiver = start(command, args(saved(name), `127.0.0.1:${port}`), {
      PORT: String(port),
      // The comma at the end leaves an empty secret, which nothing may be signed with.
      WEBHOOK_SECRETS: `whsec_other,${secret},`,
      HANDLED: handled,
    });
    await expect.poll(() => connects(port), { interval: 20, timeout: 30_000 }).toBe(true);

    const sale = { serial, amountInCents: 1_250, currency: 'GBP' };
    const { saleId } = unwrap(await florin.startTerminalSale({ body: sale }));
    const reason = async () => unwrap(await florin.getTerminalSale({ params: { saleId } })).statusReason;
    await expect.poll(reason, { interval: 10 }).toBe('awaiting_card');
    terminal.reader.present();
    const status = async () => unwrap(await florin.getTerminalSale({ params: { saleId } })).status;
    await expect.poll(status, { interval: 10 }).toBe('COMPLETE');
    const line = `terminal.sale.completed ${saleId} COMPLETE 1250 GBP`;
    await expect.poll(receiver.output, { interval: 10, timeout: 30_000 }).toContain(line);
    const deliveries = async () => unwrap(await florin.listWebhookDeliveries({ params })).items;
    await expect.poll(async () => (await deliveries())[0]?.status, { interval: 10 }).toBe('delivered');

    const [delivery] = await deliveries();
    const post = (timestamp: number | string, key: string, text = delivery?.body ?? '') =>
      fetch(address, {
        method: 'POST',
        body: text,
        headers: {
          'x-webhook-signature': `t=${timestamp},v1=${createHmac('sha256', key).update(`${timestamp}.${text}`).digest('hex')}`,
          'X-Webhook-Delivery': delivery?.id ?? '',
        },
      }).then(({ status }) => status);
    const now = Math.floor(Date.now() / 1_000);
    await breaksOff(port);
    expect(await post(now, secret)).toBe(204);
    for (const wrong of [
      post(now, 'whsec_wrong'),
      post(now, ''),
      post('9'.repeat(5_000), secret),
      post(now - 400, secret),
      post(now + 400, secret),
    ])
      expect(await wrong).toBe(400);
    expect(await fetch(address, { method: 'POST', body: '{}' }).then(({ status }) => status)).toBe(400);
    expect(receiver.output().split(line)).toHaveLength(2);
  });
});

async function aFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** Forwards connections to the service, and can cut all that are open. */
async function aCuttableLine(serviceUrl: string) {
  const open = new Set<Socket>();
  const server = createSocketServer(socket => {
    const onward = connect(Number(new URL(serviceUrl).port), '127.0.0.1');
    for (const one of [socket, onward]) {
      open.add(one);
      one.on('error', () => one.destroy()).on('close', () => open.delete(one));
    }
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}

/** A request that ends in the middle of its body. */
function breaksOff(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{', () => socket.end());
    });
    socket
      .on('error', reject)
      .on('close', () => resolve())
      .resume();
  });
}

function connects(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
