import type { ListedSale } from '@florin/device/ipc/view.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aTillProgram } from '../support/till-program.ts';

eachDatabase('a sale that asked for no money', database => {
  async function aTill() {
    const till = await aTillProgram(database);
    const { terminal } = till;
    terminal.reader.presentsByItself = false;
    // The terminal's sales are dated by the service's time once it knows it.
    await terminal.send({ name: 'show_status' });
    const aheadMs = expect.any(Number) as unknown;
    await expect.poll(() => terminal.screen()).toMatchObject({ name: 'terminal_status', clock: { aheadMs } });
    await terminal.send({ name: 'show_keypad' });
    async function listed(): Promise<ListedSale[]> {
      await expect.poll(() => terminal.screen()).toMatchObject({ name: 'recent_sales', busy: false, notice: null });
      return (await terminal.shows('recent_sales')).sales;
    }
    async function recent() {
      await terminal.send({ name: 'show_recent_sales' });
      return listed();
    }
    async function found(text: string) {
      await terminal.send({ name: 'search_sales', text });
      await expect.poll(() => terminal.screen()).toMatchObject({ search: { text }, busy: false });
      return listed();
    }
    /** Keyed in, and cancelled at the terminal. */
    async function cancelled(sale: { amountMinor: number; reference?: string }) {
      await terminal.send({ name: 'start_sale', ...sale });
      await expect.poll(() => terminal.screen()).toMatchObject({ name: 'sale', stage: 'present_card' });
      await terminal.send({ name: 'cancel_sale' });
      await terminal.shows('sale_result');
      await terminal.send({ name: 'show_keypad' });
    }
    return { ...till, recent, found, cancelled };
  }

  test('is listed beside those of the service, and found by what the service takes a text for', async () => {
    const { world, terminal, recent, found, cancelled } = await aTill();
    await cancelled({ amountMinor: 1_250, reference: 'Terrace 12' });
    world.clock.advance({ seconds: 60 });
    terminal.reader.presentsByItself = true;
    await terminal.send({ name: 'start_sale', amountMinor: 1_250 });
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved' });
    await terminal.send({ name: 'show_keypad' });
    const both = [
      { kind: 'recorded', amountInCents: 1_250 },
      { kind: 'uncharged', amountMinor: 1_250 },
    ];
    const listedNow = await recent();
    expect(listedNow).toMatchObject(both);
    const sale = listedNow[1];
    expect(await found('12,50')).toMatchObject(both);
    expect(await found('Terrace 12')).toMatchObject([{ kind: 'uncharged' }]);
    expect(await found(sale?.saleId ?? '')).toMatchObject([{ kind: 'uncharged' }]);
    const startedAt = sale?.kind === 'uncharged' ? sale.startedAt : 0;
    const time = { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' } as const;
    expect(await found(new Intl.DateTimeFormat('en-GB', time).format(startedAt))).toMatchObject(both);
    expect(await found('12.51')).toEqual([]);
  });

  test('is found where software started it, by the reference of the software', async () => {
    const { terminal, started, becomes, recent, found } = await aTill();
    const { saleId } = await started(700);
    await becomes(saleId, { statusReason: 'awaiting_card' });
    terminal.reader.customerCancels();
    await becomes(saleId, { status: 'CANCELLED_REMOTE' });
    await terminal.shows('sale_result');
    await terminal.send({ name: 'show_keypad' });
    const expected = [{ kind: 'uncharged', saleId, why: 'customer', amountMinor: 700, reference: 'Order 7' }];
    expect(await recent()).toMatchObject(expected);
    expect(await found('Order 7')).toMatchObject(expected);
    await terminal.kill();
    terminal.start();
    expect(await recent()).toMatchObject(expected);
  });
});
