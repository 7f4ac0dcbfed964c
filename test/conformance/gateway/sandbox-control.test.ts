import { isSignedWith } from '@florin/backend/programs/sandbox/card-gateway/wire.ts';
import { parseAction } from '@florin/hardware-sim/actions.ts';
import { armFault } from '@florin/hardware-sim/outside.ts';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { wireSale as sale, wireClient, wireSecret } from './wire-client.ts';
import { aGatewayWorldEach, aReadCard, gbp, reference } from './world.ts';

/** What tests and people can do on the sandbox's control port. */
const world = aGatewayWorldEach();
const { send } = wireClient(world);
const merchantID = '100001';

async function control(path: string, body: unknown, headers: Record<string, string> = {}) {
  const { statusCode, body: content } = await request(`${world.sandbox.controlUrl}/control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: statusCode, content: await content.json() };
}

async function aTakenSale(fields: Record<string, string> = {}): Promise<string> {
  return (await send({ ...sale, callbackURL: world.inbox.url, ...fields })).xref ?? '';
}

const fieldsOf = (body: string) => new Map(new URLSearchParams(body));
const stateOf = async (xref: string) => (await send({ merchantID, action: 'QUERY', xref })).state;

describe('the control port', () => {
  test.each([
    [{ host: 'sandbox.example' }],
    [{ host: '127.0.0.1.sandbox.example:4113' }],
    [{ host: '127.0.0.1:1' }],
    [{ origin: 'https://shop.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://127.0.0.1:1' }],
  ])('refuses requests with %o', async headers => {
    const xref = await aTakenSale();
    expect(await control('settle', {}, headers)).toMatchObject({ status: 403 });
    expect(await stateOf(xref)).toBe('captured');
  });

  test('accepts requests from its own page, by either host name, and from programs, which send no origin', async () => {
    const { port, origin } = new URL(world.sandbox.controlUrl);
    expect((await control('settle', {}, { origin })).status).toBe(200);
    expect(
      (await control('settle', {}, { host: `localhost:${port}`, origin: `http://localhost:${port}` })).status,
    ).toBe(200);
    expect((await control('settle', {})).status).toBe(200);
  });
});

test.each([
  ['bank decline any', '5', 'CARD DECLINED'],
  ['bank refer any', '1', 'CARD REFERRED'],
  ['bank insufficientFunds any', '51', 'INSUFFICIENT FUNDS'],
])(
  'the simulator’s action “%s” declines the next request with code %s: %s',
  async (text, responseCode, responseMessage) => {
    const parsed = parseAction(text);
    if (!parsed.ok || parsed.value.do !== 'bank') throw new Error('it is no action on the bank');
    expect(await armFault(world.sandbox.controlUrl, parsed.value)).toBeUndefined();
    expect(await send(sale)).toMatchObject({ responseCode, responseMessage });
    expect(await send(sale)).toMatchObject({ responseCode: '0' });
  },
);

test('the page’s faults that withhold an answer also withhold the callback', async () => {
  const page = await (await request(`${world.sandbox.controlUrl}/`)).body.text();
  const faults = [...page.matchAll(/data-path="faults" data-body='([^']+)'/g)].map(([, body = '']) => JSON.parse(body));
  const withheld = faults.filter(({ kind }) => kind === 'delay' || kind === 'loseReply');
  expect(withheld.map(({ kind, action, callback }) => [kind, action, callback])).toEqual([
    ['loseReply', 'CARD_PRESENT', false],
    ['delay', 'CARD_PRESENT', false],
    ['loseReply', 'REFUND_SALE', false],
  ]);
});

describe('settlement on demand', () => {
  test('of one transaction leaves the others as they are', async () => {
    const [one, other] = [await aTakenSale(), await aTakenSale({ transactionUnique: 'two' })];
    expect((await control('settle', { stage: 'tender', xref: one })).content).toEqual({
      tendered: 1,
      accepted: 0,
      rejected: 0,
      acceptedRefunds: 0,
    });
    expect([await stateOf(one), await stateOf(other)]).toEqual(['tendered', 'captured']);
    await control('settle', { stage: 'complete', xref: one });
    expect([await stateOf(one), await stateOf(other)]).toEqual(['accepted', 'captured']);
  });

  test('ends as requested, whatever its amount, including a card-present sale', async () => {
    const outcome = await world.gateway.authoriseCardPresent({
      uniqueReference: reference(),
      amount: gbp(1250),
      invoiceNumber: 'INV-1',
      card: aReadCard(),
    });
    const xref = outcome.kind === 'approved' ? outcome.gatewayReference : '';
    expect((await control('settle', { outcome: 'rejected' })).content).toMatchObject({ tendered: 1, rejected: 1 });
    expect(await stateOf(xref)).toBe('rejected');
  });

  test('can reject a transaction that was accepted before', async () => {
    const xref = await aTakenSale();
    await control('settle', {});
    await control('settle', { stage: 'complete', xref, outcome: 'rejected' });
    expect(await stateOf(xref)).toBe('rejected');
  });

  test('of an unknown transaction is 404', async () => {
    expect((await control('settle', { xref: 'nobody' })).status).toBe(404);
  });
});

describe('a second approval', () => {
  test('of a sale takes the money again, under another reference, and posts it', async () => {
    const first = await aTakenSale();
    const { status, content } = await control('second-approval', { xref: first });
    expect(status).toBe(200);
    const { xref: second } = content as { xref: string };
    expect(second).not.toBe(first);
    const posted = new URLSearchParams(await world.inbox.next(second));
    expect([posted.get('transactionUnique'), posted.get('responseCode')]).toEqual(['one', '0']);
    expect(world.sandbox.control.ledger()).toMatchObject([
      { xref: first, transactionUnique: 'one', takenMinor: 1250 },
      { xref: second, transactionUnique: 'one', takenMinor: 1250 },
    ]);
  });

  test('of a refund gives the money back again', async () => {
    const xref = await aTakenSale();
    await control('settle', {});
    const refund = { merchantID, action: 'REFUND_SALE', xref, amount: '100', transactionUnique: 'r1' };
    const { xref: first } = await send({ ...refund, callbackURL: world.inbox.url });
    const { content } = await control('second-approval', { xref: first });
    await world.inbox.next((content as { xref: string }).xref);
    expect(world.sandbox.control.ledger()).toMatchObject([{ returnedMinor: 200, refunds: [{}, {}] }]);
  });

  test('of a sale that was declined is refused', async () => {
    const xref = await aTakenSale({ amount: '10000' });
    expect((await control('second-approval', { xref })).status).toBe(409);
    expect(world.sandbox.control.transactions()).toHaveLength(1);
  });
});

describe('a callback on demand', () => {
  test('has the requested content, signed like any other', async () => {
    const xref = await aTakenSale();
    await world.inbox.next(xref);
    expect((await control('callback', { xref, fields: { amountReceived: '900', amount: '900' } })).status).toBe(200);
    const body = await world.inbox.next('amount=900');
    expect(isSignedWith(fieldsOf(body), wireSecret)).toBe(true);
    expect(fieldsOf(body).get('xref')).toBe(xref);
    expect(await stateOf(xref)).toBe('captured');
  });

  test('can be signed with another secret, and needs an address to go to', async () => {
    const xref = await aTakenSale();
    await world.inbox.next(xref);
    await control('callback', { xref, fields: { merchantData: 'forged' }, secret: 'not the secret' });
    expect(isSignedWith(fieldsOf(await world.inbox.next('forged')), wireSecret)).toBe(false);
    const { xref: silent } = await send({ ...sale, transactionUnique: 'two' });
    expect((await control('callback', { xref: silent })).status).toBe(409);
  });
});

test('a reply can be wrong in several fields at once', async () => {
  world.sandbox.control.addFault({
    kind: 'wrongEcho',
    fields: { responseCode: '65999', state: 'finished' },
  });
  expect(await send(sale)).toMatchObject({ responseCode: '65999', state: 'finished' });
  expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 1250 }]);
});
