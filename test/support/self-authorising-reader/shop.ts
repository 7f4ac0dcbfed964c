import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, type Service } from '@florin/device/core/service/client.ts';
import { openStore } from '@florin/device/core/store/store.ts';
import { createTerminal } from '@florin/device/core/terminal.ts';
import type { Screen } from '@florin/device/ipc/view.ts';
import { fileSecretBox } from '@florin/device/main/browser/secret-file.ts';
import {
  systemClock,
  systemIds,
  systemRandom,
  systemTimers,
  systemUptime,
} from '@florin/device/main/platform/system.ts';
import { noPrinter } from '@florin/device/printers/printer.ts';
import type { CardReader, ReaderOptions } from '@florin/device/readers/reader.ts';
import { operator } from '@florin/shared/actor.ts';
import { createDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { TerminalCommand } from '@florin/shared/contracts/device-v1/commands.ts';
import { expect, onTestFinished, vi } from 'vitest';
import type { DatabaseKind } from '../backend.ts';
import { noLog } from '../log.ts';
import { aReaderStorage } from '../reader-storage.ts';
import { aShop, merchant } from '../shop.ts';
import { aSelfAuthorisingReader } from './reader.ts';

/** A reader that authorises with its own processor, at a terminal under test. */
export type ShopReader = {
  open(options: Omit<ReaderOptions, 'paths' | 'hostName' | 'onAlarm'>): CardReader;
  /** A customer inserts a card, if the reader asks for one; true once it is inside. */
  insertCard(): boolean;
  removeCard(): void;
  close(): void;
};

/** The terminal's core with the real service and the minimal reader of this folder, on a real line. */
export async function aShopWithSuchAReader(database: DatabaseKind = 'sqlite') {
  const simulated = await aSelfAuthorisingReader({ timers: systemTimers });
  const { firmware, line } = simulated;
  const shop = await aShopWithReader(database, {
    open: options =>
      simulated.driver.open({ ...options, paths: [line.path], hostName: 'till', onAlarm: () => undefined }),
    insertCard() {
      firmware.present('chip');
      return firmware.isCardInside;
    },
    removeCard: () => firmware.removeCard(),
    close: () => simulated.close(),
  });
  return { ...shop, ...simulated };
}

/** The terminal's core with the real service and this reader. */
export async function aShopWithReader(database: DatabaseKind, simulated: ShopReader) {
  const shop = await aShop(database, [
    ...merchant,
    'devices:read',
    'devices:write',
    'terminal-sales:read',
    'terminal-sales:write',
  ]);
  const { world, client, business, key } = shop;
  await world.backend.services.businesses.switchSetting(business.id, 'passwordProtectRefundsAndVoids', false, operator);
  const folder = mkdtempSync(join(tmpdir(), 'florin-terminal-'));
  const ports = { clock: systemClock, timers: systemTimers, random: systemRandom, log: noLog };
  const reader = simulated.open({ ...ports, storage: aReaderStorage() });
  const cutOff = new Set<string>();
  const lostReplies = new Set<string>();
  const beforeCall = new Map<string, () => Promise<unknown>>();
  const lostCommands = new Set<TerminalCommand['kind']>();
  let screen: Screen = { name: 'starting' };
  function start() {
    const store = openStore({
      file: join(folder, 'terminal.db'),
      secrets: fileSecretBox(join(folder, 'secret.key')),
    });
    const reached = createService({ baseUrl: world.url, timers: systemTimers, random: systemRandom, log: noLog });
    const service: Service = {
      ...reached,
      async call(contract, request) {
        await beforeCall.get(contract.name)?.();
        if (cutOff.has(contract.name)) return { kind: 'not_reached' };
        const response = await reached.call(contract, request);
        return lostReplies.has(contract.name) ? { kind: 'unknown', cause: 'timeout' } : response;
      },
      follow: (contract, request) =>
        reached.follow(contract, {
          ...request,
          onEvent: event => {
            const { kind } = event as { readonly kind?: TerminalCommand['kind'] };
            if (kind === undefined || !lostCommands.has(kind)) request.onEvent(event);
          },
        }),
    };
    const terminal = createTerminal({
      ...ports,
      store,
      service,
      reader,
      printer: noPrinter,
      uptime: systemUptime,
      ids: systemIds,
      systemLocale: 'en-GB',
      appVersion: '1.2.3',
      launchCode: 'K7MTQX',
      platform: 'Test',
      recentLog: () => ['{"msg":"one line"}'],
      serviceAddress: 'http://127.0.0.1:4100',
      networkAddresses: () => [],
    });
    terminal.onView(view => {
      screen = view.screen;
    });
    terminal.start();
    return {
      terminal,
      async stop() {
        terminal.close();
        await service.close();
        store.close();
      },
    };
  }
  let running = start();
  onTestFinished(async () => {
    await running.stop();
    await reader.close();
    simulated.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const shown = async <Name extends Screen['name']>(name: Name) => {
    await vi.waitFor(() => expect(screen.name, JSON.stringify(screen)).toBe(name), { timeout: 30_000, interval: 20 });
    return screen as Extract<Screen, { name: Name }>;
  };
  const send = async (action: Parameters<typeof running.terminal.send>[0]) => {
    await vi.waitFor(async () => expect(await running.terminal.send(action)).toEqual({ kind: 'accepted' }), 10_000);
  };
  const made = await client.call(createDevice, { body: { name: 'Till 1', mode: 'staff' } }, { key });
  await shown('enrolment');
  await send({ name: 'enrol', code: (made.status === 201 && made.body.enrolment?.code) || '' });
  await shown('keypad');

  return {
    ...shop,
    send,
    shown,
    screen: () => screen,
    /** Makes calls fail before they reach the service. */
    cutOff,
    /** Makes calls reach the service and lose its response. */
    lostReplies,
    /** Delays calls of the terminal. */
    beforeCall,
    /** Commands that the terminal's stream loses. */
    lostCommands,
    async restart(whileOff: () => Promise<unknown> = async () => undefined) {
      await running.stop();
      await whileOff();
      running = start();
    },
    /** Takes a sale that the reader's processor approves, and opens it in the list of recent sales. */
    async sell(amountMinor: number) {
      await send({ name: 'start_sale', amountMinor });
      await vi.waitFor(() => expect(simulated.insertCard()).toBe(true), 10_000);
      const result = await shown('sale_result');
      simulated.removeCard();
      expect(result.outcome).toBe('approved');
      const payments = async () => {
        const listed = await client.call(listPayments, { query: {} }, { key });
        return listed.status === 200 ? listed.body.items : [];
      };
      await vi.waitFor(async () => expect((await payments())[0]).toMatchObject({ amountInCents: amountMinor }), 10_000);
    },
    async openNewestSale() {
      await send({ name: 'show_recent_sales' });
      await vi.waitFor(() => expect(screen).toMatchObject({ name: 'recent_sales', sales: [{}] }), 10_000);
      const [newest] = (screen as Extract<Screen, { name: 'recent_sales' }>).sales;
      await send({ name: 'show_sale', saleId: newest?.saleId ?? '' });
      return (await shown('sale_detail')).sale;
    },
    async refunds() {
      const listed = await client.call(listRefunds, { query: {} }, { key });
      return listed.status === 200 ? listed.body.items.map(({ kind, status }) => `${kind} ${status}`) : [];
    },
  };
}
