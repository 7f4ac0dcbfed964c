import { createKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { startKioskSale } from '@florin/shared/contracts/kiosk-v1/sales.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aDrivenTerminal } from '../../../test/support/driven-terminal.ts';
import { aTill } from '../../../test/support/till.ts';

eachDatabase('a refund that software starts', database => {
  test('is refused with the reason why this sale cannot be refunded, or not by this amount', async () => {
    const { key, taken, report, authorise, complete, becomes, client, token } = await aDrivenTerminal(database);
    const refusalOf = async (originalSaleId: string, amountInCents = 1_000) => {
      const refund = { serial: 'SN-1', amountInCents, currency: 'GBP', type: 'refund', originalSaleId } as const;
      const { status, body } = await client.call(startTerminalSale, { body: refund }, { key });
      return 'error' in body ? { status, ...body.error.metadata } : { status };
    };
    expect(await refusalOf(`sale_${'0'.repeat(32)}`)).toMatchObject({ status: 404, reason: 'original_sale_not_found' });

    const unpaid = await taken();
    await report(unpaid.saleId, 1, { ended: 'customer_cancelled' });
    await becomes(unpaid.saleId, { status: 'CANCELLED_REMOTE' });
    unpaid.stream.close();
    expect(await refusalOf(unpaid.saleId)).toMatchObject({ status: 409, reason: 'sale_took_no_money' });

    const voided = await taken();
    await authorise(voided.saleId);
    await client.call(reverseSale, { params: { saleId: voided.saleId }, body: { reason: 'card_refused' } }, token);
    await becomes(voided.saleId, { status: 'ERROR', statusReason: 'card_refused' });
    voided.stream.close();
    expect(await refusalOf(voided.saleId)).toMatchObject({ status: 409, reason: 'payment_already_cancelled' });

    const paid = await taken();
    await authorise(paid.saleId);
    await complete(paid.saleId);
    await becomes(paid.saleId, { status: 'COMPLETE' });
    paid.stream.close();
    expect(await refusalOf(paid.saleId, 400)).toMatchObject({ reason: 'payment_not_settled', remaining: 1_000 });
    expect(await refusalOf(paid.saleId, 1_001)).toMatchObject({ reason: 'refund_exceeds_payment', remaining: 1_000 });
    expect(await refusalOf(paid.saleId)).toMatchObject({ status: 201 });
  });

  test('is not found by a kiosk with another terminal', async () => {
    const { world, client, till, manager, taken, authorise, complete, becomes } = await aDrivenTerminal(database);
    const paid = await taken();
    await authorise(paid.saleId);
    await complete(paid.saleId);
    await becomes(paid.saleId, { status: 'COMPLETE' });
    const elsewhere = await aTill(world, manager, { keySeed: 5, serial: 'SN-2' });
    const refund = async (terminalId: string, serial: string) => {
      const body = { name: serial, deviceIds: [terminalId] };
      const made = await client.call(createKioskKey, { body }, { key: manager });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      const sale = {
        serial,
        amountInCents: 1_000,
        currency: 'GBP',
        type: 'refund',
        originalSaleId: paid.saleId,
      } as const;
      return client.call(startKioskSale, { body: sale }, { headers: { 'x-api-key': made.body.key ?? '' } });
    };
    expect(await refund(elsewhere.terminalId, 'SN-2')).toMatchObject({
      status: 404,
      body: { error: { metadata: { reason: 'original_sale_not_found' } } },
    });
    paid.stream.close();
    expect(await refund(till.terminalId, 'SN-1')).toMatchObject({ status: 201 });
  });
});
