import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '@florin/device/core/service/client.ts';
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
import { operator } from '@florin/shared/actor.ts';
import { createDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aSelfAuthorisingReader } from '../../support/self-authorising-reader/reader.ts';
import { aShop, merchant } from '../../support/shop.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The terminal's core with a reader that asks its own processor, on a real line, and the real service. */
async function aShopWithSuchAReader() {
  const shop = await aShop('sqlite', [...merchant, 'devices:write']);
  const { world, client, business, key } = shop;
  await world.backend.services.businesses.switchSetting(business.id, 'passwordProtectRefundsAndVoids', false, operator);
  const simulated = await aSelfAuthorisingReader({ timers: systemTimers });
  const folder = mkdtempSync(join(tmpdir(), 'florin-terminal-'));
  const ports = { clock: systemClock, timers: systemTimers, random: systemRandom, log: quiet };
  const reader = simulated.driver.open({
    ...ports,
    paths: [simulated.line.path],
    hostName: 'till',
    onAlarm: () => undefined,
  });
  let screen: Screen = { name: 'starting' };
  function start() {
    const store = openStore({
      file: join(folder, 'terminal.db'),
      secrets: fileSecretBox(join(folder, 'secret.key')),
    });
    const service = createService({ baseUrl: world.url, timers: systemTimers, log: quiet });
    const terminal = createTerminal({
      ...ports,
      store,
      service,
      reader,
      uptime: systemUptime,
      ids: systemIds,
      appVersion: '1.2.3',
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
    await vi.waitFor(() => expect(screen.name, JSON.stringify(screen)).toBe(name), { timeout: 15_000, interval: 20 });
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
    ...simulated,
    send,
    shown,
    async restart() {
      await running.stop();
      running = start();
    },
    /** A sale that the reader's processor approves, up to its detail among the recent sales. */
    async sell(amountMinor: number) {
      await send({ name: 'start_sale', amountMinor });
      await vi.waitFor(() => {
        simulated.firmware.present('chip');
        expect(simulated.firmware.isCardInside).toBe(true);
      }, 10_000);
      const result = await shown('sale_result');
      simulated.firmware.removeCard();
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

test('a sale that the reader authorised is in the service’s books, and voided by the reader', async () => {
  const shop = await aShopWithSuchAReader();
  await shop.sell(1_250);
  const sale = await shop.openNewestSale();
  expect(sale).toMatchObject({ authorisedBy: 'reader', status: 'unsettled', action: 'void', amountInCents: 1_250 });
  await shop.send({ name: 'return_money', saleId: sale.saleId });
  await shop.send({ name: 'confirm_return' });
  expect(await shop.shown('return_result')).toMatchObject({ outcome: 'approved', sale: { status: 'cancelled' } });
  expect([...shop.firmware.held.values()]).toEqual([0]);
  expect(await shop.refunds()).toEqual(['CANCEL approved']);
  expect(shop.sandbox.control.requests()).toEqual([]);
});

test('settled, it is refunded by the reader once, though the cable is pulled and the terminal starts again', async () => {
  const shop = await aShopWithSuchAReader();
  await shop.sell(1_250);
  shop.firmware.hasSettled = true;
  const { saleId } = await shop.openNewestSale();
  await shop.send({ name: 'return_money', saleId });
  await shop.send({ name: 'confirm_return' });
  expect(await shop.shown('return_result')).toMatchObject({ outcome: 'declined', sale: { action: 'refund' } });
  await shop.send({ name: 'back' });
  await shop.shown('keypad');
  await shop.openNewestSale();
  await shop.send({ name: 'return_money', saleId });
  await shop.send({ name: 'enter_refund_amount', amountMinor: 500 });
  // The reader carries it out, and nobody hears of it.
  const refunded = () => [...shop.firmware.held.values()].includes(750);
  const pulled = vi.waitFor(() => expect(refunded()).toBe(true), { timeout: 10_000, interval: 1 });
  await shop.send({ name: 'confirm_return' });
  await pulled;
  shop.line.unplug();
  await shop.restart();
  await shop.line.plug();
  expect(await shop.shown('return_result')).toMatchObject({
    outcome: 'approved',
    sale: { status: 'partly_refunded', remainingInCents: 750 },
  });
  expect([...shop.firmware.held.values()]).toEqual([750]);
  expect(await shop.refunds()).toEqual(['REFUND_SALE approved', 'CANCEL declined']);
  expect(shop.sandbox.control.requests()).toEqual([]);
});
