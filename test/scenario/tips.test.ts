import type { TipAnswer } from '@florin/device/readers/reader.ts';
import { getOverview } from '@florin/shared/contracts/api-v1/overview.ts';
import { getPayment, listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aTillProgram } from '../support/till-program.ts';

eachDatabase('a tip at the reader', database => {
  async function aTill(tipPercents = [5, 10, 15]) {
    const till = await aTillProgram(database, 'staff', {}, { tipPercents });
    const { client, business, terminal } = till;
    const key = await business.key('sales:read');
    async function payments() {
      const list = await client.call(listPayments, { query: {} }, { key });
      if (list.status !== 200) throw new Error(JSON.stringify(list.body));
      return list.body.items.map(({ amountInCents, tipInCents }) => [amountInCents, tipInCents]);
    }
    async function payment(id: string) {
      const read = await client.call(getPayment, { params: { id } }, { key });
      if (read.status !== 200) throw new Error(JSON.stringify(read.body));
      return read.body;
    }
    const answers = (answer: TipAnswer | Promise<TipAnswer>) => {
      terminal.reader.tipAnswer = answer;
    };
    const keyIn = (amountMinor = 1_250) => terminal.send({ name: 'start_sale', amountMinor });
    return { ...till, key, payments, payment, answers, keyIn };
  }

  test('is added to what the bank authorises, and told apart everywhere', async () => {
    const { terminal, client, key, payments, payment, answers, keyIn } = await aTill();
    answers({ kind: 'chosen', tipMinor: 125 });
    await keyIn();
    const { sale, amount, tipMinor, receipt } = await terminal.shows('sale_result');
    expect([amount.amountMinor, tipMinor, sale?.amountInCents, sale?.tipInCents]).toEqual([1_375, 125, 1_375, 125]);
    expect(receipt).toContainEqual({ label: 'Of which tip', value: '£1.25' });
    expect(terminal.reader.tipQuestions).toMatchObject([
      {
        amount: { amountMinor: 1_250, currency: 'GBP' },
        choices: [
          { percent: 5, tipMinor: 63 },
          { percent: 10, tipMinor: 125 },
          { percent: 15, tipMinor: 188 },
        ],
      },
    ]);
    expect(await payments()).toEqual([[1_375, 125]]);
    const { receipt: issued } = await payment(sale?.paymentId ?? '');
    // The receipt is written a moment after the sale.
    const page = async () => (await fetch(issued?.url ?? '')).text();
    await expect.poll(page, { timeout: 30_000 }).toContain('£1.25');
    const today = async () => {
      const read = await client.call(getOverview, { query: {} }, { key });
      return read.body;
    };
    await expect
      .poll(today, { timeout: 30_000 })
      .toMatchObject({ today: { rails: [{ takenInCents: 1_375, tipInCents: 125, tipCount: 1 }] } });
  });

  test('is chosen by nobody else: staff go on without one, or leave the sale, and nothing was charged', async () => {
    const { terminal, payments, answers, keyIn } = await aTill();
    answers(new Promise(() => undefined));
    await keyIn();
    expect(await terminal.shows('tip')).toMatchObject({ amount: { amountMinor: 1_250 } });
    for (const action of ['show_recent_sales', 'show_status', 'change_mode', 'back'] as const)
      expect([action, await terminal.send({ name: action })]).toEqual([action, { kind: 'not_now' }]);
    await terminal.send({ name: 'cancel_sale' });
    await terminal.shows('keypad');
    expect(await payments()).toEqual([]);
    await keyIn();
    await terminal.shows('tip');
    await terminal.send({ name: 'skip_tip' });
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved', amount: { amountMinor: 1_250 } });
    expect(await payments()).toEqual([[1_250, 0]]);
  });

  test('keeps software from starting a sale while it is chosen', async () => {
    const { terminal, answers, keyIn, start } = await aTill();
    answers(new Promise(() => undefined));
    await keyIn();
    await terminal.shows('tip');
    await expect.poll(async () => (await start(500)).status, { timeout: 30_000 }).toBe(409);
    expect(terminal.screen().name).toBe('tip');
  });

  test('that was chosen after staff had left the sale charges nothing', async () => {
    const { terminal, payments, answers, keyIn } = await aTill();
    const late = Promise.withResolvers<TipAnswer>();
    answers(late.promise);
    await keyIn();
    await terminal.shows('tip');
    await terminal.send({ name: 'cancel_sale' });
    late.resolve({ kind: 'chosen', tipMinor: 125 });
    answers({ kind: 'none' });
    await keyIn(300);
    expect(await terminal.shows('sale_result')).toMatchObject({ amount: { amountMinor: 300 } });
    expect(await payments()).toEqual([[300, 0]]);
  });

  test('is left out where the customer cannot be asked', async () => {
    const { terminal, payments, answers, keyIn } = await aTill();
    answers({ kind: 'not_available' });
    await keyIn();
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved', amount: { amountMinor: 1_250 } });
    expect(await payments()).toEqual([[1_250, 0]]);
  });

  test('charges nothing in a power cut while it is chosen, and once in one during the sale', async () => {
    const { terminal, sandbox, payments, answers, keyIn } = await aTill();
    answers(new Promise(() => undefined));
    await keyIn();
    await terminal.shows('tip');
    await terminal.kill();
    terminal.start();
    await terminal.shows('keypad');
    expect(await payments()).toEqual([]);
    answers({ kind: 'chosen', tipMinor: 63 });
    sandbox.control.addFault({ kind: 'delay', delayMs: 2_000, action: 'CARD_PRESENT' });
    await keyIn();
    await expect.poll(payments, { timeout: 30_000 }).toHaveLength(1);
    await terminal.kill();
    terminal.start();
    expect(await terminal.shows('sale_result')).toMatchObject({
      outcome: 'approved',
      amount: { amountMinor: 1_313 },
      tipMinor: 63,
    });
    expect(await payments()).toEqual([[1_313, 63]]);
  });

  test('is not asked for again when the sale is tried with another card', async () => {
    const { terminal, payments } = await aTill();
    await terminal.send({ name: 'start_sale', amountMinor: 1_250, tipMinor: 125 });
    await terminal.shows('sale_result');
    expect(terminal.reader.tipQuestions).toEqual([]);
    expect(await payments()).toEqual([[1_375, 125]]);
  });

  test('is never asked for in a sale of software, whose amount is its own', async () => {
    const { terminal, started, becomes } = await aTill();
    const { saleId } = await started(1_250);
    await becomes(saleId, { status: 'COMPLETE', amountInCents: 1_250 });
    expect(terminal.reader.tipQuestions).toEqual([]);
  });

  test('is not asked for until the business switches it on', async () => {
    const { terminal, keyIn } = await aTill([]);
    await keyIn();
    await terminal.shows('sale_result');
    expect(terminal.reader.tipQuestions).toEqual([]);
  });
});
