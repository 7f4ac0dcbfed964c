import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/backend.ts';
import { aDrivenTerminal } from '../../test/support/driven-terminal.ts';

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
});
