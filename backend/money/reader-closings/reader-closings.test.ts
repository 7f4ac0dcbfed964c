import { operator } from '@florin/shared/actor.ts';
import { listDiscrepancies, resolveDiscrepancy } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { listProblems } from '@florin/shared/contracts/api-v1/problems.ts';
import { recordReaderClosing } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import {
  createTerminalRefund,
  type ReaderRefundOutcome,
  reportReaderRefund,
} from '@florin/shared/contracts/device-v1/refunds.ts';
import { recordSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';

const readerSerial = '65000028';

/** A till with a reader that authorises by itself; a minute passes between its operations. */
async function aReaderTill(database: DatabaseKind) {
  const shop = await aShop(database, [...merchant, 'devices:write']);
  const { world, client, business, key } = shop;
  await world.backend.services.businesses.switchSetting(business.id, 'passwordProtectRefundsAndVoids', false, operator);
  const till = await aTill(world, key);
  const as = { key: till.token };
  let number = 0;
  const next = (prefix: string) => `${prefix}_${String(++number).padStart(10, '0')}`;
  const now = () => new Date(world.clock.now()).toISOString();
  const passes = () => world.clock.advance({ minutes: 1 });

  /** A sale at the reader; `late` is recorded with the time that it was taken at. */
  async function sell(amountInCents: number, { takenAt = now(), reader = readerSerial } = {}): Promise<string> {
    const saleId = next('sale');
    const card = { scheme: 'visa', lastFour: '0821', entryMode: 'chip' as const };
    const facts = { amountInCents, currency: 'GBP', takenAt, processorReference: saleId, authorisationCode: '' };
    const body = { ...facts, readerSerial: reader, card };
    const made = await client.call(recordSale, { params: { saleId }, body }, as);
    if (made.status !== 200) throw new Error(JSON.stringify(made.body));
    passes();
    return made.body.paymentId ?? '';
  }

  async function returned(paymentId: string, outcome: ReaderRefundOutcome, amountInCents?: number): Promise<void> {
    const requestId = next('req');
    const kind = amountInCents === undefined ? ('CANCEL' as const) : ('REFUND_SALE' as const);
    const amount = amountInCents === undefined ? {} : { amountInCents };
    const asked = await client.call(createTerminalRefund, { body: { requestId, paymentId, kind, ...amount } }, as);
    if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
    const reported = await client.call(reportReaderRefund, { params: { requestId }, body: outcome }, as);
    if (reported.status !== 200) throw new Error(JSON.stringify(reported.body));
    passes();
  }
  const voids = (paymentId: string) => returned(paymentId, { kind: 'approved', processorReference: next('ref') });
  /** The reader says that the sale cannot be voided any more. */
  const settles = (paymentId: string) => returned(paymentId, { kind: 'already_settled' });
  const refunds = (paymentId: string, amountInCents: number) =>
    returned(paymentId, { kind: 'approved', processorReference: next('ref') }, amountInCents);

  function closing(totalInCents: number | null, { isConfirmed = totalInCents !== null, reader = readerSerial } = {}) {
    const totals =
      totalInCents === null ? null : { totalInCents, receipts: { first: '0001', last: '0009' }, cardTypes: [] };
    const body = { readerSerial: reader, closedAt: now(), currency: 'GBP', isConfirmed, totals };
    passes();
    return { params: { closingId: next('rcl') }, body };
  }
  const report = (sent: ReturnType<typeof closing>) => client.call(recordReaderClosing, sent, as);
  async function close(...given: Parameters<typeof closing>) {
    const { status, body } = await report(closing(...given));
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  }
  async function discrepancies(status: 'open' | 'resolved' = 'open') {
    const listed = await client.call(listDiscrepancies, { query: { status } }, { key });
    if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
    return listed.body.items;
  }
  return { ...shop, now, sell, voids, settles, refunds, closing, report, close, discrepancies };
}

eachDatabase('the end of a reader’s day', database => {
  test('agrees with the sales, voids and refunds of that reader since the one before', async () => {
    const { sell, voids, settles, refunds, close, discrepancies } = await aReaderTill(database);
    await sell(500);
    expect(await close(9_999)).toMatchObject({ comparison: 'first', recordedInCents: null });
    const refunded = await sell(2_000);
    const voided = await sell(1_000);
    await sell(7_000, { reader: 'another' });
    await voids(voided);
    await settles(refunded);
    await refunds(refunded, 300);
    expect(await close(1_700)).toMatchObject({
      comparison: 'agrees',
      totalInCents: 1_700,
      recordedInCents: 1_700,
      recordedCount: 4,
    });
    expect(await close(0)).toMatchObject({ comparison: 'agrees', recordedCount: 0 });
    // More returned than taken: the reader sends no sign.
    await refunds(refunded, 400);
    expect(await close(400)).toMatchObject({ comparison: 'agrees', recordedInCents: -400 });
    expect(await discrepancies()).toEqual([]);
  });

  test('that differs is a discrepancy of no payment, told once, and acknowledged', async () => {
    const { sell, closing, close, report, discrepancies, client, key, world } = await aReaderTill(database);
    await close(0);
    await sell(1_000);
    const sent = closing(1_500);
    const made = await report(sent);
    expect(made).toMatchObject({ status: 200, body: { comparison: 'differs', recordedInCents: 1_000 } });
    expect(await report(sent)).toMatchObject({ status: 200, body: made.body });
    const other = { ...sent, body: { ...sent.body, closedAt: new Date(0).toISOString() } };
    expect(await report(other)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'closing_differs' } } },
    });
    const [found, ...more] = await discrepancies();
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      kind: 'reader_totals_differ',
      needs: 'acknowledgement',
      paymentId: null,
      contestedInCents: 0,
      recorded: { amountMinor: 1_000, currency: 'GBP' },
      gateway: { amountMinor: 1_500, currency: 'GBP', readerSerial, receipts: '0001–0009' },
    });
    expect(world.logged()).toContain('"kind":"reader_totals_differ"');
    expect(await client.call(listProblems, {}, { key })).toMatchObject({
      body: {
        items: [
          {
            kind: 'discrepancy_open',
            title: `The day of card reader ${readerSerial} differs`,
            subject: { kind: 'discrepancy', id: found?.id, name: readerSerial, paymentId: null },
            action: { kind: 'acknowledge_discrepancy' },
          },
        ],
      },
    });
    const input = { params: { id: found?.id ?? '' }, body: { outcome: 'records_right' as const } };
    expect(await client.call(resolveDiscrepancy, input, { key })).toMatchObject({ status: 200 });
    expect(await report(sent)).toMatchObject({ body: { comparison: 'differs' } });
    expect(await discrepancies()).toEqual([]);
  });

  test('is compared again when a sale of that day is recorded late, which may explain the difference or make one', async () => {
    const { sell, settles, refunds, close, discrepancies, now } = await aReaderTill(database);
    await close(0);
    const takenAt = now();
    const sold = await sell(1_000);
    expect(await close(1_500)).toMatchObject({ comparison: 'differs' });
    await close(0);
    await sell(500, { takenAt });
    expect(await discrepancies()).toEqual([]);
    expect(await discrepancies('resolved')).toMatchObject([
      { kind: 'reader_totals_differ', resolution: { outcome: 'gateway_right', by: { kind: 'system' } } },
    ]);
    await sell(200, { takenAt });
    expect(await discrepancies()).toMatchObject([
      { recorded: { amountMinor: 1_700 }, gateway: { amountMinor: 1_500 } },
    ]);
    // What is returned later belongs to the next day.
    await settles(sold);
    await refunds(sold, 300);
    expect(await discrepancies()).toMatchObject([{ recorded: { amountMinor: 1_700 } }]);
    expect(await close(300)).toMatchObject({ comparison: 'agrees' });
  });

  test('whose totals were not received is not taken for a difference: the reader may have closed its day then, or not', async () => {
    const { sell, close, discrepancies } = await aReaderTill(database);
    await close(0);
    await sell(1_000);
    expect(await close(null)).toMatchObject({ comparison: 'not_received', totalInCents: null });
    // It had not.
    expect(await close(1_000)).toMatchObject({ comparison: 'agrees' });
    await sell(2_000);
    await close(null);
    await sell(300);
    // It had.
    expect(await close(300)).toMatchObject({ comparison: 'closed_before', recordedInCents: 300 });
    await sell(4_000);
    await close(null);
    await sell(500);
    // Neither explains this.
    expect(await close(600)).toMatchObject({ comparison: 'differs', recordedInCents: 4_500 });
    expect(await discrepancies()).toHaveLength(1);
  });

  test('whose totals were received while its end was not leaves nothing open', async () => {
    const { sell, close } = await aReaderTill(database);
    await close(0);
    await sell(1_000);
    expect(await close(1_000, { isConfirmed: false })).toMatchObject({ comparison: 'agrees' });
    await sell(300);
    // It had closed its day, and what it said of it agreed.
    expect(await close(300)).toMatchObject({ comparison: 'agrees', recordedInCents: 300 });
  });
});
