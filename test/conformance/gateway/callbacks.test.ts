import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  adapterFor,
  aGatewayWorldEach,
  anUnsettledSale,
  aReadCard,
  aRefund,
  aSale,
  aSettledSale,
  gbp,
  reference,
} from './world.ts';

const world = aGatewayWorldEach();

describe('a genuine callback', () => {
  test('tells of an approved sale, even when its reply was lost', async () => {
    world.sandbox.control.addFault({ kind: 'loseReply' });
    const sale = aSale(gbp(1250));
    expect(await world.gateway.authoriseEcommerce(sale)).toMatchObject({ kind: 'unknown' });
    const body = await world.inbox.next(sale.uniqueReference);
    expect(world.gateway.readCallback(body)).toMatchObject({
      uniqueReference: sale.uniqueReference,
      outcome: { kind: 'approved', gatewayReference: expect.any(String) },
      amountMinor: 1250,
      authorisationCode: expect.any(String),
      card: { scheme: 'Visa', lastFour: '0821' },
    });
  });

  test('tells what was taken where the bank approved a part', async () => {
    world.sandbox.control.addFault({ kind: 'approvePartly', amountMinor: 400 });
    const sale = aSale(gbp(1250));
    expect(await world.gateway.authoriseEcommerce(sale)).toMatchObject({ kind: 'approved', amount: gbp(400) });
    expect(world.gateway.readCallback(await world.inbox.next(sale.uniqueReference))).toMatchObject({
      outcome: { kind: 'approved' },
      amountMinor: 400,
    });
    expect(await world.gateway.lookup({ operation: 'authorise', ...sale, sentAt: Date.now() })).toMatchObject({
      kind: 'approved',
      amount: gbp(400),
    });
  });

  test('tells of a declined sale', async () => {
    const sale = aSale(gbp(10000));
    await world.gateway.authoriseEcommerce(sale);
    expect(world.gateway.readCallback(await world.inbox.next(sale.uniqueReference))).toMatchObject({
      uniqueReference: sale.uniqueReference,
      outcome: { kind: 'declined', code: '5' },
    });
  });

  test('tells of a refund', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    const refund = aRefund(sale, gbp(300));
    await world.gateway.refundSale(refund);
    expect(world.gateway.readCallback(await world.inbox.next(refund.uniqueReference))).toMatchObject({
      uniqueReference: refund.uniqueReference,
      outcome: { kind: 'approved' },
      amountMinor: 300,
    });
  });

  test('tells which cancel it is about, though the reply carries the references of the sale', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    const cancel = { ...sale, uniqueReference: reference() };
    await world.gateway.cancel(cancel);
    expect(world.gateway.readCallback(await world.inbox.next(cancel.uniqueReference))).toMatchObject({
      uniqueReference: cancel.uniqueReference,
      outcome: { kind: 'approved', gatewayReference: sale.gatewayReference },
      amountMinor: 1000,
    });
  });

  test('tells of a card-present sale', async () => {
    const sale = { ...aSale(gbp(700)), card: aReadCard() };
    await world.gateway.authoriseCardPresent(sale);
    expect(world.gateway.readCallback(await world.inbox.next(sale.uniqueReference))).toMatchObject({
      uniqueReference: sale.uniqueReference,
      outcome: { kind: 'approved' },
      amountMinor: 700,
    });
  });
});

describe('a forged callback', () => {
  let genuine: string;
  beforeEach(async () => {
    const sale = aSale(gbp(1250));
    await world.gateway.authoriseEcommerce(sale);
    genuine = await world.inbox.next(sale.uniqueReference);
    expect(world.gateway.readCallback(genuine)).toBeDefined();
  });

  test.each<[string, (body: string) => string]>([
    ['another amount', body => body.replace('amount=1250', 'amount=125000')],
    ['another reference', body => body.replace(/transactionUnique=[^&]+/, 'transactionUnique=ref_other')],
    ['a field more', body => `state=accepted&${body}`],
    ['no signature', body => body.replace(/&?signature=[^&]+/, '')],
    ['an empty signature', body => body.replace(/signature=[^&]+/, 'signature=')],
    ['a short signature', body => body.replace(/signature=[^&]+/, 'signature=ab')],
    ['a long signature', body => `${body}00`],
    ['a partial signature', body => `${body}|responseCode`],
    [
      'an unkeyed hash',
      body => {
        const unsigned = body.replace(/&?signature=[^&]+/, '');
        const sorted = unsigned.split('&').sort().join('&');
        return `${unsigned}&signature=${createHash('sha512').update(sorted).digest('hex')}`;
      },
    ],
    ['nothing', () => ''],
    ['JSON', () => '{"state":"captured"}'],
    ['a megabyte', () => `a=${'x'.repeat(1024 * 1024)}`],
  ])('with %s is not read', (_, forge) => {
    expect(world.gateway.readCallback(forge(genuine))).toBeUndefined();
  });

  test('signed with the secret of another account is not read', () => {
    const other = adapterFor(world.sandbox, { callbackUrl: world.inbox.url, secret: 'another' });
    expect(other.readCallback(genuine)).toBeUndefined();
  });
});

describe('delivery', () => {
  test('a callback address off this machine is never called', async () => {
    const gateway = adapterFor(world.sandbox, { callbackUrl: 'http://203.0.113.9/callback' });
    await gateway.authoriseEcommerce(aSale(gbp(500)));
    expect(world.sandbox.control.callbacks()).toMatchObject([{ status: 'refused', attempts: 0 }]);
  });
});
