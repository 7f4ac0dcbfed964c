import { createServer, type Server, type Socket } from 'node:net';
import type { FaultInput } from '@florin/backend/programs/sandbox/card-gateway/faults.ts';
import { afterEach, describe, expect, test } from 'vitest';
import {
  adapterFor,
  aGatewayWorldEach,
  anUnsettledSale,
  aReadCard,
  aRefund,
  aSale,
  aSettledSale,
  gbp,
  manualTimers,
  reference,
} from './world.ts';

const world = aGatewayWorldEach();

const ledger = (xref: string) => world.sandbox.control.ledger().find(one => one.xref === xref);
const requestsFor = (uniqueReference: string) =>
  world.sandbox.control.requests().filter(one => one.transactionUnique === uniqueReference);

/** Each fault, the cause that the adapter reports, and whether the gateway carried the operation out. */
const cases: { fault: FaultInput; cause: string; acted: boolean }[] = [
  { fault: { kind: 'loseReply' }, cause: 'connection_lost', acted: true },
  { fault: { kind: 'dropRequest' }, cause: 'connection_lost', acted: false },
  { fault: { kind: 'hang' }, cause: 'timeout', acted: false },
  { fault: { kind: 'hang', applied: true }, cause: 'timeout', acted: true },
  { fault: { kind: 'delay', delayMs: 60_000 }, cause: 'timeout', acted: true },
  { fault: { kind: 'unavailable' }, cause: 'gateway_error', acted: false },
  { fault: { kind: 'unavailable', applied: true }, cause: 'gateway_error', acted: true },
  { fault: { kind: 'badSignature' }, cause: 'bad_signature', acted: true },
  { fault: { kind: 'partialSignature' }, cause: 'bad_signature', acted: true },
  { fault: { kind: 'unsigned' }, cause: 'bad_signature', acted: true },
  { fault: { kind: 'garbage' }, cause: 'malformed', acted: true },
  { fault: { kind: 'wrongEcho', fields: { amount: '501' } }, cause: 'amount_differs', acted: true },
  { fault: { kind: 'wrongEcho', fields: { amount: '0500' } }, cause: 'amount_differs', acted: true },
  { fault: { kind: 'wrongEcho', fields: { amount: '5.00' } }, cause: 'amount_differs', acted: true },
  { fault: { kind: 'wrongEcho', fields: { action: 'REFUND' } }, cause: 'operation_differs', acted: true },
  { fault: { kind: 'wrongEcho', fields: { currencyCode: '978' } }, cause: 'currency_differs', acted: true },
  { fault: { kind: 'wrongEcho', fields: { transactionUnique: 'x' } }, cause: 'reference_differs', acted: true },
  { fault: { kind: 'wrongEcho', fields: { requestMerchantID: '9' } }, cause: 'merchant_differs', acted: true },
  { fault: { kind: 'wrongEcho', fields: { state: 'received' } }, cause: 'contradictory', acted: true },
  { fault: { kind: 'wrongEcho', fields: { state: 'declined' } }, cause: 'contradictory', acted: true },
  { fault: { kind: 'missingEcho', field: 'transactionUnique' }, cause: 'reference_differs', acted: true },
  { fault: { kind: 'missingEcho', field: 'xref' }, cause: 'contradictory', acted: true },
  { fault: { kind: 'missingEcho', field: 'responseCode' }, cause: 'malformed', acted: true },
  ...[65536, 65548, 65549, 65550, 65551, 65552, 65554].map(code => ({
    fault: { kind: 'decline', code } as const,
    cause: code === 65536 ? 'in_progress' : code === 65554 ? 'duplicate' : 'gateway_error',
    acted: false,
  })),
  // Codes that are on no list, the first in a reply that otherwise looks like a refusal.
  {
    fault: { kind: 'wrongEcho', fields: { responseCode: '65999', state: 'finished', amountReceived: '0' } },
    cause: 'unrecognised_code',
    acted: true,
  },
  ...[8, 11, 16, 85, 10_000, 65_537, 65_565, 65_804, 65_857, 65_999, 67_072].map(code => ({
    fault: { kind: 'decline', code } as const,
    cause: 'unrecognised_code',
    acted: false,
  })),
  // A refusal that also reports money received.
  {
    fault: { kind: 'wrongEcho', fields: { responseCode: '5', state: 'declined', amountReceived: '500' } },
    cause: 'contradictory',
    acted: true,
  },
  // A declining code with a state in which money moved.
  { fault: { kind: 'wrongEcho', fields: { responseCode: '5' } }, cause: 'contradictory', acted: true },
];

describe.each(cases)('$fault.kind $fault.field $fault.code', ({ fault, cause, acted }) => {
  test('leaves a refund unknown and sent once, and a lookup finds its outcome', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    world.sandbox.control.addFault({ ...fault, action: 'REFUND_SALE' });
    const refund = aRefund(sale, gbp(500));
    const sentAt = Date.now();
    const outcome = world.gateway.refundSale(refund);
    if (cause === 'timeout') await world.timeOut();
    expect(await outcome).toEqual({ kind: 'unknown', cause });
    expect(requestsFor(refund.uniqueReference)).toHaveLength(acted ? 1 : 0);
    expect(ledger(sale.gatewayReference)?.returnedMinor).toBe(acted ? 500 : 0);

    const found = await world.gateway.lookup({ operation: 'refundSale', ...refund, sentAt });
    expect(found.kind).toBe(acted ? 'approved' : 'notFound');
    expect(requestsFor(refund.uniqueReference)).toHaveLength(acted ? 1 : 0);
  });
});

describe('a lost reply', () => {
  test('to a sale is found by a lookup with its code and card', async () => {
    world.sandbox.control.addFault({ kind: 'loseReply', action: 'SALE' });
    const sale = aSale(gbp(1200));
    const sentAt = Date.now();
    expect(await world.gateway.authoriseEcommerce(sale)).toEqual({ kind: 'unknown', cause: 'connection_lost' });
    expect(await world.gateway.lookup({ operation: 'authorise', channel: 'ecommerce', ...sale, sentAt })).toMatchObject(
      {
        kind: 'approved',
        authorisationCode: expect.stringMatching(/^\d{6}$/),
        card: { scheme: 'Visa', lastFour: '0821' },
        amount: gbp(1200),
      },
    );
  });

  test('to a declined sale is found declined', async () => {
    world.sandbox.control.addFault({ kind: 'loseReply', action: 'SALE' });
    const sale = aSale(gbp(10000));
    await world.gateway.authoriseEcommerce(sale);
    const found = await world.gateway.lookup({ operation: 'authorise', ...sale, sentAt: Date.now() });
    expect(found).toMatchObject({ kind: 'declined', code: '5' });
  });

  test('to a refused refund is found declined', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    world.sandbox.control.addFault({ kind: 'loseReply', action: 'REFUND_SALE' });
    const refund = aRefund(sale, gbp(1001));
    await world.gateway.refundSale(refund);
    const found = await world.gateway.lookup({ operation: 'refundSale', ...refund, sentAt: Date.now() });
    expect(found).toMatchObject({ kind: 'declined' });
  });

  test('to an uncapped refund is found', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    world.sandbox.control.addFault({ kind: 'loseReply', action: 'REFUND' });
    const refund = aRefund(sale, gbp(2000));
    expect(await world.gateway.refund(refund)).toMatchObject({ kind: 'unknown' });
    expect(await world.gateway.lookup({ operation: 'refund', ...refund, sentAt: Date.now() })).toMatchObject({
      kind: 'approved',
    });
  });

  test('to a cancel is found by the state of the payment', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    const cancel = { ...sale, uniqueReference: reference() };
    const ask = () => world.gateway.lookup({ operation: 'cancel', ...cancel, sentAt: Date.now() });
    world.sandbox.control.addFault({ kind: 'dropRequest', action: 'CANCEL' });
    expect(await world.gateway.cancel(cancel)).toEqual({ kind: 'unknown', cause: 'connection_lost' });
    expect(await ask()).toEqual({ kind: 'notFound' });
    world.sandbox.control.addFault({ kind: 'loseReply', action: 'CANCEL' });
    expect(await world.gateway.cancel(cancel)).toEqual({ kind: 'unknown', cause: 'connection_lost' });
    expect(await ask()).toMatchObject({ kind: 'approved', gatewayReference: sale.gatewayReference });
  });

  test('to a cancel that came too late is found declined', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    const cancel = { ...sale, uniqueReference: reference() };
    expect(await world.gateway.lookup({ operation: 'cancel', ...cancel, sentAt: Date.now() })).toMatchObject({
      kind: 'declined',
      code: 'state_settled',
    });
  });

  test('about another payment than the one cancelled stays unknown', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    const other = await anUnsettledSale(world, gbp(1000));
    world.sandbox.control.addFault({
      kind: 'wrongEcho',
      fields: { xref: other.gatewayReference },
      action: 'CANCEL',
    });
    expect(await world.gateway.cancel({ ...sale, uniqueReference: reference() })).toEqual({
      kind: 'unknown',
      cause: 'gateway_reference_differs',
    });
  });
});

describe('an operation refused with a code on no list', () => {
  const finished = { responseCode: '65999', state: 'finished' };

  test('leaves a sale that was carried out unknown, and a lookup finds it', async () => {
    world.sandbox.control.addFault({ kind: 'wrongEcho', fields: { ...finished, amountReceived: '0' }, action: 'SALE' });
    const sale = aSale(gbp(1200));
    expect(await world.gateway.authoriseEcommerce(sale)).toEqual({ kind: 'unknown', cause: 'unrecognised_code' });
    expect(await world.gateway.lookup({ operation: 'authorise', ...sale, sentAt: Date.now() })).toMatchObject({
      kind: 'approved',
      amount: gbp(1200),
    });
  });

  test('leaves a cancel that was carried out unknown, and a lookup finds it', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    const cancel = { ...sale, uniqueReference: reference() };
    world.sandbox.control.addFault({ kind: 'wrongEcho', fields: finished, action: 'CANCEL' });
    expect(await world.gateway.cancel(cancel)).toEqual({ kind: 'unknown', cause: 'unrecognised_code' });
    expect(await world.gateway.lookup({ operation: 'cancel', ...cancel, sentAt: Date.now() })).toMatchObject({
      kind: 'approved',
    });
  });
});

describe('a declined operation', () => {
  test.each([1, 2, 3, 4, 5, 51, 65, 9999, 65539, 65541, 65542, 65575, 66055, 66311, 66570, 67071])(
    'is recognised by code %i, for refunds and cancels',
    async code => {
      const sale = await anUnsettledSale(world, gbp(1000));
      world.sandbox.control.addFault({ kind: 'decline', code, times: 2 });
      const declined = { kind: 'declined', code: String(code) };
      expect(await world.gateway.refundSale(aRefund(sale, gbp(500)))).toMatchObject(declined);
      expect(await world.gateway.cancel({ ...sale, uniqueReference: reference() })).toMatchObject(declined);
    },
  );

  test('is not decided by the refusal of another cancel', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    const other = { xref: 'x', callbackURL: 'https://shop.example/?operation=ref_other' };
    world.sandbox.control.addFault({
      kind: 'wrongEcho',
      fields: { responseCode: '65541', state: 'finished', action: 'CANCEL', ...other },
      action: 'CANCEL',
    });
    expect(await world.gateway.cancel({ ...sale, uniqueReference: reference() })).toEqual({
      kind: 'unknown',
      cause: 'gateway_reference_differs',
    });
  });
});

describe('a rejected settlement', () => {
  test('is reported, and the payment can no longer be cancelled', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    world.sandbox.control.settle('all', { outcome: 'rejected' });
    expect(await world.gateway.paymentState(sale)).toMatchObject({ kind: 'found', state: 'rejected' });
    const asked = { operation: 'cancel', ...sale, sentAt: Date.now() } as const;
    expect(await world.gateway.lookup(asked)).toMatchObject({ kind: 'declined', code: 'state_rejected' });
  });
});

describe('a late', () => {
  test('approval is not found at first, and found later', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    world.sandbox.control.addFault({ kind: 'applyLate', delayMs: 150, action: 'REFUND_SALE' });
    const refund = aRefund(sale, gbp(400));
    expect(await world.gateway.refundSale(refund)).toMatchObject({ kind: 'unknown' });
    const ask = () => world.gateway.lookup({ operation: 'refundSale', ...refund, sentAt: Date.now() });
    expect(await ask()).toEqual({ kind: 'notFound' });
    await world.inbox.next(refund.uniqueReference);
    expect(await ask()).toMatchObject({ kind: 'approved' });
  });
});

describe('a lookup', () => {
  test('is unanswered if the state of the payment cannot be read', async () => {
    const sale = await anUnsettledSale(world, gbp(1000));
    world.sandbox.control.addFault({ kind: 'badSignature', action: 'QUERY', times: 2 });
    expect(await world.gateway.paymentState(sale)).toEqual({ kind: 'unanswered', cause: 'bad_signature' });
    expect(await world.gateway.lookup({ operation: 'cancel', ...sale, sentAt: Date.now() })).toMatchObject({
      kind: 'unanswered',
    });
  });

  test('without the report finds only what the total refunded proves', async () => {
    const gateway = adapterFor(world.sandbox, { callbackUrl: world.inbox.url, reporting: false, cardPresent: false });
    expect(gateway.capabilities).toMatchObject({ lookupByUniqueReference: false, cardPresent: false });
    const sale = await aSettledSale(world, gbp(1000));
    const refund = aRefund(sale, gbp(400));
    const ask = () => gateway.lookup({ operation: 'refundSale', ...refund, sentAt: Date.now() });
    expect(await ask()).toEqual({ kind: 'notFound' });
    await gateway.refundSale(refund);
    expect((await ask()).kind).toBe('unanswered');
    expect((await gateway.lookup({ operation: 'authorise', ...sale, sentAt: Date.now() })).kind).toBe('unanswered');
    expect(await gateway.authoriseCardPresent({ ...sale, card: aReadCard() })).toMatchObject({ kind: 'notSent' });
  });
});

describe('a request that never left', () => {
  test('is notSent when the connection is refused, and may be sent later', async () => {
    const sale = await aSettledSale(world, gbp(1000));
    const refund = aRefund(sale, gbp(400));
    await world.sandbox.control.refuseConnections();
    expect(await world.gateway.refundSale(refund)).toEqual({ kind: 'notSent', cause: 'connection_refused' });
    expect(await world.gateway.authoriseCardPresent({ ...aSale(gbp(100)), card: aReadCard() })).toEqual({
      kind: 'notSent',
      cause: 'connection_refused',
    });
    await world.sandbox.control.acceptConnections();
    expect(await world.gateway.refundSale(refund)).toMatchObject({ kind: 'approved' });
    expect(ledger(sale.gatewayReference)?.returnedMinor).toBe(400);
  });

  test('is notSent when the name does not exist', async () => {
    const account = { merchantID: '4711', secret: 's', portalUser: 'u', portalPassword: 'p', cardPresentSecret: 'c' };
    const gateway = adapterFor(
      { ...world.sandbox, accounts: [account], url: 'https://gateway.invalid' },
      { callbackUrl: world.inbox.url },
    );
    expect(await gateway.refundSale(aRefund({ gatewayReference: 'x', invoiceNumber: '1' }, gbp(1)))).toMatchObject({
      kind: 'notSent',
      cause: 'name_not_found',
    });
  });
});

describe('a connection accepted and then', () => {
  let server: Server | undefined;
  afterEach(() => new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve())));

  async function peer(onConnection: (socket: Socket) => void): Promise<{ url: string; connections: () => number }> {
    let connections = 0;
    const listening = createServer(socket => {
      connections += 1;
      socket.on('error', () => undefined);
      onConnection(socket);
    });
    server = listening;
    await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve));
    const address = listening.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    return { url: `http://127.0.0.1:${port}`, connections: () => connections };
  }

  test.each<[string, (socket: Socket) => unknown]>([
    ['closed before anything is read', socket => socket.destroy()],
    ['reset after the request', socket => socket.once('data', () => socket.resetAndDestroy())],
    [
      'cut off in the middle of the reply',
      socket => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nresp')),
    ],
    ['answered with no HTTP', socket => socket.once('data', () => socket.end('hello\r\n\r\n'))],
  ])('%s: unknown, and not tried again', async (_, onConnection) => {
    const { url, connections } = await peer(onConnection);
    const gateway = adapterFor({ ...world.sandbox, url }, { callbackUrl: world.inbox.url });
    const outcome = await gateway.refundSale(aRefund({ gatewayReference: 'x', invoiceNumber: '1' }, gbp(1)));
    expect(outcome).toEqual({ kind: 'unknown', cause: 'connection_lost' });
    expect(connections()).toBe(1);
  });

  test('redirected: unknown, and not followed', async () => {
    const { url, connections } = await peer(socket =>
      socket.once('data', () => socket.end('HTTP/1.1 307 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n')),
    );
    const gateway = adapterFor({ ...world.sandbox, url }, { callbackUrl: world.inbox.url });
    const outcome = await gateway.refundSale(aRefund({ gatewayReference: 'x', invoiceNumber: '1' }, gbp(1)));
    expect(outcome).toEqual({ kind: 'unknown', cause: 'gateway_error' });
    expect(connections()).toBe(1);
  });

  test('flooded: unknown, and cut short', async () => {
    const { url } = await peer(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.write(Buffer.alloc(3 * 1024 * 1024, 97));
      }),
    );
    const gateway = adapterFor({ ...world.sandbox, url }, { callbackUrl: world.inbox.url });
    const outcome = await gateway.refundSale(aRefund({ gatewayReference: 'x', invoiceNumber: '1' }, gbp(1)));
    expect(outcome).toEqual({ kind: 'unknown', cause: 'malformed' });
  });
});

test('the timeout is the injected one', async () => {
  const timers = manualTimers();
  const gateway = adapterFor(world.sandbox, { callbackUrl: world.inbox.url, timeoutMs: 30_000, timers });
  world.sandbox.control.addFault({ kind: 'hang' });
  const outcome = gateway.authoriseEcommerce(aSale(gbp(1000)));
  expect(timers.armedDelaysMs).toEqual([30_000]);
  timers.expire();
  expect(await outcome).toEqual({ kind: 'unknown', cause: 'timeout' });
});
