import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCardGatewaySandbox } from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import { describe, expect, test } from 'vitest';
import { adapterFor, aGatewayWorldEach, aReadCard, aRefund, gbp, reference, visa } from './world.ts';

const world = aGatewayWorldEach();

function aCardPresentSale(amountMinor: number, card = aReadCard()) {
  return { uniqueReference: reference(), amount: gbp(amountMinor), invoiceNumber: 'INV-7', card };
}

const lookup = (sale: ReturnType<typeof aCardPresentSale>) =>
  world.gateway.lookup({ operation: 'authorise', channel: 'cardPresent', ...sale, sentAt: Date.now() });

describe('a card-present sale', () => {
  test.each(['chip', 'contactless', 'swipe'] as const)('by %s is approved and captured', async track => {
    const outcome = await world.gateway.authoriseCardPresent(aCardPresentSale(1250, aReadCard({ track })));
    expect(outcome).toMatchObject({
      kind: 'approved',
      amount: gbp(1250),
      card: { scheme: 'Visa', lastFour: '0821' },
      authorisationCode: expect.stringMatching(/^\d{6}$/),
    });
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 1250, state: 'captured' }]);
  });

  test('can be cancelled, or settled and refunded, like any other', async () => {
    const one = aCardPresentSale(1250);
    const first = await world.gateway.authoriseCardPresent(one);
    const second = await world.gateway.authoriseCardPresent(aCardPresentSale(900));
    if (first.kind !== 'approved' || second.kind !== 'approved') throw new Error('not approved');
    const cancel = { uniqueReference: reference(), gatewayReference: first.gatewayReference, amount: one.amount };
    expect(await world.gateway.cancel(cancel)).toMatchObject({ kind: 'approved' });
    world.sandbox.control.settle();
    const refund = aRefund({ gatewayReference: second.gatewayReference, invoiceNumber: 'INV-8' }, gbp(400));
    expect(await world.gateway.refundSale(refund)).toMatchObject({ kind: 'approved' });
  });

  test.each([
    [10000, '5'],
    [15000, '4'],
  ])('of %i is declined with code %s', async (amountMinor, code) => {
    expect(await world.gateway.authoriseCardPresent(aCardPresentSale(amountMinor))).toMatchObject({
      kind: 'declined',
      code,
    });
  });

  test('that the bank approves in part reports the part, in the reply and in a lookup', async () => {
    world.sandbox.control.addFault({ kind: 'approvePartly', action: 'CARD_PRESENT', amountMinor: 400 });
    const sale = aCardPresentSale(1250);
    expect(await world.gateway.authoriseCardPresent(sale)).toMatchObject({ kind: 'approved', amount: gbp(400) });
    expect(await lookup(sale)).toMatchObject({ kind: 'approved', amount: gbp(400) });
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 400 }]);
  });
});

describe('a card block', () => {
  const good = aReadCard();
  test.each<[string, ReturnType<typeof aReadCard>, string]>([
    ['sealed with another key', aReadCard({ key: 'someone else' }), '65544'],
    ['of another reader', { ...good, keySerialNumber: 'ffff' }, '65544'],
    ['cut short', { ...good, encryptedBlock: 'AAAA' }, '65544'],
    ['with an entry mode that is not the card’s', aReadCard({ track: 'chip', entryMode: 'swipe' }), '65542'],
    ['with a number that is no card', aReadCard({ pan: '4929421234600822' }), '66314'],
  ])('%s is declined and takes nothing', async (_, card, code) => {
    expect(await world.gateway.authoriseCardPresent(aCardPresentSale(1250, card))).toMatchObject({
      kind: 'declined',
      code,
    });
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 0, state: 'finished' }]);
  });

  test('with one byte changed anywhere is never opened', async () => {
    const bytes = Buffer.from(good.encryptedBlock, 'base64');
    for (let place = 0; place < bytes.length; place += 7) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      const card = { ...good, encryptedBlock: changed.toString('base64') };
      expect(await world.gateway.authoriseCardPresent(aCardPresentSale(100, card))).toMatchObject({ kind: 'declined' });
    }
  });

  test('leaves no card number on disk', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'card-gateway-'));
    const sandbox = await startCardGatewaySandbox({ file: join(directory, 'books.sqlite') });
    const gateway = adapterFor(sandbox, { callbackUrl: world.inbox.url });
    expect(await gateway.authoriseCardPresent(aCardPresentSale(1250))).toMatchObject({ kind: 'approved' });
    const online = { uniqueReference: reference(), amount: gbp(500), invoiceNumber: 'INV-9', card: visa };
    expect(await gateway.authoriseEcommerce(online)).toMatchObject({ kind: 'approved' });
    const files = readdirSync(directory).map(name => readFileSync(join(directory, name)).toString('latin1'));
    expect(files.join('')).toContain('492942******0821');
    expect(files.join('')).not.toContain(visa.number);
    await sandbox.close();
    rmSync(directory, { recursive: true });
  });
});

describe('an unknown outcome', () => {
  test.each([
    [{ kind: 'loseReply' } as const, 'connection_lost', 'approved'],
    [{ kind: 'dropRequest' } as const, 'connection_lost', 'notFound'],
    [{ kind: 'hang' } as const, 'timeout', 'notFound'],
    [{ kind: 'unavailable' } as const, 'gateway_error', 'notFound'],
    [{ kind: 'badSignature' } as const, 'bad_signature', 'approved'],
    [{ kind: 'unsigned' } as const, 'bad_signature', 'approved'],
    [{ kind: 'garbage' } as const, 'bad_signature', 'approved'],
    [{ kind: 'wrongEcho', fields: { amountMinor: '1' } } as const, 'amount_differs', 'approved'],
    [{ kind: 'wrongEcho', fields: { uniqueReference: 'x' } } as const, 'reference_differs', 'approved'],
    [{ kind: 'wrongEcho', fields: { outcome: 'maybe' } } as const, 'malformed', 'approved'],
  ])('after %o is %s, and a lookup finds %s', async (fault, cause, found) => {
    world.sandbox.control.addFault({ ...fault, action: 'CARD_PRESENT' });
    const sale = aCardPresentSale(1250);
    const outcome = world.gateway.authoriseCardPresent(sale);
    if (cause === 'timeout') await world.timeOut();
    expect(await outcome).toEqual({ kind: 'unknown', cause });
    expect(await lookup(sale)).toMatchObject({ kind: found });
    expect(world.sandbox.control.ledger().reduce((sum, one) => sum + one.takenMinor, 0)).toBe(
      found === 'approved' ? 1250 : 0,
    );
  });

  test('whose lookup is forged is unanswered', async () => {
    world.sandbox.control.addFault({ kind: 'badSignature', action: 'CARD_PRESENT_LOOKUP' });
    expect(await lookup(aCardPresentSale(100))).toEqual({ kind: 'unanswered', cause: 'bad_signature' });
  });

  test('whose reference belongs to another amount is unanswered', async () => {
    const sale = aCardPresentSale(1250);
    await world.gateway.authoriseCardPresent(sale);
    expect(await lookup({ ...sale, amount: gbp(1) })).toEqual({ kind: 'unanswered', cause: 'amount_differs' });
  });

  test('is looked up on both interfaces if its channel is unknown', async () => {
    const online = { uniqueReference: reference(), amount: gbp(500), invoiceNumber: 'INV-9', card: visa };
    await world.gateway.authoriseEcommerce(online);
    const ask = { operation: 'authorise', ...online, sentAt: Date.now() } as const;
    expect(await world.gateway.lookup(ask)).toMatchObject({ kind: 'approved' });
    expect(await world.gateway.lookup({ ...ask, channel: 'cardPresent' })).toEqual({ kind: 'notFound' });
  });
});

describe('authentication', () => {
  test('a gateway keyed with another secret is refused, and the outcome stays unknown', async () => {
    const gateway = adapterFor(world.sandbox, { callbackUrl: world.inbox.url, cardPresentSecret: 'another' });
    expect(await gateway.authoriseCardPresent(aCardPresentSale(1250))).toEqual({
      kind: 'unknown',
      cause: 'gateway_error',
    });
    expect(world.sandbox.control.ledger()).toEqual([]);
  });

  test.each<[string, (body: string, signature: string) => [string, string], number]>([
    ['a changed body', (body, signature) => [body.replace('1250', '9250'), signature], 401],
    ['a changed signature', (body, signature) => [body, signature.replace(/^./, '_')], 401],
    ['no signature', body => [body, ''], 401],
    ['no JSON', () => ['{', 'x'], 401],
    ['an unknown account', (body, signature) => [body.replace('100001', '999999'), signature], 401],
    ['a body of another operation', (body, signature) => [body.replace('"sale"', '"lookup"'), signature], 401],
  ])('%s is refused', async (_, tamper, status) => {
    const secret = world.sandbox.accounts[0]?.cardPresentSecret ?? '';
    const sale = aCardPresentSale(1250);
    const message = {
      merchantId: '100001',
      operation: 'sale',
      uniqueReference: sale.uniqueReference,
      amountMinor: 1250,
      currency: 'GBP',
      invoiceNumber: 'INV-1',
      card: sale.card,
    };
    const genuine = JSON.stringify(message);
    const [body, signature] = tamper(genuine, createHmac('sha256', secret).update(genuine).digest('hex'));
    const reply = await fetch(world.sandbox.cardPresentUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-florin-signature': signature },
      body,
    });
    expect(reply.status).toBe(status);
    expect(world.sandbox.control.transactions()).toEqual([]);
  });

  test('an authenticated message that is not valid is refused as malformed', async () => {
    const secret = world.sandbox.accounts[0]?.cardPresentSecret ?? '';
    const body = JSON.stringify({ merchantId: '100001', operation: 'sale', amountMinor: -1 });
    const reply = await fetch(world.sandbox.cardPresentUrl, {
      method: 'POST',
      headers: { 'x-florin-signature': createHmac('sha256', secret).update(body).digest('hex') },
      body,
    });
    expect(reply.status).toBe(400);
  });
});
