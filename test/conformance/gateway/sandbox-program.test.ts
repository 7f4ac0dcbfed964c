import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startCardGatewaySandbox } from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import type { Timers } from '@florin/shared/ports.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adapterFor, aGatewayWorld, anUnsettledSale, aRefund, aSale, aSettledSale, gbp } from './world.ts';

const program = new URL('../../../backend/programs/sandbox/main.ts', import.meta.url).pathname;

describe('the program', () => {
  let directory: string;
  const running = new Set<ChildProcess>();
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'card-gateway-'));
  });
  afterEach(async () => {
    await Promise.all([...running].map(child => stop(child)));
    rmSync(directory, { recursive: true, force: true });
  });

  async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    running.delete(child);
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async function start() {
    const child = spawn(
      process.execPath,
      [program, '--port-base', '0', '--data', directory, '--json', '--settle-hour', 'never'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    running.add(child);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { sandboxes } = JSON.parse(line) as {
      sandboxes: Record<'card-gateway', Record<'directUrl' | 'cardPresentUrl' | 'restUrl' | 'controlUrl', string>>;
    };
    return { child, ready: sandboxes['card-gateway'] };
  }

  async function control(url: string, path: string, body?: unknown) {
    const reply = await fetch(
      `${url}/control/${path}`,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    );
    return { status: reply.status, content: (await reply.json()) as Record<string, unknown> };
  }

  test('remembers its answers after it is killed', async () => {
    const template = await aGatewayWorld();
    const first = await start();
    const callbackUrl = 'http://127.0.0.1:9/callback';
    const adapter = (ready: typeof first.ready) =>
      adapterFor({ ...template.sandbox, ...ready, url: new URL(ready.directUrl).origin }, { callbackUrl });
    const sale = aSale(gbp(1250));
    const outcome = await adapter(first.ready).authoriseEcommerce(sale);
    if (outcome.kind !== 'approved') throw new Error('not approved');
    await stop(first.child, 'SIGKILL');

    const second = await start();
    expect(await adapter(second.ready).paymentState(outcome)).toMatchObject({
      state: 'unsettled',
      receivedMinor: 1250,
    });
    expect(await control(second.ready.controlUrl, 'settle', {})).toMatchObject({
      content: { tendered: 1, accepted: 1 },
    });
    expect(await adapter(second.ready).paymentState(outcome)).toMatchObject({ state: 'settled' });
    await template.close();
  });

  test('refuses invalid requests on its control interface', async () => {
    const { ready } = await start();
    expect((await control(ready.controlUrl, 'faults', { kind: 'explode' })).status).toBe(400);
    expect((await control(ready.controlUrl, 'faults', { kind: 'delay', delayMs: -1 })).status).toBe(400);
    expect((await control(ready.controlUrl, 'nothing')).status).toBe(404);
    const broken = await fetch(`${ready.controlUrl}/control/settle`, { method: 'POST', body: '{' });
    expect(broken.status).toBe(400);
    expect((await control(ready.controlUrl, 'faults', { kind: 'loseReply', action: 'SALE' })).status).toBe(200);
    expect((await control(ready.controlUrl, 'faults')).content).toMatchObject([{ kind: 'loseReply', times: 1 }]);
    expect((await fetch(ready.controlUrl.concat('/control/faults'), { method: 'DELETE' })).status).toBe(200);
    expect((await control(ready.controlUrl, 'faults')).content).toEqual([]);
  });

  test('stays reachable for control while it refuses money connections', async () => {
    const { ready } = await start();
    expect((await control(ready.controlUrl, 'refuse-connections', {})).status).toBe(200);
    await expect(fetch(ready.directUrl, { method: 'POST' })).rejects.toThrow();
    expect((await control(ready.controlUrl, 'accept-connections', {})).status).toBe(200);
    expect((await fetch(ready.directUrl, { method: 'POST', body: '' })).status).toBe(200);
  });

  test.each([
    [['--port-base', 'ninety'], 2, /--port-base: must be/],
    [['--settle-hour', '25'], 2, /--settle-hour: must be/],
  ])('%o', async (options, code, text) => {
    const child = spawn(process.execPath, [program, ...options]);
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    const [exitCode] = await once(child, 'close');
    expect(exitCode).toBe(code);
    expect(output).toMatch(text);
  });
});

describe('the daily settlement', () => {
  test('runs at its hour of the given clock', async () => {
    let now = Date.UTC(2026, 0, 1, 22, 0, 0);
    const armed: { delayMs: number; task: () => void }[] = [];
    const timers: Timers = {
      after(delayMs, task) {
        armed.push({ delayMs, task });
        return () => undefined;
      },
    };
    const sandbox = await startCardGatewaySandbox({
      file: ':memory:',
      clock: { now: () => now },
      timers,
      settleDailyAtHourUtc: 23,
    });
    const gateway = adapterFor(sandbox, { callbackUrl: 'http://203.0.113.9/' });
    const outcome = await gateway.authoriseEcommerce(aSale(gbp(1250)));
    if (outcome.kind !== 'approved') throw new Error('not approved');
    expect(armed.map(one => one.delayMs)).toEqual([3_600_000]);
    now += 3_600_000;
    armed[0]?.task();
    expect(await gateway.paymentState(outcome)).toMatchObject({ state: 'settled' });
    expect(armed.map(one => one.delayMs)).toEqual([3_600_000, 86_400_000]);
    await sandbox.close();
  });
});

describe('a customer who never comes back from the bank', () => {
  test('leaves a sale in progress that ends at the next settlement', async () => {
    let now = Date.now();
    const sandbox = await startCardGatewaySandbox({ file: ':memory:', clock: { now: () => now } });
    const gateway = adapterFor(sandbox, { callbackUrl: 'http://203.0.113.9/' });
    const browser = {
      returnUrl: 'http://127.0.0.1:9/return',
      remoteAddress: '192.0.2.10',
      identity: 'Mozilla',
      timeZoneOffsetMinutes: 0,
      capabilities: 'javascript',
      screenResolution: '1x1x1',
      acceptContent: '*/*',
      acceptLanguage: 'en',
    };
    const sale = aSale(gbp(1250), { browser });
    const ask = () => gateway.lookup({ operation: 'authorise', ...sale, sentAt: now });
    expect(await gateway.authoriseEcommerce(sale)).toMatchObject({ kind: 'three_d_secure' });
    sandbox.control.settle();
    expect(await ask()).toEqual({ kind: 'inProgress', awaitsCustomer: true });
    now += 31 * 60_000;
    sandbox.control.settle();
    expect(await ask()).toMatchObject({ kind: 'declined', code: '65564' });
    await sandbox.close();
  });
});

describe('the ledger', () => {
  test('lists every sale with its refunds', async () => {
    const world = await aGatewayWorld();
    const settled = await aSettledSale(world, gbp(1000));
    await world.gateway.refundSale(aRefund(settled, gbp(250)));
    const open = await anUnsettledSale(world, gbp(700));
    expect(world.sandbox.control.ledger()).toMatchObject([
      { xref: settled.gatewayReference, takenMinor: 1000, returnedMinor: 250, refunds: [{ amountMinor: 250 }] },
      { xref: open.gatewayReference, takenMinor: 700, returnedMinor: 0, refunds: [] },
    ]);
    world.sandbox.control.reset();
    expect(world.sandbox.control.ledger()).toEqual([]);
    await world.close();
  });
});
