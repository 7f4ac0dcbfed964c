import { operator } from '@florin/shared/actor.ts';
import { getPayment, listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aTillProgram } from '../support/till-program.ts';

eachDatabase('what staff note of a sale', database => {
  async function aTill() {
    const till = await aTillProgram(database);
    const { world, client, business, terminal } = till;
    await world.backend.services.businesses.settings.change(
      business.id,
      { counter: { saleReference: 'table_number' } },
      operator,
    );
    const key = await business.key('sales:read');
    async function found(q: string) {
      const list = await client.call(listPayments, { query: { q } }, { key });
      if (list.status !== 200) throw new Error(JSON.stringify(list.body));
      return list.body.items.map(({ id }) => id);
    }
    async function payment(id: string) {
      const read = await client.call(getPayment, { params: { id } }, { key });
      if (read.status !== 200) throw new Error(JSON.stringify(read.body));
      return read.body;
    }
    async function keyedIn(reference?: string) {
      const noted = reference === undefined ? {} : { reference };
      expect(await terminal.send({ name: 'start_sale', amountMinor: 1_250, ...noted })).toEqual({ kind: 'accepted' });
      const { sale } = await terminal.shows('sale_result');
      await terminal.send({ name: 'show_keypad' });
      return sale;
    }
    return { ...till, found, payment, keyedIn };
  }

  test('is the reference of its payment, which is found by it at the terminal and in the portal', async () => {
    const { terminal, found, payment, keyedIn } = await aTill();
    const sale = await keyedIn('Terrace 12');
    const other = await keyedIn();
    expect([sale?.reference, other?.reference]).toEqual(['Terrace 12', null]);
    const paymentId = sale?.paymentId ?? '';
    expect(await payment(paymentId)).toMatchObject({ reference: 'Terrace 12' });
    expect(await found('Terrace 12')).toEqual([paymentId]);
    await terminal.send({ name: 'show_find_sale' });
    await terminal.send({ name: 'search_sales', text: 'Terrace 12' });
    await expect.poll(() => terminal.screen()).toMatchObject({ busy: false, sales: [{ reference: 'Terrace 12' }] });
  });

  test('is on the receipt, and kept through a power cut in the middle of the sale', async () => {
    const { terminal, sandbox, payment, found } = await aTill();
    terminal.printer.becomes('ready');
    sandbox.control.addFault({ kind: 'delay', delayMs: 2_000, action: 'CARD_PRESENT' });
    await terminal.send({ name: 'start_sale', amountMinor: 1_250, reference: 'Terrace 12' });
    await expect.poll(() => found('Terrace 12')).toHaveLength(1);
    await terminal.kill();
    terminal.start();
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved', reference: 'Terrace 12' });
    const [paymentId = ''] = await found('Terrace 12');
    expect(await payment(paymentId)).toMatchObject({ reference: 'Terrace 12' });
    await expect.poll(() => terminal.view().receipt?.print?.state).toBe('possible');
    await terminal.send({ name: 'print_receipt' });
    await expect.poll(() => terminal.printer.texts().length).toBe(1);
    expect(terminal.printer.texts()[0]).toContain('Terrace 12');
  });

  test('is that of its software where software started it, as before', async () => {
    const { started, becomes, read, payment, found } = await aTill();
    const { saleId } = await started(1_250);
    await becomes(saleId, { status: 'COMPLETE' });
    const { paymentId = '' } = (await read(saleId)).metadata.card ?? {};
    expect(await payment(paymentId)).toMatchObject({ reference: 'Order 7' });
    expect(await found('Order 7')).toEqual([paymentId]);
  });
});
