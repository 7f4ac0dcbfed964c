import { unlockStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { listRefundLog, listVoidLog } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { createStaffChallenge, getTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { completeSale, getSale, listSales, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { type KeyPair, keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

eachDatabase('refunds at the till', database => {
  test('a sale can be voided or refunded at the till with staff ID and password, which is logged', async () => {
    const { world, client, business, sandbox } = await aShop(database);
    const manager = await business.key('team:read', 'team:write', 'devices:write', 'devices:read');
    const till = await aTill(world, manager);
    const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104', dailyLimitInCents: 900 });
    const key = till.token;

    const sold = await till.sell(1_000);
    expect(sold).toMatchObject({ status: 'unsettled', action: 'void', remainingInCents: 1_000 });
    expect(await till.sell(1_000, sold.saleId)).toEqual(sold);
    await client.call(completeSale, { params: { saleId: sold.saleId } }, { key });
    expect(
      await client.call(reverseSale, { params: { saleId: sold.saleId }, body: { reason: 'card_refused' } }, { key }),
    ).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'sale_completed' } } } });

    const paymentId = sold.paymentId ?? '';
    const tempKeys = await till.keysOf('104', temporaryPassword ?? '');
    expect(await till.request({ paymentId, kind: 'CANCEL' }, '104', tempKeys)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'password_change_required' } } },
    });
    const keys = await till.changePassword('104', tempKeys, 'my own password');

    const voided = await till.request({ paymentId, kind: 'CANCEL', requestId: 'request-1' }, '104', keys);
    expect(voided).toMatchObject({
      status: 201,
      body: {
        refund: { status: 'approved', originalSaleId: sold.saleId, staff: { staffNumber: '104' } },
        sale: { status: 'cancelled', action: 'none' },
      },
    });
    expect(await client.call(getTerminalRefund, { params: { requestId: 'request-1' } }, { key })).toMatchObject({
      status: 200,
      body: { refund: { kind: 'CANCEL', status: 'approved' } },
    });

    const second = await till.sell(1_000);
    sandbox.control.settle();
    const refund = (amountInCents: number, signedBy: KeyPair) =>
      till.request({ paymentId: second.paymentId ?? '', kind: 'REFUND_SALE', amountInCents }, '104', signedBy);
    expect(await refund(250, keys)).toMatchObject({ status: 201, body: { sale: { remainingInCents: 750 } } });
    expect(await refund(700, keys)).toMatchObject({
      status: 409,
      body: { error: { message: 'Daily limit reached!', metadata: { reason: 'daily_limit_exceeded' } } },
    });
    const wrong = keyPairOf(Buffer.alloc(32, 9));
    for (let attempt = 1; attempt < 5; attempt += 1)
      expect(await refund(100, wrong)).toMatchObject({
        status: 403,
        body: { error: { message: 'Incorrect password' } },
      });
    expect(await refund(100, wrong)).toMatchObject({
      status: 429,
      body: { error: { metadata: { reason: 'staff_locked', retryAfterSeconds: 300 } } },
    });
    const challenge = await client.call(createStaffChallenge, { body: { staffNumber: '104' } }, { key });
    expect(challenge).toMatchObject({ status: 429 });
    expect(await client.call(createStaffChallenge, { body: { staffNumber: '999' } }, { key })).toMatchObject({
      status: 404,
      body: { error: { message: 'Incorrect staff ID', metadata: { reason: 'staff_unknown' } } },
    });
    await client.call(unlockStaff, { params: { id: staff.id } }, { key: manager });
    expect(await refund(100, keys)).toMatchObject({ status: 201 });

    const refundLog = await client.call(listRefundLog, { query: {} }, { key: manager });
    expect(refundLog.status === 200 && refundLog.body.items.map(({ status, reason }) => reason ?? status)).toEqual([
      'authorized',
      ...Array.from({ length: 5 }, () => 'invalid_signature'),
      'daily_limit_exceeded',
      'authorized',
    ]);
    const failed = await client.call(listRefundLog, { query: { status: 'failed', limit: 2 } }, { key: manager });
    expect(failed).toMatchObject({ body: { items: [{ staff: { id: staff.id } }, {}] } });
    expect(failed.status === 200 && failed.body.nextCursor).toBeTruthy();
    expect(await client.call(listVoidLog, { query: { staffId: staff.id } }, { key: manager })).toMatchObject({
      body: {
        items: [
          {
            status: 'authorized',
            amountInCents: null,
            terminal: { id: till.terminalId, name: 'Till 1' },
            sale: { invoiceNumber: 'INV-000001', amountInCents: 1_000, currency: 'GBP' },
          },
          { status: 'failed', reason: 'permission_denied', detail: 'password_change_required' },
        ],
      },
    });
    expect(await world.backend.services.audit.verify(business.id)).toMatchObject({ kind: 'intact' });
    const listed = await client.call(listSales, { query: {} }, { key });
    expect(listed).toMatchObject({ body: { items: [{ saleId: second.saleId }, { saleId: sold.saleId }] } });
  });

  test('what was paid over a link is not found at the till', async () => {
    const { world, business, aLink, pay } = await aShop(database);
    const till = await aTill(world, await business.key('team:read', 'team:write', 'devices:write', 'devices:read'));
    const { temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'my own password');
    const { id: paymentId } = await pay((await aLink(1_000)).id);
    expect(await till.request({ paymentId, kind: 'CANCEL' }, '104', keys)).toMatchObject({
      status: 404,
      body: { error: { metadata: { reason: 'payment_not_found' } } },
    });
  });

  test('two tills may give their requests the same id', async () => {
    const { world, business } = await aShop(database);
    const manager = await business.key('team:read', 'team:write', 'devices:write', 'devices:read');
    const [till, other] = [await aTill(world, manager), await aTill(world, manager, { keySeed: 5, serial: 'SN-2' })];
    const { temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'my own password');
    const voids = [];
    for (const at of [till, other]) {
      const { paymentId } = await at.sell(1_000);
      voids.push(await at.request({ paymentId: paymentId ?? '', kind: 'CANCEL', requestId: 'request-1' }, '104', keys));
    }
    expect(voids).toMatchObject([{ status: 201 }, { status: 201 }]);
    expect(new Set(voids.map(({ body }) => ('refund' in body ? body.refund?.id : null))).size).toBe(2);
  });

  test('a sale reversed before its authorisation arrived is not sent to the bank', async () => {
    const { world, client, business, sandbox } = await aShop(database);
    const till = await aTill(world, await business.key('devices:write', 'devices:read', 'team:write'));
    const saleId = 'sale_00000099';
    const key = till.token;
    const given = await client.call(
      reverseSale,
      { params: { saleId }, body: { reason: 'customer_cancelled' } },
      { key },
    );
    expect(given).toMatchObject({ status: 404 });
    await expect(till.sell(1_000, saleId)).rejects.toThrow('sale_reversed');
    expect(await client.call(getSale, { params: { saleId } }, { key })).toMatchObject({ status: 404 });
    expect(sandbox.control.ledger()).toEqual([]);
    const sold = await till.sell(1_200);
    const reversed = await client.call(
      reverseSale,
      { params: { saleId: sold.saleId }, body: { reason: 'card_refused' } },
      { key },
    );
    expect(reversed).toMatchObject({ status: 200, body: { status: 'cancelled', action: 'none' } });
  });
});
