import { describe, expect, test } from 'vitest';
import { wireSale as sale, signed, wireClient } from './wire-client.ts';
import { aGatewayWorldEach } from './world.ts';

/** Rules of the Direct interface for unusual requests. */
const world = aGatewayWorldEach();
const { post, send } = wireClient(world);
const merchantID = '100001';
const recorded = () => world.sandbox.control.transactions();

async function aSettledSaleOf(fields: Record<string, string> = {}): Promise<string> {
  const { xref, responseCode } = await send({ ...sale, ...fields });
  expect(responseCode).toBe('0');
  world.sandbox.control.settle();
  return xref ?? '';
}

describe('checkOnly', () => {
  test('answers whether a sale would be approved, and stores nothing', async () => {
    expect(await send({ ...sale, checkOnly: 'Y' })).toMatchObject({ responseCode: '0', state: 'finished' });
    expect((await send({ ...sale, checkOnly: 'Y', cardNumber: '4929421234600822' })).responseCode).toBe('66314');
    expect(recorded()).toEqual([]);
    expect((await send(sale)).responseCode).toBe('0');
  });

  test('does not change a sale that is queried', async () => {
    const { xref = '' } = await send(sale);
    expect(await send({ merchantID, action: 'CANCEL', xref, checkOnly: 'Y' })).toMatchObject({ responseCode: '0' });
    expect(await send({ merchantID, action: 'CAPTURE', xref, amount: '100', checkOnly: 'Y' })).toMatchObject({
      responseCode: '0',
    });
    expect(recorded()).toMatchObject([{ state: 'captured', receivedMinor: 1250 }]);
    world.sandbox.control.settle();
    expect(await send({ merchantID, action: 'CANCEL', xref, checkOnly: 'Y' })).toMatchObject({ responseCode: '65541' });
    const refund = { merchantID, action: 'REFUND_SALE', xref, amount: '100', transactionUnique: 'r1' };
    expect(await send({ ...refund, checkOnly: 'Y' })).toMatchObject({ responseCode: '0' });
    expect(recorded()).toMatchObject([{ state: 'accepted', refundedMinor: 0 }]);
    expect(world.inbox.received).toEqual([]);
  });

  test('with another value is refused, and N means no', async () => {
    expect((await send({ ...sale, checkOnly: 'maybe' })).responseCode).toBe('65544');
    expect((await send({ ...sale, checkOnly: 'N' })).state).toBe('captured');
  });
});

describe('captureDelay', () => {
  test.each(['abc', '31', '-2', '1.5', '1e1', ' '])('of %j is refused and captures nothing', async captureDelay => {
    expect((await send({ ...sale, captureDelay })).responseCode).toBe('65544');
    expect(recorded().filter(one => one.approvedMinor > 0)).toEqual([]);
  });

  test.each([
    ['0', 'captured'],
    ['30', 'approved'],
    ['-1', 'approved'],
    ['never', 'approved'],
  ])('of %j leaves a sale %s', async (captureDelay, state) => {
    expect((await send({ ...sale, captureDelay })).state).toBe(state);
  });
});

describe('3-D Secure', () => {
  const checked = { ...sale, cardExpiryDate: '0131', threeDSRedirectURL: 'http://127.0.0.1:9/back' };

  test('is continued only by the merchant who began it', async () => {
    const { threeDSRef = '' } = await send(checked);
    const foreign = { merchantID: '100002', threeDSRef, 'threeDSResponse[threeDSMethodData]': 'timeout' };
    expect((await send(foreign, 'DontTellAnyone')).responseCode).toBe('65575');
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 0 }]);
    expect((await send({ ...foreign, merchantID })).responseCode).toBe('0');
  });

  test('waits without an authorisation code, because nothing was authorised yet', async () => {
    const first = await send(checked);
    expect(first).toMatchObject({ responseCode: '65802', state: 'received', amountApproved: '0' });
    expect(first).not.toHaveProperty('authorisationCode');
  });

  test('of the same sale again is a duplicate while the first waits', async () => {
    expect((await send(checked)).responseCode).toBe('65802');
    expect((await send(checked)).responseCode).toBe('65554');
    expect(recorded()).toHaveLength(1);
  });
});

describe('an amount in major units without a currency', () => {
  test.each([
    ['KWD', '1.250', '1.2505'],
    ['GBP', '12.50', '12.505'],
    ['JPY', '1250', '1250.0'],
  ])('has the decimals of the sale’s currency: %s', async (currencyCode, amount, tooFine) => {
    const xref = await aSettledSaleOf({ currencyCode, amount });
    const refund = { merchantID, action: 'REFUND_SALE', xref };
    expect(await send({ ...refund, amount: tooFine, transactionUnique: 'r1' })).toMatchObject({
      responseCode: '66312',
    });
    expect(await send({ ...refund, amount, transactionUnique: 'r2' })).toMatchObject({
      responseCode: '0',
      amount: '1250',
    });
  });

  test('is captured with the decimals of the sale’s currency', async () => {
    const { xref = '' } = await send({ ...sale, currencyCode: 'KWD', captureDelay: 'never' });
    expect(await send({ merchantID, action: 'CAPTURE', xref, amount: '1.001' })).toMatchObject({
      amountReceived: '1001',
    });
  });
});

describe('a refused follow-up', () => {
  test('has a reference of its own, under which it is found', async () => {
    const { xref: saleXref = '' } = await send(sale);
    const refund = { merchantID, action: 'REFUND_SALE', xref: saleXref, amount: '100', transactionUnique: 'r1' };
    const refused = await send(refund);
    expect(refused).toMatchObject({ responseCode: '65541', transactionID: expect.stringMatching(/^\d+$/) });
    expect(refused.xref).not.toBe(saleXref);
    expect(await send({ merchantID, action: 'QUERY', xref: refused.xref ?? '' })).toMatchObject({
      responseCode: '65541',
      transactionUnique: 'r1',
      state: 'finished',
    });
  });

  test('refused by a fault has a reference of its own too', async () => {
    const xref = await aSettledSaleOf();
    world.sandbox.control.addFault({ kind: 'decline', action: 'REFUND_SALE' });
    const refund = { merchantID, action: 'REFUND_SALE', xref, amount: '100', transactionUnique: 'r1' };
    const declined = await send(refund);
    expect(declined).toMatchObject({ responseCode: '5', xref: expect.any(String) });
    expect(declined.xref).not.toBe(xref);
  });
});

test('a media type is read in any case', async () => {
  const { fields } = await post(signed(sale), 'Application/X-WWW-Form-URLEncoded; Charset=UTF-8');
  expect(fields.responseCode).toBe('0');
  expect((await post(signed(sale), 'application/x-www-form-urlencoded-not')).fields.responseCode).toBe('65544');
});
