import { sign } from '@florin/backend/programs/sandbox/card-gateway/wire.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signed, wireClient, wireSale, wireSecret } from './wire-client.ts';
import { aGatewayWorld, type GatewayWorld } from './world.ts';

/** The sandbox's Direct interface, without the adapter. */
let world: GatewayWorld;
beforeAll(async () => {
  world = await aGatewayWorld();
});
beforeEach(() => world.sandbox.control.reset());
afterAll(() => world.close());

const { post, send } = wireClient({
  get sandbox() {
    return world.sandbox;
  },
});
const sale = wireSale;
const secret = wireSecret;

describe('a reply', () => {
  test('is urlencoded text/html with 200, signed in full, and echoes all but the card', async () => {
    const { status, type, fields } = await post(signed({ ...sale, merchantData: 'mine', customerAddress: '' }));
    expect(status).toBe(200);
    expect(type).toMatch(/^text\/html/);
    const { signature, ...rest } = fields;
    expect(signature).toBe(sign(new Map(Object.entries(rest)), secret));
    expect(rest).toMatchObject({
      responseCode: '0',
      responseStatus: '0',
      state: 'captured',
      amount: '1250',
      currencyCode: '826',
      countryCode: '826',
      merchantData: 'mine',
      cardNumberMask: '492942******0821',
      amountApproved: '1250',
      amountReceived: '1250',
      amountRetained: '1250',
      amountRefunded: '0',
      currencyExponent: '2',
      responseMessage: expect.stringMatching(/^AUTHCODE:\d{6}$/),
    });
    expect(rest).not.toHaveProperty('cardNumber');
    expect(rest).not.toHaveProperty('cardCVV');
    expect(rest).not.toHaveProperty('customerAddress');
  });

  test('to an error is 200 too', async () => {
    expect(await post(signed({ ...sale, action: 'GIVE' }))).toMatchObject({
      status: 200,
      fields: { responseCode: '66311' },
    });
  });
});

describe('a bad request', () => {
  const { action: _, ...withoutAction } = sale;
  const { currencyCode: __, ...withoutCurrency } = sale;
  const { amount: ___, ...withoutAmount } = sale;
  test.each<[string, Record<string, string>, string]>([
    ['no action', withoutAction, '66055'],
    ['an unknown action', { ...sale, action: 'sale' }, '66311'],
    ['no currency', withoutCurrency, '66057'],
    ['an unknown currency', { ...sale, currencyCode: 'XXX' }, '66313'],
    ['no amount', withoutAmount, '66056'],
    ['a negative amount', { ...sale, amount: '-5' }, '66312'],
    ['half a penny', { ...sale, amount: '1.005' }, '66312'],
    ['an amount of forty digits', { ...sale, amount: '9'.repeat(40) }, '66312'],
    ['a card number with a wrong digit', { ...sale, cardNumber: '4929421234600822' }, '66314'],
    ['an unknown merchant', { ...sale, merchantID: '1' }, '65539'],
    ['a capture of nothing', { merchantID: '100001', action: 'CAPTURE' }, '66085'],
    ['a cancel of nothing known', { merchantID: '100001', action: 'CANCEL', xref: 'x' }, '65575'],
    ['an unknown type', { ...sale, type: '7' }, '65544'],
    ['an unknown 3-D Secure reference', { merchantID: '100001', threeDSRef: 'x' }, '65575'],
  ])('with %s gets its code', async (_name, fields, code) => {
    expect((await send(fields)).responseCode).toBe(code);
    expect(world.sandbox.control.ledger().filter(one => one.takenMinor > 0)).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['no signature', new URLSearchParams(sale).toString(), '66087'],
    ['a wrong signature', signed(sale, 'another secret'), '65539'],
    ['a signature over something else', signed(sale).replace('1250', '1'), '65539'],
    ['a field twice', `${signed(sale)}&amount=1`, '65544'],
    [
      'more than 255 fields',
      signed({ ...sale, ...Object.fromEntries(Array.from({ length: 250 }, (_x, i) => [`f${i}`, '1'])) }),
      '65544',
    ],
    ['nothing', '', '65544'],
    ['JSON', '{"action":"SALE"}', '65544'],
    ['broken escapes', 'action=%zz&merchantID=100001', '65544'],
    ['bytes that are not UTF-8', 'action=%ff&merchantID=100001', '65544'],
    ['a megabyte', `a=${'x'.repeat(1024 * 1024)}`, '65544'],
  ])('with %s gets its code', async (_name, body, code) => {
    expect((await post(body)).fields.responseCode).toBe(code);
    expect(world.sandbox.control.transactions()).toEqual([]);
  });

  test('as JSON by its content type is malformed', async () => {
    expect((await post(signed(sale), 'application/json')).fields.responseCode).toBe('65544');
  });

  test('leaves the sandbox serving the next one', async () => {
    await Promise.allSettled(Array.from({ length: 20 }, (_x, i) => post('%'.repeat(i * 1000))));
    expect((await send(sale)).responseCode).toBe('0');
  });
});

describe('duplicates', () => {
  test('within 300 s are refused, after that or with another reference they are not', async () => {
    expect((await send(sale)).responseCode).toBe('0');
    expect((await send(sale)).responseCode).toBe('65554');
    expect((await send({ ...sale, transactionUnique: 'two' })).responseCode).toBe('0');
    world.sandbox.control.advanceDuplicates(299);
    expect((await send(sale)).responseCode).toBe('65554');
    world.sandbox.control.advanceDuplicates(2);
    expect((await send(sale)).responseCode).toBe('0');
    expect((await send(sale)).responseCode).toBe('65554');
    world.sandbox.control.resetDuplicates();
    expect((await send(sale)).responseCode).toBe('0');
  });

  test('catch two equal part refunds that share the cloned reference', async () => {
    const { xref } = await send(sale);
    world.sandbox.control.settle();
    const refund = { merchantID: '100001', action: 'REFUND_SALE', xref: xref ?? '', amount: '100' };
    expect((await send(refund)).responseCode).toBe('0');
    expect((await send(refund)).responseCode).toBe('65554');
    expect((await send({ ...refund, transactionUnique: 'fresh' })).responseCode).toBe('0');
  });
});

describe('a transaction', () => {
  test('can be held, captured for less, settled and refunded', async () => {
    const held = await send({ ...sale, captureDelay: 'never' });
    expect(held).toMatchObject({ state: 'approved', amountApproved: '1250', amountReceived: '0' });
    const about = { merchantID: '100001', xref: held.xref ?? '' };
    expect((await send({ ...about, action: 'CAPTURE', amount: '1251' })).responseCode).toBe('66312');
    expect(await send({ ...about, action: 'CAPTURE', amount: '1000' })).toMatchObject({
      action: 'CAPTURE:SALE',
      state: 'captured',
      amountReceived: '1000',
    });
    expect(await send({ ...about, action: 'CAPTURE', amount: '900' })).toMatchObject({ amountReceived: '900' });
    expect((await send({ ...about, action: 'CAPTURE', amount: '1000' })).responseCode).toBe('66312');
    expect(await send({ ...about, action: 'REFUND_SALE', amount: '100' })).toMatchObject({
      responseCode: '65541',
      responseMessage: 'Can not REFUND this SALE transaction',
      state: 'finished',
    });
    world.sandbox.control.settle();
    expect(
      await send({ ...about, action: 'REFUND_SALE', amount: '100', cardNumber: '4929421234600821' }),
    ).toMatchObject({
      responseCode: '65542',
    });
    const refund = await send({ ...about, action: 'REFUND_SALE', amount: '100', transactionUnique: 'r1' });
    expect(refund).toMatchObject({ responseCode: '0', state: 'captured', amount: '100', amountRefunded: '100' });
    expect(refund.xref).not.toBe(about.xref);
    expect(await send({ ...about, action: 'QUERY' })).toMatchObject({ action: 'QUERY:SALE', amountRetained: '800' });
    const whole = await send({ ...about, action: 'REFUND_SALE', transactionUnique: 'r2' });
    expect(whole).toMatchObject({ amount: '800', amountRefunded: '900' });
  });

  test('can be refunded again after a refund of it was cancelled', async () => {
    const { xref } = await send(sale);
    world.sandbox.control.settle();
    const about = { merchantID: '100001', xref: xref ?? '' };
    const refund = await send({ ...about, action: 'REFUND_SALE', transactionUnique: 'r1' });
    expect(await send({ merchantID: '100001', action: 'CANCEL', xref: refund.xref ?? '' })).toMatchObject({
      action: 'CANCEL:REFUND_SALE',
      state: 'canceled',
    });
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 1250, returnedMinor: 0 }]);
    expect((await send({ ...about, action: 'REFUND_SALE', transactionUnique: 'r3' })).responseCode).toBe('0');
  });

  test('that was referred is approved once the voice code is known', async () => {
    const referred = await send({ ...sale, amount: '5100' });
    expect(referred).toMatchObject({ responseCode: '1', state: 'referred' });
    const again = {
      merchantID: '100001',
      action: 'SALE',
      xref: referred.xref ?? '',
      amount: '5100',
      authorisationCode: '123456',
    };
    expect(await send({ ...again, transactionUnique: 'again' })).toMatchObject({
      responseCode: '0',
      authorisationCode: '123456',
    });
  });

  test('of kind VERIFY or PREAUTH takes nothing', async () => {
    expect(await send({ ...sale, action: 'VERIFY', amount: '0' })).toMatchObject({
      responseCode: '0',
      state: 'verified',
    });
    expect(await send({ ...sale, action: 'PREAUTH' })).toMatchObject({ responseCode: '0', state: 'reversed' });
    world.sandbox.control.settle();
    expect(world.sandbox.control.transactions().filter(one => one.receivedMinor > 0)).toEqual([]);
  });

  test('is never visible to another account', async () => {
    const { xref } = await send(sale);
    const foreign = signed({ merchantID: '100002', action: 'QUERY', xref: xref ?? '' }, 'DontTellAnyone');
    expect((await post(foreign)).fields.responseCode).toBe('65575');
  });

  test('of a customer named after a test amount has the outcome of that amount', async () => {
    expect(await send({ ...sale, customerName: 'Test [10000]' })).toMatchObject({ responseCode: '5', amount: '1250' });
  });

  test('with a decimal point in its amount is in major units', async () => {
    expect(await send({ ...sale, amount: '12.5' })).toMatchObject({ responseCode: '0', amount: '1250' });
  });
});

describe('a payment token', () => {
  test('is charged to its card', async () => {
    const made = await fetch(world.sandbox.tokenUrl, {
      method: 'POST',
      body: JSON.stringify({
        cardNumber: '5301250070000191',
        cardExpiryMonth: '11',
        cardExpiryYear: '31',
        cardCVV: '419',
      }),
    });
    const { paymentToken } = (await made.json()) as { paymentToken: string };
    const { cardNumber: _, cardExpiryDate: __, cardCVV: ___, ...rest } = sale;
    expect(await send({ ...rest, paymentToken })).toMatchObject({ responseCode: '0', cardScheme: 'Mastercard' });
    expect((await send({ ...rest, paymentToken: 'bm9uZQ==', transactionUnique: 'b' })).responseCode).toBe('65544');
  });
});
