import { createHash } from 'node:crypto';
import type { SentOperation, VerificationFailure } from '@florin/backend/gateways/gateway.ts';
import type { Money } from '@florin/shared/money.ts';
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

type Sent = { uniqueReference: string; amount: Money; gatewayReference?: string };

/** Reads a callback as the service does, with this operation as the only known one. */
function read(body: string, operation: SentOperation['operation'], sent: Sent, gateway = world.gateway) {
  const { uniqueReference, amount, gatewayReference } = sent;
  const about = operation === 'authorise' || gatewayReference === undefined ? {} : { gatewayReference };
  return gateway.readCallback({ rawBody: body, headers: {} }, async named =>
    named === uniqueReference ? { operation, uniqueReference, amount, ...about } : undefined,
  );
}

describe('a genuine callback', () => {
  test('reports an approved sale, even when its reply was lost', async () => {
    world.sandbox.control.addFault({ kind: 'loseReply' });
    const sale = aSale(gbp(1250));
    expect(await world.gateway.authoriseEcommerce(sale)).toMatchObject({ kind: 'unknown' });
    const body = await world.inbox.next(sale.uniqueReference);
    expect(await read(body, 'authorise', sale)).toEqual({
      kind: 'outcome',
      uniqueReference: sale.uniqueReference,
      outcome: {
        kind: 'approved',
        message: expect.any(String),
        gatewayReference: world.sandbox.control.ledger()[0]?.xref,
        authorisationCode: expect.stringMatching(/^\d{6}$/),
        amount: gbp(1250),
        card: { scheme: 'Visa', lastFour: '0821' },
      },
    });
  });

  test('reports the amount taken if the bank approved a part', async () => {
    world.sandbox.control.addFault({ kind: 'approvePartly', amountMinor: 400 });
    const sale = aSale(gbp(1250));
    expect(await world.gateway.authoriseEcommerce(sale)).toMatchObject({ kind: 'approved', amount: gbp(400) });
    const body = await world.inbox.next(sale.uniqueReference);
    expect(await read(body, 'authorise', sale)).toMatchObject({
      kind: 'outcome',
      outcome: { kind: 'approved', amount: gbp(400) },
    });
    expect(await world.gateway.lookup({ operation: 'authorise', ...sale, sentAt: Date.now() })).toMatchObject({
      kind: 'approved',
      amount: gbp(400),
    });
  });

  test('reports a declined sale', async () => {
    const sale = aSale(gbp(10000));
    await world.gateway.authoriseEcommerce(sale);
    expect(await read(await world.inbox.next(sale.uniqueReference), 'authorise', sale)).toMatchObject({
      uniqueReference: sale.uniqueReference,
      outcome: { kind: 'declined', code: '5' },
    });
  });

  test('reports a refund', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    const refund = aRefund(sale, gbp(300));
    await world.gateway.refundSale(refund);
    expect(await read(await world.inbox.next(refund.uniqueReference), 'refundSale', refund)).toMatchObject({
      uniqueReference: refund.uniqueReference,
      outcome: { kind: 'approved', gatewayReference: world.sandbox.control.ledger()[0]?.refunds[0]?.xref },
    });
  });

  test('names the cancel it is about, though the reply carries the references of the sale', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    const cancel = { ...sale, uniqueReference: reference() };
    await world.gateway.cancel(cancel);
    expect(await read(await world.inbox.next(cancel.uniqueReference), 'cancel', cancel)).toMatchObject({
      uniqueReference: cancel.uniqueReference,
      outcome: { kind: 'approved', gatewayReference: sale.gatewayReference },
    });
  });

  test('reports a card-present sale', async () => {
    const sale = { ...aSale(gbp(700)), card: aReadCard() };
    await world.gateway.authoriseCardPresent(sale);
    expect(await read(await world.inbox.next(sale.uniqueReference), 'authorise', sale)).toMatchObject({
      uniqueReference: sale.uniqueReference,
      outcome: { kind: 'approved', amount: gbp(700) },
    });
  });

  test('reports the void of a partly approved payment', async () => {
    world.sandbox.control.addFault({ kind: 'approvePartly', amountMinor: 400 });
    const outcome = await world.gateway.authoriseEcommerce(aSale(gbp(1250)));
    const gatewayReference = outcome.kind === 'approved' ? outcome.gatewayReference : '';
    const cancel = { uniqueReference: reference(), gatewayReference, amount: gbp(1250) };
    expect(await world.gateway.cancel(cancel)).toMatchObject({ kind: 'approved', gatewayReference });
    expect(await read(await world.inbox.next(cancel.uniqueReference), 'cancel', cancel)).toMatchObject({
      kind: 'outcome',
      outcome: { kind: 'approved', gatewayReference },
    });
  });

  test('of a second approval carries its own reference', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    const second = world.sandbox.control.secondApproval(sale.gatewayReference);
    if (typeof second === 'string') throw new Error(second);
    expect(second.xref).not.toBe(sale.gatewayReference);
    expect(await read(await world.inbox.next(second.xref), 'authorise', sale)).toMatchObject({
      kind: 'outcome',
      outcome: { kind: 'approved', gatewayReference: second.xref },
    });
    expect(await world.gateway.lookup({ operation: 'authorise', ...sale, sentAt: Date.now() })).toMatchObject({
      kind: 'approved',
      gatewayReference: sale.gatewayReference,
      alsoApproved: [second.xref],
    });
  });

  test('about an unknown operation is distinguished from a forged one', async () => {
    const sale = aSale(gbp(500));
    await world.gateway.authoriseEcommerce(sale);
    const body = await world.inbox.next(sale.uniqueReference);
    expect(await read(body, 'authorise', { ...sale, uniqueReference: 'pay_other' })).toEqual({ kind: 'not_ours' });
  });
});

/** A signed callback about a settled refund of 300, with these fields in place of its own. */
async function aRefundCallback(changes: (about: { sale: string }) => Record<string, string>) {
  const sale = await aSettledSale(world, gbp(1000));
  const refund = aRefund(sale, gbp(300));
  const outcome = await world.gateway.refundSale(refund);
  if (outcome.kind !== 'approved') throw new Error('the refund was not approved');
  await world.inbox.next(refund.uniqueReference);
  const fields = { merchantData: 'changed', ...changes({ sale: sale.gatewayReference }) };
  world.sandbox.control.callback({ xref: outcome.gatewayReference, fields });
  return { refund, body: await world.inbox.next('merchantData=changed') };
}

describe('a signed callback', () => {
  test.each<[string, (about: { sale: string }) => Record<string, string>, VerificationFailure]>([
    ['of another merchant', () => ({ requestMerchantID: '999999' }), 'merchant_differs'],
    ['of another operation', () => ({ action: 'REFUND' }), 'operation_differs'],
    ['of a sale under the refund’s reference', () => ({ action: 'SALE' }), 'operation_differs'],
    ['in another currency', () => ({ currencyCode: '978' }), 'currency_differs'],
    ['of another amount', () => ({ amount: '900', amountReceived: '900' }), 'amount_differs'],
    ['with its amount in major units', () => ({ amount: '3.00' }), 'amount_differs'],
    ['with its amount padded', () => ({ amount: '0300' }), 'amount_differs'],
    ['approved in part', () => ({ responseCode: '10' }), 'amount_differs'],
    ['under the reference of its payment', ({ sale }) => ({ xref: sale }), 'gateway_reference_differs'],
    ['approved in a state in which no money moves', () => ({ state: 'finished' }), 'contradictory'],
    ['declined after money moved', () => ({ responseCode: '5' }), 'contradictory'],
    ['without a code', () => ({ responseCode: '' }), 'malformed'],
  ])('%s is rejected with the reason', async (_, changes, reason) => {
    const { refund, body } = await aRefundCallback(changes);
    expect(await read(body, 'refundSale', refund)).toMatchObject({
      kind: 'rejected',
      reason,
      claimed: { uniqueReference: refund.uniqueReference },
    });
  });

  test.each([
    ['65999', 'finished', 'unrecognised_code'],
    ['65536', 'received', 'in_progress'],
    ['65551', 'finished', 'gateway_error'],
  ])('with code %s in state %s decides nothing', async (responseCode, state, cause) => {
    const { refund, body } = await aRefundCallback(() => ({ responseCode, state, amountReceived: '0' }));
    expect(await read(body, 'refundSale', refund)).toEqual({
      kind: 'undecided',
      uniqueReference: refund.uniqueReference,
      cause,
    });
  });

  test('about one payment cannot void another', async () => {
    const [one, other] = [await anUnsettledSale(world, gbp(1000)), await anUnsettledSale(world, gbp(1000))];
    const cancel = { ...one, uniqueReference: reference() };
    await world.gateway.cancel(cancel);
    const body = await world.inbox.next(cancel.uniqueReference);
    const aboutOther = { ...cancel, gatewayReference: other.gatewayReference };
    expect(await read(body, 'cancel', aboutOther)).toMatchObject({
      kind: 'rejected',
      reason: 'gateway_reference_differs',
      claimed: { approved: true },
    });
    expect(await read(body, 'refundSale', cancel)).toMatchObject({ kind: 'rejected', reason: 'operation_differs' });
  });
});

describe('a forged callback', () => {
  let genuine: string;
  let sale: ReturnType<typeof aSale>;
  beforeEach(async () => {
    sale = aSale(gbp(1250));
    await world.gateway.authoriseEcommerce(sale);
    genuine = await world.inbox.next(sale.uniqueReference);
    expect(await read(genuine, 'authorise', sale)).toMatchObject({ kind: 'outcome' });
  });

  test.each<[string, (body: string) => string, VerificationFailure?]>([
    ['another amount', body => body.replace('amount=1250', 'amount=125000')],
    ['another reference', body => body.replace(/transactionUnique=[^&]+/, 'transactionUnique=ref_other')],
    ['a field more', body => `customerName=Eve&${body}`],
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
    ['nothing', () => '', 'malformed'],
    ['JSON', () => '{"state":"captured"}', 'malformed'],
    ['a field named twice', body => `${body}&state=accepted`, 'malformed'],
    ['a megabyte', () => `a=${'x'.repeat(1024 * 1024)}`],
  ])('with %s is rejected', async (_, forge, reason = 'bad_signature') => {
    expect(await read(forge(genuine), 'authorise', sale)).toMatchObject({ kind: 'rejected', reason });
  });

  test('signed with the secret of another account is rejected, with its claims', async () => {
    const other = adapterFor(world.sandbox, { callbackUrl: world.inbox.url, secret: 'another' });
    expect(await read(genuine, 'authorise', sale, other)).toEqual({
      kind: 'rejected',
      reason: 'bad_signature',
      claimed: {
        uniqueReference: sale.uniqueReference,
        gatewayReference: world.sandbox.control.ledger()[0]?.xref,
        amountMinor: 1250,
        code: '0',
        approved: true,
      },
    });
  });
});

describe('delivery', () => {
  test('a callback address on another machine is never called', async () => {
    const gateway = adapterFor(world.sandbox, { callbackUrl: 'http://203.0.113.9/callback' });
    await gateway.authoriseEcommerce(aSale(gbp(500)));
    expect(world.sandbox.control.callbacks()).toMatchObject([{ status: 'refused', attempts: 0 }]);
  });
});
