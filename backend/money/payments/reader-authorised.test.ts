import { operator } from '@florin/shared/actor.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { getPayment, getPaymentTimeline, resolvePayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { resolveRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { BodyInputOf } from '@florin/shared/contracts/contract.ts';
import {
  createTerminalRefund,
  type ReaderRefundOutcome,
  reportReaderRefund,
} from '@florin/shared/contracts/device-v1/refunds.ts';
import { getSale, recordSale, reportUnknownSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

const saleId = 'sale_0000reader';

/** A till with a reader that authorises by itself. */
type RecordedCard = BodyInputOf<typeof recordSale>['card'];

async function aReaderTill(database: DatabaseKind) {
  const shop = await aShop(database, [...merchant, 'devices:write']);
  const { world, client, business, key } = shop;
  await world.backend.services.businesses.switchSetting(business.id, 'passwordProtectRefundsAndVoids', false, operator);
  const till = await aTill(world, key);
  const as = { key: till.token };
  const body = {
    amountInCents: 1_000,
    currency: 'GBP',
    takenAt: new Date(world.clock.now() - 5_000).toISOString(),
    processorReference: 'R1',
    authorisationCode: '712345',
    card: { scheme: 'visa', lastFour: '0821' as string | null, entryMode: 'chip' as const } as RecordedCard,
  };
  const record = (change: Partial<typeof body> = {}) =>
    client.call(recordSale, { params: { saleId }, body: { ...body, ...change } }, as);
  const refund = (requestId: string, paymentId: string, amountInCents?: number) => {
    const kind = amountInCents === undefined ? ('CANCEL' as const) : ('REFUND_SALE' as const);
    const amount = amountInCents === undefined ? {} : { amountInCents };
    return client.call(createTerminalRefund, { body: { requestId, paymentId, kind, ...amount } }, as);
  };
  const report = (requestId: string, outcome: ReaderRefundOutcome) =>
    client.call(reportReaderRefund, { params: { requestId }, body: outcome }, as);
  async function recorded(): Promise<string> {
    const made = await record();
    if (made.status !== 200) throw new Error(JSON.stringify(made.body));
    return made.body.paymentId ?? '';
  }
  return { ...shop, till, as, record, recorded, refund, report };
}

eachDatabase('a sale that the reader authorised with its own processor', database => {
  test('has no digits of the card where the reader tells none, and says that nobody took the signature it asked for', async () => {
    const { client, key, record } = await aReaderTill(database);
    const made = await record({
      card: { scheme: 'girocard', lastFour: null, entryMode: 'chip', signature: 'not_taken' },
    });
    if (made.status !== 200) throw new Error(JSON.stringify(made.body));
    expect(made.body).toMatchObject({ cardLastFour: null, status: 'unsettled' });
    const params = { id: made.body.paymentId ?? '' };
    expect(await client.call(getPaymentTimeline, { params }, { key })).toMatchObject({
      body: { items: [{ kind: 'payment_recorded', detail: { signature: 'not_taken' } }, {}] },
    });
  });

  test('is recorded once, completed and audited, without a gateway', async () => {
    const { world, client, key, business, sandbox, record } = await aReaderTill(database);
    const made = await record();
    expect(made).toMatchObject({
      status: 200,
      body: { saleId, status: 'unsettled', authorisedBy: 'reader', processorReference: 'R1', action: 'void' },
    });
    expect(await record()).toMatchObject({ body: made.body });
    expect(await record({ amountInCents: 999 })).toMatchObject({ status: 409 });
    expect(await record({ processorReference: 'R2' })).toMatchObject({ status: 409 });
    const paymentId = (made.status === 200 && made.body.paymentId) || '';
    world.clock.advance({ hours: 24 });
    expect(await world.backend.services.payments.settlement.poll()).toBe(0);
    expect(sandbox.control.requests()).toEqual([]);
    const timeline = await client.call(getPaymentTimeline, { params: { id: paymentId } }, { key });
    expect(timeline.status === 200 && timeline.body.items.map(({ kind }) => kind)).toEqual([
      'payment_recorded',
      'sale_completed',
      'discrepancy_found',
    ]);
    const filter = { staffId: null, terminalId: null, status: null, from: null, to: null };
    const list = { businessId: business.id, kind: 'payment_recorded', filter, before: null, limit: 10 } as const;
    expect(await world.backend.services.audit.list(list)).toMatchObject([{ paymentId, amountMinor: 1_000 }]);
    expect(await client.call(getPayment, { params: { id: paymentId } }, { key })).toMatchObject({ status: 200 });
  });

  test('is recorded in the currency that the reader charged, and a contradiction becomes a discrepancy', async () => {
    const { client, key, record } = await aReaderTill(database);
    const made = await record({ currency: 'EUR' });
    expect(made).toMatchObject({ status: 200, body: { status: 'unsettled', currency: 'EUR', amountInCents: 1_000 } });
    expect((await record({ currency: 'EUR' })).body).toEqual(made.body);
    expect(await record({ currency: 'EUR', processorReference: 'R2' })).toMatchObject({ status: 409 });
    expect(await record({ currency: 'EUR', processorReference: 'R2' })).toMatchObject({ status: 409 });
    const { body } = await client.call(listDiscrepancies, { query: {} }, { key });
    const paymentId = made.status === 200 ? made.body.paymentId : null;
    expect('items' in body && body.items).toMatchObject([
      { kind: 'payment_approved_twice', paymentId, gateway: { processorReference: 'R2' } },
      { kind: 'sale_currency_differs', paymentId, gateway: { currency: 'EUR', amountMinor: 1_000 } },
    ]);
  });

  test('that its reader forgot is pending with a discrepancy, until the reader’s approval is recorded', async () => {
    const { client, key, as, record } = await aReaderTill(database);
    const body = { amountInCents: 1_000, tipInCents: 100, currency: 'GBP', reference: 'Table 12' };
    const unknown = (change: Partial<typeof body> = {}) =>
      client.call(reportUnknownSale, { params: { saleId }, body: { ...body, ...change } }, as);
    const found = async () => {
      const { body: list } = await client.call(listDiscrepancies, { query: {} }, { key });
      return 'items' in list ? list.items.map(({ kind, resolution }) => [kind, resolution?.outcome ?? 'open']) : list;
    };
    const reports = await Promise.all([unknown(), unknown(), unknown()]);
    const [first] = reports;
    expect(first).toMatchObject({
      status: 200,
      body: { status: 'pending', amountInCents: 1_000, tipInCents: 100, reference: 'Table 12', authorisedBy: 'reader' },
    });
    expect(reports.map(({ body: sale }) => sale)).toEqual([first.body, first.body, first.body]);
    expect(await unknown({ amountInCents: 999 })).toMatchObject({ status: 409 });
    expect(await unknown({ tipInCents: 501 })).toMatchObject({ status: 400 });
    expect(await found()).toEqual([['sale_outcome_unknown', 'open']]);
    expect(await record()).toMatchObject({
      status: 200,
      body: { status: 'unsettled', tipInCents: 100, action: 'void' },
    });
    expect(await found()).toEqual([['sale_outcome_unknown', 'gateway_right']]);
    // A report that was delayed on its way says less than what is known by now.
    expect(await unknown()).toMatchObject({ status: 200, body: { status: 'unsettled' } });
    expect(await found()).toEqual([['sale_outcome_unknown', 'gateway_right']]);
  });

  test('that its reader forgot is decided by a person on evidence', async () => {
    const { client, key, as, record } = await aReaderTill(database);
    const body = { amountInCents: 1_000, currency: 'GBP' };
    const { body: sale } = await client.call(reportUnknownSale, { params: { saleId }, body }, as);
    const id = ('paymentId' in sale && sale.paymentId) || '';
    const decision = { outcome: 'failed' as const, evidence: 'Not on the reader’s end-of-day receipt' };
    expect(await client.call(resolvePayment, { params: { id }, body: decision }, { key })).toMatchObject({
      status: 200,
      body: { status: 'failed' },
    });
    expect(await client.call(getSale, { params: { saleId } }, as)).toMatchObject({ body: { status: 'failed' } });
    // The reader had charged it after all: that is never lost.
    expect(await record()).toMatchObject({ status: 200 });
    const { body: list } = await client.call(listDiscrepancies, { query: {} }, { key });
    expect('items' in list && list.items.filter(({ resolution }) => resolution === null)).toMatchObject([
      { kind: 'payment_approved_late' },
    ]);
  });

  test('cannot be reversed, because the customer was charged', async () => {
    const { client, as, recorded } = await aReaderTill(database);
    await recorded();
    const body = { reason: 'customer_cancelled' as const };
    expect(await client.call(reverseSale, { params: { saleId }, body }, as)).toMatchObject({ status: 409 });
  });

  test('is voided by the reader once, and its amount is held until the reader reports it', async () => {
    const { client, as, sandbox, recorded, refund, report } = await aReaderTill(database);
    const paymentId = await recorded();
    expect(await refund('request-1', paymentId)).toMatchObject({
      status: 202,
      body: { refund: { status: 'pending' }, sale: { pendingInCents: 1_000, action: 'none' } },
    });
    expect(await refund('request-2', paymentId)).toMatchObject({ status: 409 });
    const voided = await report('request-1', { kind: 'approved', processorReference: 'R2' });
    expect(voided).toMatchObject({
      status: 200,
      body: { refund: { status: 'approved', gatewayReference: 'R2' }, sale: { status: 'cancelled' } },
    });
    expect(await report('request-1', { kind: 'approved', processorReference: 'R2' })).toMatchObject({
      body: voided.body,
    });
    expect(await client.call(getSale, { params: { saleId } }, as)).toMatchObject({ body: { status: 'cancelled' } });
    expect(sandbox.control.requests()).toEqual([]);
  });

  test('whose void is too late is settled, and can be refunded up to the amount taken', async () => {
    const { recorded, refund, report } = await aReaderTill(database);
    const paymentId = await recorded();
    expect(await refund('request-1', paymentId, 400)).toMatchObject({ status: 409 });
    await refund('request-2', paymentId);
    expect(await report('request-2', { kind: 'already_settled' })).toMatchObject({
      body: { refund: { status: 'declined' }, sale: { status: 'settled', action: 'refund', remainingInCents: 1_000 } },
    });
    const [one, other] = await Promise.all([refund('request-3', paymentId, 700), refund('request-4', paymentId, 700)]);
    expect(new Set([one.status, other.status])).toEqual(new Set([202, 409]));
    const held = one.status === 202 ? 'request-3' : 'request-4';
    expect(await report(held, { kind: 'declined', code: '05' })).toMatchObject({
      body: { sale: { remainingInCents: 1_000 } },
    });
    await refund('request-5', paymentId, 1_000);
    expect(await report('request-5', { kind: 'approved', processorReference: 'R3' })).toMatchObject({
      body: { sale: { status: 'refunded', remainingInCents: 0 } },
    });
    expect(await refund('request-6', paymentId, 1)).toMatchObject({ status: 409 });
  });

  test('whose refund the reader did not make is released; an unreported one is resolved manually', async () => {
    const { world, client, key, recorded, refund, report } = await aReaderTill(database);
    const paymentId = await recorded();
    await refund('request-1', paymentId);
    expect(await report('request-1', { kind: 'not_performed', reason: 'busy' })).toMatchObject({
      body: { refund: { status: 'failed' }, sale: { action: 'void', pendingInCents: 0 } },
    });
    const open = await refund('request-2', paymentId);
    const id = open.status === 202 ? open.body.refund.id : '';
    const body = { outcome: 'failed' as const, evidence: 'The reader’s journal shows no void' };
    expect(await client.call(resolveRefund, { params: { id }, body }, { key })).toMatchObject({ status: 409 });
    world.clock.advance({ minutes: 11 });
    expect(await client.call(resolveRefund, { params: { id }, body }, { key })).toMatchObject({ status: 200 });
    // The reader's later report contradicts it, so a person has to look into it.
    expect(await report('request-2', { kind: 'approved', processorReference: 'R9' })).toMatchObject({ status: 200 });
    expect(world.logged()).toContain('refund_approved_late');
  });

  test('a sale that the service authorised cannot be returned by the reader', async () => {
    const { till, sandbox, refund, report } = await aReaderTill(database);
    const { paymentId } = await till.sell(500);
    sandbox.control.settle();
    await refund('request-1', paymentId ?? '', 100);
    expect(await report('request-1', { kind: 'declined', code: '05' })).toMatchObject({ status: 409 });
    expect(await report('request-none', { kind: 'declined', code: '05' })).toMatchObject({ status: 404 });
  });
});
